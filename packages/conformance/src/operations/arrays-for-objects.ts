import type { Operation } from '@halyard/core/operations'
import type { Example } from './example.ts'

/** A body in which an array replaces an object. */
export interface BodyWithArray {
  /** Dotted path of the object; empty for the body itself. */
  readonly path: string
  readonly body: unknown
}

/**
 * Returns bodies of an operation that are invalid because one object of the example, at any depth, is an array: an
 * empty one, and one that contains the object.
 *
 * Objects inside a value that may be any JSON are left as they are.
 */
export function arraysForObjects({ body: declared }: Operation, { body, mediaType }: Example): BodyWithArray[] {
  const schema = declared?.kind === 'json' ? (declared.schema as SchemaParts) : undefined
  // A JSON Patch is an array itself, also in place of an object with a comment.
  const isJsonPatch = declared?.kind === 'patch' && !mediaType?.includes('domain-model')
  return objectsIn(body, schema, []).flatMap(({ path, value }) =>
    path.length === 0 && isJsonPatch
      ? []
      : [[], [value]].map((array) => ({ path: path.join('.'), body: withValueAt(body, path, array) })),
  )
}

interface FoundObject {
  readonly path: readonly string[]
  readonly value: object
}

/**
 * Returns all objects in a value, with their paths. A property that the schema does not contain is left out.
 *
 * @param schema schema of the value; undefined where the operation declares no schema, as for patches.
 */
function objectsIn(value: unknown, schema: SchemaParts | undefined, path: readonly string[]): FoundObject[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([name, property]) => {
    const part = schema && partOf(schema, name)
    return schema && !part ? [] : objectsIn(property, part, [...path, name])
  })
  return Array.isArray(value) ? inner : [{ path, value }, ...inner]
}

/** The parts of a schema that contain other schemas. */
interface SchemaParts {
  readonly entries?: Readonly<Record<string, SchemaParts>>
  readonly item?: SchemaParts
  readonly value?: SchemaParts
  readonly wrapped?: SchemaParts
  readonly options?: readonly SchemaParts[]
}

/** Returns the schema of a property or an item; undefined where it may be any JSON. */
function partOf(schema: SchemaParts, name: string): SchemaParts | undefined {
  const { entries, item, value, wrapped, options = [] } = schema
  if (wrapped) return partOf(wrapped, name)
  return entries?.[name] ?? item ?? (entries ? undefined : value) ?? firstPartOf(options, name)
}

function firstPartOf(schemas: readonly SchemaParts[], name: string): SchemaParts | undefined {
  for (const schema of schemas) {
    const part = typeof schema === 'object' ? partOf(schema, name) : undefined
    if (part) return part
  }
  return undefined
}

function withValueAt(value: unknown, [name, ...inner]: readonly string[], replacement: unknown): unknown {
  if (name === undefined) return replacement
  const property = withValueAt((value as Readonly<Record<string, unknown>>)[name], inner, replacement)
  return Array.isArray(value) ? value.with(Number(name), property) : { ...(value as object), [name]: property }
}
