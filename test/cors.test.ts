import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CorsOptions } from '@halyard/core'
import { createTestEngine, type TestEngine } from '@halyard/testing'
import { createExpressHandler } from '@halyard/transport-express'
import { createFetchHandler } from '@halyard/transport-fetch'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'

const origin = 'https://admin.example.com'
const url = 'http://localhost/api/v2/projects'

let engine: TestEngine

beforeAll(async () => {
  engine = await createTestEngine()
})

type SendRequest = (path: string, init: RequestInit) => Promise<Response>

const transports: Readonly<Record<string, (cors: CorsOptions) => Promise<SendRequest>>> = {
  fetch: async (cors) => {
    const handler = createFetchHandler(engine, { cors })
    return (path, init) => handler(new Request(url + path, init))
  },
  'node:http': async (cors) => {
    const server = createServer(createExpressHandler(engine, { cors }))
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close().closeAllConnections())
    const { port } = server.address() as AddressInfo
    return (path, init) => fetch(`http://127.0.0.1:${port}/api/v2/projects${path}`, init)
  },
}

const preflight = (from: string) => ({
  method: 'OPTIONS',
  headers: {
    origin: from,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization,svc-api-version',
  },
})

describe.each(Object.entries(transports))('CORS over %s', (_, openTransport) => {
  it('allows pages of a listed origin to send a preflight without a token and to read responses', async () => {
    const send = await openTransport({ origins: [origin] })
    const preflightResponse = await send('', preflight(origin))
    expect(preflightResponse.status).toBe(204)
    expect(preflightResponse.headers.get('access-control-allow-origin')).toBe(origin)
    expect(preflightResponse.headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(preflightResponse.headers.get('access-control-allow-headers')).toBe('authorization,svc-api-version')
    expect(preflightResponse.headers.get('access-control-allow-credentials')).toBeNull()
    const response = await send('', { headers: { origin, authorization: engine.admin } })
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(response.headers.get('access-control-expose-headers')).toContain('ETag')
    expect(response.headers.get('vary')).toBe('Origin')
    // Error responses are readable too: otherwise a page could not report the cause.
    const notFound = await send('/none', { headers: { origin, authorization: engine.admin } })
    expect([notFound.status, notFound.headers.get('access-control-allow-origin')]).toEqual([404, origin])
  })

  it.each([
    'https://admin.example.com.evil.example',
    'http://admin.example.com',
    'https://ADMIN.example.com',
    'null',
    '',
  ])('sends no CORS headers to a page of %j', async (otherOrigin) => {
    const send = await openTransport({ origins: [origin] })
    const preflightResponse = await send('', preflight(otherOrigin))
    expect([preflightResponse.status, preflightResponse.headers.get('access-control-allow-origin')]).toEqual([
      405,
      null,
    ])
    const response = await send('', { headers: { origin: otherOrigin, authorization: engine.admin } })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, null])
    expect(response.headers.get('vary')).toBe('Origin')
  })

  it('allows every origin when `origins` is "*"', async () => {
    const send = await openTransport({ origins: '*' })
    const response = await send('', { headers: { origin: 'https://any.example', authorization: engine.admin } })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })
})

it.each(['admin.example.com', 'https://admin.example.com/', 'https://admin.example.com/x', 'null', '*'])(
  'createFetchHandler refuses %j as an origin',
  (invalidOrigin) => {
    expect(() => createFetchHandler(engine, { cors: { origins: [invalidOrigin] } })).toThrow(/cors\.origins/)
  },
)
