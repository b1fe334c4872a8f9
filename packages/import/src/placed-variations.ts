import { isDeepStrictEqual } from 'node:util'
import type { MovedConfig, MovedServe, MovedVariation } from './moved-project.ts'

/** The variations of a flag that is there already. */
export interface KnownVariation extends MovedVariation {
  readonly _id: string
}

/**
 * The variations that a flag gets which has some: each keeps its place, as environments and other flags name it by that, and
 * new values come after them.
 */
export function placedVariations(
  wanted: readonly MovedVariation[],
  known: readonly KnownVariation[],
): readonly (MovedVariation & { readonly _id?: string })[] {
  const kept = known.map((one) => ({ ...one, ...wanted.find(({ value }) => isDeepStrictEqual(value, one.value)) }))
  const added = wanted.filter(({ value }) => !known.some((one) => isDeepStrictEqual(one.value, value)))
  return [...kept, ...added]
}

/** A configuration whose variations are named by the places that they have in a flag. */
export function placedConfig(
  config: MovedConfig,
  wanted: readonly MovedVariation[],
  places: readonly MovedVariation[],
): MovedConfig {
  const place = (index: number) =>
    places.findIndex(({ value }) => isDeepStrictEqual(value, (wanted[index] as MovedVariation).value))
  const serve = <S extends MovedServe>(given: S): S => ({ ...given, ...placedServe(given, place) })
  const moved = <T extends { readonly variation: number }>(one: T): T => ({ ...one, variation: place(one.variation) })
  return {
    ...config,
    targets: config.targets.map(moved),
    contextTargets: config.contextTargets.map(moved),
    rules: config.rules.map(serve),
    fallthrough: serve(config.fallthrough),
    ...(config.offVariation === undefined ? {} : { offVariation: place(config.offVariation) }),
  }
}

function placedServe({ variation, rollout }: MovedServe, place: (index: number) => number): MovedServe {
  if (!rollout) return { variation: place(variation ?? 0) }
  return {
    rollout: { ...rollout, variations: rollout.variations.map((one) => ({ ...one, variation: place(one.variation) })) },
  }
}
