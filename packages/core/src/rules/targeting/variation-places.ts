import type { Serve } from './serve.ts'
import type { Targeting } from './targeting.ts'

/** A variation, as far as its place goes: it keeps its id wherever it moves. */
export interface Placed {
  readonly _id: string
}

/** Where a variation went: its new index, or {@link gone}. */
export type Place = (index: number) => number

export const gone = -1

/** Follows variations, which keep their ids, from one list into another. */
export function placesIn(before: readonly Placed[], after: readonly Placed[]): Place {
  const places = before.map(({ _id }) => after.findIndex((one) => one._id === _id))
  return (index) => places[index] ?? gone
}

/** Whether every variation has kept its index. */
export function keepsPlaces(before: readonly Placed[], after: readonly Placed[]): boolean {
  return before.every(({ _id }, at) => after[at]?._id === _id)
}

/** The members of a configuration that name variations. */
export const numberedMembers = ['targets', 'contextTargets', 'rules', 'fallthrough', 'offVariation'] as const

/** The same configuration with its variations named by their new indexes. */
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

/** Whether a configuration names this index. */
export function names(config: Targeting, index: number): boolean {
  const { targets, contextTargets, rules, fallthrough, offVariation } = config
  const serves = [...rules, fallthrough]
  return (
    offVariation === index ||
    [...targets, ...contextTargets, ...serves].some(({ variation }) => variation === index) ||
    serves.some(({ rollout }) => rollout?.variations.some(({ variation }) => variation === index))
  )
}
