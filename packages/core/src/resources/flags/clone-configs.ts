import type { WriteContext } from '../../operation/context.ts'
import { environments } from '../environments/environment.ts'
import { noteReferences } from './change-config.ts'
import { type FlagKeys, flags } from './flag.ts'
import { type FlagConfig, flagConfigs } from './flag-config.ts'
import type { FlagState } from './flag-state.ts'

/**
 * Writes the configurations of a new flag as another one has them, but off: a clone serves nothing before somebody who
 * may turns it on.
 *
 * The segments and flags that they refer to stay as long as the source refers to them, and that it still does is asked
 * by the commit; so they need not be looked up.
 *
 * @param keys those of the new flag, which is in the project of its source and has its variations.
 * @returns what was written, by environment key; what nobody changed is not stored for the clone either.
 */
export function cloneConfigs(
  context: WriteContext,
  keys: FlagKeys,
  source: FlagState,
): ReadonlyMap<string, FlagConfig> {
  const { tx, now } = context
  tx.expect(flags, { ...keys, flagKey: source.flag.key }, source.flag)
  const written = new Map<string, FlagConfig>()
  for (const environment of source.environments) {
    const config = source.configs.get(environment.key) as FlagConfig
    if (config.version === 0) continue
    const place = { ...keys, environmentKey: environment.key }
    tx.expect(environments, place, environment)
    noteReferences(context, place, { rules: [], prerequisites: [] }, config)
    written.set(environment.key, tx.insert(flagConfigs, place, { ...config, on: false, lastModified: now }))
  }
  return written
}
