import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { createEngine, type EngineRequest, type HostIdentity } from '../../index.ts'
import type { Storage } from '../../storage/port.ts'

const token = 'api-administrator-0001'
const as = token
const office = '198.51.100.0/24'
const inOffice = '198.51.100.7'
const elsewhere = '203.0.113.9'

/** The origin of a request in a test: its address, its caller and its headers. */
interface Sender {
  readonly address?: string | undefined
  readonly identity?: HostIdentity
  readonly headers?: Readonly<Record<string, string>>
}

async function open(storage: Storage = createMemoryStorage()) {
  const engine = createEngine({ storage })
  await engine.bootstrap({ token })
  async function send(method: string, path: string, { address, identity, headers = {} }: Sender, body?: object) {
    const all: Readonly<Record<string, string>> = {
      'content-type': 'application/json',
      'svc-api-version': 'beta',
      'sec-fetch-site': 'same-origin',
      ...(identity ? {} : { authorization: token }),
      ...headers,
    }
    const request: EngineRequest = {
      method,
      path,
      query: '',
      header: (name) => all[name],
      body: { kind: 'parsed', value: body },
      clientAddress: () => address,
      ...(identity ? { identify: () => identity } : {}),
    }
    const response = await engine.handle(request)
    const { etag } = response.headers
    return { status: response.status, etag, body: response.body === undefined ? undefined : JSON.parse(response.body) }
  }
  const read = async (sender: Sender) => (await send('GET', '/api/v2/projects', sender)).status
  const patch = (sender: Sender, body: object) => send('PATCH', '/api/v2/account/ip-allowlist', sender, body)
  const add = (ipAddress: string, description?: string) =>
    engine.api.createIpAllowlistEntry(
      { body: { ipAddress, ...(description === undefined ? {} : { description }) } },
      { as },
    )
  const configure = (body: { sessionAllowlistEnabled?: boolean; apiTokenAllowlistEnabled?: boolean }) =>
    engine.api.patchIpAllowlistConfig({ body }, { as })
  return { engine, api: engine.api, send, read, patch, add, configure }
}

const session: HostIdentity = { service: 'ann', role: 'admin' }
const signedToken: HostIdentity = { ...session, session: false }

describe('requests', () => {
  it('are accepted from every address while the list is off', async () => {
    const { add, read } = await open()
    await add(office)
    for (const sender of [{}, { address: elsewhere }, { identity: session }]) expect(await read(sender)).toBe(200)
  })

  it.each([
    ['an access token', {}, 'apiTokenAllowlistEnabled', 'sessionAllowlistEnabled'],
    ['a signed token in a header', { identity: signedToken }, 'apiTokenAllowlistEnabled', 'sessionAllowlistEnabled'],
    ['a session', { identity: session }, 'sessionAllowlistEnabled', 'apiTokenAllowlistEnabled'],
  ])('with %s are accepted only from an address in an entry', async (_, sender, own, other) => {
    const { add, read, configure, engine } = await open()
    await add(office)
    await configure({ [own]: true })
    expect(await read({ ...sender, address: inOffice })).toBe(200)
    expect(await read({ ...sender, address: `::ffff:${inOffice}` })).toBe(200)
    expect(await read({ ...sender, address: elsewhere })).toBe(403)
    await configure({ [own]: false, [other]: true })
    expect(await read({ ...sender, address: elsewhere })).toBe(200)
    await engine.close()
  })

  it('are refused with the address in the message, or with the reason why the address is unknown', async () => {
    const { add, send, configure } = await open()
    await add(office)
    await configure({ apiTokenAllowlistEnabled: true })
    expect(await send('GET', '/api/v2/projects', { address: elsewhere })).toEqual({
      status: 403,
      body: {
        code: 'forbidden',
        message: `Forbidden. The IP allowlist of the account does not contain the address ${elsewhere}.`,
      },
    })
    const { status, body } = await send('GET', '/api/v2/projects', {})
    expect(status).toBe(403)
    expect(body.message).toContain('the option clientAddress of its transport is missing')
    expect((await send('GET', '/api/v2/projects', { address: 'not an address' })).status).toBe(403)
  })

  it('without a valid token are refused with 401 from every address', async () => {
    const { add, read, configure } = await open()
    await add(office)
    await configure({ apiTokenAllowlistEnabled: true })
    expect(await read({ address: elsewhere, headers: { authorization: 'api-unknown-token-0001' } })).toBe(401)
  })

  it('to a cached response are refused from another address', async () => {
    const { add, read, configure } = await open()
    await add(office)
    await configure({ apiTokenAllowlistEnabled: true })
    for (const _ of [1, 2]) {
      expect(await read({ address: inOffice })).toBe(200)
      expect(await read({ address: elsewhere })).toBe(403)
    }
  })

  it('for a moment in the past, and for a branch that turned the list off, follow the current list of the account', async () => {
    const { engine, add, read, configure } = await open()
    await add(office)
    const before = new Date().toISOString()
    const branch = await engine.branch('test')
    await configure({ apiTokenAllowlistEnabled: true })
    await branch.api.patchIpAllowlistConfig({ body: { apiTokenAllowlistEnabled: false } }, { as })
    for (const [name, value] of [
      ['halyard-at', before],
      ['halyard-branch', 'test'],
    ] as const) {
      const headers = { [name]: value }
      expect(await read({ address: elsewhere, headers })).toBe(403)
      expect(await read({ address: inOffice, headers })).toBe(200)
    }
    await engine.close()
  })

  it('of callers without a token, and calls in process, are never refused', async () => {
    const { api, add, configure, send } = await open()
    await add(office)
    await configure({ sessionAllowlistEnabled: true, apiTokenAllowlistEnabled: true })
    expect((await api.listProjects({}, { as })).items).toEqual([])
    expect((await send('POST', '/webhook/triggers/unknown', { address: elsewhere })).status).toBe(404)
  })
})

