import { createHmac } from 'node:crypto'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler, withSdk } from '@halyard/transport-fetch'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { postgresStorages } from './setup/postgres-storages.ts'
import { environmentKeys, eventsOf } from './setup/sdk-fixture.ts'
import { createTwoProcessFixture, hour, start, storageNames } from './setup/two-process-sdk-fixture.ts'

const storages = postgresStorages()
afterAll(() => storages.dispose())

async function setUp(name: (typeof storageNames)[number]) {
  const fixture = await createTwoProcessFixture(name, storages)
  const { api, as } = fixture
  const keysOf = (sdkKeyKey: string) => ({ ...environmentKeys, sdkKeyKey })
  return {
    ...fixture,
    add: async (key: string, properties: object = {}) =>
      (await api.postSdkKey({ ...environmentKeys, body: { key, name: key, ...properties } }, { as })).value,
    expire: (key: string, expiry: number) => api.patchSdkKeyByKey({ ...keysOf(key), body: { expiry } }, { as }),
    remove: (key: string) => api.deleteSdkKeyByKey(keysOf(key), { as }),
  }
}

describe.each(storageNames)('an additional SDK key on %s', (name) => {
  it('works in every process, and streams with it end when it is deleted', async () => {
    const { keys, add, remove, status, ask: send, engine, turn } = await setUp(name)
    const [first, second] = [await add('first'), await add('second')]
    expect(await Promise.all([keys.server, first, second].map(status))).toEqual([200, 200, 200])
    const [ofFirst, ofSecond] = await Promise.all(
      [first, second].map(async (key) => eventsOf((await send('/all', key)).body as never)),
    )
    expect([await ofFirst?.next(), await ofSecond?.next()]).toMatchObject([{ event: 'put' }, { event: 'put' }])
    await remove('first')
    expect(await ofFirst?.next()).toBeUndefined()
    expect(await Promise.all([keys.server, first, second].map(status))).toEqual([200, 401, 200])
    await turn('inner', true)
    expect(await ofSecond?.next()).toMatchObject({ event: 'patch', data: { path: '/flags/inner' } })
    await ofSecond?.close()
    expect(engine.sdk.streams()).toBe(0)
  })

  it('works until its expiry, at which its streams end', async () => {
    const { keys, add, expire, status, ask: send, engine, pass } = await setUp(name)
    const key = await add('first', { expiry: start + hour })
    const events = eventsOf((await send('/all', key)).body as never)
    expect(await events.next()).toMatchObject({ event: 'put' })
    pass(hour - 1)
    expect(await status(key)).toBe(200)
    pass(1)
    expect(await Promise.all([keys.server, key].map(status))).toEqual([200, 401])
    await engine.sdk.beat()
    expect(await events.next()).toBeUndefined()
    await expire('first', start + 2 * hour)
    expect(await status(key)).toBe(200)
  })

  it('stops working when its environment is deleted', async () => {
    const { add, status, api, as } = await setUp(name)
    const key = await add('first')
    expect(await status(key)).toBe(200)
    await api.deleteEnvironment(environmentKeys, { as })
    expect(await status(key)).toBe(401)
  })
})

it('secure mode hashes made with an SDK key are accepted while the key works', async () => {
  const { keys, add, remove, ask: send, patchEnvironment } = await setUp('memory')
  await patchEnvironment({ op: 'replace', path: '/secureMode', value: true })
  const [server, app] = [await add('server'), await add('app', { kind: 'mobile' })]
  const context = Buffer.from(JSON.stringify({ kind: 'user', key: 'ann' })).toString('base64url')
  const statusWithHashOf = async (key: string) => {
    const hash = createHmac('sha256', key).update('ann').digest('hex')
    return (await send(`/sdk/evalx/${keys.id}/contexts/${context}?h=${hash}`)).status
  }
  expect(await Promise.all([keys.server, server, app].map(statusWithHashOf))).toEqual([200, 200, 400])
  await remove('server')
  expect(await Promise.all([keys.server, server].map(statusWithHashOf))).toEqual([200, 400])
})

it('an import of an export without secrets gives every SDK key a new value', async () => {
  const { add, engine } = await setUp('memory')
  const value = await add('first', { expiry: start + hour })
  const text: string[] = []
  for await (const piece of engine.export()) text.push(piece)
  expect(text.join('')).not.toContain(value)
  const copy = createEngine({ storage: createMemoryStorage(), clock: () => start })
  onTestFinished(() => copy.close())
  await copy.import(text)
  const handler = withSdk(createFetchHandler(copy), copy)
  const imported = await copy.api.getSdkKeyByKey({ ...environmentKeys, sdkKeyKey: 'first' }, { as: { role: 'owner' } })
  expect(imported).toMatchObject({ kind: 'sdk', expiry: String(start + hour) })
  const statuses = [value, imported.value].map(async (authorization) => {
    const response = await handler(new Request('http://localhost/sdk/latest-all', { headers: { authorization } }))
    return response.status
  })
  expect(await Promise.all(statuses)).toEqual([401, 200])
})
