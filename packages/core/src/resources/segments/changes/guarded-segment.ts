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

/** Flags and segments that are looked at to see whether one is guarded; where there are more, it is taken for granted. */
const mostReferring = 1_000

/**
 * What it takes to change a segment, or to remove it, where its environment requires approval (D31).
 *
 * @param after undefined for a segment that is removed.
 * @returns actions that the caller needs besides those of the change.
 * @throws ApiError `method_not_allowed` where the environment has not approved it.
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
  // What nobody refers to can be removed without anybody noticing, so removing it asks for its own guard alone.
  if (!after || !holdsOthers(before, after)) return []
  const guarded = guards(before.tags) || (await isTargetedByGuarded(tx, keys, environment))
  return guarded ? unapproved(environment.key, pass) : []
}

const memberLists = [
  ...(['included', 'excluded', 'includedContexts', 'excludedContexts'] as const),
  ...(['rules', 'bigIncluded', 'bigExcluded'] as const),
]

/** Whether other contexts can be in it. */
function holdsOthers(before: Segment, after: Segment): boolean {
  return memberLists.some((list) => !jsonEqual(before[list], after[list]))
}

/**
 * Whether a flag that is guarded in the environment asks for the segment, itself or by way of other segments. Who begins
 * to do so changes the document that is asked for (`holdSegment`), so none can go unseen.
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
