import type { CustomProperty, Flag } from '../../models/flags/flag.ts'

/** Names and properties of a flag for people. Evaluation does not use them. */
export interface FlagLabels {
  /** Names of the variations, with undefined for variations without a name. Empty when no variation has a name. */
  readonly variationNames: readonly (string | undefined)[]
  /** Sorted by key. */
  readonly customProperties: Readonly<Record<string, CustomProperty>>
}

/** The labels of a flag without labels. */
export const noLabels: FlagLabels = Object.freeze({ variationNames: [], customProperties: {} })

/**
 * Returns the labels of a flag; undefined when the flag has no labels. Most flags have no labels, so this saves memory.
 */
export function labelsOf({ variations, customProperties }: Flag): FlagLabels | undefined {
  const hasNames = variations.some(({ name }) => name !== undefined)
  if (!hasNames && Object.keys(customProperties).length === 0) return undefined
  return { variationNames: hasNames ? variations.map(({ name }) => name) : [], customProperties }
}
