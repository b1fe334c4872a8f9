import type { Serve } from './serve.ts'
import type { Targeting } from './targeting.ts'

/** A variation as far as its index is concerned: it keeps its id when its index changes. */
export interface Placed {
  readonly _id: string
}

/** Returns the new index of a variation, or {@link removedIndex}. */
export type Place = (index: number) => number

export const gone = -1

/** Maps the indexes of one list of variations to another list; variations keep their ids. */
export function placesIn(before: readonly Placed[], after: readonly Placed[]): Place {
  const places = before.map(({ _id }) => after.findIndex((one) => one._id === _id))
  return (index) => places[index] ?? gone
}

/** Returns true if every variation has kept its index. */
export function keepsPlaces(before: readonly Placed[], after: readonly Placed[]): boolean {
  return before.every(({ _id }, at) => after[at]?._id === _id)
}

/** Properties of a configuration that contain indexes of variations. */
export const numberedMembers = ['targets', 'contextTargets', 'rules', 'fallthrough', 'offVariation'] as const

/** Returns the configuration with the new indexes of its variations. */
export function renumbered<T extends Targeting>(config: T, place: Place): T {
  const { offVariation } = config
  return {
    ...config,
    targets: config.targets.map((one) => ({ ...one, variation: place(one.variation) })),
    contextTargets: config.contextTargets.map((one) => ({ ...one, variation: place(one.variation) })),
    rules: config.rules.map((rule) => ({ ...rule, ...renumberedServe(rule, place) })),
    fallthrough: renumberedServe(config.fallthrough, place),
    ...(offVariation === undefined ? {} : { offVariation: place(offVariation) }),
  }
}

function renumberedServe({ variation, rollout }: Serve, place: Place): Serve {
  if (!rollout) return variation === undefined ? {} : { variation: place(variation) }
  const variations = rollout.variations.map((one) => ({ ...one, variation: place(one.variation) }))
  return { rollout: { ...rollout, variations } }
}

/** Returns true if a configuration refers to a variation by this index. */
export function names(config: Targeting, index: number): boolean {
  const { targets, contextTargets, rules, fallthrough, offVariation } = config
  const serves = [...rules, fallthrough]
  return (
    offVariation === index ||
    [...targets, ...contextTargets, ...serves].some(({ variation }) => variation === index) ||
    serves.some(({ rollout }) => rollout?.variations.some(({ variation }) => variation === index))
  )
}
