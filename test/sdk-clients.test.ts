import type { RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createEngine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressSdk } from '@halyard/transport-express'
import { createFetchHandler, withSdk } from '@halyard/transport-fetch'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { postgresStorages } from './setup/postgres-storages.ts'
import { createSdkFixture, environmentKeys, listen, nextUpdate, readyClient, sdkClient } from './setup/sdk-fixture.ts'

const storages = postgresStorages()
afterAll(() => storages.dispose())

const open: Readonly<Record<string, () => Promise<Storage>>> = {
  memory: async () => createMemoryStorage(),
  Postgres: () => storages.open(),
}
const ann = { kind: 'user', key: 'ann' }

async function serveSdk(storage: Storage) {
  const fixture = await createSdkFixture(storage)
  return { ...fixture, url: await listen(createExpressSdk(fixture.engine)) }
}

describe.each(Object.keys(open))('the unmodified SDK for Node on %s', (name) => {
  it('opens a stream and follows changes of flags and segments', async () => {
    const { url, keys, turn, instruct, patchSegment, api, as } = await serveSdk(
      await (open[name] as () => Promise<Storage>)(),
    )
    const client = await readyClient(url, keys.server)
    expect(await client.variation('checkout', ann, 'none')).toBe(false)

    const flagUpdate = nextUpdate(client)
    await turn('checkout', true)
    expect(await flagUpdate).toBe('checkout')
    expect(await client.variation('checkout', ann, 'none')).toBe(true)

    const { variations } = await api.getFlag({ projectKey: 'web', flagKey: 'checkout' }, { as })
    const [, falseVariation] = variations.map(({ _id }) => _id)
    const clauses = [{ contextKind: 'user', attribute: '', op: 'segmentMatch', values: ['beta'], negate: false }]
    const ruleUpdate = nextUpdate(client)
    await instruct('checkout', { kind: 'addRule', clauses, variationId: falseVariation })
    await ruleUpdate
    const segmentUpdate = nextUpdate(client)
    await patchSegment({ op: 'add', path: '/included/-', value: 'ann' })
    // A change of a segment is reported as an update of the flags that use it.
    expect(await segmentUpdate).toBe('checkout')
    expect(await client.variationDetail('checkout', ann, 'none')).toMatchObject({
      value: false,
      reason: { kind: 'RULE_MATCH', ruleIndex: 0 },
    })
  })

  it('follows the creation, deletion and recreation of a flag', async () => {
    const { url, keys, api, as } = await serveSdk(await (open[name] as () => Promise<Storage>)())
    const client = await readyClient(url, keys.server)
    for (const value of ['first', 'second']) {
      const creation = nextUpdate(client)
      const variations = [{ value }, { value: 'other' }]
      const defaults = { onVariation: 1, offVariation: 0 }
      await api.createFlag({ projectKey: 'web', body: { key: 'new', name: 'New', variations, defaults } }, { as })
      await creation
      expect(await client.variation('new', ann, 'none')).toBe(value)
      const deletion = nextUpdate(client)
      await api.deleteFlag({ projectKey: 'web', flagKey: 'new' }, { as })
      await deletion
      expect(await client.variation('new', ann, 'none')).toBe('none')
    }
  })

  it('polls and reads changes', async () => {
    const { url, keys, turn } = await serveSdk(await (open[name] as () => Promise<Storage>)())
    // The SDK polls every 30 seconds at most, so one client polls before the change and another one after it.
    const before = await readyClient(url, keys.server, { stream: false })
    await turn('checkout', true)
    const after = await readyClient(url, keys.server, { stream: false })
    expect(await before.variation('checkout', ann, 'none')).toBe(false)
    expect(await after.variation('checkout', ann, 'none')).toBe(true)
  })
})

it('twenty concurrent clients receive the same change', async () => {
  const { url, keys, turn, engine } = await serveSdk(createMemoryStorage())
  const clients = await Promise.all(Array.from({ length: 20 }, () => readyClient(url, keys.server)))
  expect(engine.sdk.streams()).toBe(20)
  const updates = Promise.all(clients.map(nextUpdate))
  await turn('checkout', true)
  expect(await updates).toEqual(clients.map(() => 'checkout'))
  expect(await Promise.all(clients.map((client) => client.variation('checkout', ann, 'none')))).toEqual(
    clients.map(() => true),
  )
})

/**
 * Emulates a fetch runtime: requests and responses are objects, bodies are streams that are canceled when the client
 * disconnects.
 */
