import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A second loopback address of this machine; macOS has only one for IPv4. */
export const otherLoopback = process.platform === 'darwin' ? '::1' : '127.0.0.2'

export interface Receiver {
  readonly port: number
  /** URL of the receiver on 127.0.0.1. */
  readonly url: string
  /** Returns the number of accepted connections. */
  connections(): number
}

/** Starts an HTTP receiver, which is closed after the test. */
export async function httpReceiver(listener: RequestListener, host?: string, port?: number): Promise<Receiver> {
  return listen(createServer(listener), host, port)
}

/** Starts a TCP receiver that handles each connection with a listener, and is closed after the test. */
export async function tcpReceiver(
  listener: (socket: Socket) => void = () => {},
  host?: string,
  port?: number,
): Promise<Receiver> {
  return listen(createTcpServer(listener), host, port)
}

/**
 * Starts a receiver that responds to the first bytes of each connection with these chunks, and keeps the connection
 * open.
 */
export function receiverSending(...chunks: readonly (string | Buffer)[]): Promise<Receiver> {
  return tcpReceiver((socket) => {
    socket.once('data', () => {
      for (const chunk of chunks) socket.write(chunk)
    })
  })
}

/** Starts a receiver that responds to the first bytes of each connection with this text, and closes the connection. */
export function receiverSendingAndClosing(text: string): Promise<Receiver> {
  return tcpReceiver((socket) => socket.once('data', () => socket.end(text)))
}

export async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<Receiver> {
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
  const { port: boundPort } = server.address() as AddressInfo
  return { port: boundPort, url: `http://127.0.0.1:${boundPort}/`, connections: () => count }
}
