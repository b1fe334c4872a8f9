import { Agent, type Server } from 'node:http'
import type { TransportHarness } from '@halyard/conformance'
import { createFetchHandler } from '@halyard/transport-fetch'
import { serve } from '@hono/node-server'
import { sendOverSocket } from '../http-exchange.ts'

type Fetch = (request: Request) => Promise<Response>

interface RunningServer {
  readonly port: number
  stop(): Promise<void>
}

/** The globals of Deno and Bun that this file uses. */
interface Runtimes {
  readonly Deno?: {
    serve(
      options: { port: number; hostname: string; onListen(): void },
      handler: Fetch,
    ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> }
  }
  readonly Bun?: {
    serve(options: { port: number; hostname: string; fetch: Fetch }): {
      readonly port: number
      stop(closesConnections: boolean): Promise<void>
    }
  }
}

const { Deno, Bun } = globalThis as Runtimes

/** Name of the runtime. */
export const runtimeName = Bun ? 'Bun' : Deno ? 'Deno' : 'Node'

const hostname = '127.0.0.1'

/** Serves a fetch handler with the server of the runtime; on Node with the adapter of Hono. */
async function serveWithRuntime(fetch: Fetch): Promise<RunningServer> {
  if (Bun) {
    const server = Bun.serve({ port: 0, hostname, fetch })
    return { port: server.port, stop: () => server.stop(true) }
  }
  if (Deno) {
    const server = Deno.serve({ port: 0, hostname, onListen() {} }, fetch)
    return { port: server.addr.port, stop: () => server.shutdown() }
  }
  return new Promise((resolve) => {
    const server = serve({ fetch, port: 0, hostname }, ({ port }) => resolve({ port, stop })) as Server
    server.keepAliveTimeout = 0
    const stop = () => new Promise<void>((stopped) => void server.close(() => stopped()))
  })
}

/** Harness for the fetch handler on the server of the runtime, over real connections. */
export const runtimeServerHarness: TransportHarness = {
  name: 'the server of the runtime',
  async open(engine) {
    const { port, stop } = await serveWithRuntime(createFetchHandler(engine))
    const agent = new Agent({ keepAlive: true })
    return {
      send: (request) => sendOverSocket(request, port, agent),
      async close() {
        agent.destroy()
        await stop()
      },
    }
  },
}
