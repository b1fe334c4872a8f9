import { createServer } from 'node:http'
import { createConsole } from '@halyard/console'
import { jwtIdentifier } from '@halyard/oidc'
import { createTestEngine } from '@halyard/testing'
// @ts-expect-error express ships no declarations of its own
import express from 'express'
import { Hono } from 'hono'

const engine = await createTestEngine()

// #region console
/** The person of a request, by the session of the host. */
const identify = () => ({ service: 'ann@example.com', role: 'writer' }) as const

const flags = createConsole(engine, { basePath: '/flags', identify })
// #endregion

// #region fetch
export const worker = { fetch: (request: Request) => flags.fetch(request) }
// #endregion

// #region next
// app/flags/[[...path]]/route.ts
export const GET = flags.fetch
export { GET as DELETE, GET as PATCH, GET as POST, GET as PUT }
// #endregion

// #region hono
const app = new Hono().all('/flags/*', (c) => flags.fetch(c.req.raw))
// #endregion

// #region express
const server = createServer(express().use('/flags', createConsole(engine, { identify }).express))
// #endregion

// #region issuer
const issuer = 'https://login.example.com'
const identifyToken = jwtIdentifier({ issuer, audience: ['halyard-console'] })

export const withIssuer = createConsole(engine, {
  oidc: {
    issuer,
    clientId: 'halyard-console',
    identifyToken: (token) => identifyToken({ headers: { authorization: `Bearer ${token}` } }),
  },
})
// #endregion

// #region link
const link = flags.createSignInPath({ service: 'bob@example.com', role: 'reader' })
console.log(`https://shop.example.com/flags${link}`.replace(/[0-9a-f]{64}/, '…'))
// #endregion

const request = () => new Request('https://shop.example.com/flags/web/production/features')
for (const response of [await worker.fetch(request()), await GET(request()), await app.request(request())])
  console.log(response.status, response.headers.get('content-type'))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as { readonly port: number }
console.log((await fetch(`http://127.0.0.1:${port}/flags/`)).status)
server.close()