describe('a caller', () => {
  it('can turn the list on only if it contains the address of the caller', async () => {
    const { patch, add, api } = await open()
    const refused = await patch({ address: elsewhere }, { apiTokenAllowlistEnabled: true })
    expect(refused.status).toBe(400)
    expect(refused.body.message).toBe(
      `apiTokenAllowlistEnabled must not be true while no entry contains ${elsewhere}, the address of this request, which would then be refused`,
    )
    expect((await patch({}, { apiTokenAllowlistEnabled: true })).body.message).toContain('option clientAddress')
    expect((await patch({ identity: session, address: elsewhere }, { sessionAllowlistEnabled: true })).status).toBe(400)
    expect(await api.getIpAllowlist({}, { as })).toMatchObject({
      sessionAllowlistEnabled: false,
      apiTokenAllowlistEnabled: false,
    })
    await add(office)
    expect((await patch({ address: inOffice }, { apiTokenAllowlistEnabled: true })).status).toBe(200)
  })

  it('whose own address is not listed can turn on the list for the kind of credential that the caller does not use', async () => {
    const { patch } = await open()
    expect((await patch({ address: elsewhere }, { sessionAllowlistEnabled: true })).status).toBe(200)
    expect((await patch({ identity: session, address: elsewhere }, { sessionAllowlistEnabled: false })).status).toBe(
      403,
    )
  })

  it('cannot delete the last entry with the address of the caller, not even by a list of changes or a revert', async () => {
    const { send, add, configure, api } = await open()
    const first = await add(office)
    await configure({ apiTokenAllowlistEnabled: true })
    const path = (id: string) => `/api/v2/account/ip-allowlist/${id}`
    expect((await send('DELETE', path(first._id), { address: inOffice })).status).toBe(400)
    const listed = { changes: [{ operation: 'deleteIpAllowlistEntry', parameters: { id: first._id } }] }
    expect((await send('POST', '/api/v2/changes', { address: inOffice }, listed)).status).toBe(400)
    const { items } = await api.listChangeLog({}, { as })
    const addition = items.find(({ accesses }) => accesses.some(({ action }) => action === 'createIpAllowlistEntry'))
    const revert = await send('POST', `/api/v2/auditlog/${addition?._id}/revert`, { address: inOffice }, {})
    expect(revert.status).toBe(400)
    expect((await api.getIpAllowlist({}, { as })).entries).toEqual([first])
    await add(inOffice)
    expect((await send('DELETE', path(first._id), { address: inOffice })).status).toBe(204)
  })

  it('in process can make a list that refuses every request, and turn it off again', async () => {
    const { read, configure } = await open()
    await configure({ apiTokenAllowlistEnabled: true })
    expect(await read({ address: inOffice })).toBe(403)
    await configure({ apiTokenAllowlistEnabled: false })
    expect(await read({ address: inOffice })).toBe(200)
  })
})

