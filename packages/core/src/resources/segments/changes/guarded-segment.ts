import { ownSettings } from '../../../models/environments/approval-settings.ts'
import { type Environment, environments } from '../../../models/environments/environment.ts'
import { flags } from '../../../models/flags/flag.ts'
import { type Segment, type SegmentKeys, segments } from '../../../models/segments/segment.ts'
import { targetingFlags } from '../../../models/segments/targeting-flags.ts'
import { requiresApproval } from '../../../rules/approval/guard.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import type { Writer } from '../../../storage/writer.ts'
import type { Action } from '../../../vocabulary/policy-kinds.ts'
import type { ApprovalPass } from '../../environments/approval-pass.ts'
import { unapproved } from '../../environments/require-approval.ts'
import { isGuarded } from '../../flags/changes/guarded-flag.ts'

/**
 * Maximum number of flags and segments that are checked for the need of approval. With more of them, approval is
 * required.
 */
const mostReferring = 1_000

/**
 * Checks a change or the deletion of a segment in an environment that requires approval (D31).
 *
 * @param after undefined when the segment is deleted.
 * @returns the additional actions that the caller needs.
 * @throws ApiError `method_not_allowed` when the environment has not approved the change.
 */
export async function segmentActions(
  tx: Writer,
  keys: SegmentKeys,
  environment: Environment,
  before: Segment,
  after: Segment | undefined,
  pass: ApprovalPass,
): Promise<readonly Action[]> {
  if (pass.approvedIn === environment.key) return []
  const guards = (tags: readonly string[]) => {
    const own = ownSettings(environment, 'segment')
    return own !== undefined && requiresApproval(own, tags)
  }
  tx.expect(environments, keys, environment)
  const leaves = guards(before.tags) && !guards(after?.tags ?? [])
  if (leaves) return unapproved(environment.key, pass)
  // A deleted segment has no references, so its deletion affects no flag. It needs only the approval of the segment
  // itself.
  if (!after || !holdsOthers(before, after)) return []
  const guarded = guards(before.tags) || (await isTargetedByGuarded(tx, keys, environment))
  return guarded ? unapproved(environment.key, pass) : []
}

const memberLists = [
  ...(['included', 'excluded', 'includedContexts', 'excludedContexts'] as const),
  ...(['rules', 'bigIncluded', 'bigExcluded'] as const),
]

/** Tests whether the change can add contexts to the segment or remove contexts from it. */
function holdsOthers(before: Segment, after: Segment): boolean {
  return memberLists.some((list) => !jsonEqual(before[list], after[list]))
}

/**
 * Tests whether a flag that needs approval in the environment uses the segment, directly or through other segments. A
 * new reference changes the document of the referenced segment (`recordSegmentReference`), so the commit detects it.
 */
async function isTargetedByGuarded(
  tx: Writer,
  { segmentKey, ...place }: SegmentKeys,
  environment: Environment,
): Promise<boolean> {
  if (!environment.approvalSettings.required) return false
  const seen = new Set([segmentKey])
  for (let level = [segmentKey]; level.length > 0; ) {
    const [naming, ...targeting] = await Promise.all([
      tx.listRows(segments, place, {
        where: [{ op: 'anyOf', field: 'segments', values: level }],
        limit: mostReferring,
      }),
      ...level.map((key) => tx.pageKeys(targetingFlags, { ...place, segmentKey: key }, { limit: mostReferring })),
    ])
    const flagKeys = [...new Set(targeting.flat())]
    const found = await Promise.all(flagKeys.map((flagKey) => tx.get(flags, { ...place, flagKey })))
    for (const flag of found) {
      if (!flag) continue
      if (await isGuarded(tx, { ...place, flagKey: flag.key }, environment, flag.tags)) return true
      tx.expect(flags, { ...place, flagKey: flag.key }, flag)
    }
    const next = naming.items.filter((row) => !seen.has(row.key))
    for (const row of next) {
      seen.add(row.key)
      tx.expect(segments, { ...place, segmentKey: row.key }, row)
    }
    if (seen.size > mostReferring || flagKeys.length >= mostReferring) return true
    level = next.map(({ key }) => key)
  }
  return false
}
