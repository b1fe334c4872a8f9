import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that the server received. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A response of the server. */
export interface ServerResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Opens a destination on loopback for one test. It records requests, and responds with the result of `respond`; default
 * 200.
 */
export async function loopbackServer(respond: (request: ReceivedRequest) => ServerResponse = () => ({})) {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = incoming
    const request = { method, path: url, headers, body: Buffer.concat(chunks).toString() }
    requests.push(request)
    const { status = 200, headers: responseHeaders, body } = respond(request)
    outgoing.writeHead(status, responseHeaders).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
