import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../source-imports.ts'

/** A text or list in a request body that openapi.json limits, and a body that exceeds the limit by one. */
export interface PublishedLimit {
  readonly operation: string
  readonly method: string
  /** Path below `/api/v2`. Its parameters name resources that do not exist: bodies are validated first. */
  readonly path: string
  readonly attribute: string
  readonly limit: number
  readonly body: unknown
}

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface DocumentedOperation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

/** Longer lists have tests of their own, because their bodies take megabytes. */
const maxTriedLength = 20_000

/**
 * Returns the limits of all properties of JSON bodies, including nested objects and lists, except properties that
 * depend on a choice.
 */
export function publishedLimits(): PublishedLimit[] {
  const document = JSON.parse(readFileSync(path.join(root, 'docs/reference/openapi.json'), 'utf8')) as Document
  const resolved = (schema: Schema): Schema =>
    schema.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1) as string] as Schema) : schema

  function* limitsIn(unresolved: Schema, path: readonly string[]): Generator<readonly [string, number]> {
    const { maxLength, maxItems, properties = {}, items } = resolved(unresolved)
    const limit = maxLength ?? maxItems
    // Schemas can be recursive.
    if (path.length > 8) return
    if (limit !== undefined && limit <= maxTriedLength && path.length > 0) yield [path.join('.'), limit]
    for (const [name, property] of Object.entries(properties)) yield* limitsIn(property, [...path, name])
    if (items) yield* limitsIn(items, [...path, '0'])
  }

  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema
      if (!schema || method === 'patch') return []
      return [...limitsIn(schema, [])].map(([attribute, limit]) => ({
        operation: operationId,
        method: method.toUpperCase(),
        path: template.replace('/api/v2', '').replaceAll(/\{\w+\}/g, 'web'),
        attribute,
        limit,
        body: bodyWith(attribute.split('.'), oneTooLong(schema, attribute.split('.'), resolved)),
      }))
    }),
  )
}

function oneTooLong(schema: Schema, [name, ...rest]: readonly string[], resolved: (schema: Schema) => Schema): unknown {
  const { maxLength, maxItems = 0, properties, items } = resolved(schema)
  if (name !== undefined) return oneTooLong((properties?.[name] ?? items) as Schema, rest, resolved)
  if (maxLength !== undefined) return 'x'.repeat(maxLength + 1)
  const item = items ? sampleOf(items, resolved) : null
  // Items of some lists must be unique.
  return Array.from({ length: maxItems + 1 }, (_, i) => (item === 'x' ? `x${i}` : item))
}

/**
 * Returns a value that the schema accepts, because a value of the wrong type is refused before its length is checked.
 */
function sampleOf(unresolved: Schema, resolved: (schema: Schema) => Schema): unknown {
  const schema = resolved(unresolved)
  const { type, enum: choices, anyOf = schema.oneOf, properties = {}, items, minimum = 0, const: constant } = schema
  if (constant !== undefined || choices) return constant ?? choices?.[0]
  if (anyOf) return sampleOf(anyOf[0] as Schema, resolved)
  if (type === 'object') {
    // A property with a constant value selects the variant of an object and must not be omitted.
    const included = Object.keys(properties).filter(
      (name) => schema.required?.includes(name) || properties[name]?.const !== undefined,
    )
    return Object.fromEntries(included.map((name) => [name, sampleOf(properties[name] as Schema, resolved)]))
  }
  if (type === 'array') return items ? [sampleOf(items, resolved)] : []
  if (type === 'boolean') return true
  if (type === undefined) return {}
  return type === 'integer' || type === 'number' ? minimum : 'x'
}

/** Wraps a value along a path: `bodyWith(['a', '0', 'b'], 1)` is `{ a: [{ b: 1 }] }`. */
function bodyWith([name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const inner = bodyWith(rest, value)
  return name === '0' ? [inner] : { [name]: inner }
}
