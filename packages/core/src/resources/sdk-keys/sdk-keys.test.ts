import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { allow, failureOf } from '../account/test/calls.ts'
import { environment, keyedEnvironment, start } from './test/keyed-environment.ts'

const path = '/api/v2/projects/web/environments/production/sdk-keys'
const hour = 60 * 60 * 1000
const view = allow(['viewProject'], ['proj/*'])

describe('SDK keys of an environment', () => {
  it('begin with the default keys, which the environment shows', async () => {
    const { api, as, list, get } = await keyedEnvironment()
    const { apiKey, mobileKey } = await api.getEnvironment(environment, { as })
    const { items, totalCount } = await list()
    const common = { description: '', isDefault: true, _createdAt: String(start), _updatedAt: String(start) }
    expect(items).toMatchObject([
      { ...common, key: 'default', kind: 'sdk', value: apiKey },
      { ...common, key: 'default-mobile', kind: 'mobile', value: mobileKey },
    ])
    expect(totalCount).toBe(2)
    expect([await get('default'), await get('default-mobile')]).toEqual(items)
  })

  it('list the default key with its new value after a reset', async () => {
    const { api, as, get } = await keyedEnvironment()
    const { apiKey } = await api.resetSdkKey({ ...environment, expiry: start + hour }, { as })
    expect((await get('default')).value).toBe(apiKey)
  })

  it('are created with all properties', async () => {
    const { add, get, memberId } = await keyedEnvironment()
    const created = await add('billing', { name: 'Billing', description: 'In Dublin', expiry: start + hour })
    expect(created).toEqual({
      _links: {
        self: { href: `${path}/billing`, type: 'application/json' },
        parent: { href: path, type: 'application/json' },
      },
      _createdAt: String(start),
      _updatedAt: String(start),
      _version: 1,
      _createdByMemberId: memberId,
      kind: 'sdk',
      key: 'billing',
      name: 'Billing',
      description: 'In Dublin',
      value: expect.stringMatching(/^sdk-[0-9a-f]{40}$/),
      isDefault: false,
      expiry: String(start + hour),
    })
    expect(await get('billing')).toEqual(created)
    expect((await add('app', { kind: 'mobile' })).value).toMatch(/^mob-[0-9a-f]{40}$/)
  })

  it('have unique values, which also differ from the values of default keys', async () => {
    const { add } = await keyedEnvironment()
    await add('billing')
    for (const key of ['billing', 'default', 'default-mobile']) {
      expect(await failureOf(add(key))).toMatchObject({
        code: 'optimistic_locking_error',
        message: `There is an SDK key ${key} already`,
      })
    }
  })

  it('are changed by a plain object, in which null removes the expiry', async () => {
    const { add, patch, get, pass } = await keyedEnvironment()
    const { value } = await add('billing', { expiry: start + hour })
    pass(1000)
    const patched = await patch('billing', { name: 'Accounts', description: 'In Cork', expiry: null })
    expect(patched).toMatchObject({ name: 'Accounts', description: 'In Cork', value, _version: 2 })
    expect(patched).toMatchObject({ _createdAt: String(start), _updatedAt: String(start + 1000) })
    expect(patched).not.toHaveProperty('expiry')
    expect(await get('billing')).toEqual(patched)
    expect((await patch('billing', { expiry: start })).expiry).toBe(String(start))
  })

  it('are changed only if they still have the version that the caller names', async () => {
    const { api, as, add, keysOf, patch } = await keyedEnvironment()
    await add('billing')
    await patch('billing', { name: 'Accounts' })
    const change = (version: number) =>
      api.patchSdkKeyByKey({ ...keysOf('billing'), version, body: { name: 'Sales' } }, { as })
    expect((await failureOf(change(1))).code).toBe('optimistic_locking_error')
    expect((await change(2)).name).toBe('Sales')
  })

  it.each([
    ['default', 'resetSdkKey'],
    ['default-mobile', 'resetMobileKey'],
  ])('refuse to change or delete the key %s, which %s replaces', async (key, operation) => {
    const { patch, remove } = await keyedEnvironment()
    for (const [verb, call] of [
      ['changed', patch(key, { name: 'Mine' })],
      ['deleted', remove(key)],
    ] as const) {
      expect(await failureOf(call)).toMatchObject({
        code: 'invalid_request',
        message: `The default key ${key} cannot be ${verb}; ${operation} replaces it`,
      })
    }
  })

  it('are listed in pages that together have every key once, in both orders', async () => {
    const { add, list, pass } = await keyedEnvironment()
    for (const key of ['c', 'a', 'b']) {
      pass(1)
      await add(key)
    }
    const oldestFirst = ['default', 'default-mobile', 'c', 'a', 'b']
    for (const [sort, expected] of [
      ['createdAt', oldestFirst],
      ['-createdAt', [...oldestFirst].reverse()],
    ] as const) {
      for (const limit of [1, 2, 3, 5]) {
        const keys: string[] = []
        for (let offset = 0; offset < 6; offset += limit) {
          const { items, totalCount } = await list({ sort, limit, offset })
          expect(totalCount).toBe(5)
          keys.push(...items.map(({ key }) => key))
        }
        expect(keys).toEqual(expected)
      }
    }
  })

  it('are filtered by kind, and by whether they are valid', async () => {
    const { add, list, pass } = await keyedEnvironment()
    await add('old', { expiry: start + hour })
    await add('app', { kind: 'mobile', expiry: start + 2 * hour })
    const keys = async (filter: string) => (await list({ filter })).items.map(({ key }) => key)
    pass(hour - 1)
    expect(await keys('active:false')).toEqual([])
    pass(1)
    expect(await keys('active:false')).toEqual(['old'])
    expect(await keys('kind:sdk')).toEqual(['default', 'old'])
    expect(await keys('kind:mobile,active:true')).toEqual(['default-mobile', 'app'])
    expect(await failureOf(list({ filter: 'kind:client' }))).toMatchObject({ errors: [{ attribute: 'filter' }] })
  })
})

