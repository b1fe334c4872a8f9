/** The parts of a valibot schema that contain other schemas. */
interface SchemaShape {
  readonly type: string
  readonly entries?: Readonly<Record<string, SchemaShape>>
  readonly item?: SchemaShape
  readonly value?: SchemaShape
  readonly wrapped?: SchemaShape
  readonly options?: readonly SchemaShape[]
}

/**
 * Finds the properties of a response that its schema does not declare. An object schema ignores them, and clients would
 * come to depend on them.
 * @param schema a valibot schema: objects, arrays, records, unions and their wrappers are followed; values of other
 *   schemas are not checked.
 * @returns JSON paths such as `items.0.color`.
 */
export function undeclaredProperties(schema: unknown, value: unknown): string[] {
  return findUndeclared(schema as SchemaShape, value, [])
}

function findUndeclared(schema: SchemaShape, value: unknown, path: readonly string[]): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (schema.wrapped) return findUndeclared(schema.wrapped, value, path)
  if (schema.options?.some((option) => typeof option === 'object'))
    return findInClosestOption(schema.options, value, path)
  if (!schema.entries && !schema.item && !schema.value) return []
  return Object.entries(value).flatMap(([name, child]) => {
    const childSchema = schema.entries?.[name] ?? schema.item ?? schema.value
    return childSchema ? findUndeclared(childSchema, child, [...path, name]) : [[...path, name].join('.')]
  })
}

function findInClosestOption(options: readonly SchemaShape[], value: unknown, path: readonly string[]): string[] {
  const results = options.map((option) => findUndeclared(option, value, path))
  return results.reduce((best, candidate) => (candidate.length < best.length ? candidate : best))
}
