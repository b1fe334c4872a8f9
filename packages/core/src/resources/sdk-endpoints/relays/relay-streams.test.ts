import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import type { RelayEnvironment } from '../../../rules/sdk-protocol/relay-messages.ts'
import { allow } from '../../account/test/calls.ts'
import { allEnvironments, environmentNames, relayAccount, relayManager, start } from './test/relay-account.ts'
import { relayResponse } from './test/relay-client.ts'
import { relayStore } from './test/relay-store.ts'

const production = { projectKey: 'web', environmentKey: 'production' } as const
const viewProjects = allow(['viewProject'], ['proj/*'])

/** Opens an account with a configuration for all environments. */
async function setUp() {
  const account = await relayAccount()
  const { api, as, create, connect } = account
  const { _id: id, fullKey: key = '' } = await create()
  const environment = () => api.getEnvironment(production, { as })
  return {
    ...account,
    id,
    key,
    environment,
    patch: (...body: object[]) => api.patchEnvironment({ ...production, body: body as never }, { as }),
    /** Resolves when all events of earlier changes were sent. */
    settled: async () => (await connect(key)).close(),
  }
}

describe('the stream of a relay', () => {
  it('begins with all environments, in the format of the published relay', async () => {
    const { connect, key, environment } = await setUp()
    const relay = await connect(key)
    const { _id: id, apiKey, mobileKey } = await environment()
    expect(relay.events).toHaveLength(1)
    expect(relay.events[0]).toMatchObject({ event: 'put', data: { path: '/' } })
    expect(environmentNames(relay.store)).toEqual(['web/production', 'web/test'])
    expect(relay.store.all().get(id)).toEqual({
      envID: id,
      envKey: 'production',
      envName: 'Production',
      projKey: 'web',
      projName: 'Web',
      sdkKey: { value: apiKey },
      mobKey: mobileKey,
      defaultTtl: 0,
      secureMode: false,
      version: expect.any(Number),
    })
  })

  it('sends a patch for each environment that is created or changed, and nothing for other changes', async () => {
    const { connect, key, patch, settled, api, as, environment, now } = await setUp()
    const relay = await connect(key)
    const { _id: id, apiKey: firstKey } = await environment()
    const current = () => relay.store.all().get(id) as RelayEnvironment
    await patch({ op: 'replace', path: '/name', value: 'Live' }, { op: 'replace', path: '/defaultTtl', value: 5 })
    await settled()
    expect(current()).toMatchObject({ envName: 'Live', defaultTtl: 5 })
    await patch({ op: 'replace', path: '/color', value: '00ff00' })
    await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
    await settled()
    expect(relay.events).toHaveLength(2)
    const { apiKey } = await api.resetSdkKey({ ...production, expiry: now() + 1000 }, { as })
    const { mobileKey } = await api.resetMobileKey(production, { as })
    await settled()
    const expiring = { value: firstKey, timestamp: now() + 1000 }
    expect(current()).toMatchObject({ sdkKey: { value: apiKey, expiring }, mobKey: mobileKey })
    const body = { key: 'eu', name: 'EU', color: '00ff00' }
    await api.createEnvironment({ projectKey: 'web', body }, { as })
    await api.patchProject({ projectKey: 'web', body: [{ op: 'replace', path: '/name', value: 'Shop' }] }, { as })
    await settled()
    expect(environmentNames(relay.store)).toEqual(['web/eu', 'web/production', 'web/test'])
    expect([...relay.store.all().values()].map(({ projName }) => projName)).toEqual(['Shop', 'Shop', 'Shop'])
    expect(new Set(relay.events.slice(1).map(({ event }) => event))).toEqual(new Set(['patch']))
    expect(relay.events[1]).toMatchObject({ data: { path: `/environments/${id}`, data: { envID: id } } })
  })

  it('omits an SDK key that has expired, from the next heartbeat on', async () => {
    const { connect, key, api, as, pass, engine, environment, now } = await setUp()
    const { _id: id } = await environment()
    await api.resetSdkKey({ ...production, expiry: now() + 1000 }, { as })
    const relay = await connect(key)
    expect(relay.store.all().get(id)?.sdkKey.expiring).toBeDefined()
    pass(1000)
    await engine.sdk.beat()
    expect(relay.store.all().get(id)?.sdkKey).toEqual({ value: (await environment()).apiKey })
    // No deletion is sent, because it would disconnect the SDKs behind the relay.
    expect(relay.events.map(({ event }) => event)).toEqual(['put', 'patch'])
  })

  it('sends the additional SDK keys of an environment with the default ones, by kind', async () => {
    const { connect, key, api, as, pass, engine, settled, environment, now } = await setUp()
    const { _id: id, apiKey: firstKey, mobileKey } = await environment()
    const { apiKey } = await api.resetSdkKey({ ...production, expiry: now() + 2000 }, { as })
    const relay = await connect(key)
    const current = () => relay.store.all().get(id) as RelayEnvironment
    expect([current().sdkKeys, current().mobileKeys]).toEqual([undefined, undefined])
    const add = (body: { key: string; kind?: 'mobile'; expiry?: number }) =>
      api.postSdkKey({ ...production, body: { ...body, name: body.key } }, { as })
    const { value } = await add({ key: 'billing', expiry: now() + 1000 })
    await settled()
    const hasViews = false
    const defaults = [
      { key: 'default', value: apiKey, hasViews },
      { key: 'default-previous', value: firstKey, expiry: now() + 2000, hasViews },
    ]
    expect(current().sdkKeys).toEqual([...defaults, { key: 'billing', value, expiry: now() + 1000, hasViews }])
    expect(current().mobileKeys).toBeUndefined()
    expect(current()).toMatchObject({ sdkKey: { value: apiKey }, mobKey: mobileKey })
    const { value: app } = await add({ key: 'app', kind: 'mobile' })
    await settled()
    expect(current().mobileKeys).toEqual([
      { key: 'default-mobile', value: mobileKey, hasViews },
      { key: 'app', value: app, hasViews },
    ])
    pass(1000)
    await engine.sdk.beat()
    expect(current().sdkKeys).toBeUndefined()
    await api.deleteSdkKeyByKey({ ...production, sdkKeyKey: 'app' }, { as })
    await settled()
    expect(current().mobileKeys).toBeUndefined()
    // No deletion of the environment is sent, because it would disconnect the SDKs behind the relay.
    expect(new Set(relay.events.slice(1).map(({ event }) => event))).toEqual(new Set(['patch']))
  })

  it('sends the deletion of an environment, and the relay accepts the environment again when it is restored', async () => {
    const { connect, key, api, as, settled, newestEntry, environment } = await setUp()
    const relay = await connect(key)
    const { _id: id } = await environment()
    const version = relay.store.all().get(id)?.version ?? 0
    await api.deleteEnvironment(production, { as })
    await settled()
    expect(relay.events.slice(1).map(({ event }) => event)).toEqual(['delete', 'put'])
    expect(relay.events[1]?.data).toEqual({ path: `/environments/${id}`, version: version + 1 })
    expect(environmentNames(relay.store)).toEqual(['web/test'])
    await api.revertChangeLogEntry({ id: await newestEntry(), body: {} }, { as })
    await settled()
    expect(relay.store.all().get(id)).toMatchObject({ sdkKey: { value: (await environment()).apiKey } })
  })

  it('adds and removes environments when the policy changes', async () => {
    const { connect, key, id, setPolicy, settled } = await setUp()
    const relay = await connect(key)
    await setPolicy(id, [
      allow(['*'], ['proj/*:env/*']),
      { effect: 'deny', actions: ['*'], resources: ['proj/web:env/test'] },
    ])
    await settled()
    expect(environmentNames(relay.store)).toEqual(['web/production'])
    expect(relay.events.slice(1).map(({ event }) => event)).toEqual(['delete', 'put'])
    await setPolicy(id, [allow(['viewSdkKey'], ['proj/*:env/*;{critical:true}', 'proj/*:env/test'])])
    await settled()
    expect(environmentNames(relay.store)).toEqual(['web/production', 'web/test'])
    await setPolicy(id, [allow(['updateName'], ['proj/*:env/*'])])
    await settled()
    expect(environmentNames(relay.store)).toEqual([])
  })

  it('ends when its key is reset or its configuration is deleted, and with the next heartbeat after the expiry', async () => {
    const { connect, key, id, reset, settled, engine, pass, api, as } = await setUp()
    const first = await connect(key)
    const { fullKey: second = '' } = await reset(id, start + 1000)
    await settled()
    const ofSecond = await connect(second)
    pass(999)
    expect((await connect(key)).status).toBe(200)
    await engine.sdk.beat()
    expect([first.isOpen(), ofSecond.isOpen()]).toEqual([true, true])
    pass(1)
    expect((await connect(key)).status).toBe(401)
    await engine.sdk.beat()
    expect([first.isOpen(), ofSecond.isOpen()]).toEqual([false, true])
    const { fullKey: third = '' } = await reset(id)
    expect((await connect(second)).status).toBe(401)
    expect(ofSecond.isOpen()).toBe(false)
    const ofThird = await connect(third)
    await api.deleteRelayAutoConfig({ id }, { as })
    expect((await connect(third)).status).toBe(401)
    expect(ofThird.isOpen()).toBe(false)
    expect(engine.sdk.streams()).toBe(0)
  })

  it('ends when a second reset invalidates its key, which the first reset had kept', async () => {
    const { connect, key, id, reset } = await setUp()
    const { fullKey: second = '' } = await reset(id, start + 1000)
    const relay = await connect(key)
    await reset(id)
    const statuses = [(await connect(key)).status, (await connect(second)).status]
    expect([...statuses, relay.isOpen()]).toEqual([401, 401, false])
  })

  it('rejects unknown keys, other secrets, and requests without a key', async () => {
    const { connect, key, as, environment } = await setUp()
    const { apiKey, mobileKey, _id } = await environment()
    for (const wrong of ['', `${key}0`, key.slice(0, -1), String(as), apiKey, mobileKey, _id, 'x'.repeat(600)]) {
      expect((await connect(wrong)).status, wrong).toBe(401)
    }
    expect((await connect(`Bearer ${key}`)).status).toBe(200)
  })

  it('is refused when as many streams are open as the engine allows', async () => {
    const { create, connect, engine } = await relayAccount({ sdk: { streams: 2 } })
    const { fullKey: key = '' } = await create()
    const [first, second] = [await connect(key), await connect(key)]
    expect([first.status, second.status, (await connect(key)).status]).toEqual([200, 200, 503])
    first.close()
    expect(engine.sdk.streams()).toBe(1)
    expect((await connect(key)).status).toBe(200)
    engine.sdk.endStreams()
    expect([second.isOpen(), engine.sdk.streams()]).toEqual([false, 0])
  })

  it('gets heartbeats, and is closed when its relay reads nothing for a minute', async () => {
    const { connect, key, engine, pass } = await setUp()
    const [reading, stalled] = [await connect(key), await connect(key)]
    stalled.stopReading()
    await engine.sdk.beat()
    expect(reading.text()).toMatch(/:\n$/)
    for (let i = 0; i < 2; i++) {
      pass(60_000)
      await engine.sdk.beat()
    }
    expect([reading.isOpen(), stalled.isOpen()]).toEqual([true, false])
    expect(engine.sdk.streams()).toBe(1)
  })

  it('ends when the engine is closed, also for a request that arrived before', async () => {
    const { connect, key, engine } = await setUp()
    const open = await connect(key)
    const starting = connect(key)
    await engine.close()
    expect(open.isOpen()).toBe(false)
    expect((await starting).isOpen()).toBe(false)
  })

  it('is refused by an engine that was closed before it has served a relay', async () => {
    // This storage stays open when the engine is closed, like a storage that several engines share.
    const { create, connect, engine } = await relayAccount({
      storage: { ...createMemoryStorage(), close: async () => {} },
    })
    const { fullKey: key = '' } = await create()
    await engine.close()
    const relay = await connect(key)
    expect([relay.status, relay.isOpen(), engine.sdk.streams()]).toEqual([503, false, 0])
  })

  it.each([
    ['the engine is closed', 'close'],
    ['its key is reset', 'reset'],
  ])('ends immediately when %s before the transport begins it', async (_, change) => {
    const { key, engine, id, reset, connect } = await setUp()
    const response = await relayResponse(engine, key)
    expect(response?.status).toBe(200)
    if (change === 'close') await engine.close()
    else {
      await reset(id)
      await connect(key)
    }
    const calls: string[] = []
    const record = (name: string) => () => calls.push(name)
    response?.live?.({ send: record('send'), backlog: () => 0, end: record('end'), abort: record('abort') })
    expect(calls).toEqual(['end'])
    expect(engine.sdk.streams()).toBe(0)
  })
})

