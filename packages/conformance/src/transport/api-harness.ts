import type { Api, ApiError, Engine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import { inProcessHarness } from './in-process-harness.ts'
import type { TransportHarness, TransportRequest, TransportResponse } from './transport-harness.ts'

/** A call of an operation, as `engine.api` and objects with its signatures accept it. */
export interface Call {
  readonly operation: Operation
  readonly input: Readonly<Record<string, unknown>>
  readonly as: string | undefined
  readonly ifMatch: string | undefined
}

/** The properties that every error of a call must have. */
type CallError = Pick<ApiError, 'name' | 'status' | 'headers' | 'body'>

/**
 * Creates a harness for an object with the signatures of `engine.api`: it calls the operation that a request matches,
 * and converts the result to a response. A request that no call can express (a path without an operation, a body that
 * is not JSON, another media type, a version) is sent to the engine unchanged.
 *
 * @param name name of the transport in test titles.
 * @param open creates the api of an engine.
 *
 * @example
 * ```ts
 * import { createClient } from '@halyard/client'
 * import { apiHarness } from '@halyard/conformance'
 * import { createFetchHandler } from '@halyard/transport-fetch'
 *
 * const baseUrl = 'http://localhost'
 * const harness = apiHarness('client', (engine) => createClient({ baseUrl, fetch: createFetchHandler(engine) }).api)
 * console.log(harness.name) // client
 * ```
 */
export function apiHarness(name: string, open: (engine: Engine) => Api): TransportHarness {
  return {
    name,
    async open(engine) {
      // Cast: the operation is found at run time, so its call has no type of its own here.
      const api = open(engine) as unknown as Readonly<
        Record<string, (input: object, options: object) => Promise<unknown>>
      >
      const client = await inProcessHarness.open(engine)
      return {
        async send(request) {
          const call = callFromRequest(engine.operations, request)
          if (!call) return client.send(request)
          const { operation, input, as, ifMatch } = call
          const callOperation =
            api[operation.id] ?? (() => Promise.reject(new Error(`unknown operation ${operation.id}`)))
          return callOperation(input, { as, ifMatch }).then((body) => successResponse(operation, body), errorResponse)
        },
        close: () => client.close(),
      }
    },
  }
}

async function successResponse({ success }: Operation, body: unknown): Promise<TransportResponse> {
  const { status, mediaType = 'application/json' } = success
  const headers: Record<string, string> = success.body ? { 'content-type': mediaType } : {}
  if (success.mediaType === undefined) return { status, headers, body: JSON.stringify(body) ?? '' }
  let text = ''
  for await (const chunk of body as AsyncIterable<string>) text += chunk
  return { status, headers, body: text }
}

function errorResponse(error: CallError): TransportResponse {
  if (error.name !== 'ApiError') throw error
  return {
    status: error.status,
    headers: { ...error.headers, 'content-type': 'application/json' },
    body: JSON.stringify(error.body),
  }
}

/** Returns the call that is equivalent to a request, or undefined when no call can express it. */
export function callFromRequest(operations: readonly Operation[], request: TransportRequest): Call | undefined {
  const { method, path: target, headers = {}, body } = request
  const [path = '', query = ''] = target.split(/\?(.*)/s, 2)
  const operation = findOperation(operations, method, path.split('/'))
  if (!operation || (headers['svc-api-version'] ?? 'beta') !== 'beta') return undefined
  if (operation.beta && !headers['svc-api-version']) return undefined
  try {
    const params = pathParams(operation, path)
    const queryParams = Object.fromEntries(new URLSearchParams(requireValidEncoding(query)))
    if (Object.keys(queryParams).some((name) => name === 'body' || name in params)) return undefined
    const { authorization: as, 'if-match': ifMatch } = headers
    return {
      operation,
      input: { ...params, ...inputOf(operation, headers['content-type'], body, queryParams) },
      as,
      ifMatch,
    }
  } catch {
    return undefined
  }
}

/** @throws Error when no call can have this body. */
function inputOf(
  { body: declared }: Operation,
  type: string | undefined,
  body: TransportRequest['body'],
  query: object,
) {
  if (!declared || body === undefined) return query
  if (typeof body !== 'string') throw new Error('bytes')
  if (declared.kind === 'upload') {
    if (type !== declared.mediaType) throw new Error('a form')
    return { body: { ...query, file: body } }
  }
  if (!type?.startsWith('application/json')) throw new Error('not JSON')
  const value: unknown = JSON.parse(body)
  // A call recognizes a semantic patch by its shape, a request by its media type.
  const isSemanticPatch = typeof value === 'object' && value !== null && 'instructions' in value
  if (declared.kind === 'patch' && isSemanticPatch !== type.includes('domain-model'))
    throw new Error('the media type does not fit the kind of patch')
  return { ...query, body: value }
}

/** @throws URIError for invalid percent-encoding, which `URLSearchParams` accepts. */
function requireValidEncoding(query: string): string {
  decodeURIComponent(query.replaceAll('+', ' '))
  return query
}

function findOperation(operations: readonly Operation[], method: string, segments: readonly string[]) {
  const matches = (template: readonly string[]) =>
    template.length === segments.length &&
    template.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
  // A literal segment takes precedence over a parameter.
  const sortKey = ({ path }: Operation) => path.replaceAll(/\{\w+\}/g, '~')
  return operations
    .filter((operation) => operation.method === method && matches(operation.path.split('/')))
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))[0]
}

function pathParams({ path: declared }: Operation, path: string): Record<string, string> {
  const segments = path.split('/')
  const entries = declared.split('/').flatMap((part, index) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    return name === undefined ? [] : [[name, decodeURIComponent(segments[index] as string)]]
  })
  return Object.fromEntries(entries)
}
