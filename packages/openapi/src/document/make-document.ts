import type { Operation } from '@halyard/core/operations'
import { errorComponents, errorResponsesOf, errorSchema } from './error-responses.ts'
import type { OperationExamples } from './examples.ts'
import { nameSchemas, pascal, type Root } from './name-schemas.ts'
import type { JsonSchema, OpenApiDocument, OperationObject, PathItem } from './open-api-document.ts'
import { parametersOf, sharedParameters } from './parameters.ts'
import { patchSchemas } from './patch-schemas.ts'
import { declaredSchema, requestBodyOf } from './request-body.ts'
import { headerComponents, successOf } from './success-response.ts'
import { tagOf, tagsOf } from './tags.ts'
import { jsonSchemaOf, timestampSchema } from './to-json-schema.ts'

/** The information of a document other than its operations. */
export interface DocumentInput {
  /** Version of the described API, e.g. `0.1.0`. */
  readonly version: string
  /** Name of the API. Default: Halyard. */
  readonly title?: string
  /** Base URL of the API, e.g. `https://flags.example.com`, or a path such as `/features`. Default `/`. */
  readonly server?: string
  /**
   * Name of the version header, as configured in the engine
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d5-version-header). Default `SVC-API-Version`.
   */
  readonly versionHeader?: string
  /**
   * Model of semantic patches, as configured in the engine
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch). Default `svc.semanticpatch`.
   */
  readonly semanticPatchModel?: string
  /** Successful calls by operation id. They also show which operations return an ETag. */
  readonly examples?: OperationExamples
}

/**
 * Returns the OpenAPI 3.1 document of these operations. All of its content comes from the operation definitions and the
 * examples: the same input gives the same document, in the same order.
 *
 * @param operations operation definitions, e.g. `engine.operations`.
 * @throws Error when a schema has a part that JSON Schema cannot express.
 *
 * @example
 * ```ts
 * import { openApiDocument } from '@halyard/openapi'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const { operations } = await createTestEngine()
 * const document = openApiDocument(operations, { version: '1.0.0', server: 'https://flags.example.com' })
 * console.log(document.openapi, Object.keys(document.paths).includes('/api/v2/projects')) // 3.1.1 true
 * ```
 */
export function openApiDocument(operations: readonly Operation[], input: DocumentInput): OpenApiDocument {
  const { version, title = 'Halyard', server = '/', versionHeader = 'SVC-API-Version', examples = {} } = input
  const semanticType = `application/json; domain-model=${input.semanticPatchModel ?? 'svc.semanticpatch'}`
  const { schemas, schemasOf } = namedSchemasOf(operations)
  const paths: Record<string, Record<string, OperationObject>> = {}
  for (const operation of operations) {
    const { requestSchema, responseSchema } = schemasOf(operation)
    const methods = (paths[operation.path] ??= {})
    methods[operation.method.toLowerCase()] = operationObject(
      operation,
      { requestSchema, responseSchema },
      semanticType,
      examples,
    )
  }
  return {
    openapi: '3.1.1',
    info: {
      title,
      version,
      summary: 'The management API of a feature-flag service.',
      description: introduction(versionHeader),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server }],
    security: [{ token: [] }, { bearer: [] }],
    tags: tagsOf(operations),
    paths: paths as Readonly<Record<string, PathItem>>,
    components: {
      securitySchemes,
      parameters: sharedParameters(versionHeader),
      headers: headerComponents,
      responses: errorComponents(),
      schemas: { Error: errorSchema, Timestamp: timestampSchema, ...patchSchemas, ...schemas },
    },
  }
}

const securitySchemes = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'An access token, without a scheme.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'An access token after `Bearer`.' },
}

function introduction(versionHeader: string): string {
  return [
    'Bodies of requests and responses are JSON unless an operation says otherwise. Times are Unix milliseconds, sent as text ' +
      'or, if the host is configured so, as numbers.',
    `Operations in beta require the header \`${versionHeader}: beta\`.`,
    'Responses may get new properties that are not described yet, and clients must ignore properties that they do not know. ' +
      'A request with unknown properties is refused. An operation that changes something also refuses unknown query ' +
      'parameters; others ignore them.',
    'Every path responds with 405 and `Allow` to a method that it does not support.',
  ].join('\n\n')
}

/** The schemas of the bodies of an operation. */
interface OperationSchemas {
  readonly requestSchema: JsonSchema | undefined
  readonly responseSchema: JsonSchema | undefined
}

