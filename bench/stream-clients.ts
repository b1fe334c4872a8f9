import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Clients that only read streams of server-sent events. */
export interface StreamClients {
  /** Resolves when each client has received a text since the last call, with the ms since `startTime`. */
  waitForAll(text: string, startTime: number): Promise<number>
  close(): void
}

/** Opens `count` streams, up to 50 at a time, and resolves when each has received its first event. */
export async function openStreams(port: number, key: string, count: number): Promise<StreamClients> {
  const sockets: Socket[] = []
  const request = `GET /all HTTP/1.1\r\nhost: localhost\r\nauthorization: ${key}\r\naccept: text/event-stream\r\n\r\n`
  while (sockets.length < count) {
    const opening = Array.from({ length: Math.min(50, count - sockets.length) }, () => openStream(port, request))
    sockets.push(...(await Promise.all(opening)))
  }
  return {
    async waitForAll(text, startTime) {
      await Promise.all(sockets.map((socket) => receive(socket, text)))
      return performance.now() - startTime
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function openStream(port: number, request: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  socket.write(request)
  await receive(socket, 'event: put')
  return socket
}

function receive(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let pendingText = ''
    const onData = (chunk: Buffer) => {
      pendingText = (pendingText + chunk.toString('latin1')).slice(-100_000)
      if (!pendingText.includes(text)) return
      socket.off('data', onData).off('error', reject)
      resolve()
    }
    socket.on('data', onData).on('error', reject)
  })
}
