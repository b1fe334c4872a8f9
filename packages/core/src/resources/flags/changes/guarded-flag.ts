import { type Environment, environments } from '../../../models/environments/environment.ts'
import { type Flag, type FlagKeys, flags } from '../../../models/flags/flag.ts'
import { type ConfigKeys, dependentFlags } from '../../../models/flags/flag-config.ts'
import { requiresApproval } from '../../../rules/approval/guard.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import type { Writer } from '../../../storage/writer.ts'
import type { Action } from '../../../vocabulary/policy-kinds.ts'
import type { ApprovalPass } from '../../environments/approval-pass.ts'
import { unapproved } from '../../environments/require-approval.ts'
import type { FlagState } from '../flag-state.ts'

/** Flags that are looked at to see whether one of them is guarded; where there are more, it is taken for granted. */
const mostWaiting = 1_000

/**
 * Whether an environment requires approval for what a flag with these tags does in it (D31): for the flag itself, or
 * for one that has it as prerequisite, as that one does something else when this one does.
 *
 * Whatever the answer stands on must be the same at the commit.
 */
export async function isGuarded(
  tx: Writer,
  { flagKey, ...place }: ConfigKeys,
  { approvalSettings }: Environment,
  tags: readonly string[],
): Promise<boolean> {
  if (!approvalSettings.required) return false
  if (requiresApproval(approvalSettings, tags)) return true
  const seen = new Set([flagKey])
  for (let level = [flagKey]; level.length > 0; ) {
    const waiting = await Promise.all(
      level.map((key) => tx.pageKeys(dependentFlags, { ...place, flagKey: key }, { limit: mostWaiting })),
    )
    level = [...new Set(waiting.flat())].filter((key) => !seen.has(key))
    for (const key of level) seen.add(key)
    if (seen.size > mostWaiting) return true
    const found = await Promise.all(level.map((key) => tx.get(flags, { ...place, flagKey: key })))
    for (const flag of found) {
      if (!flag) continue
      if (requiresApproval(approvalSettings, flag.tags)) return true
      tx.expect(flags, { ...place, flagKey: flag.key }, flag)
    }
  }
  return false
}

/**
 * What it takes to change a flag-wide part of a flag, or to remove the flag: where that changes what an environment
 * serves, or takes the flag out of its guard, that environment must have approved it.
 *
 * @param after undefined for a flag that is removed.
 * @returns actions that the caller needs besides those of the change.
 * @throws ApiError `method_not_allowed` where an environment has not approved it.
 */
export async function flagWideActions(
  tx: Writer,
  keys: FlagKeys,
  { flag, environments: list }: FlagState,
  after: Flag | undefined,
  pass: ApprovalPass,
): Promise<readonly Action[]> {
  const serves = !after || servesOtherwise(flag, after)
  if (after && !serves && jsonEqual(flag.tags, after.tags)) return []
  const asked = list.filter(({ key }) => key !== pass.approvedIn)
  for (const one of list) tx.expect(environments, { ...keys, environmentKey: one.key }, one)
  const needed = await Promise.all(
    asked.map(async (environment) => {
      const { approvalSettings, key: environmentKey } = environment
      const leaves =
        requiresApproval(approvalSettings, flag.tags) && !requiresApproval(approvalSettings, after?.tags ?? [])
      const guarded = leaves || (serves && (await isGuarded(tx, { ...keys, environmentKey }, environment, flag.tags)))
      return guarded ? unapproved(environmentKey, pass) : []
    }),
  )
  return [...new Set(needed.flat())]
}

/** Whether SDKs are served something else, without any configuration being another one. */
function servesOtherwise(before: Flag, after: Flag): boolean {
  const values = new Map(after.variations.map(({ _id, value }) => [_id, value]))
  return (
    before.archived !== after.archived ||
    before.includeInSnippet !== after.includeInSnippet ||
    !jsonEqual(before.clientSideAvailability, after.clientSideAvailability) ||
    before.variations.some(({ _id, value }) => values.has(_id) && !jsonEqual(values.get(_id), value))
  )
}
