import { ownSettings } from '../../../models/environments/approval-settings.ts'
import { type Environment, environments } from '../../../models/environments/environment.ts'
import { flags } from '../../../models/flags/flag.ts'
import { type Segment, type SegmentKeys, segments } from '../../../models/segments/segment.ts'
import { targetingFlags } from '../../../models/segments/targeting-flags.ts'
import { type ApprovalPass, isListApproved } from '../../../operation/approval-pass.ts'
import { documentGuard } from '../../../operation/commit-guard.ts'
import { requiresApproval } from '../../../rules/approval/guard.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import type { Versioned } from '../../../storage/collection.ts'
import type { Writer } from '../../../storage/writer.ts'
import { requireBypass } from '../../environments/require-approval.ts'
import { needsApproval } from '../../flags/changes/flag-approval.ts'
import { segmentAt } from '../segment-at.ts'

/**
 * Maximum number of flags and segments that are checked for the need of approval. With more of them, approval is
 * required.
 */
const maxCheckedReferences = 1_000

/**
 * Checks a change or the deletion of a segment in an environment that requires approval, no matter which operation
 * makes it (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals). No flag refers to a new segment yet.
 */
export const segmentGuard = /* @__PURE__ */ documentGuard(
  segments,
  async (context, keys, { before: stored, after }) => {
    const { tx, pass } = context
    const environment = stored && (await tx.get(environments, keys))
    if (!environment) return []
    const before = segmentAt(stored, context)
    const changesServing = after ? changesMembership(before, after) : false
    if (after && !changesServing && jsonEqual(before.tags, after.tags)) return []
    tx.expect(environments, keys, environment)
    if (isApproved(pass, keys)) return []
    const requiresApprovalFor = (tags: readonly string[]) => {
      const segmentSettings = ownSettings(environment, 'segment')
      return segmentSettings !== undefined && requiresApproval(segmentSettings, tags)
    }
    const leavesApproval = requiresApprovalFor(before.tags) && !requiresApprovalFor(after?.tags ?? [])
    // A deleted segment has no references, so its deletion affects no flag. It needs only the approval of the segment
    // itself.
    const isProtected =
      leavesApproval ||
      (changesServing && (requiresApprovalFor(before.tags) || (await isUsedByProtectedFlag(tx, keys, environment))))
    return isProtected
      ? requireBypass(environment.key, pass, { changed: { collection: segments, keys, document: stored } })
      : []
  },
)

function isApproved(pass: ApprovalPass, { projectKey, environmentKey, segmentKey }: SegmentKeys): boolean {
  const { approved } = pass
  if (isListApproved(pass, { projectKey })) return true
  return (
    approved?.kind === 'segment' &&
    approved.projectKey === projectKey &&
    approved.environmentKey === environmentKey &&
    approved.resourceKey === segmentKey
  )
}

/** Properties of a segment: true if a change of the property can add contexts to it or remove contexts from it. */
const decidesMembership: Readonly<Record<Exclude<keyof Segment, keyof Versioned>, boolean>> = {
  id: true,
  environmentId: true,
  key: true,
  name: false,
  description: false,
  tags: false,
  included: true,
  excluded: true,
  includedContexts: true,
  excludedContexts: true,
  rules: true,
  // An expiry date removes a context at that time, without a further change.
  expiringTargets: true,
  generation: true,
  // This property decides if contexts are looked up or are in lists.
  grown: true,
  unbounded: true,
  unboundedContextKind: true,
  bigIncluded: true,
  bigExcluded: true,
  _external: false,
  _externalLink: false,
  holds: false,
  createdAt: false,
  lastModified: false,
}

const membershipProperties = (Object.keys(decidesMembership) as (keyof typeof decidesMembership)[]).filter(
  (property) => decidesMembership[property],
)

/** Tests whether the change can add contexts to the segment or remove contexts from it, now or at an expiry date. */
function changesMembership(before: Segment, after: Segment): boolean {
  const comparable = ({ expiringTargets = [], ...segment }: Segment): Segment => ({ ...segment, expiringTargets })
  const [first, second] = [comparable(before), comparable(after)]
  return membershipProperties.some((property) => !jsonEqual(first[property], second[property]))
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
      if (await needsApproval(tx, { ...environmentKeys, flagKey: flag.key }, { environment, tags: flag.tags }))
        return true
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
