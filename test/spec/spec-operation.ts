import type { Api, ApiError } from '@halyard/core'
import { createTestEngine, type TestEngine, type TestEngineInput } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'
import { expect } from 'vitest'

/** An operation as docs/specification.md names it. */
export interface SpecOperation {
  readonly id: keyof Api
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly beta?: boolean
  /** Status of a successful response (docs/decisions/0001-follow-one-set-of-http-conventions.md#d2-success-status). */
  readonly success: 200 | 201 | 204
}

/** Input of a request: caller, path parameters, query. */
export interface SpecRequest {
  /** Value of `Authorization`; default: the token of the administrator. */
  readonly as?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** Headers, sent over fetch only. */
  readonly headers?: Readonly<Record<string, string | undefined>>
}

export interface Outcome {
  readonly status: number
  readonly body: unknown
}

/** Both ways to call the API: each test of a response runs with both. */
export const transports = ['over fetch', 'in process'] as const
export type Transport = (typeof transports)[number]

/** An engine, and the token of its default caller. */
export type SpecEngine = Pick<TestEngine, 'api' | 'handle' | 'admin'>

export type SendRequest = (request?: SpecRequest) => Promise<Outcome>

/** Returns a function that calls an operation over a transport. */
export function senderOf(engine: SpecEngine, operation: SpecOperation, transport: Transport): SendRequest {
  if (transport === 'in process') return (request) => call(engine, operation, request)
  return async (request) => {
    const { status, body } = await send(engine, operation, request)
    return { status, body }
  }
}

/** Sends a request with exactly the method, path and headers of docs/specification.md. */
export async function send(engine: SpecEngine, operation: SpecOperation, request: SpecRequest = {}) {
  const response = await respond(engine, operation, request)
  const text = await response.text()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, headers: response.headers, body }
}

function respond(engine: SpecEngine, operation: SpecOperation, { as, params = {}, query = {}, headers }: SpecRequest) {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] as string))
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const allHeaders = {
    authorization: as ?? engine.admin,
    ...(operation.beta ? { 'svc-api-version': 'beta' } : {}),
    ...headers,
  }
  const definedHeaders = Object.entries(allHeaders).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const url = `http://localhost${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
  return createFetchHandler(engine)(new Request(url, { method: operation.method, headers: definedHeaders }))
}

async function call(engine: SpecEngine, { id, success }: SpecOperation, request: SpecRequest = {}): Promise<Outcome> {
  const { as = engine.admin, params, query } = request
  const operation = engine.api[id] as (input: object, options: object) => Promise<unknown>
  return operation({ ...params, ...query }, { as }).then(
    (body) => ({ status: success, body }),
    ({ status, body }: ApiError) => ({ status, body }),
  )
}

/** Expects success and returns the body. */
export async function successBody<Id extends keyof Api>(
  outcome: Promise<Outcome>,
  operation: SpecOperation & { readonly id: Id },
): Promise<Awaited<ReturnType<Api[Id]>>> {
  const { status, body } = await outcome
  expect({ status, body }).toMatchObject({ status: operation.success })
  return body as Awaited<ReturnType<Api[Id]>>
}

/**
 * The error responses of docs/specification.md: statuses from decision D1
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d1-error-status), bodies exactly as in the Errors table.
 */
export const refusals = {
  unauthorized: { status: 401, body: { code: 'unauthorized', message: 'Invalid access token' } },
  forbidden: {
    status: 403,
    body: { code: 'forbidden', message: 'Forbidden. Access to the requested resource was denied.' },
  },
  not_found: { status: 404, body: { code: 'not_found', message: 'Invalid resource identifier' } },
  method_not_allowed: { status: 405, body: { code: 'method_not_allowed', message: 'Method not allowed' } },
  optimistic_locking_error: {
    status: 409,
    body: { code: 'optimistic_locking_error', message: 'Conflict. Optimistic lock error. Try again later.' },
  },
  rate_limited: {
    status: 429,
    body: { code: 'rate_limited', message: "You've exceeded the API rate limit. Try again later." },
  },
} as const

/** Returns the response `invalid_request` with these validation errors. */
export const invalid = (...errors: readonly (readonly [attribute: string, reason: string])[]) => ({
  status: 400,
  body: {
    code: 'invalid_request',
    message: 'validation failed',
    errors: errors.map(([attribute, reason]) => ({ attribute, reason })),
  },
})

/** An engine with the data of a test, and a request about that data. */
export interface SpecFixture<More extends object = object> {
  readonly engine: TestEngine
  readonly request: SpecRequest
  readonly fixture: More
}

export type SetUp<Extra extends object = object> = (
  engine: TestEngine,
) => Promise<{ request: SpecRequest; fixture: Extra }>

export async function engineWith<Extra extends object>(
  setUp: SetUp<Extra>,
  input?: TestEngineInput,
): Promise<SpecFixture<Extra>> {
  const engine = await createTestEngine(input)
  return { engine, ...(await setUp(engine)) }
}
