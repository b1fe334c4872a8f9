import type { Serve } from './serve.ts'
import type { Targeting } from './targeting.ts'

/** The id of a variation, which stays the same when its index changes. */
export interface VariationId {
  readonly _id: string
}

/** Returns the new index of a variation, or {@link removedIndex}. */
export type IndexMapping = (index: number) => number

export const removedIndex = -1

/** Maps the indexes of one list of variations to another list; variations keep their ids. */
export function indexMapping(before: readonly VariationId[], after: readonly VariationId[]): IndexMapping {
  const newIndexes = before.map(({ _id }) => after.findIndex((item) => item._id === _id))
  return (index) => newIndexes[index] ?? removedIndex
}

/** Returns true if every variation has kept its index. */
export function keepsIndexes(before: readonly VariationId[], after: readonly VariationId[]): boolean {
  return before.every(({ _id }, index) => after[index]?._id === _id)
}

/** Properties of a configuration that contain indexes of variations. */
export const propertiesWithIndexes = ['targets', 'contextTargets', 'rules', 'fallthrough', 'offVariation'] as const

/** Returns the configuration with the new indexes of its variations. */
export function renumberVariations<T extends Targeting>(config: T, newIndexOf: IndexMapping): T {
  const { offVariation } = config
  return {
    ...config,
    targets: config.targets.map((item) => ({ ...item, variation: newIndexOf(item.variation) })),
    contextTargets: config.contextTargets.map((item) => ({ ...item, variation: newIndexOf(item.variation) })),
    rules: config.rules.map((rule) => ({ ...rule, ...renumberServe(rule, newIndexOf) })),
    fallthrough: renumberServe(config.fallthrough, newIndexOf),
    ...(offVariation === undefined ? {} : { offVariation: newIndexOf(offVariation) }),
  }
}

function renumberServe({ variation, rollout }: Serve, newIndexOf: IndexMapping): Serve {
  if (!rollout) return variation === undefined ? {} : { variation: newIndexOf(variation) }
  const variations = rollout.variations.map((item) => ({ ...item, variation: newIndexOf(item.variation) }))
  return { rollout: { ...rollout, variations } }
}

/** Returns true if a configuration refers to a variation by this index. */
export function usesVariation(config: Targeting, index: number): boolean {
  const { targets, contextTargets, rules, fallthrough, offVariation } = config
  const serves = [...rules, fallthrough]
  return (
    offVariation === index ||
    [...targets, ...contextTargets, ...serves].some(({ variation }) => variation === index) ||
    serves.some(({ rollout }) => rollout?.variations.some(({ variation }) => variation === index))
  )
}
