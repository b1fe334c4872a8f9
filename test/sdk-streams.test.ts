import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler, withSdk } from '@halyard/transport-fetch'
import { describe, expect, it } from 'vitest'
import { createSdkFixture, environmentKeys, eventsOf } from './setup/sdk-fixture.ts'
import { ann, base64, openSdk, type SdkOptions, type ServerPayload, sdkTransports } from './setup/sdk-transports.ts'

describe.each(Object.keys(sdkTransports))('over %s', (transport) => {
  const open = (options?: SdkOptions) => openSdk(transport, options)

  it('a stream begins with all data and continues with changes, additions and deletions', async () => {
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
    const versionBefore = (await all()).flags.inner?.version as number
    await api.deleteFlag({ projectKey: 'web', flagKey: 'inner' }, { as })
    expect(await events.next()).toEqual({ event: 'delete', data: { path: '/flags/inner', version: versionBefore + 1 } })
    // The version of a recreated flag restarts, so that SDKs would ignore a patch: the stream sends all data instead.
    await api.createFlag({ projectKey: 'web', body: { key: 'inner', name: 'Inner' } }, { as })
    expect(await events.next()).toEqual({ event: 'put', data: { path: '/', data: await all() } })
    await events.close()
  })

  it('a resumed stream starts over, and streams send heartbeats', async () => {
    const { server, engine } = await open()
    const response = await server('/all', { headers: { 'last-event-id': '17' } })
    const events = eventsOf(response.body as never)
    expect(await events.next()).toMatchObject({ event: 'put' })
    const heartbeats = events.comments(2)
    await engine.sdk.beat()
    await engine.sdk.beat()
    await heartbeats
    await events.close()
  })

  it('a closed connection releases its stream, and closing the engine ends the others', async () => {
    const { stream, ask: send, keys, engine } = await open()
    const [first, second] = [await stream(), await stream(`/eval/${keys.id}/${base64(ann)}`, send)]
    await Promise.all([first.next(), second.next()])
    expect(engine.sdk.streams()).toBe(2)
    await first.close()
    await expect.poll(() => engine.sdk.streams(), { interval: 1, timeout: 10_000 }).toBe(1)
    await engine.close()
    expect(engine.sdk.streams()).toBe(0)
    expect(await second.next()).toBeUndefined()
  })

  it('streams of a deleted environment end, and its keys open no stream of a later environment with its key', async () => {
    const { stream, ask: send, keys, server, engine, api, as } = await open()
    const streams = [await stream(), await stream(`/eval/${keys.id}/${base64(ann)}`, send)]
    for (const events of streams) await events.next()
    await api.deleteEnvironment({ ...environmentKeys }, { as })
    const body = { key: environmentKeys.environmentKey, name: 'Again', color: '000000' }
    await api.createEnvironment({ projectKey: 'web', body }, { as })
    for (const events of streams) expect(await events.next()).toBeUndefined()
    expect(engine.sdk.streams()).toBe(0)
    expect((await server('/all')).status).toBe(401)
  })

  it('client streams send all values when one of them has changed', async () => {
    const { ask: send, mobile, stream, keys, turn } = await open()
    const streams = await Promise.all([
      stream(`/eval/${keys.id}/${base64(ann)}`, send),
      stream(`/meval/${base64(ann)}`, mobile),
      stream('/meval', (path) => mobile(path, { method: 'REPORT', body: JSON.stringify(ann) })),
    ])
    for (const value of [false, true]) {
      for (const events of streams) {
        expect(await events.next()).toMatchObject({ event: 'put', data: { checkout: { value } } })
      }
      // The flag `inner` is not visible to clients: the next event is that of the other flag.
      await turn('inner', !value)
      await turn('checkout', true)
    }
    for (const events of streams) await events.close()
  })

  it('streams beyond the limit get 503', async () => {
    const { stream, server, ask: send, keys } = await open({ sdk: { streams: 1 } })
    const events = await stream()
    await events.next()
    const rejected = await server('/all')
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '30'])
    // Clients have a limit of their own, so that they cannot displace servers.
    const client = await stream(`/eval/${keys.id}/${base64(ann)}`, send)
    expect((await send(`/eval/${keys.id}/${base64(ann)}`)).status).toBe(503)
    await client.close()
    await events.close()
    await expect.poll(async () => (await server('/all')).status, { interval: 5, timeout: 10_000 }).toBe(200)
  })

  it('a stream that is not read is ended, whether much or little data is pending', async () => {
    let now = Date.now()
    const { server, engine, api, as } = await open({ clock: () => now })
    const large = Array.from({ length: 190 }, (_, index) => ({ value: `${index}${'x'.repeat(4000)}` }))
    await api.createFlag({ projectKey: 'web', body: { key: 'large', name: 'L', variations: large } }, { as })
    const unreadResponse = await server('/all')
    expect(engine.sdk.streams()).toBe(1)
    for (let index = 0; engine.sdk.streams() > 0 && index < 100; index++) {
      const body = [{ op: 'replace', path: '/name', value: `Large ${index}` }] as never
      await api.patchFlag({ projectKey: 'web', flagKey: 'large', body }, { as })
      await engine.sdk.beat()
      now += 1000
    }
    expect(engine.sdk.streams()).toBe(0)
    await unreadResponse.body?.cancel().catch(() => {})
  }, 20_000)
})

