import type { Engine, EngineInput, ErrorBody } from '@halyard/core'
import { assert } from '../storage/assert.ts'
import { inProcess } from './in-process-line.ts'
import { adminToken, seededEngine } from './seeded-engine.ts'
import type { LineAnswer, LineRequest, TransportHarness, TransportLine } from './transport-harness.ts'

/**
 * The arguments of a case: a transport that serves an engine of the case's own, which has an administrator and the
 * project `web`.
 */
export interface TransportStage {
  readonly engine: Engine
  /** A client of the transport that adds nothing to requests and compares nothing. */
  readonly line: TransportLine
  /**
   * Sends a request over the transport, and the same request directly to a second engine in the same state; both
   * responses must be equal. Adds the administrator's token unless the request has its own `authorization`; an empty
   * one sends no token.
   */
  send(request: LineRequest): Promise<LineAnswer>
  /** Sends a request that must be refused with exactly this status and code. The next request must succeed. */
  refused(request: LineRequest, status: number, code: ErrorBody['code']): Promise<ErrorBody>
  /** Returns a context whose engine has these options. */
  own(options: Partial<EngineInput>): Promise<TransportStage>
}

/** A group of cases for transports. Groups with `raw` are omitted when a body parser runs before the engine. */
export interface TransportCases {
  readonly group: string
  readonly raw?: boolean
  readonly cases: Readonly<Record<string, (stage: TransportStage) => Promise<void>>>
}

/** Runs a case in a context of its own, and closes what the context opened. */
export async function onStage(harness: TransportHarness, steps: (stage: TransportStage) => Promise<void>) {
  const closers: (() => Promise<void>)[] = []
  try {
    await steps(await setStage(harness, {}, closers))
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

async function setStage(
  harness: TransportHarness,
  options: Partial<EngineInput>,
  closers: (() => Promise<void>)[],
): Promise<TransportStage> {
  const [engine, twin] = await Promise.all([seededEngine(options), seededEngine(options)])
  const line = await harness.open(engine)
  const reference = await inProcess.open(twin)
  closers.push(
    () => engine.close(),
    () => twin.close(),
    () => line.close(),
  )

  async function send(request: LineRequest): Promise<LineAnswer> {
    const signed = sign(request)
    const expected = comparable(await reference.send(signed))
    const answer = comparable(await line.send(signed))
    assert.deepEqual(answer, expected, `${request.method} ${request.path}`)
    return answer
  }

  const stage: TransportStage = {
    engine,
    line,
    send,
    async refused(request, status, code) {
      const answer = await send(request)
      const error = assertError(answer, status, code)
      assert.equal((await send({ method: 'GET', path: '/api/v2/projects/web' })).status, 200, 'status of the next request')
      return error
    },
    own: (own) => setStage(harness, own, closers),
  }
  await send(json('POST', '/api/v2/projects', { key: 'web', name: 'Web' }))
  return stage
}

/** Returns a request with a JSON body. */
export function json(method: string, path: string, body: unknown, headers: Record<string, string> = {}): LineRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method, path, headers: { 'content-type': 'application/json', ...headers }, body: text }
}

function sign(request: LineRequest): LineRequest {
  const { authorization = adminToken, ...others } = request.headers ?? {}
  return { ...request, headers: authorization === '' ? others : { ...others, authorization } }
}

/** Headers that belong to the connection, or to a server in front, and not to the engine's response. */
const hopHeaders = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

function comparable({ status, headers, body }: LineAnswer): LineAnswer {
  const kept = Object.entries(headers).filter(([name]) => !hopHeaders.has(name))
  return { status, headers: Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1))), body }
}

/**
 * Asserts that a response is an error as D3 defines it: exactly code, message and optionally errors, without internals
 * such as stack traces.
 */
export function assertError(answer: LineAnswer, status: number, code: ErrorBody['code']): ErrorBody {
  assert.equal(answer.status, status, answer.body)
  assert.equal(answer.headers['content-type'], 'application/json')
  const error = JSON.parse(answer.body) as ErrorBody
  assert.equal(error.code, code, answer.body)
  assert.deepEqual(Object.keys(error), error.errors ? ['code', 'message', 'errors'] : ['code', 'message'])
  assert.isTrue(typeof error.message === 'string' && error.message.length > 0)
  for (const fault of error.errors ?? []) {
    assert.deepEqual(Object.keys(fault), ['attribute', 'reason'])
    assert.equal(typeof fault.attribute, 'string')
    assert.equal(typeof fault.reason, 'string')
  }
  assert.isFalse(/\.(ts|js):\d+|node_modules|at [\w.]+ \(/.test(answer.body), answer.body)
  return error
}
