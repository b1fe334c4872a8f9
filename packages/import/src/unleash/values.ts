import { isDeepStrictEqual } from 'node:util'
import { nameOf } from '../imported-names.ts'
import type { ImportedVariation } from '../imported-project.ts'
import type { UnleashEnvironment, UnleashVariant } from './export.ts'

/** The values of a flag for a feature of Unleash, which is enabled or not and may have a variant. */
export interface UnleashValues {
  readonly variations: readonly ImportedVariation[]
  /** Index of the value for an enabled feature without variants; undefined when it has variants. */
  readonly enabled: number | undefined
  /** Index of the value for a feature that is not enabled, or has no selected variant. */
  readonly disabled: number
  /** Source of the values. */
  readonly form: 'boolean' | 'names' | 'payloads' | 'both'
  indexOf(variant: Pick<UnleashVariant, 'name' | 'payload'>): number
}

/**
 * Makes the values of a feature from all its variants: true and false when it has no variants; their names when no
 * variant has a payload; their payloads when all have one type; otherwise objects of name and payload.
 */
export function valuesOf(allVariants: readonly Pick<UnleashVariant, 'name' | 'payload'>[]): UnleashValues {
  const variants = [
    ...new Map(
      allVariants.map((payload) => [JSON.stringify({ name: payload.name, payload: payloadOf(payload) }), payload]),
    ).values(),
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
    return valuesFromVariants('names', variants, ({ name }) => name, 'disabled')
  }
  const emptyPayload = unusedEmptyValue(variants.map(payloadOf))
  if (emptyPayload !== undefined) return valuesFromVariants('payloads', variants, payloadOf, emptyPayload.value)
  const nameAndPayload = (variant: Pick<UnleashVariant, 'name' | 'payload'>) => {
    const payload = payloadOf(variant)
    return { name: variant.name, ...(payload === undefined ? {} : { payload }) }
  }
  return valuesFromVariants('both', variants, nameAndPayload, {})
}

function valuesFromVariants<V extends Pick<UnleashVariant, 'name' | 'payload'>>(
  form: UnleashValues['form'],
  variants: readonly V[],
  value: (variant: Pick<UnleashVariant, 'name' | 'payload'>) => unknown,
  disabled: unknown,
): UnleashValues {
  const variations: ImportedVariation[] = []
  const find = (searched: unknown) => variations.findIndex((payload) => isDeepStrictEqual(payload.value, searched))
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

/** Returns the payload of a variant; text that does not match its declared type stays text. */
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

/** Returns a value that has the type of all payloads but equals none of them, and that is falsy when possible. */
function unusedEmptyValue(payloads: readonly unknown[]): { readonly value: unknown } | undefined {
  const [first] = payloads
  const type = typeof first
  if (type === 'undefined' || type === 'boolean' || payloads.some((candidate) => typeof candidate !== type))
    return undefined
  const candidates: readonly unknown[] = { string: ['', 'disabled'], number: [0, -1], object: [null, {}] }[
    type as 'string'
  ]
  const value = candidates.find((candidate) => !payloads.some((payload) => isDeepStrictEqual(payload, candidate)))
  return value === undefined || hasDuplicates(payloads) ? undefined : { value }
}

/** Tests for equal payloads: two variants with one payload would become one value and could not be distinguished. */
function hasDuplicates(payloads: readonly unknown[]): boolean {
  return payloads.some((payload, index) => payloads.slice(0, index).some((other) => isDeepStrictEqual(payload, other)))
}

/** Returns the values of every feature of an export by its name. A flag has the same values in all environments. */
export function valuesByFeature(environments: readonly UnleashEnvironment[]): ReadonlyMap<string, UnleashValues> {
  const variants = new Map<string, UnleashVariant[]>()
  for (const feature of environments.flatMap(({ features }) => features)) {
    const strategyVariants = (feature.strategies ?? []).flatMap((strategy) => strategy.variants ?? [])
    variants.set(feature.name, [
      ...(variants.get(feature.name) ?? []),
      ...(feature.variants ?? []),
      ...strategyVariants,
    ])
  }
  return new Map([...variants].map(([name, list]) => [name, valuesOf(list)]))
}
