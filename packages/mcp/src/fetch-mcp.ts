import type { Engine } from '@halyard/core'
import type { Statement } from '@halyard/core/policy'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { createMcpServer } from './mcp-server.ts'

/** Options of an MCP server over HTTP. */
export interface McpOptions<Context extends readonly unknown[] = []> {
  /** Path of the endpoint. Default `/mcp`. */
  readonly path?: string
  /**
   * Returns the address of the client, which an IP allowlist of the account needs, as the option of
   * `createFetchHandler` does. Default: not known, and requests that an allowlist limits are refused.
   */
  readonly clientAddress?: (request: Request, ...context: Context) => string | undefined
  /**
   * Limits every token further: a session may do only what its token and these statements allow. Default: no further
   * limit.
   */
  readonly policy?: readonly Statement[]
}

/**
 * Handles the requests of MCP clients. Each request is a session of its own, with the rights of the token in
 * `authorization`.
 */
export type McpHandler<Context extends readonly unknown[] = []> = (
  request: Request,
  ...context: Context
) => Promise<Response>

/**
 * Creates the handler of an MCP endpoint (streamable HTTP, stateless): any process can handle any request.
 *
 * A request without a valid access token is refused with 401, and one from an address outside of the IP allowlist of
 * the account with 403. It counts for the rate limit as one call. Any other method than POST is refused with 405,
 * because the endpoint sends no messages of its own. A body of more than 4 MiB is refused with 413.
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
export function createMcpHandler<Context extends readonly unknown[] = []>(
  engine: Engine,
  { policy, clientAddress }: Omit<McpOptions<Context>, 'path'> = {},
): McpHandler<Context> {
  return async (request, ...context) => {
    const token = request.headers
      .get('authorization')
      ?.replace(/^Bearer +/i, '')
      .trim()
    if (!token) return unauthorized()
    const refusal = await refusalOf(engine, token, () => clientAddress?.(request, ...context))
    if (refusal) return refusal
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
export function withMcp<Context extends readonly unknown[] = []>(
  api: McpHandler<Context>,
  engine: Engine,
  { path = '/mcp', ...options }: McpOptions<Context> = {},
): McpHandler<Context> {
  const mcp = createMcpHandler(engine, options)
  return (request, ...context) =>
    new URL(request.url).pathname === path ? mcp(request, ...context) : api(request, ...context)
}

/**
 * Returns the response to a request that the engine would refuse over a transport: an invalid token, an address outside
 * of the IP allowlist, or too many requests. The tools themselves are called in process, where none of this is checked.
 */
async function refusalOf(
  engine: Engine,
  token: string,
  clientAddress: () => string | undefined,
): Promise<Response | undefined> {
  const { status, headers, body } = await engine.handle({
    method: 'GET',
    path: '/api/v2/caller-identity',
    query: '',
    header: (name) => (name === 'authorization' ? token : undefined),
    body: { kind: 'parsed', value: undefined },
    clientAddress,
  })
  if (status === 200) return undefined
  if (status === 401) return unauthorized()
  const { message } = JSON.parse(body ?? '{}') as { readonly message?: string }
  const retryAfter = headers['retry-after']
  return failure(
    { status, code: -32001, message: message ?? '' },
    retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  )
}

const unauthorized = () =>
  failure({ status: 401, code: -32001, message: 'An access token is required' }, { 'www-authenticate': 'Bearer' })

/** Maximum size of a request, bytes. */
export const maxRequestBytes = 4 * 1024 * 1024

/** Reads a body as UTF-8. Returns undefined when it is too long; the rest is not read. */
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

const tooLarge = () =>
  failure({ status: 413, code: -32000, message: `The body must have at most ${maxRequestBytes} bytes` })

const methodNotAllowed = () =>
  failure({ status: 405, code: -32000, message: 'The method must be POST' }, { allow: 'POST' })

/** An error of JSON-RPC, and the status of its response. */
interface McpError {
  readonly status: number
  readonly code: number
  readonly message: string
}

/** Returns a response with an error of JSON-RPC. */
function failure({ status, code, message }: McpError, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers: { ...headers } })
}