it('a stream that is not read for one minute is ended, and one that is read stays open', async () => {
  let now = Date.now()
  const { engine, keys } = await createSdkFixture(createMemoryStorage(), { clock: () => now })
  const handler = withSdk(createFetchHandler(engine), engine)
  const open = () => handler(new Request('http://localhost/all', { headers: { authorization: keys.server } }))
  const [unreadResponse, readResponse] = [await open(), await open()]
  const events = eventsOf(readResponse.body as never)
  await events.next()
  for (let beatCount = 1; beatCount <= 5; beatCount++) {
    now += 20_000
    const heartbeats = events.comments(beatCount)
    await engine.sdk.beat()
    await heartbeats
    expect(engine.sdk.streams()).toBe(beatCount < 4 ? 2 : 1)
  }
  await expect(unreadResponse.text()).rejects.toThrow('not read')
  await events.close()
  expect(engine.sdk.streams()).toBe(0)
})

it('targets whose expiry date has passed disappear from streams at the next heartbeat', async () => {
  let now = Date.UTC(2026, 10, 2)
  const { engine, keys, api, as } = await createSdkFixture(createMemoryStorage(), { clock: () => now })
  const { variations } = await api.getFlag({ projectKey: 'web', flagKey: 'inner' }, { as })
  const variationId = variations[0]?._id as string
  const instruct = (...instructions: object[]) =>
    api.patchFlag(
      { projectKey: 'web', flagKey: 'inner', body: { environmentKey: 'production', instructions } as never },
      { as },
    )
  await instruct({ kind: 'addTargets', contextKind: 'user', values: ['ann'], variationId })
  await api.patchExpiringTargets(
    {
      ...environmentKeys,
      flagKey: 'inner',
      body: {
        instructions: [
          { kind: 'addExpiringTarget', contextKey: 'ann', contextKind: 'user', variationId, value: now + 60_000 },
        ],
      } as never,
    },
    { as },
  )
  const handler = withSdk(createFetchHandler(engine), engine)
  const response = await handler(new Request('http://localhost/all', { headers: { authorization: keys.server } }))
  const events = eventsOf(response.body as never)
  const targets = async () =>
    JSON.stringify(((await events.next()) as { data: { data: ServerPayload } }).data.data.flags.inner)
  expect(await targets()).toContain('ann')
  now += 60_000
  await engine.sdk.beat()
  expect(await targets()).not.toContain('ann')
  await events.close()
})
