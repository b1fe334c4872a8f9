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
import { requireBypass } from '../../environments/require-approval.ts'
import { needsApproval } from '../../flags/changes/flag-approval.ts'

/**
 * Maximum number of flags and segments that are checked for the need of approval. With more of them, approval is
 * required.
 */
const maxCheckedReferences = 1_000

/**
 * Checks a change or the deletion of a segment in an environment that requires approval
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 *
 * @param after undefined when the segment is deleted.
 * @returns the additional actions that the caller needs.
 * @throws ApiError `method_not_allowed` when the environment has not approved the change.
 */
export async function segmentBypassActions(
  tx: Writer,
  keys: SegmentKeys,
  environment: Environment,
  before: Segment,
  after: Segment | undefined,
  pass: ApprovalPass,
): Promise<readonly Action[]> {
  if (pass.approvedIn === environment.key) return []
  const requiresApprovalFor = (tags: readonly string[]) => {
    const own = ownSettings(environment, 'segment')
    return own !== undefined && requiresApproval(own, tags)
  }
  tx.expect(environments, keys, environment)
  const leavesApproval = requiresApprovalFor(before.tags) && !requiresApprovalFor(after?.tags ?? [])
  if (leavesApproval) return requireBypass(environment.key, pass)
  // A deleted segment has no references, so its deletion affects no flag. It needs only the approval of the segment
  // itself.
  if (!after || !changesMembership(before, after)) return []
  const isProtected = requiresApprovalFor(before.tags) || (await isUsedByProtectedFlag(tx, keys, environment))
  return isProtected ? requireBypass(environment.key, pass) : []
}

const membershipProperties = [
  ...(['included', 'excluded', 'includedContexts', 'excludedContexts'] as const),
  ...(['rules', 'bigIncluded', 'bigExcluded'] as const),
]

/** Tests whether the change can add contexts to the segment or remove contexts from it. */
function changesMembership(before: Segment, after: Segment): boolean {
  return membershipProperties.some((list) => !jsonEqual(before[list], after[list]))
}

/**
 * Tests whether a flag that needs approval in the environment uses the segment, directly or through other segments. A
 * new reference changes the document of the referenced segment (`recordSegmentReference`), so the commit detects it.
 */
async function isUsedByProtectedFlag(
  tx: Writer,
  { segmentKey, ...environmentKeys }: SegmentKeys,
  environment: Environment,
): Promise<boolean> {
  if (!environment.approvalSettings.required) return false
  const seen = new Set([segmentKey])
  for (let level = [segmentKey]; level.length > 0; ) {
    const [referring, ...targeting] = await Promise.all([
      tx.listRows(segments, environmentKeys, {
        where: [{ op: 'anyOf', field: 'segments', values: level }],
        limit: maxCheckedReferences,
      }),
      ...level.map((key) =>
        tx.pageKeys(targetingFlags, { ...environmentKeys, segmentKey: key }, { limit: maxCheckedReferences }),
      ),
    ])
    const flagKeys = [...new Set(targeting.flat())]
    const documents = await Promise.all(flagKeys.map((flagKey) => tx.get(flags, { ...environmentKeys, flagKey })))
    for (const flag of documents) {
      if (!flag) continue
      if (await needsApproval(tx, { ...environmentKeys, flagKey: flag.key }, environment, flag.tags)) return true
      tx.expect(flags, { ...environmentKeys, flagKey: flag.key }, flag)
    }
    const next = referring.items.filter((row) => !seen.has(row.key))
    for (const row of next) {
      seen.add(row.key)
      tx.expect(segments, { ...environmentKeys, segmentKey: row.key }, row)
    }
    if (seen.size > maxCheckedReferences || flagKeys.length >= maxCheckedReferences) return true
    level = next.map(({ key }) => key)
  }
  return false
}
