import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { PostgresConnection } from './postgres-server.ts'
import { postgresUrl } from './postgres-url.ts'
import type { TestServices } from './test-services.ts'

/** A TCP port that forwards connections to a Postgres server. */
export interface TcpProxy {
  readonly url: string
  /** Breaks all connections, and forwards new ones to another server. */
  leadTo(server: PostgresConnection): void
  close(): Promise<void>
}

/** Opens a free TCP port of this machine for a server that listens on a Unix socket. */
export async function startTcpProxy(server: TestServices['postgres']): Promise<TcpProxy> {
  if ('connectionString' in server) {
    const leadTo = () => {
      throw new Error('the Postgres server of the environment variable is used without a proxy')
    }
    return { url: server.connectionString, leadTo, close: async () => {} }
  }
  let current = server
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const upstream = connect(`${current.host}/.s.PGSQL.${current.port}`)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy()).on('close', () => sockets.delete(from))
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  return {
    url: postgresUrl({ ...server, host: '127.0.0.1', port }),
    leadTo(other) {
      current = other
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      proxy.close()
      for (const socket of sockets) socket.destroy()
      await once(proxy, 'close')
    },
  }
}