describe('the rights of the authors', () => {
  const testOnly = [relayManager, viewProjects, allow(['viewSdkKey'], ['proj/web:env/test'])]

  it('limit the policy that they write', async () => {
    const { connect, key, id, setPolicy, settled, serviceToken } = await setUp()
    const relay = await connect(key)
    await setPolicy(id, [allow(['viewSdkKey'], ['proj/*:env/*'])], await serviceToken(testOnly))
    await settled()
    expect(environmentNames(relay.store)).toEqual(['web/test'])
    await setPolicy(id, allEnvironments)
    await settled()
    expect(environmentNames(relay.store)).toEqual(['web/production', 'web/test'])
  })

  it('limit the key that they create or reset, but not the earlier key of another caller', async () => {
    const { connect, key, id, reset, create, setPolicy, settled, serviceToken } = await setUp()
    const limited = await serviceToken(testOnly)
    const { fullKey: own = '', _id: ownId } = await create(allEnvironments, limited)
    const ownRelay = await connect(own)
    expect(environmentNames(ownRelay.store)).toEqual(['web/test'])
    // The policy of another author does not extend the key that the limited caller knows.
    await setPolicy(ownId, [allow(['viewSdkKey'], ['proj/*:env/*'])])
    await settled()
    expect(environmentNames(ownRelay.store)).toEqual(['web/test'])
    const { fullKey: next = '' } = await reset(ownId, start + 1000)
    await settled()
    expect(environmentNames(ownRelay.store)).toEqual(['web/test'])
    expect(environmentNames((await connect(next)).store)).toEqual(['web/production', 'web/test'])
    // A caller who may reset a configuration does not gain the keys of its author.
    const { fullKey: stolen = '' } = await reset(id, undefined, limited)
    expect(environmentNames((await connect(stolen)).store)).toEqual(['web/test'])
    expect((await connect(key)).status).toBe(401)
  })

  it('limit the additional SDK keys of an environment that they see', async () => {
    const { connect, create, setPolicy, settled, api, as, serviceToken, environment } = await setUp()
    const { _id: id } = await environment()
    for (const key of ['billing', 'search']) await api.postSdkKey({ ...production, body: { key, name: key } }, { as })
    const rights = [relayManager, viewProjects, allow(['viewSdkKey'], ['proj/*:env/*', 'proj/*:env/*:sdk-key/search'])]
    const { fullKey = '', _id: configId } = await create(allEnvironments, await serviceToken(rights))
    const relay = await connect(fullKey)
    const keys = () =>
      relay.store
        .all()
        .get(id)
        ?.sdkKeys?.map(({ key }) => key)
    expect(keys()).toEqual(['default', 'search'])
    await setPolicy(configId, [allow(['viewSdkKey'], ['proj/*:env/*'])])
    await settled()
    expect(keys()).toEqual(['default', 'search'])
    const { fullKey: own = '' } = await create(allEnvironments)
    const ofOwner = (await connect(own)).store.all().get(id)?.sdkKeys ?? []
    expect(ofOwner.map(({ key }) => key)).toEqual(['default', 'billing', 'search'])
  })

  it('are those that a host asserts for its calls', async () => {
    const { connect, create } = await setUp()
    const { fullKey: limited = '' } = await create(allEnvironments, { policy: testOnly })
    expect(environmentNames((await connect(limited)).store)).toEqual(['web/test'])
    const { fullKey: unlimited = '' } = await create(allEnvironments, { role: 'admin' })
    expect(environmentNames((await connect(unlimited)).store)).toEqual(['web/production', 'web/test'])
  })

  it('include the right to view the project', async () => {
    const { connect, create, serviceToken } = await setUp()
    const { fullKey = '' } = await create(
      allEnvironments,
      await serviceToken([relayManager, allow(['*'], ['proj/*:env/*'])]),
    )
    expect(environmentNames((await connect(fullKey)).store)).toEqual([])
  })

  it('follow their custom roles, and stay when the member loses a role or is deleted', async () => {
    const { connect, create, settled, api, as } = await setUp()
    const body = {
      key: 'operator',
      name: 'Operator',
      policy: [relayManager, viewProjects, allow(['viewSdkKey'], ['proj/*:env/*'])],
    }
    await api.createRole({ body }, { as })
    const invited = { email: 'bo@example.com', role: 'no_access', customRoles: ['operator'] } as const
    const { items } = await api.createMembers({ body: [invited] }, { as })
    const member = items[0]?._id as string
    const { fullKey = '' } = await create(allEnvironments, { identity: { member } })
    const relay = await connect(fullKey)
    expect(environmentNames(relay.store)).toEqual(['web/production', 'web/test'])
    const patch = (policy: unknown) =>
      api.patchRole({ roleKey: 'operator', body: [{ op: 'replace', path: '/policy', value: policy }] as never }, { as })
    await patch(testOnly)
    await settled()
    expect(environmentNames(relay.store)).toEqual(['web/test'])
    const unassign = [{ op: 'replace', path: '/customRoles', value: [] }] as never
    await api.patchMember({ id: member, body: unassign }, { as })
    await api.deleteMember({ id: member }, { as })
    await settled()
    expect(environmentNames(relay.store)).toEqual(['web/test'])
    await api.deleteRole({ roleKey: 'operator' }, { as })
    await settled()
    expect(environmentNames(relay.store)).toEqual([])
  })
})

