import { createServer } from 'node:http'
import { type AddressInfo, createConnection } from 'node:net'
import { networkInterfaces } from 'node:os'
import { createConsole } from '@halyard/console'
import { clientAddressBehind, createEngine, type Engine } from '@halyard/core'
import { createMcpHandler, withMcp } from '@halyard/mcp'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressHandler, createExpressHealth, createExpressSdk } from '@halyard/transport-express'
import { createFetchHandler, withHealth, withSdk } from '@halyard/transport-fetch'
// @ts-expect-error express ships no declarations of its own
import express5 from 'express'
// @ts-expect-error express ships no declarations of its own
import express4 from 'express4'
import { describe, expect, it, onTestFinished } from 'vitest'
import { everyStorage } from './setup/every-storage.ts'

const token = 'api-administrator-0001'
const as = token
const headers = { authorization: token, 'svc-api-version': 'beta', 'content-type': 'application/json' }
const allowlistPath = '/api/v2/account/ip-allowlist'
const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'))

async function open(...addresses: readonly string[]): Promise<Engine> {
  const engine = createEngine({ storage: createMemoryStorage() })
  onTestFinished(() => engine.close())
  await engine.bootstrap({ token })
  for (const ipAddress of addresses) await engine.api.createIpAllowlistEntry({ body: { ipAddress } }, { as })
  return engine
}

const enable = (engine: Engine) =>
  engine.api.patchIpAllowlistConfig({ body: { sessionAllowlistEnabled: true, apiTokenAllowlistEnabled: true } }, { as })

