import { request } from 'node:http'

export interface Asked {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export interface Question {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/**
 * Asks a server on this machine, by a path that is sent as it stands: nothing is normalised or encoded on the way.
 *
 * @param question.body sent as JSON.
 */
export function ask(port: number, path: string, { method = 'GET', headers = {}, body }: Question = {}): Promise<Asked> {
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
