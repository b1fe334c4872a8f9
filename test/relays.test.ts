import { createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createExpressSdk } from '@halyard/transport-express'
import { EventSource } from 'eventsource'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  environmentNames,
  relayAccount,
} from '../packages/core/src/resources/sdk-endpoints/relays/test/relay-account.ts'
import { connectRelay } from '../packages/core/src/resources/sdk-endpoints/relays/test/relay-client.ts'
import { relayStore } from '../packages/core/src/resources/sdk-endpoints/relays/test/relay-store.ts'
import { everyStorage } from './setup/every-storage.ts'
import { postgresStorages } from './setup/postgres-storages.ts'
import { listen } from './setup/sdk-fixture.ts'

const storages = everyStorage()
const postgres = postgresStorages()

const webOnly = [{ effect: 'allow' as const, resources: ['proj/web:env/*'], actions: ['*'] }]
const production = { projectKey: 'web', environmentKey: 'production' }

async function accountOn(storage: Storage) {
  const account = await relayAccount({ storage })
  onTestFinished(() => account.engine.close())
  return account
}

describe.each(Object.entries(storages))('a Relay Proxy configuration on %s', (_, open) => {
  it('streams the environments of its policy until its key is reset or it is deleted', async () => {
    const { api, as, create, setPolicy, reset, connect, now, pass, engine } = await accountOn(await open())
    const settled = async (key: string) => (await connect(key)).close()
    const { _id: id, fullKey: first = '' } = await create()
    const relay = await connect(first)
    expect(environmentNames(relay.store)).toEqual(['web/production', 'web/test'])
    await api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
    await settled(first)
    expect(environmentNames(relay.store)).toHaveLength(4)
    await setPolicy(id, webOnly)
    await api.deleteEnvironment({ projectKey: 'web', environmentKey: 'test' }, { as })
    const { apiKey, _id: environmentId } = await api.resetSdkKey(production, { as })
    await settled(first)
    expect(environmentNames(relay.store)).toEqual(['web/production'])
    expect(relay.store.all().get(environmentId)?.sdkKey).toEqual({ value: apiKey })
    const { fullKey: second = '' } = await reset(id, now() + 1000)
    expect([(await connect(first)).status, (await connect(second)).status]).toEqual([200, 200])
    pass(1000)
    await engine.sdk.beat()
    expect([(await connect(first)).status, relay.isOpen()]).toEqual([401, false])
    await api.deleteRelayAutoConfig({ id }, { as })
    expect((await connect(second)).status).toBe(401)
    expect(engine.sdk.streams()).toBe(0)
  })
})

/** Connects a published client for server-sent events, which stores environments as a relay does. */
function connectEventSource(url: string, key: string) {
  const store = relayStore()
  const source = new EventSource(`${url}/relay_auto_config`, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, authorization: key } }),
  })
  onTestFinished(() => source.close())
  for (const event of ['put', 'patch', 'delete']) {
    source.addEventListener(event, ({ data }) => store.apply({ event, data: JSON.parse(data) }))
  }
  const failed = new Promise<number | undefined>((resolve) => {
    source.addEventListener('error', ({ code }) => resolve(code))
  })
  return { store, source, failed }
}

describe('two processes on one Postgres', () => {
  async function setUp() {
    const storage = await postgres.open()
    const account = await accountOn(storage)
    const other: Engine = createEngine({ storage: await postgres.openSecond(storage), clock: account.now })
    onTestFinished(() => other.close())
    const { _id: id, fullKey: key = '' } = await account.create()
    const relay = connectEventSource(await listen(createExpressSdk(other)), key)
    await expect.poll(() => environmentNames(relay.store)).toEqual(['web/production', 'web/test'])
    return { ...account, ...relay, other, id, key }
  }

  it('a relay at one process follows the changes that the other process makes', async () => {
    const { api, as, store, id, setPolicy, other, key } = await setUp()
    await api.createEnvironment({ projectKey: 'web', body: { key: 'eu', name: 'EU', color: '00ff00' } }, { as })
    await expect.poll(() => environmentNames(store)).toEqual(['web/eu', 'web/production', 'web/test'])
    const { apiKey, _id: environmentId } = await api.resetSdkKey(production, { as })
    await expect.poll(() => store.all().get(environmentId)?.sdkKey).toEqual({ value: apiKey })
    await api.deleteEnvironment({ projectKey: 'web', environmentKey: 'eu' }, { as })
    await expect.poll(() => environmentNames(store)).toEqual(['web/production', 'web/test'])
    await setPolicy(id, [])
    await expect.poll(() => environmentNames(store)).toEqual([])
    await setPolicy(id, webOnly)
    await expect.poll(() => environmentNames(store)).toEqual(['web/production', 'web/test'])
    const connected = await connectRelay(other, key)
    expect([...connected.store.all()].sort()).toEqual([...store.all()].sort())
  })

  it('a relay at one process is rejected after the other process resets its key', async () => {
    const { failed, source, reset, id, key, other } = await setUp()
    await reset(id)
    await failed
    await expect.poll(async () => (await connectRelay(other, key)).status).toBe(401)
    await expect.poll(() => source.readyState, { timeout: 20_000 }).toBe(EventSource.CLOSED)
  })
})

it('a relay key does not work at a branch', async () => {
  const { engine, create, connect } = await accountOn(await storages.memory())
  const { fullKey = '' } = await create()
  const branch = await engine.branch('trial')
  expect((await connectRelay(branch, fullKey)).status).toBe(401)
  expect((await connect(fullKey)).status).toBe(200)
})

it('an import of an export without secrets needs a reset of the key', async () => {
  const { engine, create, api, as } = await accountOn(await storages.memory())
  const { _id: id, fullKey = '' } = await create()
  const text: string[] = []
  for await (const piece of engine.export()) text.push(piece)
  const copy = await accountOf(text)
  expect(await copy.api.getRelayProxyConfig({ id }, { as: { role: 'owner' } })).toMatchObject({ displayKey: '' })
  expect((await connectRelay(copy, fullKey)).status).toBe(401)
  const { fullKey: next = '' } = await copy.api.resetRelayAutoConfig({ id }, { as: { role: 'owner' } })
  expect(environmentNames((await connectRelay(copy, next)).store)).toEqual(['web/production', 'web/test'])
  const secrets: string[] = []
  for await (const piece of engine.export({ secrets: true })) secrets.push(piece)
  expect((await connectRelay(await accountOf(secrets), fullKey)).status).toBe(200)
  expect(await api.getRelayProxyConfig({ id }, { as })).toMatchObject({ displayKey: fullKey.slice(-4) })
})

async function accountOf(backUp: readonly string[]): Promise<Engine> {
  const copy = createEngine({ storage: await storages.memory() })
  onTestFinished(() => copy.close())
  await copy.import(backUp)
  return copy
}
