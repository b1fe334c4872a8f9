import { type FlagKeys, flags } from '../../models/flags/flag.ts'
import { flagConfigs } from '../../models/flags/flag-config.ts'
import type { WriteContext } from '../../operation/context.ts'
import type { ApprovalPass } from '../environments/approval-pass.ts'
import { updateReferenceIndexes } from './changes/change-config.ts'
import { flagWideBypassActions } from './changes/flag-approval.ts'
import type { FlagState } from './flag-state.ts'

/**
 * Deletes a flag with its configurations and everything that is stored under its address.
 *
 * @throws ApiError `forbidden` without the action `deleteFlag`; `method_not_allowed` when an environment requires approval of changes of the flag (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 */
export async function removeFlag(
  context: WriteContext,
  keys: FlagKeys,
  state: FlagState,
  pass: ApprovalPass,
): Promise<void> {
  const { tx } = context
  const extraActions = await flagWideBypassActions(tx, keys, state, undefined, pass)
  for (const action of ['deleteFlag' as const, ...extraActions]) await context.demand(action, flags, keys, state.flag)
  tx.remove(flags, keys, state.flag)
  // The clear operations are adjacent, so that a storage can run all of them together.
  tx.clear(flags.address.address(keys))
  for (const [environmentKey, config] of state.configs) {
    const configKeys = { ...keys, environmentKey }
    updateReferenceIndexes(context, configKeys, config, { rules: [], prerequisites: [] })
    if (config.version > 0) tx.remove(flagConfigs, configKeys, config)
    tx.clear(flagConfigs.address.address(configKeys))
  }
}
