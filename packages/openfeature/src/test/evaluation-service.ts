import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Evaluator } from '@halyard/core'
import type { EvaluationContext } from '@halyard/core/evaluation'
import { gate } from '../../../../test/setup/gate.ts'

/** A service that evaluates for browsers, on a port of this machine, which fails when a test says so. */
export interface EvaluationService {
  readonly baseUrl: string
  readonly environmentId: string
  /** Requests that came, in order: the context, the query, and the status of the answer. */
  readonly asked: { readonly context: EvaluationContext; readonly query: string; status?: number }[]
  /** The status that is answered instead, or `hang up`. */
  failing: number | 'hang up' | undefined
  /** Lets requests wait until the result is called. */
  hold(): () => void
  close(): Promise<void>
}

/** Answers `GET /sdk/evalx/{environment}/contexts/{context}` by what an evaluator says, and 304 to who has it. */
export async function evaluationService(evaluator: Evaluator): Promise<EvaluationService> {
  const environmentId = 'environment/id'
  const asked: EvaluationService['asked'] = []
  const { passed, hold } = gate()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url as string, 'http://localhost')
    const [, context] = /^\/base\/sdk\/evalx\/environment%2Fid\/contexts\/([\w-]+)$/.exec(pathname) ?? []
    if (context === undefined) return void response.writeHead(404).end()
    const one: EvaluationService['asked'][number] = {
      context: JSON.parse(Buffer.from(context, 'base64url').toString('utf8')),
      query: search,
    }
    asked.push(one)
    await passed()
    if (service.failing === 'hang up') return void request.socket.destroy()
    if (service.failing !== undefined) {
      one.status = service.failing
      return void response.writeHead(service.failing).end()
    }
    const all = evaluator.evaluateAll(one.context, { clientSide: 'environmentId' })
    const flags = Object.entries(all).map(([key, { value, variationIndex, reason }]) => [
      key,
      { value: value ?? null, variation: variationIndex, version: 1, flagVersion: 1, reason },
    ])
    const body = JSON.stringify(Object.fromEntries(flags))
    const etag = `"${createHash('sha256').update(body).digest('hex')}"`
    one.status = request.headers['if-none-match'] === etag ? 304 : 200
    response.writeHead(one.status, { etag, 'content-type': 'application/json' })
    response.end(one.status === 304 ? undefined : body)
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service: EvaluationService = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`,
    environmentId,
    asked,
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
