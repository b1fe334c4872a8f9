import { type FlagKeys, flags } from '../../models/flags/flag.ts'
import { flagConfigs } from '../../models/flags/flag-config.ts'
import { flagConfigRemovalFollowUps, flagRemovalFollowUps } from '../../models/follow-ups.ts'
import type { WriteContext } from '../../operation/context.ts'
import { fail } from '../../operation/errors.ts'
import { updateReferenceIndexes } from './changes/change-config.ts'
import { dependentOf } from './changes/flag-references.ts'
import type { FlagState } from './flag-state.ts'

/**
 * Deletes a flag with its configurations and everything that is stored under its address.
 *
 * @throws ApiError `forbidden` without the action `deleteFlag`; `optimistic_locking_error` while another flag has it as
 *   prerequisite.
 */
export async function removeFlag(context: WriteContext, keys: FlagKeys, state: FlagState): Promise<void> {
  const { tx } = context
  await context.demand('deleteFlag', flags, keys, state.flag)
  const dependent = await dependentOf(tx, keys, state)
  if (dependent !== undefined) {
    const message = `${keys.flagKey} is a prerequisite of ${dependent}: change that flag first`
    fail('optimistic_locking_error', { message })
  }
  tx.remove(flags, keys, state.flag)
  for (const followUp of flagRemovalFollowUps) followUp(tx, keys)
  // The clear operations are adjacent, so that a storage can run all of them together.
  tx.clear(flags.address.address(keys))
  for (const [environmentKey, config] of state.configs) {
    const configKeys = { ...keys, environmentKey }
    updateReferenceIndexes(context, configKeys, config, { rules: [], prerequisites: [] })
    for (const followUp of flagConfigRemovalFollowUps) followUp(tx, configKeys)
    if (config.version > 0) tx.remove(flagConfigs, configKeys, config)
    tx.clear(flagConfigs.address.address(configKeys))
  }
}
