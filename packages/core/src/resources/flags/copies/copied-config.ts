import type { FlagConfig } from '../../../models/flags/flag-config.ts'

/** What can be copied from one environment to another, named as the action that changing it needs. */
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

/** Which aspects are meant: those that are named, all but those that are named, or all. */
export interface AspectChoice {
  readonly includedActions?: readonly CopyableAspect[]
  readonly excludedActions?: readonly CopyableAspect[]
}

/** A configuration with some of its aspects as another one of the same flag has them. */
export function copiedConfig(
  from: FlagConfig,
  to: FlagConfig,
  { includedActions = copyableAspects, excludedActions = [] }: AspectChoice,
): FlagConfig {
  const chosen = includedActions.filter((aspect) => !excludedActions.includes(aspect))
  const members = chosen.flatMap((aspect): readonly (keyof FlagConfig)[] => membersOf[aspect])
  return { ...to, ...Object.fromEntries(members.map((member) => [member, from[member]])) }
}
