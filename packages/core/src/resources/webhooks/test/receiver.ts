import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface ReceivedRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface ReceiverResponse {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Receiver {
  readonly url: string
  /** Requests in order of arrival. */
  readonly received: ReceivedRequest[]
  /** The response to the following messages; with `hang`, the receiver does not respond. */
  response: ReceiverResponse | 'hang' | ((received: ReceivedRequest) => ReceiverResponse | 'hang')
}

/** Opens a receiver of webhooks on a free local port until the test ends. It responds with 204. */
export async function openReceiver(): Promise<Receiver> {
  const received: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const receivedRequest = { path: request.url ?? '', headers: request.headers, body }
    received.push(receivedRequest)
    const reply = typeof receiver.response === 'function' ? receiver.response(receivedRequest) : receiver.response
    if (reply !== 'hang') response.writeHead(reply.status, reply.headers).end(reply.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = { url: `http://127.0.0.1:${port}/hook`, received, response: { status: 204 } }
  return receiver
}
