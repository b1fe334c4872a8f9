import type { Flag } from '../../models/flags/flag.ts'

/** Types of flags in a manifest of the OpenFeature CLI. */
export const manifestTypes = ['boolean', 'string', 'integer', 'float', 'object'] as const

export type ManifestType = (typeof manifestTypes)[number]

/** A flag in a manifest. */
export interface ManifestFlag {
  readonly key: string
  readonly name: string
  readonly type: ManifestType
  readonly description?: string
  /** Value for programs that cannot reach the engine: that of the default variation while the flag is off. */
  readonly defaultValue: unknown
}

/** Returns a flag as manifests contain it. A flag whose values are JSON, also lists, has the type `object`. */
export function manifestFlag({ key, name, description, variations, defaults }: Flag): ManifestFlag {
  const values = variations.map(({ value }) => value)
  return {
    key,
    name,
    type: typeOf(values),
    ...(description === '' ? {} : { description }),
    defaultValue: values[defaults.offVariation],
  }
}

function typeOf(values: readonly unknown[]): ManifestType {
  const isAll = (type: string) => values.every((value) => typeof value === type)
  if (isAll('boolean')) return 'boolean'
  if (isAll('string')) return 'string'
  if (!isAll('number')) return 'object'
  return values.every(Number.isInteger) ? 'integer' : 'float'
}
