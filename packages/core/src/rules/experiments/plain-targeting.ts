import type { Serve } from '../targeting/serve.ts'
import type { Targeting } from '../targeting/targeting.ts'

/**
 * Returns a copy of a targeting in which percentage rollouts with the same weights replace experiments. Copies of flags
 * use it, because only an iteration may add an experiment.
 */
export function withoutExperiments<T extends Targeting>(targeting: T): T {
  return {
    ...targeting,
    rules: targeting.rules.map((rule) => ({ ...rule, ...plainServe(rule) })),
    fallthrough: plainServe(targeting.fallthrough),
  }
}

function plainServe({ variation, rollout }: Serve): Serve {
  if (!rollout) return variation === undefined ? {} : { variation }
  if (rollout.kind !== 'experiment') return { rollout }
  const weights = new Map<number, number>()
  for (const share of rollout.variations) {
    weights.set(share.variation, (weights.get(share.variation) ?? 0) + share.weight)
  }
  const variations = [...weights]
    .map(([index, weight]) => ({ variation: index, weight }))
    .sort((a, b) => a.variation - b.variation)
  return { rollout: { variations, contextKind: rollout.contextKind } }
}
