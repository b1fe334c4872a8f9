import type { FlagConfig } from '../../../models/flags/flag-config.ts'
import { withoutExperiments } from '../../../rules/experiments/plain-targeting.ts'

/** Properties that can be copied from one environment to another, by the action that a change of them requires. */
const propertiesOfAspect = {
  updateOn: ['on'],
  updatePrerequisites: ['prerequisites'],
  updateTargets: ['targets', 'contextTargets'],
  updateRules: ['rules'],
  updateFallthrough: ['fallthrough'],
  updateOffVariation: ['offVariation'],
} as const satisfies Readonly<Record<string, readonly (keyof FlagConfig)[]>>

export type CopyableAspect = keyof typeof propertiesOfAspect

export const copyableAspects = Object.keys(propertiesOfAspect) as CopyableAspect[]

/** The selected aspects: the named ones, all except the named ones, or all. */
export interface AspectSelection {
  readonly includedActions?: readonly CopyableAspect[]
  readonly excludedActions?: readonly CopyableAspect[]
}

/** Returns a configuration with some aspects copied from another configuration of the same flag. */
export function copiedConfig(
  from: FlagConfig,
  to: FlagConfig,
  { includedActions = copyableAspects, excludedActions = [] }: AspectSelection,
): FlagConfig {
  const selected = includedActions.filter((aspect) => !excludedActions.includes(aspect))
  const properties = selected.flatMap((aspect): readonly (keyof FlagConfig)[] => propertiesOfAspect[aspect])
  const copied = withoutExperiments(from)
  return { ...to, ...Object.fromEntries(properties.map((property) => [property, copied[property]])) }
}
