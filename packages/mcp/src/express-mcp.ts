import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Engine } from '@halyard/core'
import { createMcpHandler, type McpOptions } from './fetch-mcp.ts'

/** A middleware of Express 4 and 5, and a listener of `node:http`. */
export type ExpressMcp = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void

/**
 * Serves an MCP endpoint in Express: `app.use('/mcp', createExpressMcp(engine))`. A body that a parser has read already
 * is used as it is.
 *
 * @param options `policy`: statements that limit every token further.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createExpressMcp } from '@halyard/mcp'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const server = createServer(createExpressMcp(await createTestEngine()))
 * console.log(server.listening) // false
 * ```
 */
export function createExpressMcp(engine: Engine, options: Pick<McpOptions, 'policy'> = {}): ExpressMcp {
  const handle = createMcpHandler(engine, options)
  return (req, res, next) => {
    handle(toRequest(req))
      .then((response) => send(response, res))
      .catch((error) => (next ? next(error) : res.destroy(error)))
  }
}

function toRequest(req: IncomingMessage & { readonly body?: unknown }): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const hasBody = req.method !== 'GET' && req.method !== 'HEAD'
  // Cast: Node's type of a stream is not the one of the DOM, which `Request` declares.
  const stream = () => Readable.toWeb(req) as ReadableStream as unknown as BodyInit
  const body = req.body === undefined ? stream : () => JSON.stringify(req.body)
  return new Request(`http://localhost${req.url ?? '/'}`, {
    method: req.method ?? 'GET',
    headers,
    ...(hasBody ? { body: body(), duplex: 'half' } : {}),
  })
}

async function send(response: Response, res: ServerResponse): Promise<void> {
  res.writeHead(response.status, Object.fromEntries(response.headers))
  res.end(Buffer.from(await response.arrayBuffer()))
}
