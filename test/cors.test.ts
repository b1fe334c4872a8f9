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

type Ask = (path: string, init: RequestInit) => Promise<Response>

const transports: Readonly<Record<string, (cors: CorsOptions) => Promise<Ask>>> = {
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

describe.each(Object.entries(transports))('CORS over %s', (_, open) => {
  it('allows pages of a listed origin to send a preflight without a token and to read responses', async () => {
    const ask = await open({ origins: [origin] })
    const asked = await ask('', preflight(origin))
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin)
    expect(asked.headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(asked.headers.get('access-control-allow-headers')).toBe('authorization,svc-api-version')
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull()
    const answer = await ask('', { headers: { origin, authorization: engine.admin } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('access-control-expose-headers')).toContain('ETag')
    expect(answer.headers.get('vary')).toBe('Origin')
    // Error responses are readable too: otherwise a page could not report the cause.
    const refused = await ask('/none', { headers: { origin, authorization: engine.admin } })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([404, origin])
  })

  it.each([
    'https://admin.example.com.evil.example',
    'http://admin.example.com',
    'https://ADMIN.example.com',
    'null',
    '',
  ])('sends no CORS headers to a page of %j', async (other) => {
    const ask = await open({ origins: [origin] })
    const asked = await ask('', preflight(other))
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([405, null])
    const answer = await ask('', { headers: { origin: other, authorization: engine.admin } })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, null])
    expect(answer.headers.get('vary')).toBe('Origin')
  })

  it('allows every origin when `origins` is "*"', async () => {
    const ask = await open({ origins: '*' })
    const answer = await ask('', { headers: { origin: 'https://any.example', authorization: engine.admin } })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })
})

it.each(['admin.example.com', 'https://admin.example.com/', 'https://admin.example.com/x', 'null', '*'])(
  'createFetchHandler refuses %j as an origin',
  (wrong) => {
    expect(() => createFetchHandler(engine, { cors: { origins: [wrong] } })).toThrow(/cors\.origins/)
  },
)
