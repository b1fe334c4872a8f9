import { once } from 'node:events'
import { connect } from 'node:net'
import { createWebSocketStream, WebSocketServer } from 'ws'
import type { TestServices } from './test-services.ts'

/** A WebSocket server that forwards connections to a Postgres server, like that of a serverless database. */
export interface WebSocketProxy {
  /** Host and port. */
  readonly address: string
  close(): Promise<void>
}

/**
 * Opens a free port of this machine for web sockets, on which clients send the protocol of Postgres in binary messages.
 */
export async function startWebSocketProxy(server: TestServices['postgres']): Promise<WebSocketProxy> {
  const proxy = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  proxy.on('connection', (socket) => {
    const client = createWebSocketStream(socket)
    const upstream = connectTo(server)
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  await once(proxy, 'listening')
  const address = proxy.address() as { readonly port: number }
  return {
    address: `127.0.0.1:${address.port}`,
    async close() {
      for (const socket of proxy.clients) socket.terminate()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

function connectTo(server: TestServices['postgres']) {
  if (!('connectionString' in server)) return connect(`${server.host}/.s.PGSQL.${server.port}`)
  const { hostname, port } = new URL(server.connectionString)
  return connect(Number(port) || 5432, hostname)
}
