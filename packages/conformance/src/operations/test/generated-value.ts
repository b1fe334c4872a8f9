/** The parts of a valibot schema from which values are generated. */
export interface SchemaParts {
  readonly type: string
  readonly entries?: Readonly<Record<string, SchemaParts>>
  readonly wrapped?: SchemaParts
  readonly item?: SchemaParts
  readonly value?: SchemaParts
  readonly literal?: unknown
  readonly options?: readonly unknown[]
  getter?(): SchemaParts
}

/** Source of the values and of the random choices of a generator. */
export interface ValueSource {
  /** Returns one of the values. */
  pick<T>(values: readonly T[]): T
  /** Returns one of the schemas of a variant, such as the instructions of a semantic patch. */
  pickVariant(options: readonly SchemaParts[]): SchemaParts
  /**
   * Returns values that are likely to be valid for a property or parameter with this name. The value undefined omits
   * the property.
   */
  valuesOf(name: string): readonly unknown[] | undefined
}

/** Number of levels below which optional properties and list elements are left out. */
const maxDepth = 7

/**
 * Generates a value of the shape that a schema describes. Values of properties that the source knows are mostly from
 * the source. Constraints of the schema, such as patterns, may be violated.
 *
 * @param schema a valibot schema.
 * @param name name of the property that has the value.
 */
export function generateValue(schema: unknown, name: string, source: ValueSource, depth = 0): unknown {
  const parts = schema as SchemaParts
  const { pick } = source
  const known = source.valuesOf(name)
  const inner = (part: SchemaParts | undefined, partName = name) =>
    part && generateValue(part, partName, source, depth + 1)
  switch (parts.type) {
    case 'optional':
    case 'nullish':
    case 'nullable':
    case 'undefinedable':
      if (known?.every((value) => value === undefined)) return undefined
      return depth > maxDepth || (!known && pick([0, 1, 2]) === 0) ? undefined : inner(parts.wrapped)
    case 'lazy':
      return inner(parts.getter?.())
    case 'object':
    case 'strict_object':
    case 'loose_object': {
      const objects = known?.filter((value) => typeof value === 'object' && value !== null) ?? []
      if (objects.length > 0) return pick(objects)
      const entries = Object.entries(parts.entries ?? {}).map(([key, part]) => [key, inner(part, key)] as const)
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
    }
    case 'array':
      if (known?.some(Array.isArray)) return pick(known)
      return Array.from({ length: depth > maxDepth ? 0 : pick([1, 1, 1, 2, 0]) }, () => inner(parts.item))
    case 'record':
      return known ? pick(known) : {}
    case 'literal':
      return parts.literal
    case 'variant':
      return inner(source.pickVariant(parts.options as readonly SchemaParts[]))
    case 'union':
      return known ? pick(known) : inner(pick(parts.options as readonly SchemaParts[]))
    case 'picklist': {
      const fitting = known?.filter((value) => parts.options?.includes(value)) ?? []
      return pick(fitting.length > 0 ? fitting : (parts.options as readonly unknown[]))
    }
    case 'boolean':
      return pick([true, false])
    case 'number':
      return pick(
        (known ?? [0, 1, 2, 50_000, 100_000]).filter((value) => ['number', 'undefined'].includes(typeof value)),
      )
    default:
      return pick(known ?? ['', 'x', true, 1])
  }
}
