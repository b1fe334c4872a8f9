import { describe, expect, it } from 'vitest'
import { allow, failureOf } from '../account/test/calls.ts'
import {
  allEnvironments,
  environmentNames,
  relayAccount,
  relayManager,
  start,
} from '../sdk-endpoints/relays/test/relay-account.ts'

describe('a Relay Proxy configuration', () => {
  it('is returned with its key only when it is created and when the key is reset', async () => {
    const { api, as, create, reset, memberId, pass } = await relayAccount()
    const created = await create()
    expect(created.fullKey).toMatch(/^rel-[0-9a-f]{64}$/)
    const { fullKey = '', _access, ...shown } = created
    expect(shown).toMatchObject({
      _id: expect.any(String),
      _creator: { _id: memberId, email: 'ada@example.com', firstName: 'Ada', lastName: 'L', role: 'owner' },
      name: 'Europe',
      policy: allEnvironments,
      displayKey: fullKey.slice(-4),
      creationDate: String(start),
      lastModified: String(start),
    })
    expect(_access?.allowed.map(({ action }) => action)).toContain('resetRelayAutoConfiguration')
    const id = created._id
    const withoutKey = { ...shown, _access }
    expect(await api.getRelayProxyConfig({ id }, { as })).toEqual(withoutKey)
    expect(await api.getRelayProxyConfigs({}, { as })).toEqual({ items: [withoutKey] })
    pass(1)
    const second = await reset(id)
    expect(second.fullKey).not.toBe(fullKey)
    expect(second).toMatchObject({ displayKey: second.fullKey?.slice(-4), lastModified: String(start + 1) })
    expect(await api.getRelayProxyConfig({ id }, { as })).not.toHaveProperty('fullKey')
    await api.deleteRelayAutoConfig({ id }, { as })
    expect((await failureOf(api.getRelayProxyConfig({ id }, { as }))).code).toBe('not_found')
    expect(await api.getRelayProxyConfigs({}, { as })).toEqual({ items: [] })
  })

  it('is changed by a JSON Patch, with the right to each property', async () => {
    const { api, as, create } = await relayAccount()
    const { _id: id } = await create()
    const body = [{ op: 'replace', path: '/name', value: 'America' }] as const
    const may = (...actions: string[]) => ({ policy: [allow(actions, ['relay-proxy-config/*'])] })
    const view = 'viewRelayProxyConfig'
    const wrong = api.patchRelayAutoConfig({ id, body }, { as: may(view, 'updateRelayAutoConfigurationPolicy') })
    expect((await failureOf(wrong)).code).toBe('forbidden')
    const right = { as: may(view, 'updateRelayAutoConfigurationName') }
    expect(await api.patchRelayAutoConfig({ id, body }, right)).toMatchObject({ name: 'America' })
    const key = [{ op: 'add', path: '/fullKey', value: 'rel-1' }]
    expect((await failureOf(api.patchRelayAutoConfig({ id, body: key as never }, { as }))).code).toBe('invalid_request')
    const copy = [{ op: 'copy', from: '/hash', path: '/name' }]
    expect((await failureOf(api.patchRelayAutoConfig({ id, body: copy as never }, { as }))).code).toBe(
      'invalid_request',
    )
  })

  it('requires a policy whose resources are environments, and names a resource that is not one', async () => {
    const { api, as, create, setPolicy } = await relayAccount()
    const reason = '[0].resources[1] must be a specifier of environments, e.g. `proj/*:env/production`'
    const wrong = [allow(['*'], ['proj/*:env/*', 'proj/*:env/*:flag/*'])]
    expect(await failureOf(create(wrong))).toMatchObject({ errors: [{ attribute: 'policy', reason }] })
    const { _id: id } = await create()
    expect(await failureOf(setPolicy(id, wrong))).toMatchObject({ errors: [{ attribute: 'policy', reason }] })
    const placeholder = [allow(['*'], ['proj/${roleAttribute/projects}:env/*'])]
    expect(await failureOf(create(placeholder))).toMatchObject({
      errors: [{ attribute: 'policy', reason: expect.stringContaining('must contain no placeholder') }],
    })
    const misspelt = [allow(['viewSdkKeys'], ['proj/*:env/*'])]
    for (const call of [create(misspelt), setPolicy(id, misspelt)]) {
      expect(await failureOf(call)).toMatchObject({ code: 'invalid_request', errors: [{ attribute: 'policy' }] })
    }
    expect((await api.getRelayProxyConfig({ id }, { as })).policy).toEqual(allEnvironments)
    expect((await failureOf(api.postRelayAutoConfig({ body: { name: '', policy: [] } }, { as }))).errors).toMatchObject(
      [{ attribute: 'name' }],
    )
  })

  it('is hidden from callers who may not view it', async () => {
    const { api, create } = await relayAccount()
    const [first, second] = [await create(), await create()]
    const as = { policy: [allow(['viewRelayProxyConfig'], [`relay-proxy-config/${first._id}`])] }
    const { items } = await api.getRelayProxyConfigs({}, { as })
    expect(items.map(({ _id }) => _id)).toEqual([first._id])
    expect((await failureOf(api.getRelayProxyConfig({ id: second._id }, { as }))).code).toBe('forbidden')
    expect((await failureOf(api.resetRelayAutoConfig({ id: first._id }, { as }))).code).toBe('forbidden')
  })

  it('cannot be created when the account has 1,000', async () => {
    const { create } = await relayAccount()
    for (let i = 0; i < 1_000; i++) await create()
    expect(await failureOf(create())).toMatchObject({ code: 'invalid_request', message: /at most 1000/ })
  })

  it('keeps its key out of the storage, the log, the change log and exports', async () => {
    const { engine, storage, create, reset, connect, log, api, as } = await relayAccount()
    const { _id: id, fullKey: first = '' } = await create()
    const { fullKey: second = '' } = await reset(id, start + 1000)
    expect((await connect(first)).status).toBe(200)
    expect((await connect(`${second}0`)).status).toBe(401)
    const records: unknown[] = []
    for await (const chunk of storage.account('default').dump()) records.push(chunk)
    const exports = async (secrets: boolean) => {
      let text = ''
      for await (const piece of engine.export({ secrets })) text += piece
      return text
    }
    const changes = JSON.stringify(await api.listChangeLog({ limit: 20 }, { as }))
    const texts = [JSON.stringify([records, log]), changes, await exports(true), await exports(false)]
    for (const text of texts) for (const key of [first, second]) expect(text).not.toContain(key)
    const hash = (await import('node:crypto')).createHash('sha256').update(second).digest('hex')
    expect(texts.map((text) => text.includes(hash))).toEqual([true, false, true, false])
  })

  it('is described in the change log', async () => {
    const { api, as, create, setPolicy, reset } = await relayAccount()
    const { _id: id } = await create()
    await setPolicy(id, [])
    await reset(id)
    await api.deleteRelayAutoConfig({ id }, { as })
    const { items } = await api.listChangeLog({ limit: 4 }, { as })
    expect(items.map(({ titleVerb }) => titleVerb)).toEqual([
      'deleted the Relay Proxy configuration Europe',
      'reset the key of the Relay Proxy configuration Europe',
      'changed the policy of the Relay Proxy configuration Europe',
      'created the Relay Proxy configuration Europe',
    ])
  })
})

