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

const setUp = (name: (typeof storageNames)[number]) => createTwoProcessFixture(name, storages)

describe.each(storageNames)('an SDK key on %s that was reset', (name) => {
  it('works in every process until the requested expiry', async () => {
    const { keys, reset, status, pass, ask: send, engine, turn } = await setUp(name)
    const events = eventsOf((await send('/all', keys.server)).body as never)
    expect(await events.next()).toMatchObject({ event: 'put' })
    const newKey = await reset(start + hour)
    expect([await status(keys.server), await status(newKey)]).toEqual([200, 200])
    pass(hour - 1)
    expect(await status(keys.server)).toBe(200)
    await engine.sdk.beat()
    await turn('inner', true)
    expect(await events.next()).toMatchObject({ event: 'patch', data: { path: '/flags/inner' } })
    pass(1)
    expect([await status(keys.server), await status(newKey)]).toEqual([401, 200])
    await engine.sdk.beat()
    expect(await events.next()).toBeUndefined()
    expect(engine.sdk.streams()).toBe(0)
  })

  it('stops working immediately without an expiry, or with one in the past', async () => {
    const { keys, reset, status } = await setUp(name)
    const second = await reset()
    expect([await status(keys.server), await status(second)]).toEqual([401, 200])
    const third = await reset(start)
    expect([await status(second), await status(third)]).toEqual([401, 200])
  })

  it('stops working when its replacement is reset without an expiry', async () => {
    const { keys, reset, status } = await setUp(name)
    const second = await reset(start + hour)
    const third = await reset(start + 2 * hour)
    expect(await Promise.all([keys.server, second, third].map(status))).toEqual([401, 200, 200])
    const fourth = await reset()
    expect(await Promise.all([second, third, fourth].map(status))).toEqual([401, 401, 200])
  })
})

it('secure mode hashes made with the old key are accepted while the old key works', async () => {
  const { keys, reset, ask: send, pass, patchEnvironment } = await setUp('memory')
  await patchEnvironment({ op: 'replace', path: '/secureMode', value: true })
  const newKey = await reset(start + hour)
  const context = Buffer.from(JSON.stringify({ kind: 'user', key: 'ann' })).toString('base64url')
  const statusWithHashOf = async (key: string) => {
    const hash = createHmac('sha256', key).update('ann').digest('hex')
    return (await send(`/sdk/evalx/${keys.id}/contexts/${context}?h=${hash}`)).status
  }
  expect(await Promise.all([keys.server, newKey, 'sdk-of-nobody'].map(statusWithHashOf))).toEqual([200, 200, 400])
  pass(hour)
  expect(await Promise.all([keys.server, newKey].map(statusWithHashOf))).toEqual([400, 200])
})

it('the old key is never shown, and an import of an export without secrets does not restore it', async () => {
  const { keys, reset, api, as, engine, environment } = await setUp('memory')
  const newKey = await reset(start + hour)
  const exportChunks: string[] = []
  for await (const exportChunk of engine.export()) exportChunks.push(exportChunk)
  const outputs = [await environment(), await api.listChangeLog({}, { as }), exportChunks]
  for (const text of outputs.map((value) => JSON.stringify(value))) expect(text).not.toContain(keys.server)
  expect(exportChunks.join('')).not.toContain(newKey)

  const copy = createEngine({ storage: createMemoryStorage(), clock: () => start })
  onTestFinished(() => copy.close())
  await copy.import(exportChunks)
  const handler = withSdk(createFetchHandler(copy), copy)
  const statuses = [keys.server, newKey].map(async (authorization) => {
    const response = await handler(new Request('http://localhost/sdk/latest-all', { headers: { authorization } }))
    return response.status
  })
  expect(await Promise.all(statuses)).toEqual([401, 401])
})

it('a patch of the environment neither changes nor reveals the old key', async () => {
  const { keys, reset, status, patchEnvironment, environment } = await setUp('memory')
  const newKey = await reset(start + hour)
  await patchEnvironment({ op: 'replace', path: '/name', value: 'Live' })
  expect([await status(keys.server), await status(newKey)]).toEqual([200, 200])
  const codeOf = (operation: object) =>
    patchEnvironment(operation).then(
      () => 'done',
      ({ code }) => code,
    )
  // A `test` with the correct value fails like any other, so that it reveals nothing.
  expect(await codeOf({ op: 'test', path: '/retiredApiKey/value', value: keys.server })).toBe(
    'optimistic_locking_error',
  )
  for (const [op, path] of [
    ['copy', '/name'],
    ['move', '/name'],
    ['remove', '/retiredApiKey'],
  ]) {
    expect(await codeOf({ op, path, from: '/retiredApiKey/value' })).toBe('invalid_request')
  }
  expect((await environment()).name).toBe('Live')
})

it('an invalid expiry is refused with the name of the attribute', async () => {
  const { api, as } = await setUp('memory')
  const call = api.resetSdkKey({ ...environmentKeys, expiry: 'tomorrow' as never }, { as })
  await expect(call).rejects.toMatchObject({ body: { code: 'invalid_request', errors: [{ attribute: 'expiry' }] } })
})