function fetchRuntime(handler: (request: Request) => Promise<Response>): RequestListener {
  return async (req, res) => {
    const headers = Object.entries(req.headers).map(([name, value]) => [name, String(value)] as [string, string])
    const body = req.method === 'GET' ? undefined : await buffer(req)
    const response = await handler(new Request(`http://localhost${req.url}`, { method: req.method, headers, body }))
    res.writeHead(response.status, Object.fromEntries(response.headers))
    res.flushHeaders()
    if (response.body) await pipeline(Readable.fromWeb(response.body as never), res).catch(() => {})
    else res.end()
  }
}

it('a fetch handler serves the SDK without timers', async () => {
  const { engine, keys, turn } = await createSdkFixture(createMemoryStorage())
  const url = await listen(fetchRuntime(withSdk(createFetchHandler(engine), engine)))
  const client = await readyClient(url, keys.server, { enableEventCompression: true })
  const update = nextUpdate(client)
  await turn('checkout', true)
  expect(await update).toBe('checkout')
  expect(await client.variation('checkout', ann, false)).toBe(true)
  await client.flush()
  expect(await engine.sdk.evaluations({ ...environmentKeys, flagKey: 'checkout' })).toMatchObject([
    { variation: 0, count: 1 },
  ])
  client.close()
  await expect.poll(() => engine.sdk.streams(), { interval: 1, timeout: 10_000 }).toBe(0)
})

it('an SDK receives changes that another process commits', async () => {
  const storage = await storages.open()
  const { keys, turn, api, as } = await serveSdk(storage)
  const otherEngine = createEngine({ storage: await storages.openSecond(storage) })
  onTestFinished(() => otherEngine.close())
  const client = await readyClient(await listen(createExpressSdk(otherEngine)), keys.server, { sendEvents: false })
  const update = nextUpdate(client)
  await turn('checkout', true)
  expect(await update).toBe('checkout')
  await api.resetSdkKey(environmentKeys, { as })
  await expect.poll(() => otherEngine.sdk.streams(), { interval: 1, timeout: 10_000 }).toBe(0)
})

it('wrong keys and keys of another kind are refused', async () => {
  const { url, keys } = await serveSdk(createMemoryStorage())
  for (const key of ['sdk-0000', keys.mobile, keys.id]) {
    const client = sdkClient(url, key, { sendEvents: false })
    await expect(client.waitForInitialization({ timeout: 20 })).rejects.toThrow('Authentication failed')
  }
})

it('resetting an SDK key ends the streams of the old key, which is refused from then on', async () => {
  const { url, keys, api, as, engine } = await serveSdk(createMemoryStorage())
  const client = sdkClient(url, keys.server, { sendEvents: false, streamInitialReconnectDelay: 0.01 })
  const refusal = new Promise<Error>((resolve) => client.on('error', resolve))
  await client.waitForInitialization({ timeout: 20 })
  await api.resetSdkKey(environmentKeys, { as })
  // The SDK reconnects by itself and receives an error that makes it stop.
  expect((await refusal).message).toContain('Authentication failed')
  expect(engine.sdk.streams()).toBe(0)
  const { apiKey } = await api.getEnvironment(environmentKeys, { as })
  await readyClient(url, apiKey)
})

it('evaluations that SDKs report are counted and decide the status of a flag', async () => {
  const { url, keys, engine, turn, api, as } = await serveSdk(createMemoryStorage())
  const flag = { ...environmentKeys, flagKey: 'inner' }
  expect((await api.getFlagStatus(flag, { as })).lastRequested).toBeNull()
  const startTime = Date.now()
  const clients = await Promise.all(
    [{}, { enableEventCompression: true }].map((options) => readyClient(url, keys.server, options)),
  )
  for (const client of clients)
    for (const key of ['ann', 'bob', 'eve']) await client.variation('inner', { kind: 'user', key }, 1)
  const updates = Promise.all(clients.map(nextUpdate))
  await turn('inner', true)
  await updates
  for (const client of clients) {
    await client.variation('inner', ann, 1)
    await client.variation('unknown', ann, 1)
    await client.flush()
  }
  const counts = await engine.sdk.evaluations({ ...environmentKeys, flagKey: 'inner' })
  const countOf = (variationIndex: number) =>
    counts.filter(({ variation }) => variation === variationIndex).reduce((total, { count }) => total + count, 0)
  expect([countOf(0), countOf(1)]).toEqual([2, 6])
  expect(await engine.sdk.evaluations({ ...environmentKeys, flagKey: 'unknown' })).toEqual([])
  const { name, lastRequested } = await api.getFlagStatus(flag, { as })
  expect(name).toBe('active')
  expect(Number(lastRequested)).toBeGreaterThanOrEqual(startTime)
  expect(Number(lastRequested)).toBeLessThanOrEqual(Date.now())
})
