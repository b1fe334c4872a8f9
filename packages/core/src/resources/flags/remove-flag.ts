import { type FlagKeys, flags } from '../../models/flags/flag.ts'
import { flagConfigs } from '../../models/flags/flag-config.ts'
import type { WriteContext } from '../../operation/context.ts'
import { updateReferenceIndexes } from './changes/change-config.ts'
import type { FlagState } from './flag-state.ts'

/**
 * Deletes a flag with its configurations and everything that is stored under its address.
 *
 * @throws ApiError `forbidden` without the action `deleteFlag`.
 */
export async function removeFlag(context: WriteContext, keys: FlagKeys, state: FlagState): Promise<void> {
  const { tx } = context
  await context.demand('deleteFlag', flags, keys, state.flag)
  tx.remove(flags, keys, state.flag)
  // The clear operations are adjacent, so that a storage can run all of them together.
  tx.clear(flags.address.address(keys))
  for (const [environmentKey, config] of state.configs) {
    const configKeys = { ...keys, environmentKey }
    updateReferenceIndexes(context, { keys: configKeys, before: config, after: { rules: [], prerequisites: [] } })
    if (config.version > 0) tx.remove(flagConfigs, configKeys, config)
    tx.clear(flagConfigs.address.address(configKeys))
  }
}
