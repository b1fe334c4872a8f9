import type { Serve } from '../../rules/targeting/serve.ts'
import type { Targeting } from '../../rules/targeting/targeting.ts'

/** The parts of a flag's configuration that decide which variations it can serve. */
type ServingParts = Targeting & { readonly prerequisites: readonly unknown[] }

/**
 * Returns the variations that contexts can get while the flag is on, each once. Undefined means no variation, in which
 * case SDKs use the default value in code.
 */
function servedVariations(config: ServingParts): (number | undefined)[] {
  const { targets, contextTargets, rules, fallthrough, prerequisites, offVariation } = config
  const targeted = [...targets, ...contextTargets].filter(({ values }) => values.length > 0)
  return [
    ...new Set([
      ...targeted.map(({ variation }) => variation),
      ...[...rules, fallthrough].flatMap(served),
      // While a prerequisite is not met, the flag counts as off.
      ...(prerequisites.length > 0 ? [offVariation] : []),
    ]),
  ]
}

/** Returns true when every context gets the same variation while the flag is on. */
export function servesOneVariation(config: ServingParts): boolean {
  return servedVariations(config).length === 1
}

function served({ variation, rollout }: Serve): (number | undefined)[] {
  if (!rollout) return [variation]
  return rollout.variations.filter(({ weight }) => weight > 0).map((entry) => entry.variation)
}