function operationObject(
  operation: Operation,
  { requestSchema, responseSchema }: OperationSchemas,
  semanticType: string,
  examples: OperationExamples,
): OperationObject {
  const { id, beta, body, success } = operation
  const example = examples[id]
  const parameters = parametersOf(operation, example)
  const hasETag = example?.headers.etag !== undefined && operation.method === 'GET'
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary: summaryOf(operation),
    description: descriptionOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: requestBodyOf(body, { bodySchema: requestSchema, semanticType }, example) } : {}),
    responses: {
      [success.status]: successOf(operation, responseSchema, example),
      ...(hasETag ? { 304: { description: 'The caller already has this version.' } } : {}),
      ...errorResponsesOf(operation),
    },
    ...('anonymous' in operation.access ? { security: [] } : {}),
    ...(beta ? { 'x-beta': true } : {}),
  }
}

/**
 * Returns the summary without references to decisions such as
 * `(docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body)`.
 */
function summaryOf({ summary }: Operation): string {
  return summary.replaceAll(/ \([A-Z]\d+\)/g, '')
}

function descriptionOf({ access, bodyLimit, dry, beta }: Operation): string {
  const sentences = [
    ...(beta ? ['In beta.'] : []),
    accessDescription(access),
    ...(dry ? ['Changes nothing.'] : []),
    ...(bodyLimit ? [`The body may have up to ${bodyLimit / 2 ** 20} MiB.`] : []),
  ]
  return sentences.join(' ')
}

function accessDescription(access: Operation['access']): string {
  if ('open' in access) return `Open to every caller with a token: ${access.why}.`
  if ('anonymous' in access) return `Needs no token: ${access.why}.`
  const { action, resource, shows, masked } = access
  const actions = (typeof action === 'string' ? [action] : action).map((item) => `\`${item}\``)
  const neededActions =
    actions.length === 1 ? actions[0] : `one of ${actions.join(', ')}, and the action of each part it changes,`
  const additionalAction = shows ? `, and \`${shows.action}\` on \`${shows.resource}\`` : ''
  const maskedNote = masked ? ' For a caller without this permission, the resource does not exist.' : ''
  return `Needs ${neededActions} on \`${resource}\`${additionalAction}.${maskedNote}`
}

/** Returns the schemas of all operations, in which parts that occur several times have a name. */
function namedSchemasOf(operations: readonly Operation[]) {
  const roots: Root[] = []
  const rootIndexes = new Map<string, { requestSchema?: number; responseSchema?: number }>()
  for (const operation of operations) {
    const requestSchema = declaredSchema(operation.body)
    const { body, mediaType } = operation.success
    const indexes: { requestSchema?: number; responseSchema?: number } = {}
    if (requestSchema) indexes.requestSchema = roots.push({ ...requestName(operation), schema: requestSchema }) - 1
    if (body) {
      const schema = mediaType === undefined ? jsonSchemaOf(body) : { type: 'string' }
      indexes.responseSchema = roots.push({ ...responseName(operation), schema }) - 1
    }
    rootIndexes.set(operation.id, indexes)
  }
  const namedSchemas = nameSchemas(roots)
  const rootAt = (index: number | undefined) => (index === undefined ? undefined : namedSchemas.roots[index])
  return {
    schemas: namedSchemas.schemas,
    schemasOf({ id }: Operation) {
      const { requestSchema, responseSchema } = rootIndexes.get(id) ?? {}
      return { requestSchema: rootAt(requestSchema), responseSchema: rootAt(responseSchema) }
    },
  }
}

type RootName = Omit<Root, 'schema'>

const verbs = ['get', 'create', 'put', 'patch', 'update', 'list']

function requestName({ id, body }: Operation): RootName {
  if (body?.kind !== 'patch')
    return { name: `${pascal(id)}Body`, fallbackName: `${pascal(id)}Body`, rank: verbs.length + 1 }
  return { name: `${withoutVerb(id)}Instruction`, fallbackName: `${pascal(id)}Instruction`, rank: verbs.length }
}

/**
 * Returns a name for the schema of a response. Several operations can return one schema; the operation whose verb comes
 * first in `verbs` has the lowest rank, and names the schema after the resource.
 */
function responseName({ id }: Operation): RootName {
  const otherwise = `${pascal(id)}Answer`
  const rank = verbs.findIndex((item) => new RegExp(`^${item}[A-Z]`).test(id))
  return rank === -1
    ? { name: otherwise, fallbackName: otherwise, rank: verbs.length }
    : { name: withoutVerb(id), fallbackName: otherwise, rank }
}

function withoutVerb(id: string): string {
  return id.replace(/^[a-z]+(?=[A-Z])/, '')
}