it('a relay that connects again accepts all changes since its last connection', async () => {
  const { connect, key, id, setPolicy, settled } = await setUp()
  const store = relayStore()
  const first = await connect(key, store)
  await setPolicy(id, [])
  await settled()
  first.close()
  await setPolicy(id, allEnvironments)
  await connect(key, store)
  expect(environmentNames(store)).toEqual(['web/production', 'web/test'])
})

it('a relay that connects again drops a deleted or expired additional SDK key, and accepts a new key', async () => {
  const { connect, key, api, as, now, pass, environment, newestEntry } = await setUp()
  const store = relayStore()
  const { _id: id } = await environment()
  const keys = () =>
    store
      .all()
      .get(id)
      ?.sdkKeys?.map(({ key }) => key)
  const add = (key: string, properties: object = {}) =>
    api.postSdkKey({ ...production, body: { key, name: key, ...properties } }, { as })
  const reconnected = async () => {
    ;(await connect(key, store)).close()
    return keys()
  }
  await add('billing')
  await add('search', { expiry: now() + 1000 })
  expect(await reconnected()).toEqual(['default', 'billing', 'search'])
  await api.deleteSdkKeyByKey({ ...production, sdkKeyKey: 'billing' }, { as })
  const deletion = await newestEntry()
  expect(await reconnected()).toEqual(['default', 'search'])
  pass(1000)
  expect(await reconnected()).toBeUndefined()
  await api.patchSdkKeyByKey({ ...production, sdkKeyKey: 'search', body: { expiry: null } }, { as })
  const change = await newestEntry()
  expect(await reconnected()).toEqual(['default', 'search'])
  await api.revertChangeLogEntry({ id: change, body: {} }, { as })
  expect(await reconnected()).toBeUndefined()
  await api.revertChangeLogEntry({ id: deletion, body: {} }, { as })
  expect(await reconnected()).toEqual(['default', 'billing'])
  const limited = { ...production, sdkKeyKey: 'billing', body: { expiry: now() + 9000 } }
  await api.patchSdkKeyByKey(limited, { as })
  const limit = await newestEntry()
  await reconnected()
  expect(store.all().get(id)?.sdkKeys?.[1]?.expiry).toBe(now() + 9000)
  await api.revertChangeLogEntry({ id: limit, body: {} }, { as })
  await reconnected()
  expect(store.all().get(id)?.sdkKeys?.[1]).not.toHaveProperty('expiry')
  await add('extra')
  const creation = await newestEntry()
  expect(await reconnected()).toEqual(['default', 'billing', 'extra'])
  await api.revertChangeLogEntry({ id: creation, body: {} }, { as })
  expect(await reconnected()).toEqual(['default', 'billing'])
})

