import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Engine } from '@halyard/core'
import { createMcpHandler, type McpOptions, maxRequestBytes } from './fetch-mcp.ts'

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
    toRequest(req)
      .then((request) => (request ? handle(request) : new Response(null, { status: 413 })))
      .then((response) => send(response, res))
      .catch((error) => (next ? next(error) : res.destroy(error)))
  }
}

/** Reads a request. @returns undefined when it is too long. */
async function toRequest(req: IncomingMessage & { readonly body?: unknown }): Promise<Request | undefined> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const { method = 'GET', url = '/' } = req
  const init = { method, headers }
  if (method === 'GET' || method === 'HEAD') return new Request(`http://localhost${url}`, init)
  const body = req.body === undefined ? await readText(req) : JSON.stringify(req.body)
  return body === undefined ? undefined : new Request(`http://localhost${url}`, { ...init, body })
}

async function readText(req: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  // The connection remains open, or the caller could not read the response.
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > maxRequestBytes) {
      req.resume()
      return undefined
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function send(response: Response, res: ServerResponse): Promise<void> {
  res.writeHead(response.status, Object.fromEntries(response.headers))
  res.end(Buffer.from(await response.arrayBuffer()))
}
