import { gzipSync } from 'node:zlib'
import type { EvaluationContext } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressSdk } from '@halyard/transport-express'
import { createFetchHandler, withSdk } from '@halyard/transport-fetch'
// @ts-expect-error express ships no declarations of its own
import express from 'express'
import { describe, expect, it } from 'vitest'
import { eventsOf, listening, place, readyClient, type SdkWorld, sdkWorld } from './setup/sdk-world.ts'

type Events = ReturnType<typeof eventsOf>
type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** The ways in: by a fetch handler, and over real connections by Express, below a mount path and behind a body parser. */
const doors: Readonly<Record<string, (world: SdkWorld) => Promise<Ask>>> = {
  fetch: async ({ engine }) => {
    const handler = withSdk(createFetchHandler(engine), engine, { basePath: '/sdks/' })
    return (path, init) => handler(new Request(`http://localhost/sdks${path}`, init))
  },
  Express: async ({ engine }) => {
    const app = express()
    const url = await listening(app.use('/sdks', createExpressSdk(engine)))
    return (path, init) => fetch(`${url}/sdks${path}`, init)
  },
}

const base64 = (context: object) => Buffer.from(JSON.stringify(context)).toString('base64url')
const ann = { kind: 'user', key: 'ann' }
const summary = (counters: object[], key = 'inner') => [
  { kind: 'index', context: ann },
  {
    kind: 'summary',
    startDate: 1,
    endDate: Date.now(),
    features: { [key]: { default: 1, counters, contextKinds: ['user'] } },
  },
]

