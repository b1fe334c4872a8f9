import type { CustomProperty, Flag } from '../../models/flags/flag.ts'

/** What people call the parts of a flag: nothing is decided by it. */
export interface FlagLabels {
  /** As long as the list of variations, undefined for those without a name; empty where none has one. */
  readonly variationNames: readonly (string | undefined)[]
  /** By key. */
  readonly customProperties: Readonly<Record<string, CustomProperty>>
}

/** Of flags that have none. */
export const noLabels: FlagLabels = Object.freeze({ variationNames: [], customProperties: {} })

/** The labels of a flag; undefined where it has none, as most have: so they take no room. */
export function labelsOf({ variations, customProperties }: Flag): FlagLabels | undefined {
  const named = variations.some(({ name }) => name !== undefined)
  if (!named && Object.keys(customProperties).length === 0) return undefined
  return { variationNames: named ? variations.map(({ name }) => name) : [], customProperties }
}
