import { environments } from '../../../models/environments/environment.ts'
import { type Flag, type FlagKeys, flags } from '../../../models/flags/flag.ts'
import { type FlagConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import type { WriteContext } from '../../../operation/context.ts'
import { withoutExperiments } from '../../../rules/experiments/plain-targeting.ts'
import { updateReferenceIndexes } from '../changes/change-config.ts'
import type { FlagState } from '../flag-state.ts'

/** A flag that is created, and its keys. */
export interface NewFlag {
  /** Keys of the new flag, which is in the same project as its source. */
  readonly keys: FlagKeys
  /** The new flag, whose variations are those of its source with new ids. */
  readonly flag: Flag
}

/**
 * Writes copies of the configurations of a flag for a new flag, turned off: a clone serves nothing until a caller with
 * the right to do so turns it on.
 *
 * The segments and flags to which the configurations refer are not looked up: they exist while the source refers to
 * them, and the commit checks that the source is unchanged.
 *
 * @returns the written configurations by environment key. A configuration that was never changed is not stored for the
 *   clone either.
 */
export function cloneConfigs(
  context: WriteContext,
  { keys, flag }: NewFlag,
  source: FlagState,
): ReadonlyMap<string, FlagConfig> {
  const { tx } = context
  const now = context.readClock()
  tx.expect(flags, { ...keys, flagKey: source.flag.key }, source.flag)
  const written = new Map<string, FlagConfig>()
  for (const environment of source.environments) {
    // The releases of the source concern the source alone.
    const { automatedReleases: _, ...config } = withoutExperiments(source.configs.get(environment.key) as FlagConfig)
    if (config.version === 0) continue
    const configKeys = { ...keys, environmentKey: environment.key }
    tx.expect(environments, configKeys, environment)
    updateReferenceIndexes(context, { keys: configKeys, before: { rules: [], prerequisites: [] }, after: config })
    const clone = { ...config, ...datesOfClone(flag, source.flag, config), on: false, lastModified: now }
    written.set(environment.key, tx.insert(flagConfigs, configKeys, clone))
  }
  return written
}

/** Returns the expiry dates with the variation ids of the clone, because dates refer to variations by id. */
function datesOfClone(flag: Flag, source: Flag, { expiringTargets }: FlagConfig): Pick<FlagConfig, 'expiringTargets'> {
  if (expiringTargets === undefined) return {}
  const cloneIdOf = (id: string) => flag.variations[source.variations.findIndex(({ _id }) => _id === id)]?._id as string
  return { expiringTargets: expiringTargets.map((target) => ({ ...target, place: cloneIdOf(target.place) })) }
}
