import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Clients that only read streams of server-sent events. */
export interface StreamClients {
  /** Resolves when each client has received a text since the last call, with the ms since `startTime`. */
  allSeen(text: string, begun: number): Promise<number>
  close(): void
}

/** Opens `count` streams, up to 50 at a time, and resolves when each has received its first event. */
export async function openStreams(port: number, key: string, count: number): Promise<StreamClients> {
  const sockets: Socket[] = []
  const request = `GET /all HTTP/1.1\r\nhost: localhost\r\nauthorization: ${key}\r\naccept: text/event-stream\r\n\r\n`
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(50, count - sockets.length) }, () => opened(port, request))
    sockets.push(...(await Promise.all(some)))
  }
  return {
    async allSeen(text, begun) {
      await Promise.all(sockets.map((socket) => seen(socket, text)))
      return performance.now() - begun
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function opened(port: number, request: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  socket.write(request)
  await seen(socket, 'event: put')
  return socket
}

function seen(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let rest = ''
    const take = (chunk: Buffer) => {
      rest = (rest + chunk.toString('latin1')).slice(-100_000)
      if (!rest.includes(text)) return
      socket.off('data', take).off('error', reject)
      resolve()
    }
    socket.on('data', take).on('error', reject)
  })
}
