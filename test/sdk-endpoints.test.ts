import { gzipSync } from 'node:zlib'
import type { EvaluationContext } from '@halyard/core/evaluation'
import { createExpressSdk } from '@halyard/transport-express'
import { describe, expect, it } from 'vitest'
import { type Ask, ann, base64, doors, type Events, openDoor, type SdkOptions } from './setup/sdk-doors.ts'
import { eventsOf, listening, place, readyClient } from './setup/sdk-world.ts'

const summary = (counters: object[], key = 'inner') => [
  { kind: 'index', context: ann },
  {
    kind: 'summary',
    startDate: 1,
    endDate: Date.now(),
    features: { [key]: { default: 1, counters, contextKinds: ['user'] } },
  },
]

describe.each(Object.keys(doors))('over %s', (door) => {
  const open = (more?: SdkOptions) => openDoor(door, more)

  it('a poll gets 304 until something has changed', async () => {
    const { server, turn } = await open()
    const first = await server('/sdk/latest-all')
    const etag = first.headers.get('etag') as string
    await first.text()
    const known = { headers: { 'if-none-match': etag } }
    const again = await server('/sdk/latest-all', known)
    expect([again.status, await again.text()]).toEqual([304, ''])
    await turn('inner', true)
    const changed = await server('/sdk/latest-all', known)
    expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false])
    await changed.text()
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
    const { ask, mobile, keys, engine, turn } = await open()
    await turn('checkout', true)
    const contexts: EvaluationContext[] = [
      ann,
      { key: 'of old', custom: { plan: 'ü' } },
      { kind: 'multi', user: { key: 'a:b%' }, device: { key: 'd' } },
    ]
    for (const context of contexts) {
      const text = base64(context)
      const body = JSON.stringify(context)
      const asked = (path: string, by: Ask, init?: RequestInit) => by(path, init).then((answer) => answer.json())
      const report = { method: 'REPORT', body, headers: { 'content-type': 'application/json' } }
      const got = await Promise.all([
        asked(`/sdk/evalx/${keys.id}/contexts/${text}?withReasons=true`, ask),
        asked(`/sdk/evalx/${keys.id}/users/${text}?withReasons=true`, ask),
        asked(`/sdk/evalx/${keys.id}/context?withReasons=true`, ask, report),
        asked(`/msdk/evalx/contexts/${text}?withReasons=true`, mobile),
        asked('/msdk/evalx/context?withReasons=true', mobile, report),
      ])
      const { checkout, ...others } = engine.evaluateAll(context, place)
      expect(Object.keys(others)).toEqual(['inner'])
      const { value, variationIndex, reason } = checkout as { value: unknown; variationIndex: number; reason: object }
      const { version } = engine.evaluator(place).ruleset?.flags.get('checkout')?.data ?? {}
      const expected = { value, variation: variationIndex, reason, version, flagVersion: version, trackEvents: false }
      expect(got).toEqual(got.map(() => ({ checkout: expected })))
    }
    const plain = await (await ask(`/sdk/evalx/${keys.id}/contexts/${base64(ann)}`)).json()
    expect(Object.keys((plain as { checkout: object }).checkout)).not.toContain('reason')
  })

  it('in secure mode a context needs the hash that a server made for it', async () => {
    const { ask, mobile, server, keys, engine, patchEnvironment } = await open()
    const url = await listening(createExpressSdk(engine))
    const sdk = await readyClient(url, keys.server, { sendEvents: false })
    const asBefore = await Promise.all([
      ask(`/eval/${keys.id}/${base64(ann)}`),
      mobile(`/meval/${base64(ann)}`),
      server('/all'),
    ])
    const [browser, app, program] = asBefore.map(({ body }) => eventsOf(body as never)) as [Events, Events, Events]
    await patchEnvironment({ op: 'replace', path: '/secureMode', value: true })
    await browser.next()
    expect(await browser.next()).toBeUndefined()
    // The streams of the SDK, the app and the server stay open: secure mode concerns browsers only.
    expect(engine.sdk.streams()).toBe(3)
    await Promise.all([app.close(), program.close()])
    const contexts = [
      { kind: 'user', key: 'ann:%' },
      { kind: 'org', key: 'a:b%c' },
      { kind: 'multi', user: { key: 'u:1' }, device: { key: 'd%' }, 'a.b': { key: 'x' } },
    ]
    for (const context of contexts) {
      const hash = sdk.secureModeHash(context as never)
      const asked = async (query: string) =>
        (await ask(`/sdk/evalx/${keys.id}/contexts/${base64(context)}${query}`)).status
      const other = hash.startsWith('0') ? `1${hash.slice(1)}` : `0${hash.slice(1)}`
      expect(await Promise.all([`?h=${hash}`, `?h=${other}`, '?h=', ''].map(asked))).toEqual([200, 400, 400, 400])
      const streamed = await ask(`/eval/${keys.id}/${base64(context)}?h=${other}`)
      expect(streamed.status).toBe(400)
    }
  })

  it('each kind of key is accepted only by the endpoints made for it', async () => {
    const { ask, keys, engine } = await open()
    const status = async (path: string, authorization?: string, method = 'GET') =>
      (await ask(path, { method, headers: authorization === undefined ? {} : { authorization } })).status
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
    const { ask, server, keys } = await open()
    const posted = await server('/all', { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
    const path = `/sdk/evalx/${keys.id}/contexts/${base64(ann)}`
    const preflight = await ask(path, { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-LaunchDarkly-User-Agent')
    expect((await ask(path)).headers.get('access-control-allow-origin')).toBe('*')
    // Endpoints that need a secret key are for servers and apps, not for web pages.
    expect((await server('/sdk/latest-all')).headers.get('access-control-allow-origin')).toBeNull()
    expect((await server('/all', { method: 'OPTIONS' })).status).toBe(405)
    expect(await (await ask(`/sdk/goals/${keys.id}`)).json()).toEqual([])
  })

  it('event payloads are counted once, and larger ones than allowed get 413', async () => {
    const { server, ask, keys, engine } = await open()
    const post = (body: BodyInit, headers: Record<string, string> = {}, path = '/bulk', by: Ask = server) =>
      by(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }).then(
        async (answer) => {
          await answer.text()
          return answer.status
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
    const counted = async (flagKey = 'inner') =>
      (await engine.sdk.evaluations({ ...place, flagKey })).map(({ variation, count }) => [variation, count])
    expect(await counted()).toEqual([
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
    expect(await post('nobody reads it', {}, '/diagnostic')).toBe(202)
    expect(await post('x'.repeat(1024 * 1024 + 1), {}, '/diagnostic')).toBe(413)
    expect(await counted()).toEqual([
      [null, 4],
      [1, 6],
    ])

    // Events that any browser can send count only for flags that browsers can see.
    const clientSide = `/events/bulk/${keys.id}`
    const seen = JSON.stringify(summary([{ variation: 0, version: 1, count: 5 }], 'checkout'))
    expect(await post(events, {}, clientSide, ask)).toBe(202)
    expect(await post(seen, {}, clientSide, ask)).toBe(202)
    expect([await counted(), await counted('checkout')]).toEqual([
      [
        [null, 4],
        [1, 6],
      ],
      [[0, 5]],
    ])
  })
})
