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
export function undeclaredMembers(schema: unknown, value: unknown): string[] {
  return look(schema as SchemaShape, value, [])
}

function look(schema: SchemaShape, value: unknown, path: readonly string[]): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (schema.wrapped) return look(schema.wrapped, value, path)
  if (schema.options?.some((option) => typeof option === 'object')) return fewest(schema.options, value, path)
  if (!schema.entries && !schema.item && !schema.value) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const below = schema.entries?.[name] ?? schema.item ?? schema.value
    return below ? look(below, member, [...path, name]) : [[...path, name].join('.')]
  })
}

function fewest(options: readonly SchemaShape[], value: unknown, path: readonly string[]): string[] {
  const found = options.map((option) => look(option, value, path))
  return found.reduce((best, one) => (one.length < best.length ? one : best))
}
