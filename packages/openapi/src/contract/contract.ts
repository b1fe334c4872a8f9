import type { JsonSchema, OpenApiDocument, OperationObject, ParameterObject } from '../document/open-api-document.ts'

/** The parts of a value's schema that clients or servers depend on. */
export interface Attribute {
  /** Types that it can have, sorted; `any` when it can have all. */
  readonly types: readonly string[]
  readonly required: boolean
  /** The only values that it can have, when they are listed. */
  readonly values?: readonly string[]
  /** Bounds and patterns, by keyword of JSON Schema. */
  readonly limits: Readonly<Record<string, string | number>>
  /** JSON of the default value. */
  readonly preset?: string
}

/** The parts of an operation that clients depend on. */
export interface OperationContract {
  readonly method: string
  readonly path: string
  readonly beta: boolean
  /** Attributes of the request by path, such as `query.limit` or `body.phases[].name`. */
  readonly asked: ReadonlyMap<string, Attribute>
  /** Attributes of the response by path, such as `answer.items[].key`. */
  readonly answered: ReadonlyMap<string, Attribute>
  /** Media types that a body may have. */
  readonly mediaTypes: readonly string[]
  /** Statuses of success and of each error, sorted. */
  readonly statuses: readonly string[]
}

/** The contracts of a document's operations, by operation id. */
export type Contract = ReadonlyMap<string, OperationContract>

/**
 * Reads from a document what binds clients: how its parts are named and described does not.
 *
 * @example
 * ```ts
 * import { contractOf, openApiDocument } from '@halyard/openapi'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const { operations } = await createTestEngine()
 * const contract = contractOf(openApiDocument(operations, { version: '1.0.0' }))
 * console.log(contract.get('getTeam')?.path) // /api/v2/teams/{teamKey}
 * ```
 */
export function contractOf(document: OpenApiDocument): Contract {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, OperationContract] => [
      operation.operationId,
      operationContract(document, method.toUpperCase(), path, operation),
    ]),
  )
  return new Map(operations)
}

type Found = Map<string, Attribute>

function operationContract(
  document: OpenApiDocument,
  method: string,
  path: string,
  { parameters = [], requestBody, responses, ...operation }: OperationObject,
): OperationContract {
  const asked: Found = new Map()
  const answered: Found = new Map()
  for (const given of parameters) {
    const parameter = '$ref' in given ? (resolve(document, given.$ref) as ParameterObject) : given
    const { name, required = false, schema } = parameter
    walk(document, asked, `${parameter.in}.${name}`, schema, required)
  }
  const bodies = Object.entries(requestBody?.content ?? {})
  for (const [type, { schema }] of bodies) walk(document, asked, bodyName(type, bodies.length), schema, true)
  const statuses = Object.keys(responses)
  for (const [status, response] of Object.entries(responses)) {
    if (!/^2/.test(status) || !('content' in response)) continue
    for (const { schema } of Object.values(response.content ?? {})) walk(document, answered, 'answer', schema, true)
  }
  const mediaTypes = bodies.map(([type]) => type).sort()
  const beta = operation['x-beta'] === true
  return { method, path, beta, asked, answered, mediaTypes, statuses: statuses.sort() }
}

/** Returns a separate name for each media type when there are several. */
function bodyName(type: string, count: number): string {
  if (count === 1 || type === 'application/json') return 'body'
  return `body (${type})`
}

function walk(document: OpenApiDocument, found: Found, at: string, given: JsonSchema, required: boolean): void {
  const schema = resolved(document, given)
  const options = (schema.anyOf ?? schema.oneOf ?? []).map((one) => resolved(document, one))
  const values = valuesOf(schema)
  found.set(at, {
    types: typesOf(schema, options),
    required,
    ...(values ? { values } : {}),
    limits: limitsOf(schema),
    ...(schema.default === undefined ? {} : { preset: JSON.stringify(schema.default) }),
  })
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    walk(document, found, `${at}.${name}`, one, schema.required?.includes(name) ?? false)
  }
  if (schema.items) walk(document, found, `${at}[]`, schema.items, true)
  if (typeof schema.additionalProperties === 'object') {
    walk(document, found, `${at}.*`, schema.additionalProperties, true)
  }
  // For a choice of scalar values, the types are sufficient.
  for (const option of options.filter(({ type }) => type === 'object' || type === 'array')) {
    walk(document, found, `${at}<${optionName(option)}>`, option, false)
  }
}

function resolved(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  return schema.$ref === undefined ? schema : resolved(document, resolve(document, schema.$ref) as JsonSchema)
}

function resolve(document: OpenApiDocument, reference: string): unknown {
  const names = reference.split('/').slice(1)
  return names.reduce<unknown>((place, name) => (place as Record<string, unknown>)[name], document)
}

function typesOf({ type, const: only, enum: values }: JsonSchema, options: readonly JsonSchema[]): readonly string[] {
  if (options.length > 0) return [...new Set(options.flatMap((one) => typesOf(one, [])))].sort()
  if (type !== undefined) return [type].flat().sort()
  const known = only === undefined ? values : [only]
  return known ? [...new Set(known.map((value) => typeof value))].sort() : ['any']
}

function valuesOf({ const: only, enum: values }: JsonSchema): readonly string[] | undefined {
  if (only !== undefined) return [String(only)]
  return values?.map(String).sort()
}

const limitNames = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'minProperties']

function limitsOf(schema: JsonSchema): Readonly<Record<string, string | number>> {
  const there = limitNames.filter((name) => schema[name] !== undefined)
  return Object.fromEntries(there.map((name) => [name, schema[name] as string | number]))
}

/** Identifies an option by its `kind`, or by its required properties. */
function optionName({ type, properties, required = [] }: JsonSchema): string {
  const kind = properties?.kind?.const
  if (typeof kind === 'string') return kind
  return required.length > 0 ? required.join(',') : String(type)
}