describe('a revert', () => {
  const reverter = [relayManager, allow(['viewProject'], ['proj/*']), allow(['viewAuditLog'], ['acct'])]

  it('restores a deleted configuration without a key, and a reset is limited by the rights of its caller', async () => {
    const { api, as, create, reset, connect, serviceToken, newestEntry } = await relayAccount()
    const { _id: id, fullKey = '' } = await create()
    await api.deleteRelayAutoConfig({ id }, { as })
    const entry = await newestEntry()
    const limited = await serviceToken([...reverter, allow(['*'], ['proj/web:env/test'])])
    await api.revertChangeLogEntry({ id: entry, body: {} }, { as: limited })
    expect(await api.getRelayProxyConfig({ id }, { as })).toMatchObject({ name: 'Europe', displayKey: '' })
    expect((await connect(fullKey)).status).toBe(401)
    const { fullKey: next = '' } = await reset(id, undefined, limited)
    expect(environmentNames((await connect(next)).store)).toEqual(['web/test'])
  })

  it('of a change of the policy is limited by the rights of its caller', async () => {
    const { create, setPolicy, connect, serviceToken, newestEntry, api } = await relayAccount()
    const { _id: id, fullKey = '' } = await create()
    await setPolicy(id, [allow(['*'], ['proj/*:env/test'])])
    const entry = await newestEntry()
    const limited = await serviceToken(reverter)
    await api.revertChangeLogEntry({ id: entry, body: {} }, { as: limited })
    expect((await api.getRelayProxyConfig({ id }, { as: limited })).policy).toEqual(allEnvironments)
    expect(environmentNames((await connect(fullKey)).store)).toEqual([])
  })
})
