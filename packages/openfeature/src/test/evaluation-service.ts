import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Evaluator } from '@halyard/core'
import type { EvaluationContext } from '@halyard/core/evaluation'
import { createGate } from '../../../../test/setup/gate.ts'

/** A server that evaluates flags for browsers, and fails when a test requires it. */
export interface EvaluationService {
  readonly baseUrl: string
  readonly environmentId: string
  /** Received requests: the context, the query, and the status of the response. */
  readonly requests: { readonly context: EvaluationContext; readonly query: string; status?: number }[]
  /** Status of every response, or `disconnect`. Undefined: the service evaluates. */
  failing: number | 'disconnect' | undefined
  /** Delays responses until the returned function is called. */
  hold(): () => void
  close(): Promise<void>
}

/** Serves `GET /sdk/evalx/{environment}/contexts/{context}` from an evaluator, with ETags. */
export async function evaluationService(evaluator: Evaluator): Promise<EvaluationService> {
  const environmentId = 'environment/id'
  const requests: EvaluationService['requests'] = []
  const { waitUntilOpen: passed, close: hold } = createGate()

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url as string, 'http://localhost')
    const [, context] = /^\/base\/sdk\/evalx\/environment%2Fid\/contexts\/([\w-]+)$/.exec(pathname) ?? []
    if (context === undefined) return void response.writeHead(404).end()
    const entry: EvaluationService['requests'][number] = {
      context: JSON.parse(Buffer.from(context, 'base64url').toString('utf8')),
      query: search,
    }
    requests.push(entry)
    await passed()
    if (service.failing === 'disconnect') return void request.socket.destroy()
    if (service.failing !== undefined) {
      entry.status = service.failing
      return void response.writeHead(service.failing).end()
    }
    const all = evaluator.evaluateAll(entry.context, { clientSide: 'environmentId' })
    const flags = Object.entries(all).map(([key, { value, variationIndex, reason }]) => [
      key,
      { value: value ?? null, variation: variationIndex, version: 1, flagVersion: 1, reason },
    ])
    const body = JSON.stringify(Object.fromEntries(flags))
    const etag = `"${createHash('sha256').update(body).digest('hex')}"`
    entry.status = request.headers['if-none-match'] === etag ? 304 : 200
    response.writeHead(entry.status, { etag, 'content-type': 'application/json' })
    response.end(entry.status === 304 ? undefined : body)
  }

  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service: EvaluationService = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`,
    environmentId,
    requests,
    failing: undefined,
    hold,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return service
}