/** Listens on every address of this machine; the result is the port. */
async function listen(listener: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((listening) => server.listen(0, listening))
  onTestFinished(() => void server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

/** Returns the status of a request from an address of this machine to itself. */
async function statusFrom(address: '127.0.0.1' | '::1', port: number, forwardedFor?: string): Promise<number> {
  const host = address === '::1' ? '[::1]' : address
  const extra: Readonly<Record<string, string>> = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  return (await fetch(`http://${host}:${port}/api/v2/projects`, { headers: { ...headers, ...extra } })).status
}

const storages = Object.entries(everyStorage())

it.each(storages)(
  'an IP allowlist is filled, enabled, obeyed by two engines, and disabled, on %s',
  async (_, openStorage) => {
    const storage = await openStorage()
    await using engine = createEngine({ storage })
    await engine.bootstrap({ token })
    const other = createEngine({ storage })
    const sendFrom = (
      address: string,
      method = 'GET',
      path = '/api/v2/projects',
      body?: object,
      to: Engine = engine,
    ) => {
      const handler = createFetchHandler(to, { clientAddress: () => address })
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
      return handler(new Request(`http://localhost${path}`, init))
    }
    const office = '198.51.100.7'
    const enabling = { apiTokenAllowlistEnabled: true }
    expect((await sendFrom(office, 'PATCH', allowlistPath, enabling)).status).toBe(400)
    const added = await sendFrom(office, 'POST', allowlistPath, { ipAddress: '198.51.100.0/24', description: 'Office' })
    expect(added.status).toBe(201)
    const entry = (await added.json()) as { _id: string }
    expect((await sendFrom('203.0.113.9')).status).toBe(200)
    expect((await sendFrom(office, 'PATCH', allowlistPath, enabling)).status).toBe(200)
    expect((await sendFrom(office)).status).toBe(200)
    expect((await sendFrom('203.0.113.9')).status).toBe(403)
    for (const [address, status] of [
      [office, 200],
      ['203.0.113.9', 403],
    ] as const)
      expect((await sendFrom(address, 'GET', '/api/v2/projects', undefined, other)).status).toBe(status)
    expect((await sendFrom(office, 'DELETE', `${allowlistPath}/${entry._id}`)).status).toBe(400)
    expect(await (await sendFrom(office, 'GET', allowlistPath)).json()).toEqual({
      _links: { self: { href: allowlistPath, type: 'application/json' } },
      sessionAllowlistEnabled: false,
      apiTokenAllowlistEnabled: true,
      entries: [{ ...entry, ipAddress: '198.51.100.0/24', description: 'Office' }],
      totalCount: 1,
    })
    const renamed = await sendFrom(office, 'PATCH', `${allowlistPath}/${entry._id}`, { description: 'Lab' })
    expect(await renamed.json()).toEqual({ ...entry, ipAddress: '198.51.100.0/24', description: 'Lab' })
    expect((await sendFrom(office, 'PATCH', allowlistPath, { apiTokenAllowlistEnabled: false })).status).toBe(200)
    expect((await sendFrom(office, 'DELETE', `${allowlistPath}/${entry._id}`)).status).toBe(204)
    expect((await sendFrom('203.0.113.9')).status).toBe(200)
  },
)

describe('over sockets, the address of a request', () => {
  it('is the other end of the connection in node:http, whatever the headers of the request contain', async () => {
    const engine = await open('127.0.0.1')
    const port = await listen(createExpressHandler(engine))
    await enable(engine)
    // The server listens on IPv6 too, and then sees ::ffff:127.0.0.1.
    expect(await statusFrom('127.0.0.1', port)).toBe(200)
    expect(await statusFrom('127.0.0.1', port, '203.0.113.5')).toBe(200)
    if (hasIpv6) expect(await statusFrom('::1', port)).toBe(403)
    if (hasIpv6) expect(await statusFrom('::1', port, '127.0.0.1')).toBe(403)
    const other = await open('::1', '203.0.113.5')
    const otherPort = await listen(createExpressHandler(other))
    await enable(other)
    expect(await statusFrom('127.0.0.1', otherPort, '203.0.113.5')).toBe(403)
    if (hasIpv6) expect(await statusFrom('::1', otherPort)).toBe(200)
  })

  it('is read from X-Forwarded-For only behind a proxy that the host names', async () => {
    const engine = await open('203.0.113.5')
    const behind = (proxy: string) => {
      const find = clientAddressBehind([proxy])
      return createExpressHandler(engine, {
        clientAddress: ({ socket, headers: sent }) =>
          find(socket.remoteAddress, sent['x-forwarded-for'] as string | undefined),
      })
    }
    const trusted = await listen(behind('127.0.0.0/8'))
    const untrusted = await listen(behind('10.0.0.0/8'))
    await enable(engine)
    expect(await statusFrom('127.0.0.1', trusted, '203.0.113.5')).toBe(200)
    expect(await statusFrom('127.0.0.1', trusted, '198.51.100.1, 203.0.113.5')).toBe(200)
    expect(await statusFrom('127.0.0.1', trusted, '203.0.113.5, 198.51.100.1')).toBe(403)
    expect(await statusFrom('127.0.0.1', trusted)).toBe(403)
    expect(await statusFrom('127.0.0.1', untrusted, '203.0.113.5')).toBe(403)
  })

  it.each([
    ['Express 4', express4],
    ['Express 5', express5],
  ])('is req.ip in %s, which depends on `trust proxy`', async (_, express) => {
    const engine = await open('203.0.113.5')
    const direct = await listen(express().use('/features', createExpressHandler(engine)))
    const behind = await listen(express().set('trust proxy', 'loopback').use('/features', createExpressHandler(engine)))
    await enable(engine)
    const status = async (port: number) =>
      (
        await fetch(`http://127.0.0.1:${port}/features/api/v2/projects`, {
          headers: { ...headers, 'x-forwarded-for': '203.0.113.5' },
        })
      ).status
    expect(await status(direct)).toBe(403)
    expect(await status(behind)).toBe(200)
  })

  it('does not restrict requests to SDK endpoints and health probes', async () => {
    const engine = await open('203.0.113.5')
    await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    const { apiKey } = await engine.api.getEnvironment({ projectKey: 'web', environmentKey: 'production' }, { as })
    await enable(engine)
    const port = await listen(
      express5().use(createExpressHealth(engine)).use(createExpressSdk(engine)).use(createExpressHandler(engine)),
    )
    const get = async (path: string, authorization = token) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization } })).status
    for (const path of ['/livez', '/healthz', '/readyz']) expect(await get(path)).toBe(200)
    expect(await get('/sdk/latest-all', apiKey)).toBe(200)
    expect(await get('/api/v2/projects')).toBe(403)
  })

  it('is not known over a Unix socket, and the refusal says so', async () => {
    const engine = await open('127.0.0.1')
    const server = createServer(createExpressHandler(engine))
    const path = `\0halyard-allowlist-${process.pid}`
    await new Promise<void>((listening) => server.listen(path, listening))
    onTestFinished(() => void server.close().closeAllConnections())
    await enable(engine)
    const socket = createConnection(path)
    socket.write(`GET /api/v2/projects HTTP/1.1\r\nhost: x\r\nauthorization: ${token}\r\nconnection: close\r\n\r\n`)
    const text = (await socket.toArray()).join('')
    expect(text).toMatch(/^HTTP\/1.1 403 /)
    expect(text).toContain('the option clientAddress of its transport is missing')
  })
})

