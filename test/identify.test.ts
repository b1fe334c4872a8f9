import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError, createEngine, type HostIdentity, type LogEntry } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createTestEngine, type TestEngine } from '@halyard/testing'
import { createExpressHandler } from '@halyard/transport-express'
import { createFetchHandler } from '@halyard/transport-fetch'
// @ts-expect-error express ships no declarations of its own
import express from 'express'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

type Identify = (cookie: string | undefined) => HostIdentity | undefined | Promise<HostIdentity | undefined>
type Send = (method: string, path: string, headers?: Record<string, string>, body?: unknown) => Promise<Response>

const sameOrigin = { 'sec-fetch-site': 'same-origin' }

async function listen(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function sendTo(exchange: (path: string, init: RequestInit) => Promise<Response>): Send {
  return (method, path, headers = {}, body) =>
    exchange(`/api/v2${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    })
}

const transports: Readonly<Record<string, (engine: TestEngine, identify: Identify) => Promise<Send>>> = {
  fetch: async (engine, identify) => {
    const handler = createFetchHandler(engine, {
      identify: ({ headers }) => identify(headers.get('cookie') ?? undefined),
    })
    return sendTo((path, init) => handler(new Request(`http://localhost${path}`, init)))
  },
  'node:http': async (engine, identify) => {
    const handler = createExpressHandler(engine, { identify: ({ headers }) => identify(headers.cookie) })
    const origin = await listen(handler)
    return sendTo((path, init) => fetch(origin + path, init))
  },
  Express: async (engine, identify) => {
    const handler = createExpressHandler(engine, { identify: ({ headers }) => identify(headers.cookie) })
    const origin = await listen(express().use(express.json()).use(handler))
    return sendTo((path, init) => fetch(origin + path, init))
  },
}

/** Returns the member whom the cookie names. */
const bySession: Identify = (cookie) => (cookie === undefined ? undefined : { member: cookie })
const bob = { cookie: 'bob@x.io' }

let engine: TestEngine

beforeEach(async () => {
  engine = await createTestEngine({ rateLimit: {}, webhooks: false })
  await engine.given.project('web')
  await engine.given.flag('web', 'checkout')
})

describe.each(Object.entries(transports))('identify over %s', (_, openTransport) => {
  const open = (identify: Identify) => openTransport(engine, identify)

  it('names the caller of a request by their address or id, and the change log shows them', async () => {
    const { _id } = await engine.given.member('Bob@x.io', { role: 'writer' })
    const send = await open(bySession)
    for (const [i, cookie] of ['bob@X.io', _id].entries()) {
      const headers = { cookie, ...sameOrigin }
      const response = await send('POST', '/projects', headers, { key: `p${i}`, name: 'P' })
      expect(response.status, await response.clone().text()).toBe(201)
    }
    const { items } = await engine.api.listChangeLog({ limit: 2 }, { as: engine.admin })
    for (const entry of items) expect(entry.member).toMatchObject({ _id, email: 'Bob@x.io' })
    expect(items.map(({ token }) => token)).toEqual([undefined, undefined])
    expect((await send('GET', '/members', { cookie: _id })).status).toBe(200)
    expect((await send('POST', '/members', { cookie: _id, ...sameOrigin }, [{ email: 'c@x.io' }])).status).toBe(403)
  })

  it('finds the owner by the address with which the account was created', async () => {
    const other = await createTestEngine()
    const { items } = await other.api.listMembers({}, { as: other.admin })
    const send = await openTransport(other, () => ({ member: items[0]?.email as string }))
    expect((await send('GET', '/members')).status).toBe(200)
  })

  it('responds with 401 to a member who does not exist, and immediately to one who was deleted', async () => {
    const { _id: id } = await engine.given.member('bob@x.io', { role: 'reader' })
    const send = await open(bySession)
    expect((await send('GET', '/projects', bob)).status).toBe(200)
    expect((await send('GET', '/projects', { cookie: 'eve@x.io' })).status).toBe(401)
    await engine.api.patchMember(
      { id, body: [{ op: 'replace', path: '/role', value: 'no_access' }] },
      { as: engine.admin },
    )
    expect(await (await send('GET', '/projects', bob)).json()).toMatchObject({ totalCount: 0 })
    await engine.api.deleteMember({ id }, { as: engine.admin })
    expect((await send('GET', '/projects', bob)).status).toBe(401)
  })

  it('identifies the caller by the token when the host returns no identity', async () => {
    const send = await open(bySession)
    expect((await send('GET', '/projects', { authorization: engine.admin })).status).toBe(200)
    expect((await send('POST', '/projects', { authorization: engine.admin }, { key: 'a', name: 'A' })).status).toBe(201)
    expect((await send('GET', '/projects')).status).toBe(401)
  })

  it('responds with the error of the host, and with a logged 500 to any other failure', async () => {
    const cases: [Identify, number][] = [
      [() => Promise.reject(new ApiError('service_unavailable')), 503],
      [() => Promise.reject(new ApiError('unauthorized')), 401],
      [() => Promise.reject(new Error('secret of the session store')), 500],
      [() => ({ member: '' }), 500],
      [() => ({ member: 'bob@x.io', role: 'king' as 'owner' }), 500],
      [() => ({ service: 'ci', inlinePolicy: [{ effect: 'allow', resources: ['x/y'], actions: ['*'] }] }), 500],
    ]
    for (const [identify, status] of cases) {
      const send = await open(identify)
      const response = await send('GET', '/projects', { authorization: engine.admin })
      expect(response.status).toBe(status)
      expect(await response.text()).not.toMatch(/secret|king|x\/y/)
    }
  })

  it('refuses every change with a session that a page of another site could have made', async () => {
    await engine.given.member('bob@x.io', { role: 'owner' })
    const send = await open(bySession)
    const forged: Record<string, string>[] = [
      {},
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', 'x-requested-with': 'XMLHttpRequest' },
    ]
    for (const headers of forged) {
      const response = await send('POST', '/projects', { ...bob, ...headers }, { key: 'forged', name: 'F' })
      expect([response.status, headers]).toEqual([403, headers])
      expect(await response.json()).toMatchObject({ message: expect.stringContaining('Sec-Fetch-Site: same-origin') })
      expect((await send('GET', '/projects', { ...bob, ...headers })).status).toBe(200)
    }
    for (const [i, headers] of [sameOrigin, { 'x-requested-with': 'fetch' }].entries()) {
      const response = await send('POST', '/projects', { ...bob, ...headers }, { key: `own${i}`, name: 'Own' })
      expect(response.status).toBe(201)
    }
    const { items } = await engine.api.listProjects({}, { as: engine.admin })
    expect(items.map(({ key }) => key).sort()).toEqual(['own0', 'own1', 'web'])
  })
})

it('every operation that is not a GET refuses a forged request with a session', async () => {
  await engine.given.member('bob@x.io', { role: 'owner' })
  const send = await (transports.fetch as NonNullable<typeof transports.fetch>)(engine, bySession)
  const changing = engine.operations.filter(({ method, access }) => method !== 'GET' && !('anonymous' in access))
  const accepted: string[] = []
  for (const { id, method, path } of changing) {
    const forged = { ...bob, 'sec-fetch-site': 'cross-site', 'svc-api-version': 'beta' }
    const response = await send(method, path.slice('/api/v2'.length).replaceAll(/\{\w+\}/g, 'web'), forged)
    const { message } = (await response.json()) as { message: string }
    if (response.status !== 403 || !message.includes('same origin')) accepted.push(`${id} ${response.status}`)
  }
  expect(changing.length).toBeGreaterThan(100)
  expect(accepted).toEqual([])
})

describe('the rights that an identity names', () => {
  const may = async (identity: HostIdentity, method: string, path: string, body?: unknown) => {
    const handler = createFetchHandler(engine, { identify: () => ({ session: false, ...identity }) })
    const send = sendTo((pathname, init) => handler(new Request(`http://localhost${pathname}`, init)))
    return (await send(method, path, {}, body)).status
  }
  const rename = [{ op: 'replace', path: '/name', value: 'Renamed' }]

  it('replace those of the member for the request', async () => {
    const { given, admin: as, api } = engine
    await given.role('renamer', [
      { effect: 'allow', resources: ['proj/*'], actions: ['viewProject', 'updateProjectName'] },
    ])
    await given.team('growth', { customRoleKeys: ['renamer'] })
    const { _id } = await given.member('bob@x.io', { role: 'reader' })
    const renames = (identity: object) => may({ member: _id, ...identity }, 'PATCH', '/projects/web', rename)
    expect(await renames({})).toBe(403)
    expect(await renames({ role: 'admin' })).toBe(200)
    expect(await renames({ teams: ['growth', 'unknown'] })).toBe(200)
    expect(await renames({ role: 'no_access', teams: [] })).toBe(403)
    const allowAll = [{ effect: 'allow', resources: ['proj/*'], actions: ['*'] }] as const
    expect(await renames({ role: 'no_access', inlinePolicy: allowAll })).toBe(200)
    expect(await renames({ role: 'owner', inlinePolicy: [] })).toBe(403)
    await api.patchMember({ id: _id, body: [{ op: 'replace', path: '/role', value: 'owner' }] }, { as })
    expect(await renames({})).toBe(200)
    expect(await renames({ role: 'reader' })).toBe(403)
    expect(await api.getMember({ id: _id }, { as })).toMatchObject({ role: 'owner', teamKeys: [] })
  })

  it('change with the teams and roles that they name', async () => {
    const { given, admin: as, api } = engine
    await given.role('renamer', [
      { effect: 'allow', resources: ['proj/*'], actions: ['viewProject', 'updateProjectName'] },
    ])
    await given.team('growth', { customRoleKeys: ['renamer'] })
    await given.member('bob@x.io', { role: 'no_access' })
    const renames = () => may({ member: 'bob@x.io', teams: ['growth'] }, 'PATCH', '/projects/web', rename)
    expect(await renames()).toBe(200)
    await api.patchRole({ roleKey: 'renamer', body: [{ op: 'replace', path: '/policy', value: [] }] }, { as })
    expect(await renames()).toBe(403)
  })

  it('belong to a program that is not a member, under the name that the change log shows', async () => {
    expect(await may({ service: 'deploy' }, 'GET', '/projects/web')).toBe(403)
    expect(await may({ service: 'deploy', role: 'reader' }, 'GET', '/projects/web')).toBe(200)
    expect(await may({ service: 'deploy', role: 'reader' }, 'PATCH', '/projects/web', rename)).toBe(403)
    expect(await may({ service: 'deploy', role: 'writer' }, 'PATCH', '/projects/web', rename)).toBe(200)
    const { items } = await engine.api.listChangeLog({ limit: 1 }, { as: engine.admin })
    expect(items[0]).toMatchObject({ app: { _id: 'service/deploy', name: 'deploy' } })
    expect(items[0]).not.toHaveProperty('member')
  })

  it('limit a scheduled change, which is not applied once the member is deleted', async () => {
    const { _id: id } = await engine.given.member('bob@x.io', { role: 'no_access' })
    const path = '/projects/web/flags/checkout/environments/production/scheduled-changes'
    const isOn = async () => {
      const flag = await engine.api.getFlag({ projectKey: 'web', flagKey: 'checkout' }, { as: engine.admin })
      return flag.environments?.production?.on
    }
    const schedule = async (kind: string) => {
      const body = { executionDate: engine.now() + 60_000, instructions: [{ kind }] }
      expect(await may({ member: id, role: 'writer' }, 'POST', path, body)).toBe(201)
    }
    await schedule('turnFlagOn')
    engine.advance(60_000)
    await engine.runDueTasks()
    expect(await isOn()).toBe(true)
    await schedule('turnFlagOff')
    await engine.api.deleteMember({ id }, { as: engine.admin })
    engine.advance(60_000)
    await engine.runDueTasks()
    expect(await isOn()).toBe(true)
  })

  it('are not extended by a personal token that is created with them', async () => {
    const { _id } = await engine.given.member('bob@x.io', { role: 'reader' })
    const handler = createFetchHandler(engine, { identify: () => ({ member: _id, role: 'admin', session: false }) })
    const send = sendTo((pathname, init) => handler(new Request(`http://localhost${pathname}`, init)))
    const { token } = (await (await send('POST', '/tokens', {}, { role: 'admin' })).json()) as { token: string }
    const { api } = engine
    await expect(api.getProject({ projectKey: 'web' }, { as: token })).resolves.toMatchObject({ key: 'web' })
    await expect(api.createProject({ body: { key: 'a', name: 'A' } }, { as: token })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})

describe('responses to identified callers', () => {
  it('are never those of another caller, and are revalidated by their ETag', async () => {
    const { given } = engine
    await given.member('bob@x.io', { role: 'reader' })
    await given.member('eve@x.io', { role: 'no_access' })
    let calls = 0
    const counted: Identify = (cookie) => {
      calls++
      return bySession(cookie)
    }
    const send = await (transports.fetch as NonNullable<typeof transports.fetch>)(engine, counted)
    for (let i = 0; i < 3; i++) {
      expect((await send('GET', '/projects/web', bob)).status).toBe(200)
      expect((await send('GET', '/projects/web', { cookie: 'eve@x.io' })).status).toBe(403)
      expect((await send('GET', '/projects/web')).status).toBe(401)
    }
    // The host is called once for each request, because a session may be read only once.
    expect(calls).toBe(9)
    const etag = (await send('GET', '/projects/web', bob)).headers.get('etag') as string
    expect((await send('GET', '/projects/web', { ...bob, 'if-none-match': etag })).status).toBe(304)
  })

  it('do not call `identify` for a path without an operation, or an operation without a caller', async () => {
    let calls = 0
    const handler = createFetchHandler(engine, { identify: () => void calls++ as undefined })
    const send = sendTo((path, init) => handler(new Request(`http://localhost${path}`, init)))
    expect((await send('GET', '/unknown')).status).toBe(404)
    expect((await send('POST', '/members/x/invitation/accept', {}, { code: 'x' })).status).toBe(404)
    expect(calls).toBe(0)
  })

  it.each<[identity: unknown, message: string]>([
    [{ service: 'ci', role: 'king' }, 'identify: role: must be one of reader, writer, admin, owner, no_access'],
    [{}, 'identify: member: must have 1 to 256 characters'],
    [{ service: '' }, 'identify: service: must have 1 to 256 characters'],
    [{ member: 'ann@x.io', teams: 'shop' }, 'identify: teams: must be a list of keys of teams'],
    [{ member: 'ann@x.io', teams: [7] }, 'identify: teams: must be a list of keys of teams'],
  ])('log the invalid property when `identify` returns %j', async (identity, message) => {
    const log: LogEntry[] = []
    const logged = createEngine({ storage: createMemoryStorage(), log: (entry) => log.push(entry) })
    await logged.bootstrap()
    // Cast: hosts without types can return anything.
    const handler = createFetchHandler(logged, { identify: () => identity as HostIdentity })
    expect((await handler(new Request('http://localhost/api/v2/projects'))).status).toBe(500)
    expect(log.map(({ error }) => (error as Error | undefined)?.message)).toEqual([message])
  })
})

it('in process, `as: { identity }` names the caller whom `identify` names over a transport', async () => {
  const { _id } = await engine.given.member('bob@x.io', { role: 'reader' })
  const reader = engine.as({ identity: { member: 'bob@x.io' } })
  expect((await reader.getProject({ projectKey: 'web' })).key).toBe('web')
  await expect(reader.createProject({ body: { key: 'x', name: 'X' } })).rejects.toMatchObject({ code: 'forbidden' })
  const query = { action: 'updateOn', resource: 'proj/web:env/production:flag/checkout' }
  for (const [identity, allowed] of [
    [{ member: _id }, false],
    [{ member: _id, role: 'writer' }, true],
  ] as const)
    expect(await engine.explain({ as: { identity }, ...query })).toMatchObject({ allowed })
  const unknown = engine.as({ identity: { member: 'eve@x.io' } })
  await expect(unknown.getProject({ projectKey: 'web' })).rejects.toMatchObject({ code: 'unauthorized' })
})
