import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** An address of this machine beside 127.0.0.1; only macOS has but one of IPv4. */
export const otherLoopback = process.platform === 'darwin' ? '::1' : '127.0.0.2'

export interface Receiver {
  readonly port: number
  /** On 127.0.0.1. */
  readonly url: string
  /** How many connections it has taken. */
  connections(): number
}

/** A receiver that speaks HTTP, until the test is over. */
export async function httpReceiver(listener: RequestListener, host?: string, port?: number): Promise<Receiver> {
  return listening(createServer(listener), host, port)
}

/** A receiver that does what it wants with each connection, until the test is over. */
export async function tcpReceiver(
  listener: (socket: Socket) => void = () => {},
  host?: string,
  port?: number,
): Promise<Receiver> {
  return listening(createTcpServer(listener), host, port)
}

/** Answers the first bytes of each connection with these, and leaves it open. */
export function saying(...pieces: readonly (string | Buffer)[]): Promise<Receiver> {
  return tcpReceiver((socket) => {
    socket.once('data', () => {
      for (const piece of pieces) socket.write(piece)
    })
  })
}

/** Answers the first bytes of each connection with these, and ends it. */
export function sayingAtLast(text: string): Promise<Receiver> {
  return tcpReceiver((socket) => socket.once('data', () => socket.end(text)))
}

export async function listening(server: Server, host = '127.0.0.1', port = 0): Promise<Receiver> {
  const sockets = new Set<Socket>()
  let count = 0
  server.on('connection', (socket: Socket) => {
    count++
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  server.listen(port, host)
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port: own } = server.address() as AddressInfo
  return { port: own, url: `http://127.0.0.1:${own}/`, connections: () => count }
}
