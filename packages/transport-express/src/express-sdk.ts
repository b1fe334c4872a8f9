import type { ServerResponse } from 'node:http'
import type { Engine, EngineRequest, LiveResponse, StreamSink } from '@halyard/core'
import { bodyOf, type IncomingRequest } from './body.ts'
import { headerValue, send } from './express-handler.ts'

/** A middleware of Express 4 and 5, and a listener of `node:http`. */
export type ExpressSdk = (req: IncomingRequest, res: ServerResponse, next?: (error?: unknown) => void) => void

/**
 * Serves SDKs in Express, under any mount path: `app.use(createExpressSdk(engine))`; or in plain `node:http`. The mount
 * path is part of the addresses that SDKs receive. Other paths are passed to `next`; without a `next` they are refused
 * with 404.
 *
 * Streams are never compressed or buffered here; a middleware in front of this handler must not compress or buffer them
 * either.
 *
 * @param engine whose flags are served; the host calls `engine.sdk.beat()` at intervals.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createTestEngine } from '@halyard/testing'
 * import { createExpressSdk } from '@halyard/transport-express'
 *
 * // Under Express: app.use('/sdks', createExpressSdk(engine))
 * const server = createServer(createExpressSdk(await createTestEngine()))
 * console.log(server.listening) // false
 * ```
 */
export function createExpressSdk(engine: Pick<Engine, 'sdk'>): ExpressSdk {
  return (req, res, next) => {
    const response = engine.sdk.handle(toEngineRequest(req))
    if (response) response.then((result) => sendResponse(req, res, result)).catch((error) => res.destroy(error))
    else if (next) next()
    else res.writeHead(404).end()
  }
}

function toEngineRequest(req: IncomingRequest): EngineRequest {
  const url = req.url ?? '/'
  const queryStart = url.indexOf('?')
  return {
    method: req.method ?? 'GET',
    path: queryStart < 0 ? url : url.slice(0, queryStart),
    mountPath: req.baseUrl ?? '',
    query: queryStart < 0 ? '' : url.slice(queryStart + 1),
    header: (name) => headerValue(req, name),
    body: bodyOf(req),
  }
}

function sendResponse(req: IncomingRequest, res: ServerResponse, result: LiveResponse): void {
  if (!result.live) {
    send(res, result)
    return
  }
  if (res.destroyed || res.headersSent) return
  // Nagle's algorithm would delay a change until the previous one is acknowledged.
  req.socket.setNoDelay(true)
  res.writeHead(result.status, result.headers)
  res.flushHeaders()
  res.once('close', result.live(sinkOf(res)))
}

function sinkOf(res: ServerResponse): StreamSink {
  return {
    send: (chunk) => void (res.destroyed || res.writableEnded || res.write(chunk)),
    backlog: () => res.writableLength,
    end: () => void res.end(),
    abort: () => void res.destroy(),
  }
}