describe('entries', () => {
  it('are listed in their order, searched and paged, and have the address as the caller wrote it', async () => {
    const { api, add } = await open()
    await add('2001:DB8::0:1', 'Office of Ann')
    await add(office, 'Office of Bob')
    await add('192.0.2.1')
    const list = async (query: object) => {
      const { entries, totalCount } = await api.getIpAllowlist(query, { as })
      return [entries.map(({ ipAddress }) => ipAddress), totalCount]
    }
    expect(await list({})).toEqual([['2001:DB8::0:1', office, '192.0.2.1'], 3])
    expect(await list({ search: 'OFFICE', limit: 1, offset: 1 })).toEqual([[office], 2])
    expect(await list({ search: '192.0' })).toEqual([['192.0.2.1'], 1])
  })

  it.each([
    ['2001:db8::1', '2001:DB8:0::1/128'],
    [inOffice, `${inOffice}/32`],
    [inOffice, `::ffff:${inOffice}`],
  ])('with the same addresses as another entry are refused: %s and %s', async (first, second) => {
    const { add } = await open()
    await add(first)
    await expect(add(second)).rejects.toMatchObject({
      code: 'optimistic_locking_error',
      message: `The IP allowlist already has the entry ${first}, which contains the same addresses`,
    })
  })

  it.each(['198.51.100.7/24', 'localhost', '198.51.100.0/33'])('cannot be %s', async (ipAddress) => {
    const { add } = await open()
    await expect(add(ipAddress)).rejects.toMatchObject({
      code: 'invalid_request',
      body: { errors: [{ attribute: 'body.ipAddress' }] },
    })
  })

  it('are added by several callers at the same time', async () => {
    const { api, add } = await open()
    await Promise.all(['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => add(address)))
    expect((await api.getIpAllowlist({}, { as })).entries.length).toBe(3)
  })

  it('are described, deleted, and restored by a revert, with sentences in the change log', async () => {
    const { api, add, configure } = await open()
    const { _id: id } = await add(office, 'Office')
    await configure({ sessionAllowlistEnabled: true })
    expect(await api.patchIpAllowlistEntry({ id, body: { description: 'Home' } }, { as })).toEqual({
      _id: id,
      ipAddress: office,
      description: 'Home',
    })
    await api.deleteIpAllowlistEntry({ id }, { as })
    await expect(api.deleteIpAllowlistEntry({ id }, { as })).rejects.toMatchObject({ code: 'not_found' })
    await expect(api.patchIpAllowlistEntry({ id, body: { description: '' } }, { as })).rejects.toMatchObject({
      code: 'not_found',
    })
    const { items } = await api.listChangeLog({}, { as })
    expect(items.map(({ description }) => description)).toEqual([
      `removed ${office} from the IP allowlist`,
      `changed the description of ${office} in the IP allowlist`,
      'turned on the IP allowlist for sessions',
      `added ${office} to the IP allowlist`,
    ])
    await api.revertChangeLogEntry({ id: items[0]?._id as string, body: {} }, { as })
    expect((await api.getIpAllowlist({}, { as })).entries).toEqual([
      { _id: id, ipAddress: office, description: 'Home' },
    ])
  })

  it('limit requests of an account that was restored from a back-up', async () => {
    const { engine, add, configure } = await open()
    await add(office, 'Office')
    await configure({ apiTokenAllowlistEnabled: true })
    const restored = createEngine({ storage: createMemoryStorage() })
    await restored.import(engine.export({ secrets: true }))
    expect(await restored.api.getIpAllowlist({}, { as })).toEqual(await engine.api.getIpAllowlist({}, { as }))
    await Promise.all([engine, restored].map((each) => each.close()))
  })

  it('can be changed only with the right to each kind of change', async () => {
    const { api, add } = await open()
    const { _id: id } = await add(office)
    const only = (...actions: string[]) => ({
      as: { policy: [{ effect: 'allow' as const, actions, resources: ['ip-allowlist'] }] },
    })
    const calls = {
      createIpAllowlistEntry: (options: ReturnType<typeof only>) =>
        api.createIpAllowlistEntry({ body: { ipAddress: '192.0.2.1' } }, options),
      updateIpAllowlistEntry: (options: ReturnType<typeof only>) =>
        api.patchIpAllowlistEntry({ id, body: { description: 'Office' } }, options),
      updateIpAllowlistEnabled: (options: ReturnType<typeof only>) =>
        api.patchIpAllowlistConfig({ body: { sessionAllowlistEnabled: true } }, options),
      deleteIpAllowlistEntry: (options: ReturnType<typeof only>) => api.deleteIpAllowlistEntry({ id }, options),
    }
    for (const [action, call] of Object.entries(calls)) {
      const others = Object.keys(calls).filter((other) => other !== action)
      await expect(call(only('viewIpAllowlist', ...others))).rejects.toMatchObject({ code: 'forbidden' })
      await call(only('viewIpAllowlist', action))
    }
    await expect(api.getIpAllowlist({}, only('createIpAllowlistEntry'))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(
      api.createIpAllowlistEntry({ body: { ipAddress: '192.0.2.5' } }, { as: { role: 'writer' } }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })
})

it('changes of an entry respect If-Match', async () => {
  const { add, send, api } = await open()
  const { _id } = await add(office)
  const path = `/api/v2/account/ip-allowlist/${_id}`
  const change = (ifMatch: string | undefined, description: string) =>
    send('PATCH', path, { headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } }, { description })
  const { status, etag = '' } = await change(undefined, 'one')
  expect(status).toBe(200)
  expect((await change('"77"', 'two')).status).toBe(409)
  expect((await change(etag, 'three')).status).toBe(200)
  expect((await change(etag, 'four')).status).toBe(409)
  expect((await send('DELETE', path, { headers: { 'if-match': etag } })).status).toBe(409)
  expect((await api.getIpAllowlist({}, { as })).entries).toMatchObject([{ description: 'three' }])
  expect((await send('DELETE', path, {})).status).toBe(204)
})
