import { isDeepStrictEqual } from 'node:util'
import type { MovedConfig, MovedServe, MovedVariation } from './moved-project.ts'

/** The variations of a flag that exists. */
export interface KnownVariation extends MovedVariation {
  readonly _id: string
}

/**
 * Merges the variations of an import into those of an existing flag. Existing variations keep their index, because
 * environments and other flags refer to it, and new values are appended.
 */
export function placedVariations(
  wanted: readonly MovedVariation[],
  known: readonly KnownVariation[],
): readonly (MovedVariation & { readonly _id?: string })[] {
  const kept = known.map((one) => ({ ...one, ...wanted.find(({ value }) => isDeepStrictEqual(value, one.value)) }))
  const added = wanted.filter(({ value }) => !known.some((one) => isDeepStrictEqual(one.value, value)))
  return [...kept, ...added]
}

/** Returns a configuration whose variation indexes are those of the merged list. */
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
