import { gzipSync } from 'node:zlib'
import type { EvaluationContext } from '@halyard/core/evaluation'
import { createExpressSdk } from '@halyard/transport-express'
import { describe, expect, it } from 'vitest'
import { environmentKeys, eventsOf, listen, readyClient } from './setup/sdk-fixture.ts'
import {
  ann,
  base64,
  type Events,
  openSdk,
  type SdkOptions,
  type SendRequest,
  sdkTransports,
} from './setup/sdk-transports.ts'

const summary = (counters: object[], key = 'inner') => [
  { kind: 'index', context: ann },
  {
    kind: 'summary',
    startDate: 1,
    endDate: Date.now(),
    features: { [key]: { default: 1, counters, contextKinds: ['user'] } },
  },
]

describe.each(Object.keys(sdkTransports))('over %s', (transport) => {
  const open = (options?: SdkOptions) => openSdk(transport, options)

  it('a poll gets 304 until something has changed', async () => {
    const { server, turn } = await open()
    const first = await server('/sdk/latest-all')
    const etag = first.headers.get('etag') as string
    await first.text()
    const conditional = { headers: { 'if-none-match': etag } }
    const unchanged = await server('/sdk/latest-all', conditional)
    expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
    await turn('inner', true)
    const changed = await server('/sdk/latest-all', conditional)
    expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false])
    await changed.text()
  })

  it('HTTP clients may use a polled response for as long as the default TTL of the environment', async () => {
    const { server, ask: send, mobile, keys, patchEnvironment } = await open()
    const paths = [
      ...['/sdk/latest-all', '/sdk/flags', '/sdk/flags/inner', '/sdk/segments'].map((path) => [server, path] as const),
      [send, `/sdk/evalx/${keys.id}/contexts/${base64(ann)}`] as const,
      [mobile, `/msdk/evalx/contexts/${base64(ann)}`] as const,
    ]
    const caching = async ([sendAs, path]: (typeof paths)[number], init?: RequestInit) => {
      const { status, headers } = await sendAs(path, init)
      return [status, headers.get('cache-control'), headers.get('vary'), headers.get('etag')]
    }
    for (const path of paths) expect((await caching(path))[1]).toMatch(/^(no-store|private, no-cache)$/)
    await patchEnvironment({ op: 'replace', path: '/defaultTtl', value: 5 })
    for (const path of paths) {
      const [status, cacheControl, vary, etag] = await caching(path)
      expect([status, cacheControl, vary]).toEqual([200, 'private, max-age=300', 'authorization'])
      const conditional = { headers: { 'if-none-match': (etag as string | null) ?? '"none"' } }
      if (etag) expect((await caching(path, conditional)).slice(0, 2)).toEqual([304, 'private, max-age=300'])
    }
    const stream = await server('/all')
    expect(stream.headers.get('cache-control')).toBe('no-cache')
    await stream.body?.cancel()
  })

  it('flags and segments can be read separately and one at a time', async () => {
    const { server, all } = await open()
    const { flags, segments } = await all()
    const read = async (path: string) => (await server(path)).json()
    expect(await read('/sdk/flags')).toEqual(flags)
    expect(await read('/sdk/segments')).toEqual(segments)
    expect(await read('/sdk/flags/inner')).toEqual(flags.inner)
    expect(await read('/sdk/segments/beta')).toEqual(segments.beta)
    expect((await server('/sdk/flags/nothing')).status).toBe(404)
  })

  it('clients receive the values of the flags that are visible to them, as the engine evaluates them', async () => {
    const { ask: send, mobile, keys, engine, turn } = await open()
    await turn('checkout', true)
    const contexts: EvaluationContext[] = [
      ann,
      { key: 'of old', custom: { plan: 'ü' } },
      { kind: 'multi', user: { key: 'a:b%' }, device: { key: 'd' } },
    ]
    for (const context of contexts) {
      const text = base64(context)
      const body = JSON.stringify(context)
      const fetchJson = (path: string, sendAs: SendRequest, init?: RequestInit) =>
        sendAs(path, init).then((response) => response.json())
      const report = { method: 'REPORT', body, headers: { 'content-type': 'application/json' } }
      const bodies = await Promise.all([
        fetchJson(`/sdk/evalx/${keys.id}/contexts/${text}?withReasons=true`, send),
        fetchJson(`/sdk/evalx/${keys.id}/users/${text}?withReasons=true`, send),
        fetchJson(`/sdk/evalx/${keys.id}/context?withReasons=true`, send, report),
        fetchJson(`/msdk/evalx/contexts/${text}?withReasons=true`, mobile),
        fetchJson('/msdk/evalx/context?withReasons=true', mobile, report),
      ])
      const { checkout, ...otherFlags } = engine.evaluateAll(context, environmentKeys)
      expect(Object.keys(otherFlags)).toEqual(['inner'])
      const { value, variationIndex, reason } = checkout as { value: unknown; variationIndex: number; reason: object }
      const { version } = engine.evaluator(environmentKeys).ruleset?.flags.get('checkout')?.data ?? {}
      const expected = { value, variation: variationIndex, reason, version, flagVersion: version, trackEvents: false }
      expect(bodies).toEqual(bodies.map(() => ({ checkout: expected })))
    }
    const withoutReasons = await (await send(`/sdk/evalx/${keys.id}/contexts/${base64(ann)}`)).json()
    expect(Object.keys((withoutReasons as { checkout: object }).checkout)).not.toContain('reason')
  })

  it('in secure mode a context needs the hash that a server made for it', async () => {
    const { ask: send, mobile, server, keys, engine, patchEnvironment } = await open()
    const url = await listen(createExpressSdk(engine))
    const sdk = await readyClient(url, keys.server, { sendEvents: false })
    const responses = await Promise.all([
      send(`/eval/${keys.id}/${base64(ann)}`),
      mobile(`/meval/${base64(ann)}`),
      server('/all'),
    ])
    const [browserEvents, appEvents, serverEvents] = responses.map(({ body }) => eventsOf(body as never)) as [
      Events,
      Events,
      Events,
    ]
    await patchEnvironment({ op: 'replace', path: '/secureMode', value: true })
    await browserEvents.next()
    expect(await browserEvents.next()).toBeUndefined()
    // The streams of the SDK, the app and the server stay open: secure mode concerns browsers only.
    expect(engine.sdk.streams()).toBe(3)
    await Promise.all([appEvents.close(), serverEvents.close()])
    const contexts = [
      { kind: 'user', key: 'ann:%' },
      { kind: 'org', key: 'a:b%c' },
      { kind: 'multi', user: { key: 'u:1' }, device: { key: 'd%' }, 'a.b': { key: 'x' } },
    ]
    for (const context of contexts) {
      const hash = sdk.secureModeHash(context as never)
      const fetchJson = async (query: string) =>
        (await send(`/sdk/evalx/${keys.id}/contexts/${base64(context)}${query}`)).status
      const wrongHash = hash.startsWith('0') ? `1${hash.slice(1)}` : `0${hash.slice(1)}`
      expect(await Promise.all([`?h=${hash}`, `?h=${wrongHash}`, '?h=', ''].map(fetchJson))).toEqual([
        200, 400, 400, 400,
      ])
      const streamResponse = await send(`/eval/${keys.id}/${base64(context)}?h=${wrongHash}`)
      expect(streamResponse.status).toBe(400)
    }
  })

  it('each kind of key is accepted only by the endpoints made for it', async () => {
    const { ask: send, keys, engine } = await open()
    const status = async (path: string, authorization?: string, method = 'GET') =>
      (await send(path, { method, headers: authorization === undefined ? {} : { authorization } })).status
    for (const path of ['/all', '/sdk/latest-all', '/sdk/flags']) {
      for (const key of [undefined, '', 'x', keys.mobile, keys.id, `${keys.server}0`, 'k'.repeat(5000)]) {
        expect([path, key, await status(path, key)]).toEqual([path, key, 401])
      }
    }
    expect(await status(`/msdk/evalx/contexts/${base64(ann)}`, keys.server)).toBe(401)
    expect(await status('/bulk', keys.mobile, 'POST')).toBe(401)
    expect(await status('/mobile', keys.server, 'POST')).toBe(401)
    expect(await status(`/sdk/evalx/0123/contexts/${base64(ann)}`)).toBe(404)
    expect(await status(`/sdk/evalx/${keys.server}/contexts/${base64(ann)}`)).toBe(404)
    expect(await status('/sdk/latest-all', `api_key ${keys.server}`)).toBe(200)
    expect(engine.sdk.streams()).toBe(0)
  })

  it('methods and CORS headers are those that browsers and SDKs expect', async () => {
    const { ask: send, server, keys } = await open()
    const postResponse = await server('/all', { method: 'POST' })
    expect([postResponse.status, postResponse.headers.get('allow')]).toEqual([405, 'GET'])
    const path = `/sdk/evalx/${keys.id}/contexts/${base64(ann)}`
    const preflight = await send(path, { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-LaunchDarkly-User-Agent')
    expect((await send(path)).headers.get('access-control-allow-origin')).toBe('*')
    // Endpoints that need a secret key are for servers and apps, not for web pages.
    expect((await server('/sdk/latest-all')).headers.get('access-control-allow-origin')).toBeNull()
    expect((await server('/all', { method: 'OPTIONS' })).status).toBe(405)
    expect(await (await send(`/sdk/goals/${keys.id}`)).json()).toEqual([])
  })

  it('event payloads are counted once, and payloads above the limit get 413', async () => {
    const { server, ask: send, keys, engine } = await open()
    const post = (body: BodyInit, headers: Record<string, string> = {}, path = '/bulk', sendAs: SendRequest = server) =>
      sendAs(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }).then(
        async (response) => {
          await response.text()
          return response.status
        },
      )
    const events = JSON.stringify(
      summary([
        { variation: 1, version: 2, value: false, count: 3 },
        { value: 1, count: 2 },
        { unknown: true, value: 1, count: 7 },
      ]),
    )
    const id = { 'x-launchdarkly-payload-id': '8f1c7a52-4b0e-4f57-a6b1-0f4b2f1de9aa' }
    expect(await post(events, id)).toBe(202)
    expect(await post(events, id)).toBe(202)
    expect(await post(gzipSync(events), { 'content-encoding': 'gzip' })).toBe(202)
    const countsOf = async (flagKey = 'inner') =>
      (await engine.sdk.evaluations({ ...environmentKeys, flagKey })).map(({ variation, count }) => [variation, count])
    expect(await countsOf()).toEqual([
      [null, 4],
      [1, 6],
    ])

    expect(await post('{', {})).toBe(400)
    expect(await post(Buffer.from([0xff, 0xfe]), {})).toBe(400)
    expect(await post(gzipSync(events).subarray(0, 30), { 'content-encoding': 'gzip' })).toBe(400)
    expect(await post(events, { 'content-encoding': 'br' })).toBe(415)
    expect(await post(JSON.stringify(Array(20_000).fill(0)))).toBe(202)
    expect(await post(JSON.stringify(Array(20_001).fill(0)))).toBe(413)
    expect(await post(`[${' '.repeat(10 * 1024 * 1024)}]`)).toBe(413)
    // A small compressed body that expands to a large one.
    expect(await post(gzipSync(`[${' '.repeat(24 * 1024 * 1024)}]`), { 'content-encoding': 'gzip' })).toBe(413)
    expect(await post('diagnostic data', {}, '/diagnostic')).toBe(202)
    expect(await post('x'.repeat(1024 * 1024 + 1), {}, '/diagnostic')).toBe(413)
    expect(await countsOf()).toEqual([
      [null, 4],
      [1, 6],
    ])

    // Events that any browser can send count only for flags that browsers can see.
    const clientSide = `/events/bulk/${keys.id}`
    const visibleSummary = JSON.stringify(summary([{ variation: 0, version: 1, count: 5 }], 'checkout'))
    expect(await post(events, {}, clientSide, send)).toBe(202)
    expect(await post(visibleSummary, {}, clientSide, send)).toBe(202)
    expect([await countsOf(), await countsOf('checkout')]).toEqual([
      [
        [null, 4],
        [1, 6],
      ],
      [[0, 5]],
    ])
  })
})
