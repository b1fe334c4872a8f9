import type { As, Engine } from '@halyard/core'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
import { allowedOperations, isAllowedOperation } from './allowed-operations.ts'
import { callTool } from './call-tool.ts'
import { toolOf } from './tool.ts'

/** Options of an MCP server. */
export interface McpServerOptions {
  /** The caller of all tools of the session, e.g. `{ token, policy }`. */
  readonly as: As
}

const instructions =
  'Manages feature flags. A tool that changes something shows what would change until it is called with `confirm`; ' +
  'ask the user before you confirm. A refusal names the rights that the policy of the token lacks.'

/**
 * Creates a server of the Model Context Protocol for one session. It lists the operations that the caller may call as
 * tools. Connect it to a transport of `@modelcontextprotocol/sdk`.
 *
 * @param options `as`: the caller of all tools; the policy of `{ token, policy }` limits the token further.
 *
 * @example
 * ```ts
 * import { createMcpServer } from '@halyard/mcp'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const engine = await createTestEngine()
 * const server = createMcpServer(engine, { as: engine.admin })
 * console.log(typeof server.connect) // function
 * ```
 */
export function createMcpServer(engine: Engine, { as }: McpServerOptions): Server {
  const server = new Server({ name: 'halyard', version: '0.1.0' }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: (await allowedOperations(engine, as)).map((operation) => toolOf(operation)),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const operation = (await engine.definitions()).find(({ id }) => id === params.name)
    // A tool that is not listed gets the same response as an unknown one, so an agent learns nothing by calling it.
    if (!operation || !(await isAllowedOperation(engine, as, operation)))
      throw new McpError(ErrorCode.InvalidParams, `Unknown tool ${params.name}`)
    return callTool({ engine, as }, operation, params.arguments ?? {})
  })
  return server
}
