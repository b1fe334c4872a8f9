import type { FlagConfig } from '../../../models/flags/flag-config.ts'

/** Properties that can be copied from one environment to another, by the action that a change of them requires. */
const membersOf = {
  updateOn: ['on'],
  updatePrerequisites: ['prerequisites'],
  updateTargets: ['targets', 'contextTargets'],
  updateRules: ['rules'],
  updateFallthrough: ['fallthrough'],
  updateOffVariation: ['offVariation'],
} as const satisfies Readonly<Record<string, readonly (keyof FlagConfig)[]>>

export type CopyableAspect = keyof typeof membersOf

export const copyableAspects = Object.keys(membersOf) as CopyableAspect[]

/** The selected aspects: the named ones, all except the named ones, or all. */
export interface AspectChoice {
  readonly includedActions?: readonly CopyableAspect[]
  readonly excludedActions?: readonly CopyableAspect[]
}

/** Returns a configuration with some aspects copied from another configuration of the same flag. */
export function copiedConfig(
  from: FlagConfig,
  to: FlagConfig,
  { includedActions = copyableAspects, excludedActions = [] }: AspectChoice,
): FlagConfig {
  const chosen = includedActions.filter((aspect) => !excludedActions.includes(aspect))
  const members = chosen.flatMap((aspect): readonly (keyof FlagConfig)[] => membersOf[aspect])
  return { ...to, ...Object.fromEntries(members.map((member) => [member, from[member]])) }
}
