import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Engine } from '@halyard/core'
import { createMcpHandler, type McpOptions, maxRequestBytes } from './fetch-mcp.ts'

/** The request that Node passes to a listener, with the address that Express adds. */
export type McpRequest = IncomingMessage & { readonly ip?: string }

/** Options of an MCP server in Express. */
export interface ExpressMcpOptions extends Pick<McpOptions, 'policy'> {
  /**
   * Returns the address of the client, which an IP allowlist of the account needs. Default: `req.ip` of Express, which
   * depends on its setting `trust proxy`, or else the remote address of the connection.
   */
  readonly clientAddress?: (req: McpRequest) => string | undefined
}

/** A middleware of Express 4 and 5, and a listener of `node:http`. */
export type ExpressMcp = (req: McpRequest, res: ServerResponse, next?: (error?: unknown) => void) => void

/**
 * Serves an MCP endpoint in Express: `app.use('/mcp', createExpressMcp(engine))`. A body that a parser has read already
 * is used as it is.
 *
 * @param options `policy`: statements that limit every token further; `clientAddress`: the address of the client.
 *   Default: that of Express, or else the remote address of the connection.
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
export function createExpressMcp(
  engine: Engine,
  { policy, clientAddress = (req) => req.ip ?? req.socket.remoteAddress }: ExpressMcpOptions = {},
): ExpressMcp {
  const handle = createMcpHandler(engine, {
    ...(policy ? { policy } : {}),
    clientAddress: (_, req: McpRequest) => clientAddress(req),
  })
  return (req, res, next) => {
    toRequest(req)
      .then((request) => (request ? handle(request, req) : new Response(null, { status: 413 })))
      .then((response) => send(response, res))
      .catch((error) => (next ? next(error) : res.destroy(error)))
  }
}

/** Reads a request. Returns undefined when it is too long. */
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
  // The connection must remain open, because otherwise the caller could not read the response.
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
