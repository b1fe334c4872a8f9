import { isDeepStrictEqual } from 'node:util'
import { nameOf } from '../moved-names.ts'
import type { MovedVariation } from '../moved-project.ts'
import type { UnleashEnvironment, UnleashVariant } from './export.ts'

/** What a feature of Unleash, which is enabled or not and may have a variant, is as values of one flag. */
export interface UnleashValues {
  readonly variations: readonly MovedVariation[]
  /** Index of what is served where the feature is enabled and has no variants; undefined where it has some. */
  readonly enabled: number | undefined
  /** Index of what is served where it is not enabled, or no variant was chosen. */
  readonly disabled: number
  /** How the values came about. */
  readonly form: 'boolean' | 'names' | 'payloads' | 'both'
  indexOf(variant: Pick<UnleashVariant, 'name' | 'payload'>): number
}

/**
 * Makes the values of a feature of all its variants: true and false where there are none; their names where they have no
 * payload; their payloads where these are all of one type; and objects of name and payload elsewhere.
 */
export function valuesOf(given: readonly Pick<UnleashVariant, 'name' | 'payload'>[]): UnleashValues {
  const variants = [
    ...new Map(given.map((one) => [JSON.stringify({ name: one.name, payload: payloadOf(one) }), one])).values(),
  ]
  if (variants.length === 0) {
    return {
      variations: [{ value: true }, { value: false }],
      enabled: 0,
      disabled: 1,
      form: 'boolean',
      indexOf: () => 0,
    }
  }
  if (variants.every(({ payload }) => !payload) && variants.every(({ name }) => name !== 'disabled')) {
    return listed('names', variants, ({ name }) => name, 'disabled')
  }
  const off = emptyBeside(variants.map(payloadOf))
  if (off !== undefined) return listed('payloads', variants, payloadOf, off.value)
  const both = (variant: Pick<UnleashVariant, 'name' | 'payload'>) => {
    const payload = payloadOf(variant)
    return { name: variant.name, ...(payload === undefined ? {} : { payload }) }
  }
  return listed('both', variants, both, {})
}

function listed<V extends Pick<UnleashVariant, 'name' | 'payload'>>(
  form: UnleashValues['form'],
  variants: readonly V[],
  value: (variant: Pick<UnleashVariant, 'name' | 'payload'>) => unknown,
  disabled: unknown,
): UnleashValues {
  const variations: MovedVariation[] = []
  const find = (wanted: unknown) => variations.findIndex((one) => isDeepStrictEqual(one.value, wanted))
  for (const variant of variants) {
    if (find(value(variant)) < 0) variations.push({ value: value(variant), name: nameOf(variant.name) })
  }
  variations.push({ value: disabled, name: 'disabled' })
  return {
    variations,
    enabled: undefined,
    disabled: variations.length - 1,
    form,
    indexOf: (variant) => find(value(variant)),
  }
}

/** What the payload of a variant is; text that is not what its type says stays text. */
function payloadOf({ payload }: Pick<UnleashVariant, 'payload'>): unknown {
  if (!payload) return undefined
  if (payload.type === 'number') {
    const number = payload.value.trim() === '' ? Number.NaN : Number(payload.value)
    return Number.isFinite(number) ? number : payload.value
  }
  if (payload.type !== 'json') return payload.value
  try {
    return JSON.parse(payload.value)
  } catch {
    return payload.value
  }
}

/** A value of the type that all payloads have, and that none of them has: it counts as false where that is possible. */
function emptyBeside(payloads: readonly unknown[]): { readonly value: unknown } | undefined {
  const [first] = payloads
  const type = typeof first
  if (type === 'undefined' || type === 'boolean' || payloads.some((one) => typeof one !== type)) return undefined
  const candidates: readonly unknown[] = { string: ['', 'disabled'], number: [0, -1], object: [null, {}] }[
    type as 'string'
  ]
  const value = candidates.find((one) => !payloads.some((payload) => isDeepStrictEqual(payload, one)))
  return value === undefined || namesDiffer(payloads) ? undefined : { value }
}

/** Two variants of one payload would be one value, and nobody could tell which of them it was. */
function namesDiffer(payloads: readonly unknown[]): boolean {
  return payloads.some((one, at) => payloads.slice(0, at).some((other) => isDeepStrictEqual(one, other)))
}

/** The values of every feature of an export by its name: a flag has the same ones in all environments. */
export function valuesByFeature(environments: readonly UnleashEnvironment[]): ReadonlyMap<string, UnleashValues> {
  const variants = new Map<string, UnleashVariant[]>()
  for (const feature of environments.flatMap(({ features }) => features)) {
    const own = (feature.strategies ?? []).flatMap((strategy) => strategy.variants ?? [])
    variants.set(feature.name, [...(variants.get(feature.name) ?? []), ...(feature.variants ?? []), ...own])
  }
  return new Map([...variants].map(([name, list]) => [name, valuesOf(list)]))
}