describe.each(Object.keys(doors))('by %s', (door) => {
  async function open(more?: Parameters<typeof sdkWorld>[1]) {
    const world = await sdkWorld(createMemoryStorage(), more)
    const ask = await (doors[door] as (world: SdkWorld) => Promise<Ask>)(world)
    const asking =
      (key: string): Ask =>
      (path, init) =>
        ask(path, { ...init, headers: { authorization: key, ...init?.headers } })
    const server = asking(world.keys.server)
    const stream = async (path = '/all', by: Ask = server) => {
      const answer = await by(path)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
      return eventsOf(answer.body as never)
    }
    const all = async () => (await (await server('/sdk/latest-all')).json()) as Sent
    return { ...world, ask, server, mobile: asking(world.keys.mobile), stream, all }
  }

  it('a stream begins with everything, and tells of what is changed, added and removed', async () => {
    const { stream, all, turn, patchSegment, api, as } = await open()
    const events = await stream()
    expect(await events.next()).toEqual({ event: 'put', data: { path: '/', data: await all() } })

    await turn('inner', true)
    expect(await events.next()).toEqual({
      event: 'patch',
      data: { path: '/flags/inner', data: (await all()).flags.inner },
    })
    await patchSegment({ op: 'add', path: '/included/-', value: 'ann' })
    expect(await events.next()).toEqual({
      event: 'patch',
      data: { path: '/segments/beta', data: (await all()).segments.beta },
    })
    const before = (await all()).flags.inner?.version as number
    await api.deleteFlag({ projectKey: 'web', featureFlagKey: 'inner' }, { as })
    expect(await events.next()).toEqual({ event: 'delete', data: { path: '/flags/inner', version: before + 1 } })
    // Of what is made anew the version begins anew, and would be passed over: so everything is sent.
    await api.createFlag({ projectKey: 'web', body: { key: 'inner', name: 'Inner' } }, { as })
    expect(await events.next()).toEqual({ event: 'put', data: { path: '/', data: await all() } })
    await events.close()
  })

  it('a stream that is resumed begins anew, and each shows that it is alive', async () => {
    const { server, engine } = await open()
    const answer = await server('/all', { headers: { 'last-event-id': '17' } })
    const events = eventsOf(answer.body as never)
    expect(await events.next()).toMatchObject({ event: 'put' })
    const alive = events.comments(2)
    await engine.sdk.beat()
    await engine.sdk.beat()
    await alive
    await events.close()
  })

  it('a stream that is hung up is given back, and closing the engine ends the others', async () => {
    const { stream, ask, keys, engine } = await open()
    const [first, second] = [await stream(), await stream(`/eval/${keys.id}/${base64(ann)}`, ask)]
    await Promise.all([first.next(), second.next()])
    expect(engine.sdk.streams()).toBe(2)
    await first.close()
    await expect.poll(() => engine.sdk.streams(), { interval: 1, timeout: 10_000 }).toBe(1)
    await engine.close()
    expect(engine.sdk.streams()).toBe(0)
    expect(await second.next()).toBeUndefined()
  })

  it('polls are answered anew only when something has changed', async () => {
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

  it('flags and segments can be had alone', async () => {
    const { server, all } = await open()
    const { flags, segments } = await all()
    const read = async (path: string) => (await server(path)).json()
    expect(await read('/sdk/flags')).toEqual(flags)
    expect(await read('/sdk/segments')).toEqual(segments)
    expect(await read('/sdk/flags/inner')).toEqual(flags.inner)
    expect(await read('/sdk/segments/beta')).toEqual(segments.beta)
    expect((await server('/sdk/flags/nothing')).status).toBe(404)
  })

  it('clients are sent the values of the flags that they may see, as the engine evaluates them', async () => {
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

  it('streams to clients tell of all values when one of them is another', async () => {
    const { ask, mobile, stream, keys, turn } = await open()
    const streams = await Promise.all([
      stream(`/eval/${keys.id}/${base64(ann)}`, ask),
      stream(`/meval/${base64(ann)}`, mobile),
      stream('/meval', (path) => mobile(path, { method: 'REPORT', body: JSON.stringify(ann) })),
    ])
    for (const value of [false, true]) {
      for (const events of streams) {
        expect(await events.next()).toMatchObject({ event: 'put', data: { checkout: { value } } })
      }
      // Nothing that they may see: the next event is that of the other flag.
      await turn('inner', !value)
      await turn('checkout', true)
    }
    for (const events of streams) await events.close()
  })

  it('in secure mode a context needs the hash that a server made of it', async () => {
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
    // The SDK and these two: apps and servers have keys.
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

  it('keys count for what they are made for alone', async () => {
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

  it('methods and origins are as browsers and SDKs ask for them', async () => {
    const { ask, server, keys } = await open()
    const posted = await server('/all', { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
    const path = `/sdk/evalx/${keys.id}/contexts/${base64(ann)}`
    const preflight = await ask(path, { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-LaunchDarkly-User-Agent')
    expect((await ask(path)).headers.get('access-control-allow-origin')).toBe('*')
    // Secrets are for servers and apps, not for pages.
    expect((await server('/sdk/latest-all')).headers.get('access-control-allow-origin')).toBeNull()
    expect((await server('/all', { method: 'OPTIONS' })).status).toBe(405)
    expect(await (await ask(`/sdk/goals/${keys.id}`)).json()).toEqual([])
  })

  it('reports are counted once, whatever they hold besides, and no larger than they may be', async () => {
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
    // Few bytes that stand for many.
    expect(await post(gzipSync(`[${' '.repeat(24 * 1024 * 1024)}]`), { 'content-encoding': 'gzip' })).toBe(413)
    expect(await post('nobody reads it', {}, '/diagnostic')).toBe(202)
    expect(await post('x'.repeat(1024 * 1024 + 1), {}, '/diagnostic')).toBe(413)
    expect(await counted()).toEqual([
      [null, 4],
      [1, 6],
    ])

    // What everybody can send counts for what everybody can see.
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

  it('no more streams than allowed', async () => {
    const { stream, server, ask, keys } = await open({ sdk: { streams: 1 } })
    const events = await stream()
    await events.next()
    const refused = await server('/all')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
    // Clients have room of their own, so that they keep no server out.
    const client = await stream(`/eval/${keys.id}/${base64(ann)}`, ask)
    expect((await ask(`/eval/${keys.id}/${base64(ann)}`)).status).toBe(503)
    await client.close()
    await events.close()
    await expect.poll(async () => (await server('/all')).status, { interval: 5, timeout: 10_000 }).toBe(200)
  })

  it('whoever does not read is given up, when much or little waits', async () => {
    let now = Date.now()
    const { server, engine, api, as } = await open({ clock: () => now })
    const large = Array.from({ length: 190 }, (_, at) => ({ value: `${at}${'x'.repeat(4000)}` }))
    await api.createFlag({ projectKey: 'web', body: { key: 'large', name: 'L', variations: large } }, { as })
    const silent = await server('/all')
    expect(engine.sdk.streams()).toBe(1)
    for (let at = 0; engine.sdk.streams() > 0 && at < 100; at++) {
      const body = [{ op: 'replace', path: '/name', value: `Large ${at}` }] as never
      await api.patchFlag({ projectKey: 'web', featureFlagKey: 'large', body }, { as })
      await engine.sdk.beat()
      now += 1000
    }
    expect(engine.sdk.streams()).toBe(0)
    await silent.body?.cancel().catch(() => {})
  }, 20_000)
})

interface Sent {
  readonly flags: Readonly<Record<string, { readonly version: number }>>
  readonly segments: Readonly<Record<string, { readonly version: number }>>
}

it('a stream of which nothing is taken for a minute is given up, and one that is read is not', async () => {
  let now = Date.now()
  const { engine, keys } = await sdkWorld(createMemoryStorage(), { clock: () => now })
  const handler = withSdk(createFetchHandler(engine), engine)
  const open = () => handler(new Request('http://localhost/all', { headers: { authorization: keys.server } }))
  const [silent, read] = [await open(), await open()]
  const events = eventsOf(read.body as never)
  await events.next()
  for (let beat = 1; beat <= 5; beat++) {
    now += 20_000
    const alive = events.comments(beat)
    await engine.sdk.beat()
    await alive
    expect(engine.sdk.streams()).toBe(beat < 4 ? 2 : 1)
  }
  await expect(silent.text()).rejects.toThrow('not read')
  await events.close()
  expect(engine.sdk.streams()).toBe(0)
})

it('targets whose date has come are gone from streams at the next beat', async () => {
  let now = Date.UTC(2026, 10, 2)
  const { engine, keys, api, as } = await sdkWorld(createMemoryStorage(), { clock: () => now })
  const { variations } = await api.getFlag({ projectKey: 'web', featureFlagKey: 'inner' }, { as })
  const variationId = variations[0]?._id as string
  const instruct = (...instructions: object[]) =>
    api.patchFlag(
      { projectKey: 'web', featureFlagKey: 'inner', body: { environmentKey: 'production', instructions } as never },
      { as },
    )
  await instruct({ kind: 'addTargets', contextKind: 'user', values: ['ann'], variationId })
  await api.patchExpiringTargets(
    {
      ...place,
      featureFlagKey: 'inner',
      body: {
        instructions: [
          { kind: 'addExpiringTarget', contextKey: 'ann', contextKind: 'user', variationId, value: now + 60_000 },
        ],
      } as never,
    },
    { as },
  )
  const handler = withSdk(createFetchHandler(engine), engine)
  const answer = await handler(new Request('http://localhost/all', { headers: { authorization: keys.server } }))
  const events = eventsOf(answer.body as never)
  const targets = async () => JSON.stringify(((await events.next()) as { data: { data: Sent } }).data.data.flags.inner)
  expect(await targets()).toContain('ann')
  now += 60_000
  await engine.sdk.beat()
  expect(await targets()).not.toContain('ann')
  await events.close()
})
