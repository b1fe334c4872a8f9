import { Agent, createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fetchHarness, inProcessHarness, type TransportHarness } from '@halyard/conformance'
import type { Engine } from '@halyard/core'
import { createExpressHandler } from '@halyard/transport-express'
import { createFetchHandler } from '@halyard/transport-fetch'
// @ts-expect-error express ships no declarations of its own
import express5 from 'express'
// @ts-expect-error express ships no declarations of its own
import express4 from 'express4'
import { sendOverSocket } from './http-exchange.ts'

type Handler = ReturnType<typeof createExpressHandler>

/** The part of Express that the tests use; Express ships no types. */
interface ExpressApp extends RequestListener {
  use(...handlers: (string | Handler)[]): ExpressApp
  disable(setting: string): ExpressApp
}
interface Express {
  (): ExpressApp
  json(options?: { limit?: string }): Handler
}

const versions: Readonly<Record<string, Express>> = {
  'Express 4': express4 as Express,
  'Express 5': express5 as Express,
}

/** Creates a harness for listeners of `node:http`, over real connections. */
function socketHarness(
  name: string,
  mount: (engine: Engine) => RequestListener,
  { prefix = '', parserInFront = false } = {},
): TransportHarness {
  return {
    name,
    mountPath: prefix,
    hasBodyParser: parserInFront,
    async open(engine) {
      const server = createServer(mount(engine))
      // A server that closes idle connections could do so at the moment when the next request uses one.
      server.keepAliveTimeout = 0
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
      const agent = new Agent({ keepAlive: true })
      const { port } = server.address() as AddressInfo
      return {
        send: (request) => sendOverSocket({ ...request, path: prefix + request.path }, port, agent),
        async close() {
          agent.destroy()
          await new Promise((closed) => server.close(closed))
        },
      }
    },
  }
}

function expressHarnesses([version, express]: [string, Express]): TransportHarness[] {
  const app = () => express().disable('x-powered-by')
  const jsonParser = () => express.json({ limit: '2mb' })
  const behindParser = { parserInFront: true }
  return [
    socketHarness(version, (engine) => app().use(createExpressHandler(engine))),
    socketHarness(
      `${version} behind express.json()`,
      (engine) => app().use(jsonParser()).use(createExpressHandler(engine)),
      behindParser,
    ),
    socketHarness(
      `${version} under a path, behind express.json()`,
      (engine) => app().use('/features', jsonParser(), createExpressHandler(engine)),
      { prefix: '/features', ...behindParser },
    ),
  ]
}

/** All transports, each with its name. */
export const transportHarnesses: readonly TransportHarness[] = [
  inProcessHarness,
  fetchHarness('fetch', (engine) => createFetchHandler(engine)),
  fetchHarness(
    'fetch under a path',
    (engine) => createFetchHandler(engine, { basePath: '/features' }),
    'http://localhost/features',
  ),
  socketHarness('node:http', (engine) => createExpressHandler(engine)),
  socketHarness('node:http under a path', (engine) => createExpressHandler(engine, { basePath: '/features/' }), {
    prefix: '/features',
  }),
  ...Object.entries(versions).flatMap(expressHarnesses),
]
