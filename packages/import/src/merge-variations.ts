import { isDeepStrictEqual } from 'node:util'
import type { ImportedConfig, ImportedServe, ImportedVariation } from './imported-project.ts'

/** The variations of a flag that exists. */
export interface ExistingVariation extends ImportedVariation {
  readonly _id: string
}

/**
 * Merges the variations of an import into those of an existing flag. Existing variations keep their index, because
 * environments and other flags refer to it, and new values are appended.
 */
export function mergeVariations(
  imported: readonly ImportedVariation[],
  existing: readonly ExistingVariation[],
): readonly (ImportedVariation & { readonly _id?: string })[] {
  const retained = existing.map((variation) => ({
    ...variation,
    ...imported.find(({ value }) => isDeepStrictEqual(value, variation.value)),
  }))
  const added = imported.filter(({ value }) => !existing.some((variation) => isDeepStrictEqual(variation.value, value)))
  return [...retained, ...added]
}

/** Returns a configuration whose variation indexes are those of the merged list. */
export function remapConfig(
  config: ImportedConfig,
  imported: readonly ImportedVariation[],
  merged: readonly ImportedVariation[],
): ImportedConfig {
  const newIndexOf = (index: number) =>
    merged.findIndex(({ value }) => isDeepStrictEqual(value, (imported[index] as ImportedVariation).value))
  const serve = <S extends ImportedServe>(original: S): S => ({ ...original, ...remapServe(original, newIndexOf) })
  const remapVariation = <T extends { readonly variation: number }>(variation: T): T => ({
    ...variation,
    variation: newIndexOf(variation.variation),
  })
  return {
    ...config,
    targets: config.targets.map(remapVariation),
    contextTargets: config.contextTargets.map(remapVariation),
    rules: config.rules.map(serve),
    fallthrough: serve(config.fallthrough),
    ...(config.offVariation === undefined ? {} : { offVariation: newIndexOf(config.offVariation) }),
  }
}

function remapServe({ variation, rollout }: ImportedServe, newIndexOf: (index: number) => number): ImportedServe {
  if (!rollout) return { variation: newIndexOf(variation ?? 0) }
  return {
    rollout: {
      ...rollout,
      variations: rollout.variations.map((entry) => ({ ...entry, variation: newIndexOf(entry.variation) })),
    },
  }
}
