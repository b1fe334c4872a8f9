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
  /** Status of a successful response (D2). */
  readonly success: 200 | 201 | 204
}

/** Input of a request: caller, path parameters, query. */
export interface Question {
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
export const doors = ['over fetch', 'in process'] as const
export type Door = (typeof doors)[number]

/** An engine, and the token of its default caller. */
export type Asked = Pick<TestEngine, 'api' | 'handle' | 'admin'>

export type Ask = (question?: Question) => Promise<Outcome>

/** Returns a function that calls an operation over a transport. */
export function asking(engine: Asked, operation: SpecOperation, door: Door): Ask {
  if (door === 'in process') return (question) => call(engine, operation, question)
  return async (question) => {
    const { status, body } = await send(engine, operation, question)
    return { status, body }
  }
}

/** Sends a request with exactly the method, path and headers of docs/specification.md. */
export async function send(engine: Asked, operation: SpecOperation, question: Question = {}) {
  const response = await respond(engine, operation, question)
  const text = await response.text()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, headers: response.headers, body }
}

function respond(engine: Asked, operation: SpecOperation, { as, params = {}, query = {}, headers }: Question) {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] as string))
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const sent = {
    authorization: as ?? engine.admin,
    ...(operation.beta ? { 'svc-api-version': 'beta' } : {}),
    ...headers,
  }
  const given = Object.entries(sent).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const url = `http://localhost${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
  return createFetchHandler(engine)(new Request(url, { method: operation.method, headers: given }))
}

async function call(engine: Asked, { id, success }: SpecOperation, question: Question = {}): Promise<Outcome> {
  const { as = engine.admin, params, query } = question
  const ask = engine.api[id] as (input: object, options: object) => Promise<unknown>
  return ask({ ...params, ...query }, { as }).then(
    (body) => ({ status: success, body }),
    ({ status, body }: ApiError) => ({ status, body }),
  )
}

/** Expects success and returns the body. */
export async function answerOf<Id extends keyof Api>(
  outcome: Promise<Outcome>,
  operation: SpecOperation & { readonly id: Id },
): Promise<Awaited<ReturnType<Api[Id]>>> {
  const { status, body } = await outcome
  expect({ status, body }).toMatchObject({ status: operation.success })
  return body as Awaited<ReturnType<Api[Id]>>
}

/** The error responses of docs/specification.md: statuses from D1, bodies exactly as in the Errors table. */
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
export const invalid = (...faults: readonly (readonly [attribute: string, reason: string])[]) => ({
  status: 400,
  body: {
    code: 'invalid_request',
    message: 'validation failed',
    errors: faults.map(([attribute, reason]) => ({ attribute, reason })),
  },
})

/** An engine with the data of a test, and a request about that data. */
export interface Stage<More extends object = object> {
  readonly engine: TestEngine
  readonly question: Question
  readonly more: More
}

export type SetUp<More extends object = object> = (engine: TestEngine) => Promise<{ question: Question; more: More }>

export async function staged<More extends object>(setUp: SetUp<More>, input?: TestEngineInput): Promise<Stage<More>> {
  const engine = await createTestEngine(input)
  return { engine, ...(await setUp(engine)) }
}
