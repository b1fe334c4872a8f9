import { isDeepStrictEqual } from 'node:util'
import type { ImportedVariation } from '../imported-project.ts'

/** The values of a feature as variations. */
export interface ValuesOfFeature {
  readonly variations: readonly ImportedVariation[]
  /** Returns the index of a value; undefined for null, which means the default of the caller. */
  indexOf(value: unknown): number | undefined
  /** Number of variations that the feature itself has; the others were added because a flag needs two. */
  readonly ownCount: number
}

/**
 * Returns the variations for the values of a feature; undefined when the values have several types.
 *
 * @param values all values that the feature can have, with their names.
 */
export function valuesOfFeature(
  values: readonly { readonly value: unknown; readonly name?: string }[],
): ValuesOfFeature | undefined {
  const nonNull = values.filter(({ value }) => value !== null && value !== undefined)
  const types = new Set(nonNull.map(({ value }) => typeof value))
  if (types.size > 1) return undefined
  const distinct: ImportedVariation[] = []
  for (const { value, name } of nonNull) {
    if (!distinct.some((variation) => isDeepStrictEqual(variation.value, value)))
      distinct.push({ value, ...(name ? { name } : {}) })
  }
  const variations = withSecondVariation(distinct, [...types][0] ?? 'boolean').toSorted(trueFirst)
  const indexOf = (value: unknown) => {
    const index = variations.findIndex((variation) => isDeepStrictEqual(variation.value, value))
    return index < 0 ? undefined : index
  }
  return { variations, indexOf, ownCount: types.has('boolean') ? 2 : distinct.length }
}

/** Sorts true before all other values, which is the order of variations in flags that Halyard creates. */
function trueFirst(a: ImportedVariation, b: ImportedVariation): number {
  return a.value === true ? -1 : b.value === true ? 1 : 0
}

/** Adds unused variations until there are two, because a flag has at least two variations. */
function withSecondVariation(distinct: readonly ImportedVariation[], type: string): readonly ImportedVariation[] {
  const candidates = { boolean: [true, false], string: ['', 'unused'], number: [0, 1], object: [{}, []] }[type] ?? []
  const missing = candidates.filter((value) => !distinct.some((variation) => isDeepStrictEqual(variation.value, value)))
  return [
    ...distinct,
    ...missing.slice(0, Math.max(0, 2 - distinct.length)).map((value) => ({ value, name: 'unused' })),
  ]
}
