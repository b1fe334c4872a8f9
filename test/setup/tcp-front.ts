import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { ProvidedContext } from 'vitest'
import { postgresUrl } from './postgres-url.ts'

/** A TCP port that leads to a Postgres server. */
export interface TcpFront {
  readonly url: string
  close(): Promise<void>
}

/** Opens a free TCP port of this machine for a server that listens on a Unix socket. */
export async function tcpFront(server: ProvidedContext['postgres']): Promise<TcpFront> {
  if ('connectionString' in server) return { url: server.connectionString, close: async () => {} }
  const sockets = new Set<Socket>()
  const front = createServer((caller) => {
    const behind = connect(`${server.host}/.s.PGSQL.${server.port}`)
    for (const [from, to] of [
      [caller, behind],
      [behind, caller],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy()).on('close', () => sockets.delete(from))
    }
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const { port } = front.address() as AddressInfo
  return {
    url: postgresUrl({ ...server, host: '127.0.0.1', port }),
    async close() {
      front.close()
      for (const socket of sockets) socket.destroy()
      await once(front, 'close')
    },
  }
}