describe('the rights to SDK keys', () => {
  const reader: As = { policy: [view] }
  const of = (...actions: string[]): As => ({ policy: [view, allow(actions, ['proj/*:env/*:sdk-key/billing'])] })

  it('show the value only to a caller with viewSdkKey on the key', async () => {
    const { add, get, list } = await keyedEnvironment()
    const { value } = await add('billing')
    const other = await add('other')
    const masked = `sdk-***${value.slice(-4)}`
    expect((await get('billing', reader)).value).toBe(masked)
    expect((await get('billing', { role: 'reader' })).value).toBe(masked)
    expect((await get('billing', of('viewSdkKey'))).value).toBe(value)
    expect((await get('other', of('viewSdkKey'))).value).not.toBe(other.value)
    for (const { value: listed } of (await list({}, reader)).items) expect(listed).toMatch(/^(sdk-|mob-)\*{3}.{4}$/)
  })

  it('are, for a default key, the rights to the environment', async () => {
    const { api, as, get } = await keyedEnvironment()
    const { apiKey } = await api.getEnvironment(environment, { as })
    const caller = (...resources: string[]): As => ({ policy: [view, allow(['viewSdkKey'], resources)] })
    expect((await get('default', caller('proj/*:env/production'))).value).toBe(apiKey)
    expect((await get('default', caller('proj/*:env/*:sdk-key/*'))).value).not.toBe(apiKey)
  })

  it('consist of one action for each kind of change', async () => {
    const { add, patch, remove } = await keyedEnvironment()
    expect((await failureOf(add('billing', {}, of('updateSdkKey', 'deleteSdkKey')))).code).toBe('forbidden')
    await add('billing', {}, of('createSdkKey'))
    expect((await failureOf(patch('billing', { name: 'B' }, of('createSdkKey', 'deleteSdkKey')))).code).toBe(
      'forbidden',
    )
    await patch('billing', { name: 'B' }, of('updateSdkKey'))
    expect((await failureOf(remove('billing', of('createSdkKey', 'updateSdkKey')))).code).toBe('forbidden')
    await remove('billing', of('deleteSdkKey'))
  })
})

describe('the secret of an SDK key', () => {
  it('is neither in the change log nor in an export without secrets', async () => {
    const { engine, api, as, add, patch, remove } = await keyedEnvironment()
    const secrets = [await add('billing'), await add('gone')].map(({ value }) => value)
    await patch('billing', { expiry: start + hour })
    await remove('gone')
    let text = JSON.stringify(await api.listChangeLog({}, { as }))
    for await (const piece of engine.export()) text += piece
    expect(text).toContain('billing')
    for (const secret of secrets) expect(text).not.toContain(secret.slice(4))
  })

  it('is new when the deletion of its key or of its environment is reverted', async () => {
    const { api, as, add, remove, get, list, newestEntry, status } = await keyedEnvironment()
    const { value } = await add('billing', { description: 'In Dublin', expiry: start + hour })
    const revert = async () => api.revertChangeLogEntry({ id: await newestEntry(), body: {} }, { as })
    await remove('billing')
    await revert()
    const restored = await get('billing')
    expect(restored).toMatchObject({ description: 'In Dublin', expiry: String(start + hour), kind: 'sdk' })
    expect(restored.value).not.toBe(value)
    expect([await status('sdk', value), await status('sdk', restored.value)]).toEqual([401, 200])
    await api.deleteEnvironment(environment, { as })
    expect(await status('sdk', restored.value)).toBe(401)
    await revert()
    const again = await get('billing')
    expect([await status('sdk', restored.value), await status('sdk', again.value)]).toEqual([401, 200])
    expect((await list()).totalCount).toBe(3)
  })

  it('is masked by an engine that reads the past, when the key was deleted later', async () => {
    const { engine, as, add, remove, get, pass, now } = await keyedEnvironment()
    await add('billing')
    const created = now()
    pass(1000)
    await remove('billing')
    const past = engine.at(created)
    const sdkKey = await past.api.getSdkKeyByKey({ ...environment, sdkKeyKey: 'billing' }, { as })
    expect(sdkKey).toMatchObject({ key: 'billing', value: '********' })
    expect((await failureOf(get('billing'))).code).toBe('not_found')
  })

  it('stays the same when a change is reverted', async () => {
    const { api, as, add, patch, get, newestEntry } = await keyedEnvironment()
    const { value } = await add('billing', { expiry: start + hour })
    await patch('billing', { name: 'Accounts', expiry: null })
    await api.revertChangeLogEntry({ id: await newestEntry(), body: {} }, { as })
    expect(await get('billing')).toMatchObject({ name: 'billing', expiry: String(start + hour), value })
  })
})

it('an environment has at most 100 SDK keys in addition to the default ones', async () => {
  const { add, list, remove } = await keyedEnvironment()
  for (let index = 0; index < 100; index++) await add(`key-${index}`)
  expect((await failureOf(add('one-more'))).code).toBe('invalid_request')
  await remove('key-7')
  await add('one-more')
  expect((await list()).totalCount).toBe(102)
})
