import { isDeepStrictEqual } from 'node:util'
import { nameOf } from '../imported-names.ts'
import type { ImportedVariation } from '../imported-project.ts'

/** The variants of a flag of flagd as variations. */
export interface FlagdValues {
  readonly variations: readonly ImportedVariation[]
  /** True when each value is wrapped in an object, because the values have several types. */
  readonly isWrapped: boolean
  /** Variants that have the value of another variant, and so share its variation. */
  readonly sharedVariants: readonly string[]
  /** True when a variation was added that the flag never serves, because there must be two. */
  readonly isFilled: boolean
  /** Returns the index of a variant's variation; undefined when no variant has that name. */
  indexOf(name: string): number | undefined
  valueNamed(name: string): unknown
}

/** Makes variations of variants. */
export function flagdValues(variants: Readonly<Record<string, unknown>>): FlagdValues {
  const entries = Object.entries(variants)
  const isWrapped = new Set(entries.map(([, value]) => typeOf(value))).size > 1
  const valueNamed = (name: string) => (isWrapped ? { value: variants[name] } : variants[name])
  const variations: ImportedVariation[] = []
  const sharedVariants: string[] = []
  for (const [name] of entries) {
    if (variations.some(({ value }) => isDeepStrictEqual(value, valueNamed(name)))) sharedVariants.push(name)
    else variations.push({ value: valueNamed(name), name: nameOf(name) })
  }
  const isFilled = variations.length < 2
  if (isFilled) variations.push({ value: differentValue(variations[0]?.value), name: 'unused' })
  return {
    variations,
    isWrapped,
    sharedVariants,
    isFilled,
    valueNamed,
    indexOf: (name) =>
      Object.hasOwn(variants, name)
        ? variations.findIndex(({ value }) => isDeepStrictEqual(value, valueNamed(name)))
        : undefined,
  }
}

function typeOf(value: unknown): string {
  const type = typeof value
  return type === 'boolean' || type === 'string' || type === 'number' ? type : 'object'
}

function differentValue(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value === 0 ? 1 : 0
  if (typeof value === 'string') return value === '' ? 'unused' : ''
  return value === null ? {} : null
}
