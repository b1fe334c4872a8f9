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
  readonly defaultJson?: string
}

/** The parts of an operation that clients depend on. */
export interface OperationContract {
  readonly method: string
  readonly path: string
  readonly beta: boolean
  /** Attributes of the request by path, such as `query.limit` or `body.phases[].name`. */
  readonly request: ReadonlyMap<string, Attribute>
  /** Attributes of the response by path, such as `response.items[].key`. */
  readonly response: ReadonlyMap<string, Attribute>
  /** Media types that a body may have. */
  readonly mediaTypes: readonly string[]
  /** Statuses of success and of each error, sorted. */
  readonly statuses: readonly string[]
}

/** The contracts of a document's operations, by operation id. */
export type Contract = ReadonlyMap<string, OperationContract>

/**
 * Returns the contract of a document: the parts on which clients depend. Names of components and descriptions are not
 * among them.
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

type Attributes = Map<string, Attribute>

function operationContract(
  document: OpenApiDocument,
  method: string,
  path: string,
  { parameters = [], requestBody, responses, ...operation }: OperationObject,
): OperationContract {
  const request: Attributes = new Map()
  const response: Attributes = new Map()
  for (const declared of parameters) {
    const parameter = '$ref' in declared ? (resolveReference(document, declared.$ref) as ParameterObject) : declared
    const { name, required = false, schema } = parameter
    addAttributes(document, request, { path: `${parameter.in}.${name}`, declared: schema, required })
  }
  const bodies = Object.entries(requestBody?.content ?? {})
  for (const [type, { schema }] of bodies)
    addAttributes(document, request, { path: bodyName(type, bodies.length), declared: schema, required: true })
  const statuses = Object.keys(responses)
  for (const [status, responseObject] of Object.entries(responses)) {
    if (!/^2/.test(status) || !('content' in responseObject)) continue
    for (const { schema } of Object.values(responseObject.content ?? {}))
      addAttributes(document, response, { path: 'response', declared: schema, required: true })
  }
  const mediaTypes = bodies.map(([type]) => type).sort()
  const beta = operation['x-beta'] === true
  return { method, path, beta, request, response, mediaTypes, statuses: statuses.sort() }
}

/** Returns a separate name for each media type when there are several. */
function bodyName(type: string, count: number): string {
  if (count === 1 || type === 'application/json') return 'body'
  return `body (${type})`
}

/** An attribute that a schema declares. */
interface DeclaredAttribute {
  readonly path: string
  readonly declared: JsonSchema
  readonly required: boolean
}

function addAttributes(
  document: OpenApiDocument,
  attributes: Attributes,
  { path, declared, required }: DeclaredAttribute,
): void {
  const schema = resolveSchema(document, declared)
  const options = (schema.anyOf ?? schema.oneOf ?? []).map((property) => resolveSchema(document, property))
  const values = valuesOf(schema)
  attributes.set(path, {
    types: typesOf(schema, options),
    required,
    ...(values ? { values } : {}),
    limits: limitsOf(schema),
    ...(schema.default === undefined ? {} : { defaultJson: JSON.stringify(schema.default) }),
  })
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    addAttributes(document, attributes, {
      path: `${path}.${name}`,
      declared: property,
      required: schema.required?.includes(name) ?? false,
    })
  }
  if (schema.items) addAttributes(document, attributes, { path: `${path}[]`, declared: schema.items, required: true })
  if (typeof schema.additionalProperties === 'object') {
    addAttributes(document, attributes, { path: `${path}.*`, declared: schema.additionalProperties, required: true })
  }
  // For a choice of scalar values, the types are sufficient.
  for (const option of options.filter(({ type }) => type === 'object' || type === 'array')) {
    addAttributes(document, attributes, { path: `${path}<${optionName(option)}>`, declared: option, required: false })
  }
}

function resolveSchema(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  return schema.$ref === undefined
    ? schema
    : resolveSchema(document, resolveReference(document, schema.$ref) as JsonSchema)
}

function resolveReference(document: OpenApiDocument, reference: string): unknown {
  const names = reference.split('/').slice(1)
  return names.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document)
}

function typesOf(
  { type, const: constant, enum: values }: JsonSchema,
  options: readonly JsonSchema[],
): readonly string[] {
  if (options.length > 0) return [...new Set(options.flatMap((option) => typesOf(option, [])))].sort()
  if (type !== undefined) return [type].flat().sort()
  const literals = constant === undefined ? values : [constant]
  return literals ? [...new Set(literals.map((value) => typeof value))].sort() : ['any']
}

function valuesOf({ const: constant, enum: values }: JsonSchema): readonly string[] | undefined {
  if (constant !== undefined) return [String(constant)]
  return values?.map(String).sort()
}

const limitNames = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'minProperties']

function limitsOf(schema: JsonSchema): Readonly<Record<string, string | number>> {
  const present = limitNames.filter((name) => schema[name] !== undefined)
  return Object.fromEntries(present.map((name) => [name, schema[name] as string | number]))
}

/** Identifies an option by its `kind`, or by its required properties. */
function optionName({ type, properties, required = [] }: JsonSchema): string {
  const kind = properties?.kind?.const
  if (typeof kind === 'string') return kind
  return required.length > 0 ? required.join(',') : String(type)
}
