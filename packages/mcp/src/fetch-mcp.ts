import type { Engine } from '@halyard/core'
import type { Statement } from '@halyard/core/policy'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { createMcpServer } from './mcp-server.ts'

/** Options of an MCP server over HTTP. */
export interface McpOptions {
  /** Path of the endpoint. Default `/mcp`. */
  readonly path?: string
  /** Limits every token further: a session may do only what its token and these statements allow. Default: none. */
  readonly policy?: readonly Statement[]
}

/** Handles the requests of MCP clients. Each request is a session of its own, of the token in `authorization`. */
export type McpHandler = (request: Request) => Promise<Response>

/**
 * Creates the handler of an MCP endpoint (streamable HTTP, stateless): any process can handle any request.
 *
 * A request without a valid access token is 401. Any other method than POST is 405, because the endpoint sends no messages
 * of its own. A body of more than 4 MiB is 413.
 *
 * @param options `policy`: statements that limit every token further.
 *
 * @example
 * ```ts
 * import { createMcpHandler } from '@halyard/mcp'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const handler = createMcpHandler(await createTestEngine())
 * const response = await handler(new Request('http://localhost/mcp', { method: 'POST' }))
 * console.log(response.status) // 401
 * ```
 */
export function createMcpHandler(engine: Engine, { policy }: Pick<McpOptions, 'policy'> = {}): McpHandler {
  return async (request) => {
    const token = request.headers
      .get('authorization')
      ?.replace(/^Bearer +/i, '')
      .trim()
    if (!token || !(await isToken(engine, token))) return unauthorized()
    if (request.method !== 'POST') return methodNotAllowed()
    const body = await readText(request.body)
    if (body === undefined) return tooLarge()
    const server = createMcpServer(engine, { as: policy ? { token, policy } : { token } })
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    try {
      return await transport.handleRequest(new Request(request.url, { method: 'POST', headers: request.headers, body }))
    } finally {
      // With JSON responses the response is complete when it is returned.
      await server.close()
    }
  }
}

/**
 * Serves an MCP endpoint beside the API: `Deno.serve(withMcp(createFetchHandler(engine), engine))`.
 *
 * @param api handles all other requests.
 * @param options `path`: default `/mcp`; `policy`: statements that limit every token further.
 *
 * @example
 * ```ts
 * import { withMcp } from '@halyard/mcp'
 * import { createTestEngine } from '@halyard/testing'
 * import { createFetchHandler } from '@halyard/transport-fetch'
 *
 * const engine = await createTestEngine()
 * const handler = withMcp(createFetchHandler(engine), engine)
 * const response = await handler(new Request('http://localhost/mcp', { method: 'POST' }))
 * console.log(response.status) // 401
 * ```
 */
export function withMcp(api: McpHandler, engine: Engine, { path = '/mcp', policy }: McpOptions = {}): McpHandler {
  const mcp = createMcpHandler(engine, policy ? { policy } : {})
  return (request) => (new URL(request.url).pathname === path ? mcp(request) : api(request))
}

async function isToken(engine: Engine, token: string): Promise<boolean> {
  try {
    await engine.as(token).getCallerIdentity()
    return true
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'unauthorized') return false
    throw error
  }
}

const unauthorized = () => failure(401, -32001, 'An access token is required', { 'www-authenticate': 'Bearer' })

/** Maximum size of a request, bytes. */
export const maxRequestBytes = 4 * 1024 * 1024

/** Reads a body as UTF-8. @returns undefined when it is too long; the rest is not read. */
async function readText(body: ReadableStream<Uint8Array> | null): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxRequestBytes) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

const tooLarge = () => failure(413, -32000, `The body must have at most ${maxRequestBytes} bytes`)

const methodNotAllowed = () => failure(405, -32000, 'The method must be POST', { allow: 'POST' })

/** Returns a response with an error of JSON-RPC. */
function failure(
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers: { ...headers } })
}
