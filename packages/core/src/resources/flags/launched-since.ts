import type { FlagConfig, Serve } from './flag-config.ts'

/**
 * Since when a flag is launched in an environment: on, and the same variation for everybody (D26). Integer ms;
 * undefined where it is not.
 *
 * Any change of the configuration starts the time anew. What a prerequisite lets through is not looked at, so a flag
 * with one does not count.
 */
export function launchedSince(config: FlagConfig): number | undefined {
  if (!config.on || config.prerequisites.length > 0) return undefined
  const targets = [...config.targets, ...config.contextTargets].filter(({ values }) => values.length > 0)
  const served = [...targets, ...config.rules, config.fallthrough].flatMap(variationsOf)
  return new Set(served).size === 1 ? config.lastModified : undefined
}

/** Indexes of the variations that somebody can get. */
function variationsOf({ variation, rollout }: Serve): readonly number[] {
  if (!rollout) return variation === undefined ? [] : [variation]
  return rollout.variations.filter(({ weight }) => weight > 0).map((share) => share.variation)
}
