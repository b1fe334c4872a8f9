import type { Engine, EngineInput, ErrorBody } from '@halyard/core'
import { assert } from '../storage/assert.ts'
import { inProcessClient } from './in-process-harness.ts'
import { adminToken, seededEngine } from './seeded-engine.ts'
import type { TransportClient, TransportHarness, TransportRequest, TransportResponse } from './transport-harness.ts'

/**
 * The arguments of a case: a transport that serves an engine. The engine belongs to this case alone, and has an
 * administrator and the project `web`.
 */
export interface TransportCaseContext {
  readonly engine: Engine
  /** Path with which links in responses begin; empty when the transport mounts the API at the root. */
  readonly mountPath: string
  /** A client of the transport that does not change requests and does not compare responses. */
  readonly client: TransportClient
  /**
   * Sends a request over the transport, and the same request directly to a second engine in the same state; both
   * responses must be equal. Adds the administrator's token unless the request has its own `authorization`; an empty
   * one sends no token.
   */
  send(request: TransportRequest): Promise<TransportResponse>
  /** Sends a request that must be refused with exactly this status and code. The next request must succeed. */
  expectError(request: TransportRequest, status: number, code: ErrorBody['code']): Promise<ErrorBody>
  /** Returns a context whose engine has these options. */
  withOptions(options: Partial<EngineInput>): Promise<TransportCaseContext>
}

/** A group of cases for transports. Groups with `raw` are omitted when a body parser runs before the engine. */
export interface TransportCases {
  readonly group: string
  readonly raw?: boolean
  readonly cases: Readonly<Record<string, (stage: TransportCaseContext) => Promise<void>>>
}

/** Runs a case in a context of its own, and closes what the context opened. */
export async function runTransportCase(
  harness: TransportHarness,
  runCase: (stage: TransportCaseContext) => Promise<void>,
) {
  const closers: (() => Promise<void>)[] = []
  try {
    await runCase(await createCaseContext(harness, {}, closers))
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

async function createCaseContext(
  harness: TransportHarness,
  options: Partial<EngineInput>,
  closers: (() => Promise<void>)[],
): Promise<TransportCaseContext> {
  const [engine, referenceEngine] = await Promise.all([seededEngine(options), seededEngine(options)])
  const client = await harness.open(engine)
  const reference = inProcessClient(referenceEngine, harness.mountPath)
  closers.push(
    () => engine.close(),
    () => referenceEngine.close(),
    () => client.close(),
  )

  async function send(request: TransportRequest): Promise<TransportResponse> {
    const signed = withAdminToken(request)
    const expected = normalize(await reference.send(signed))
    const response = normalize(await client.send(signed))
    assert.deepEqual(response, expected, `${request.method} ${request.path}`)
    return response
  }

  const context: TransportCaseContext = {
    engine,
    mountPath: harness.mountPath ?? '',
    client,
    send,
    async expectError(request, status, code) {
      const response = await send(request)
      const error = assertError(response, status, code)
      assert.equal(
        (await send({ method: 'GET', path: '/api/v2/projects/web' })).status,
        200,
        'status of the next request',
      )
      return error
    },
    withOptions: (engineOptions) => createCaseContext(harness, engineOptions, closers),
  }
  await send(json('POST', '/api/v2/projects', { key: 'web', name: 'Web' }))
  return context
}

/** Returns a request with a JSON body. */
export function json(
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): TransportRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method, path, headers: { 'content-type': 'application/json', ...headers }, body: text }
}

function withAdminToken(request: TransportRequest): TransportRequest {
  const { authorization = adminToken, ...others } = request.headers ?? {}
  return { ...request, headers: authorization === '' ? others : { ...others, authorization } }
}

/** Headers that belong to the connection, or to a server in front of the engine, and not to the engine's response. */
const hopHeaders = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

function normalize({ status, headers, body }: TransportResponse): TransportResponse {
  const compared = Object.entries(headers).filter(([name]) => !hopHeaders.has(name))
  return { status, headers: Object.fromEntries(compared.sort(([a], [b]) => (a < b ? -1 : 1))), body }
}

/**
 * Asserts that a response is an error as decision D3
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body) defines it: exactly code, message and
 * optionally errors, without internals such as stack traces.
 */
export function assertError(response: TransportResponse, status: number, code: ErrorBody['code']): ErrorBody {
  assert.equal(response.status, status, response.body)
  assert.equal(response.headers['content-type'], 'application/json')
  const error = JSON.parse(response.body) as ErrorBody
  assert.equal(error.code, code, response.body)
  assert.deepEqual(Object.keys(error), error.errors ? ['code', 'message', 'errors'] : ['code', 'message'])
  assert.isTrue(typeof error.message === 'string' && error.message.length > 0)
  for (const validationError of error.errors ?? []) {
    assert.deepEqual(Object.keys(validationError), ['attribute', 'reason'])
    assert.equal(typeof validationError.attribute, 'string')
    assert.equal(typeof validationError.reason, 'string')
  }
  assert.isFalse(/\.(ts|js):\d+|node_modules|at [\w.]+ \(/.test(response.body), response.body)
  return error
}
