import { ApiError, createEngine, type Engine } from '@halyard/core'
import type { Send } from '@halyard/core/webhooks'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTelemetry } from './open-telemetry.ts'

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
})

afterAll(() => {
  context.disable()
  propagation.disable()
})

const secret = 'whsec_c2VjcmV0IG9mIHRoZSByZWNlaXZlcg=='

/** Makes an engine with an OpenTelemetry SDK that exports to memory. */
async function world(send?: Send) {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 1e8 })
  const meterProvider = new MeterProvider({ readers: [reader] })
  const observed = openTelemetry({ tracerProvider, meterProvider })
  const engine = createEngine({
    storage: observed.storage(createMemoryStorage()),
    intercept: observed.intercept,
    rateLimit: false,
    webhooks: send && { send: observed.send(send) },
  })
  await engine.migrate()
  const token = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as: token })
  exporter.reset()
  const ask = createFetchHandler(engine)
  const request = (method: string, path: string, headers: Record<string, string> = {}) =>
    ask(new Request(`http://localhost${path}`, { method, headers: { authorization: token, ...headers } }))
  const spans = () => exporter.getFinishedSpans()
  const named = (name: string) => spans().find((span) => span.name === name) as ReadableSpan
  async function figures(name: string) {
    await meterProvider.forceFlush()
    const all =
      metrics
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap((one) => one.metrics) ?? []
    return all.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? []
  }
  return { engine, token, observed, request, spans, named, figures, tracerProvider }
}

const projectPath = '/api/v2/projects/web'

describe('a request', () => {
  it('has a span that is named for its route, belongs to its trace, and contains the spans of storage calls', async () => {
    const { request, named, spans } = await world()
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const answer = await request('GET', projectPath, { traceparent: `00-${traceId}-b7ad6b7169203331-01` })
    expect(answer.status).toBe(200)
    const span = named('GET /api/v2/projects/{projectKey}')
    expect(span.kind).toBe(SpanKind.SERVER)
    expect(span.spanContext().traceId).toBe(traceId)
    expect(span.parentSpanContext?.spanId).toBe('b7ad6b7169203331')
    expect(span.attributes).toEqual({
      'halyard.operation': 'getProject',
      'http.request.method': 'GET',
      'http.route': '/api/v2/projects/{projectKey}',
      'http.response.status_code': 200,
    })
    const storage = spans().filter(({ name }) => name.startsWith('storage '))
    expect(storage.length).toBeGreaterThan(0)
    for (const one of storage) expect(one.parentSpanContext?.spanId).toBe(span.spanContext().spanId)
  })

  it('has a span within the span of the host when there is one', async () => {
    const { request, named, tracerProvider } = await world()
    const own = tracerProvider.getTracer('host').startSpan('request')
    await context.with(trace.setSpan(ROOT_CONTEXT, own), () =>
      request('GET', projectPath, { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }),
    )
    const span = named('GET /api/v2/projects/{projectKey}')
    expect(span.parentSpanContext?.spanId).toBe(own.spanContext().spanId)
  })

  it('has a span without an error when it is refused, and without a route when its path is unknown', async () => {
    const { request, named, figures } = await world()
    await request('GET', '/api/v2/projects/none')
    await request('GET', '/secret/path')
    await request('BREW', projectPath)
    expect(named('GET /api/v2/projects/{projectKey}').status.code).toBe(SpanStatusCode.UNSET)
    expect(named('GET').attributes).toEqual({ 'http.request.method': 'GET', 'http.response.status_code': 404 })
    expect(named('_OTHER').attributes).toEqual({ 'http.request.method': '_OTHER', 'http.response.status_code': 405 })
    const points = await figures('http.server.request.duration')
    const counts = points.map(({ attributes, value }) => [
      attributes['http.route'],
      attributes['http.response.status_code'],
      (value as { count: number }).count,
    ])
    expect(counts).toEqual([
      ['/api/v2/projects/{projectKey}', 404, 1],
      [undefined, 404, 1],
      [undefined, 405, 1],
    ])
  })

  it('has a span with an error when the storage is unavailable, and so has the storage call', async () => {
    const { engine, request, named, spans } = await world()
    await engine.close()
    expect((await request('GET', projectPath)).status).toBe(503)
    const span = named('GET /api/v2/projects/{projectKey}')
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR })
    expect(span.attributes['error.type']).toBe('503')
    const [question] = spans().filter(({ name }) => name.startsWith('storage '))
    expect(question?.attributes['error.type']).toBe('service_unavailable')
    expect(question?.status).toEqual({ code: SpanStatusCode.ERROR })
  })
})