it('a relay that connects again receives keys whose expiry one list of changes removed', async () => {
  const { engine, connect, key, api, as, now, pass, environment } = await setUp()
  const store = relayStore()
  const { _id: id } = await environment()
  const sdkKeyKeys = ['a', 'b', 'c', 'd']
  for (const name of sdkKeyKeys) {
    await api.postSdkKey({ ...production, body: { key: name, name, expiry: now() + 1000 } }, { as })
  }
  pass(1000)
  ;(await connect(key, store)).close()
  expect(store.all().get(id)?.sdkKeys).toBeUndefined()
  const changes = sdkKeyKeys.map((sdkKeyKey) => ({
    operation: 'patchSdkKeyByKey',
    parameters: { ...production, sdkKeyKey },
    body: { expiry: null },
  }))
  await engine.api.applyChanges({ body: { changes } } as never, { as })
  ;(await connect(key, store)).close()
  expect(
    store
      .all()
      .get(id)
      ?.sdkKeys?.map((sdkKey) => sdkKey.key),
  ).toEqual(['default', ...sdkKeyKeys])
})

it('a relay that connects again receives the additional SDK keys that the new author of the policy may view', async () => {
  const { connect, create, setPolicy, api, as, serviceToken, environment } = await setUp()
  const { _id: id } = await environment()
  await api.postSdkKey({ ...production, body: { key: 'billing', name: 'billing' } }, { as })
  const { fullKey = '', _id: configId } = await create()
  const store = relayStore()
  ;(await connect(fullKey, store)).close()
  expect(store.all().get(id)?.sdkKeys).toHaveLength(2)
  const limited = await serviceToken([relayManager, viewProjects, allow(['viewSdkKey'], ['proj/*:env/*'])])
  await setPolicy(configId, [allow(['viewSdkKey'], ['proj/*:env/*'])], limited)
  ;(await connect(fullKey, store)).close()
  expect(store.all().get(id)?.sdkKey).toBeDefined()
  expect(store.all().get(id)).not.toHaveProperty('sdkKeys')
})
