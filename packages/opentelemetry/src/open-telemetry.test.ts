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
async function createFixture(send?: Send) {
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
  const handler = createFetchHandler(engine)
  const request = (method: string, path: string, headers: Record<string, string> = {}) =>
    handler(new Request(`http://localhost${path}`, { method, headers: { authorization: token, ...headers } }))
  const spans = () => exporter.getFinishedSpans()
  const spanNamed = (name: string) => spans().find((span) => span.name === name) as ReadableSpan
  async function dataPoints(name: string) {
    await meterProvider.forceFlush()
    const all =
      metrics
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap((item) => item.metrics) ?? []
    return all.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? []
  }
  return { engine, token, observed, request, spans, named: spanNamed, figures: dataPoints, tracerProvider }
}

const projectPath = '/api/v2/projects/web'

describe('a request', () => {
  it('has a span that is named for its route, belongs to its trace, and contains the spans of storage calls', async () => {
    const { request, named: spanNamed, spans } = await createFixture()
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const response = await request('GET', projectPath, { traceparent: `00-${traceId}-b7ad6b7169203331-01` })
    expect(response.status).toBe(200)
    const span = spanNamed('GET /api/v2/projects/{projectKey}')
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
    for (const item of storage) expect(item.parentSpanContext?.spanId).toBe(span.spanContext().spanId)
  })

  it('has a span within the span of the host when there is one', async () => {
    const { request, named: spanNamed, tracerProvider } = await createFixture()
    const hostSpan = tracerProvider.getTracer('host').startSpan('request')
    await context.with(trace.setSpan(ROOT_CONTEXT, hostSpan), () =>
      request('GET', projectPath, { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }),
    )
    const span = spanNamed('GET /api/v2/projects/{projectKey}')
    expect(span.parentSpanContext?.spanId).toBe(hostSpan.spanContext().spanId)
  })

  it('has a span without an error when it is refused, and without a route when its path is unknown', async () => {
    const { request, named: spanNamed, figures: dataPoints } = await createFixture()
    await request('GET', '/api/v2/projects/none')
    await request('GET', '/secret/path')
    await request('BREW', projectPath)
    expect(spanNamed('GET /api/v2/projects/{projectKey}').status.code).toBe(SpanStatusCode.UNSET)
    expect(spanNamed('GET').attributes).toEqual({ 'http.request.method': 'GET', 'http.response.status_code': 404 })
    expect(spanNamed('_OTHER').attributes).toEqual({
      'http.request.method': '_OTHER',
      'http.response.status_code': 405,
    })
    const points = await dataPoints('http.server.request.duration')
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
    const { engine, request, named: spanNamed, spans } = await createFixture()
    await engine.close()
    expect((await request('GET', projectPath)).status).toBe(503)
    const span = spanNamed('GET /api/v2/projects/{projectKey}')
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR })
    expect(span.attributes['error.type']).toBe('503')
    const [storageSpan] = spans().filter(({ name }) => name.startsWith('storage '))
    expect(storageSpan?.attributes['error.type']).toBe('service_unavailable')
    expect(storageSpan?.status).toEqual({ code: SpanStatusCode.ERROR })
  })
})

describe('the span of a call in process', () => {
  it('is named for its operation and has the code of the error', async () => {
    const { engine, token, named: spanNamed, figures: dataPoints, spans } = await createFixture()
    const as = { as: token }
    await engine.api.getProject({ projectKey: 'web' }, as)
    await expect(engine.api.getTeam({ teamKey: 'none' }, as)).rejects.toThrow(ApiError)
    expect(spanNamed('getProject').attributes).toEqual({ 'halyard.operation': 'getProject' })
    expect(spanNamed('getTeam').attributes).toEqual({ 'halyard.operation': 'getTeam', 'error.type': 'not_found' })
    expect(spans().every(({ status }) => status.code === SpanStatusCode.UNSET)).toBe(true)
    const points = await dataPoints('halyard.call.duration')
    expect(points.map(({ attributes }) => attributes)).toEqual([
      { 'halyard.operation': 'createProject' },
      { 'halyard.operation': 'getProject' },
      { 'halyard.operation': 'getTeam', 'error.type': 'not_found' },
    ])
  })

  it('contains the span of its commit', async () => {
    const { engine, token, named: spanNamed } = await createFixture()
    await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as: token })
    expect(spanNamed('storage commit').attributes).toEqual({
      'halyard.storage': 'memory',
      'halyard.storage.verb': 'commit',
      'halyard.storage.outcome': 'committed',
    })
  })
})

describe('the span of a webhook message', () => {
  const spanOfMessage = async (send: Send) => {
    const { engine, token, named: spanNamed } = await createFixture(send)
    const url = 'https://receiver.example/hooks/secret?key=1'
    await engine.api.createWebhook({ body: { url, sign: true, secret, on: true } }, { as: token })
    await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as: token })
    await engine.runDueTasks()
    return spanNamed('webhook message')
  }

  it('has the receiver’s host and the status of the response', async () => {
    const span = await spanOfMessage(async () => ({ outcome: 'answered', status: 503, body: 'no', ms: 1 }))
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR })
    expect(span.attributes).toEqual({
      'http.request.method': 'POST',
      'server.address': 'receiver.example',
      'http.response.status_code': 503,
      'error.type': '503',
    })
  })

  it('has the error type of a refused address', async () => {
    const span = await spanOfMessage(async () => ({ outcome: 'failed', reason: 'inner address', refused: true }))
    expect(span.attributes['error.type']).toBe('refused')
  })
})

it('spans and metrics contain no key, token, query, body or address', async () => {
  const {
    engine,
    token,
    request,
    spans,
    figures: dataPoints,
  } = await createFixture(async () => ({
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
  const metrics = await Promise.all(names.map(dataPoints))
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
  const { engine, observed, request, figures: dataPoints } = await createFixture()
  const stop = observed.observe(engine)
  await request('GET', projectPath)
  await request('GET', projectPath)
  const hits = await dataPoints('halyard.cache.hits')
  const reportedHits = Object.fromEntries(hits.map(({ attributes, value }) => [attributes['halyard.cache'], value]))
  const stats = engine.cacheStats()
  expect(reportedHits).toEqual({
    callers: stats.callers.hits,
    responses: stats.responses.hits,
    documents: stats.documents.hits,
  })
  expect(stats.responses.hits).toBe(1)
  stop()
  await request('GET', projectPath)
  const later = await dataPoints('halyard.cache.hits')
  expect(later.find(({ attributes }) => attributes['halyard.cache'] === 'responses')?.value ?? 1).toBe(1)
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