describe('over fetch, the address of a request', () => {
  it('is what the host passes beside the request, through every wrapper', async () => {
    const engine = await open('203.0.113.5')
    const clientAddress = (_: Request, info: { readonly hostname: string }) => info.hostname
    const api = createFetchHandler(engine, { clientAddress })
    const handler = withHealth(withSdk(withMcp(api, engine, { clientAddress }), engine), engine)
    await enable(engine)
    const status = async (path: string, hostname: string) =>
      (await handler(new Request(`http://localhost${path}`, { headers }), { hostname })).status
    expect(await status('/api/v2/projects', '203.0.113.5')).toBe(200)
    expect(await status('/api/v2/projects', '203.0.113.6')).toBe(403)
    expect(await status('/mcp', '203.0.113.6')).toBe(403)
    expect(await status('/mcp', '203.0.113.5')).toBe(405)
    expect(await status('/readyz', '203.0.113.6')).toBe(200)
  })

  it('is not known without the option', async () => {
    const engine = await open('0.0.0.0/0', '::/0')
    await enable(engine)
    const request = () => new Request('http://localhost/api/v2/projects', { headers })
    expect((await createFetchHandler(engine)(request())).status).toBe(403)
    expect((await createMcpHandler(engine)(request())).status).toBe(403)
  })
})

it('the console applies the allowlist to its functions too, and to sessions only when it is enabled for sessions', async () => {
  const engine = await open('203.0.113.5')
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const clientAddress = (request: object) => (request as Request).headers.get('x-test-address') ?? undefined
  const flags = createConsole(engine, { identify: () => ({ service: 'ann', role: 'admin' }), clientAddress })
  const send = async (path: string, address: string) => {
    const sent = { 'x-requested-with': 'halyard-console', 'x-test-address': address }
    return (await flags.fetch(new Request(`https://flags.example.com${path}`, { headers: sent }))).status
  }
  const changes = '/-/changes?project=web&environment=production'
  for (const path of ['/-/session', '/api/v2/projects']) expect(await send(path, '203.0.113.6')).toBe(200)
  await engine.api.patchIpAllowlistConfig({ body: { apiTokenAllowlistEnabled: true } }, { as })
  for (const path of ['/-/session', '/api/v2/projects']) expect(await send(path, '203.0.113.6')).toBe(200)
  await engine.api.patchIpAllowlistConfig({ body: { sessionAllowlistEnabled: true } }, { as })
  for (const path of ['/-/session', '/api/v2/projects', changes]) expect(await send(path, '203.0.113.6')).toBe(403)
  for (const path of ['/-/session', '/api/v2/projects']) expect(await send(path, '203.0.113.5')).toBe(200)
  // The page itself contains no data.
  expect(await send('/', '203.0.113.6')).toBe(200)
})