describe('the span of a call in process', () => {
  it('is named for its operation and has the code of the error', async () => {
    const { engine, token, named, figures, spans } = await world()
    const as = { as: token }
    await engine.api.getProject({ projectKey: 'web' }, as)
    await expect(engine.api.getTeam({ teamKey: 'none' }, as)).rejects.toThrow(ApiError)
    expect(named('getProject').attributes).toEqual({ 'halyard.operation': 'getProject' })
    expect(named('getTeam').attributes).toEqual({ 'halyard.operation': 'getTeam', 'error.type': 'not_found' })
    expect(spans().every(({ status }) => status.code === SpanStatusCode.UNSET)).toBe(true)
    const points = await figures('halyard.call.duration')
    expect(points.map(({ attributes }) => attributes)).toEqual([
      { 'halyard.operation': 'createProject' },
      { 'halyard.operation': 'getProject' },
      { 'halyard.operation': 'getTeam', 'error.type': 'not_found' },
    ])
  })

  it('contains the span of its commit', async () => {
    const { engine, token, named } = await world()
    await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as: token })
    expect(named('storage commit').attributes).toEqual({
      'halyard.storage': 'memory',
      'halyard.storage.verb': 'commit',
      'halyard.storage.outcome': 'committed',
    })
  })
})

describe('the span of a webhook message', () => {
  const told = async (send: Send) => {
    const { engine, token, named } = await world(send)
    const url = 'https://receiver.example/hooks/secret?key=1'
    await engine.api.createWebhook({ body: { url, sign: true, secret, on: true } }, { as: token })
    await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as: token })
    await engine.runDueTasks()
    return named('webhook message')
  }

  it('has the receiver’s host and the status of the response', async () => {
    const span = await told(async () => ({ outcome: 'answered', status: 503, body: 'no', ms: 1 }))
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR })
    expect(span.attributes).toEqual({
      'http.request.method': 'POST',
      'server.address': 'receiver.example',
      'http.response.status_code': 503,
      'error.type': '503',
    })
  })

  it('has the error type of a refused address', async () => {
    const span = await told(async () => ({ outcome: 'failed', reason: 'inner address', refused: true }))
    expect(span.attributes['error.type']).toBe('refused')
  })
})

it('spans and metrics contain no key, token, query, body or address', async () => {
  const { engine, token, request, spans, figures } = await world(async () => ({
    outcome: 'answered',
    status: 200,
    body: 'thanks for the body',
    ms: 1,
  }))
  const as = { as: token }
  const url = 'https://receiver.example/hooks/hidden'
  await engine.api.createWebhook({ body: { url, sign: true, secret, on: true } }, as)
  await engine.api.createFlag({ projectKey: 'web', body: { key: 'launch-of-mars', name: 'Launch' } }, as)
  await request('GET', '/api/v2/flags/web/launch-of-mars?env=production')
  await request('GET', '/api/v2/flags/web?filter=query:hidden')
  await engine.runDueTasks()
  const names = ['http.server.request.duration', 'halyard.storage.duration', 'halyard.webhook.duration']
  const metrics = await Promise.all(names.map(figures))
  expect(metrics.map((points) => points.length > 0)).toEqual([true, true, true])
  const all = JSON.stringify([
    spans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
    metrics.flat().map(({ attributes }) => attributes),
  ])
  for (const hidden of [token, secret, 'launch-of-mars', 'hidden', 'env=production', 'thanks']) {
    expect(all).not.toContain(hidden)
  }
})

it('an observed storage keeps its private state, also inside a transaction of the host', async () => {
  class OwnStorage {
    readonly #memory = createMemoryStorage()
    readonly name = 'own'
    migrate = () => this.#memory.migrate()
    ping = () => this.#memory.ping()
    close = () => this.#memory.close()
    account(account: string) {
      return this.#memory.account(account)
    }
    within(transaction: unknown): OwnStorage {
      if (transaction !== 'open') throw new TypeError('transaction: must be open')
      return this.#memory ? this : new OwnStorage()
    }
  }
  const storage = openTelemetry().storage(new OwnStorage())
  const inside = storage.within?.('open').account('a')
  await inside?.commit([{ do: 'insert', id: { collection: 'note', scope: '', key: 'n' }, body: 1, fields: {} }])
  expect(await storage.account('a').get({ collection: 'note', scope: '', key: 'n' })).toMatchObject({ body: 1 })
  expect(() => storage.within?.('none')).toThrow('transaction: must be open')
  expect(openTelemetry().storage(createMemoryStorage()).within).toBeUndefined()
})

it('the cache statistics of an engine are reported until reporting is stopped', async () => {
  const { engine, observed, request, figures } = await world()
  const stop = observed.observe(engine)
  await request('GET', projectPath)
  await request('GET', projectPath)
  const hits = await figures('halyard.remembered.hits')
  const known = Object.fromEntries(hits.map(({ attributes, value }) => [attributes['halyard.remembered'], value]))
  const now = engine.cacheStats()
  expect(known).toEqual({ callers: now.callers.hits, responses: now.responses.hits, documents: now.documents.hits })
  expect(now.responses.hits).toBe(1)
  stop()
  await request('GET', projectPath)
  const later = await figures('halyard.remembered.hits')
  expect(later.find(({ attributes }) => attributes['halyard.remembered'] === 'responses')?.value ?? 1).toBe(1)
})

it('openTelemetry has no effect without an SDK', async () => {
  const observed = openTelemetry()
  const engine: Engine = createEngine({
    storage: observed.storage(createMemoryStorage()),
    intercept: observed.intercept,
  })
  await engine.migrate()
  const token = (await engine.bootstrap())?.token as string
  expect((await engine.api.listProjects({}, { as: token })).items).toEqual([])
})
