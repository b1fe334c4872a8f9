import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { ProvidedContext } from 'vitest'
import { postgresUrl } from './postgres-url.ts'

/** A TCP port that leads to a Postgres server. */
export interface TcpProxy {
  readonly url: string
  close(): Promise<void>
}

/** Opens a free TCP port of this machine for a server that listens on a Unix socket. */
export async function startTcpProxy(server: ProvidedContext['postgres']): Promise<TcpProxy> {
  if ('connectionString' in server) return { url: server.connectionString, close: async () => {} }
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const upstream = connect(`${server.host}/.s.PGSQL.${server.port}`)
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
    async close() {
      proxy.close()
      for (const socket of sockets) socket.destroy()
      await once(proxy, 'close')
    },
  }
}
