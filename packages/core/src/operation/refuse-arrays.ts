import type * as v from 'valibot'

/** The parts of a schema in which other schemas are. */
interface SchemaParts {
  readonly kind: string
  readonly type: string
  '~run': v.GenericSchema['~run']
  readonly entries?: Readonly<Record<string, SchemaParts>>
  readonly item?: SchemaParts
  readonly items?: readonly SchemaParts[]
  readonly key?: SchemaParts
  readonly value?: SchemaParts
  readonly rest?: SchemaParts
  readonly wrapped?: SchemaParts
  readonly options?: readonly unknown[]
  readonly pipe?: readonly SchemaParts[]
}

/** The types of schemas for objects. The library accepts an array for each of them, as `typeof` of both is `object`. */
const objectTypes: ReadonlySet<string> = new Set([
  'object',
  'strict_object',
  'loose_object',
  'object_with_rest',
  'record',
  'variant',
])

const changed = new WeakSet<object>()

/**
 * Makes every schema of an object inside a schema, and the schema itself, refuse an array as it refuses any other value
 * that is not an object. Schemas are changed in place, once, because copies would not reach the schemas that a pipe or
 * a fast path has in its closure.
 */
export function refuseArrays<S extends v.GenericSchema>(schema: S): S {
  // Cast: a schema is an object with these parts, which its type does not show.
  visit(schema as unknown as SchemaParts)
  return schema
}

function visit(schema: SchemaParts): void {
  if (changed.has(schema)) return
  changed.add(schema)
  if (objectTypes.has(schema.type)) schema['~run'] = withoutArrays(schema)
  for (const part of partsOf(schema)) visit(part)
}

/** A value that is not an object: the schema reports the same issue for an array as for this. */
const noObject = false

function withoutArrays(schema: SchemaParts): SchemaParts['~run'] {
  const run = schema['~run']
  // `this` and not `schema`: the library copies schemas, e.g. to make their properties optional.
  return function (this: SchemaParts, dataset, config) {
    return run.call(this, Array.isArray(dataset.value) ? { ...dataset, value: noObject } : dataset, config)
  }
}

function partsOf(schema: SchemaParts): readonly SchemaParts[] {
  const { entries = {}, item, items = [], key, value, rest, wrapped, options = [], pipe = [] } = schema
  return [...Object.values(entries), item, ...items, key, value, rest, wrapped, ...options, ...pipe].filter(isSchema)
}

/** The options of a picklist are values, and a pipe contains checks and transformations too. */
function isSchema(part: unknown): part is SchemaParts {
  return typeof part === 'object' && part !== null && 'kind' in part && part.kind === 'schema'
}
