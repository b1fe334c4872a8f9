import { request } from 'node:http'

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export interface HttpRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/**
 * Sends a request to a server on this machine. The path is sent unchanged: it is neither normalized nor encoded.
 *
 * @param request.body sent as JSON.
 */
export function sendRequest(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: HttpRequest = {},
): Promise<HttpResponse> {
  const text = body && JSON.stringify(body)
  const sent = text === undefined ? headers : { 'content-type': 'application/json', ...headers }
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers: sent }, async (incoming) => {
      const pieces: Buffer[] = []
      for await (const piece of incoming) pieces.push(piece as Buffer)
      const { statusCode = 0, headers } = incoming
      resolve({ status: statusCode, headers, body: Buffer.concat(pieces).toString() })
    })
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}
