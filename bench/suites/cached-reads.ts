import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressHandler } from '@halyard/transport-express'
// @ts-expect-error: Express, the peer here, ships no types.
import express from 'express'
import type { Comparison, Suite } from '../compare.ts'
import { startLoadGenerator } from '../http-load.ts'

const suite = 'cached-reads'
const path = '/api/v2/flags/web/checkout'
/** The part of Express that the peer uses. */
interface ExpressResponse {
  type(name: string): ExpressResponse
  send(body: string): void
}

const rounds = 5
const roundMs = 1_500

/**
 * Measures GET of one flag over HTTP from the cache, compared with servers that send the same bytes from a constant.
 */
export const cachedReads: Suite = {
  name: suite,
  about:
    'GET of one flag over HTTP with keep-alive, 16 connections with 4 pipelined requests each, sent from another process. Each request is authenticated by its token and counted against the rate limit; the response is cached. The peers send the same bytes from a constant: no token, no limit, no request id.',
  async run() {
    const { engine, token, body } = await createFlagFixture()
    const handler = createExpressHandler(engine)
    const bare = express().get('/api/v2/flags/:projectKey/:flagKey', (_req: IncomingMessage, res: ExpressResponse) => {
      res.type('json').send(body)
    })
    const bytes = Buffer.from(body)
    const head = { 'content-type': 'application/json', 'content-length': bytes.length }
    const request = `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${token}\r\n\r\n`
    return [
      await compareServers('Express 5', request, express().use(handler), { name: 'bare Express 5', listener: bare }),
      await compareServers('node:http', request, handler, {
        name: 'bare node:http',
        listener: (_req, res) => res.writeHead(200, head).end(bytes),
      }),
    ]
  },
}

async function createFlagFixture() {
  const limits = { account: 1_000_000_000, route: 1_000_000_000 }
  const engine = createEngine({ storage: createMemoryStorage(), rateLimit: limits })
  const token = (await engine.bootstrap())?.token as string
  const as = token
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
  const response = await engine.handle({
    method: 'GET',
    path,
    query: '',
    header: (name) => (name === 'authorization' ? token : undefined),
    body: { kind: 'parsed', value: undefined },
  })
  if (response.status !== 200) throw new Error(`reading the flag failed: ${response.status}`)
  return { engine, token, body: response.body as string }
}

/** Measures both servers in alternation, so that noise of the machine affects both, and returns the median round. */
async function compareServers(
  name: string,
  request: string,
  ours: RequestListener,
  peer: { readonly name: string; readonly listener: RequestListener },
): Promise<Comparison> {
  const load = { request, connections: 16, pipelined: 4, ms: roundMs }
  const rates: Record<'ours' | 'peer', number[]> = { ours: [], peer: [] }
  using loadGenerator = startLoadGenerator()
  const servers = { ours: await listen(ours), peer: await listen(peer.listener) }
  for (let round = 0; round <= rounds; round++) {
    for (const side of round % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const)) {
      const perSecond = await loadGenerator.measure({ ...load, port: servers[side].port })
      // The first round warms up the JIT compiler.
      if (round > 0) rates[side].push(perSecond)
    }
  }
  for (const server of Object.values(servers)) server.close()
  const [opsPerSecond, peerOpsPerSecond] = [median(rates.ours), median(rates.peer)]
  const ratio = Math.round((opsPerSecond / peerOpsPerSecond) * 1000) / 1000
  return {
    suite,
    case: `getFlag over ${name}`,
    peer: peer.name,
    opsPerSecond: Math.round(opsPerSecond),
    peerOpsPerSecond: Math.round(peerOpsPerSecond),
    ratio,
  }
}

async function listen(listener: RequestListener): Promise<{ readonly port: number; close(): void }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number
}
