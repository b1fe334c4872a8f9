import { type Environment, environments } from '../../../models/environments/environment.ts'
import { type Flag, type FlagKeys, flags } from '../../../models/flags/flag.ts'
import { type ConfigKeys, dependentFlags } from '../../../models/flags/flag-config.ts'
import { requiresApproval } from '../../../rules/approval/guard.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import type { Writer } from '../../../storage/writer.ts'
import type { Action } from '../../../vocabulary/policy-kinds.ts'
import type { ApprovalPass } from '../../environments/approval-pass.ts'
import { requireBypass } from '../../environments/require-approval.ts'
import type { FlagState } from '../flag-state.ts'

/** Maximum number of flags that are checked for the need of approval. With more flags, approval is required. */
const maxCheckedFlags = 1_000

/**
 * Tests whether an environment requires approval for a change of a flag with these tags
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals): for the flag itself, or for a flag that has it
 * as prerequisite, because such a flag changes what it serves, too.
 *
 * The commit requires that every document that was read here is unchanged.
 */
export async function needsApproval(
  tx: Writer,
  { flagKey, ...environmentKeys }: ConfigKeys,
  { approvalSettings }: Environment,
  tags: readonly string[],
): Promise<boolean> {
  if (!approvalSettings.required) return false
  if (requiresApproval(approvalSettings, tags)) return true
  const seen = new Set([flagKey])
  for (let level = [flagKey]; level.length > 0; ) {
    const dependents = await Promise.all(
      level.map((key) => tx.pageKeys(dependentFlags, { ...environmentKeys, flagKey: key }, { limit: maxCheckedFlags })),
    )
    level = [...new Set(dependents.flat())].filter((key) => !seen.has(key))
    for (const key of level) seen.add(key)
    if (seen.size > maxCheckedFlags) return true
    const documents = await Promise.all(level.map((key) => tx.get(flags, { ...environmentKeys, flagKey: key })))
    for (const flag of documents) {
      if (!flag) continue
      if (requiresApproval(approvalSettings, flag.tags)) return true
      tx.expect(flags, { ...environmentKeys, flagKey: flag.key }, flag)
    }
  }
  return false
}

/**
 * Checks a change of the flag-wide part of a flag, or its deletion. When that changes what an environment serves, or
 * ends the protection of the flag there, the environment must have approved it.
 *
 * @param after undefined when the flag is deleted.
 * @returns the additional actions that the caller needs.
 * @throws ApiError `method_not_allowed` when an environment has not approved the change.
 */
export async function flagWideBypassActions(
  tx: Writer,
  keys: FlagKeys,
  { flag, environments: list }: FlagState,
  after: Flag | undefined,
  pass: ApprovalPass,
): Promise<readonly Action[]> {
  const changesServing = !after || changesServedValues(flag, after)
  if (after && !changesServing && jsonEqual(flag.tags, after.tags)) return []
  const unapprovedEnvironments = list.filter(({ key }) => key !== pass.approvedIn)
  for (const environment of list) tx.expect(environments, { ...keys, environmentKey: environment.key }, environment)
  const needed = await Promise.all(
    unapprovedEnvironments.map(async (environment) => {
      const { approvalSettings, key: environmentKey } = environment
      const leavesApproval =
        requiresApproval(approvalSettings, flag.tags) && !requiresApproval(approvalSettings, after?.tags ?? [])
      const isProtected =
        leavesApproval ||
        (changesServing && (await needsApproval(tx, { ...keys, environmentKey }, environment, flag.tags)))
      return isProtected ? requireBypass(environmentKey, pass) : []
    }),
  )
  return [...new Set(needed.flat())]
}

/** Tests whether SDKs are served something else although no configuration changes. */
function changesServedValues(before: Flag, after: Flag): boolean {
  const values = new Map(after.variations.map(({ _id, value }) => [_id, value]))
  return (
    before.archived !== after.archived ||
    before.includeInSnippet !== after.includeInSnippet ||
    !jsonEqual(before.clientSideAvailability, after.clientSideAvailability) ||
    before.variations.some(({ _id, value }) => values.has(_id) && !jsonEqual(values.get(_id), value))
  )
}
