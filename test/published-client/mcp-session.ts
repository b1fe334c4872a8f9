import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEngine, type EngineInput } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressHandler } from '@halyard/transport-express'
import { createMCPServer } from '@launchdarkly/mcp-server/mcp-server/server.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { onTestFinished } from 'vitest'

const token = 'api-administrator-0001'

/** A call of a tool that succeeded, or the message of its failure. */
export interface ToolResult {
  readonly ok: boolean
  /** The JSON value of the result; undefined when it is empty. */
  readonly value: unknown
  /** The message of the failure. */
  readonly message: string
}

/** A session of the published MCP server with an engine that it reaches over HTTP. */
export interface McpSession {
  /** Names of the tools. */
  readonly tools: readonly string[]
  /** Calls a tool. */
  call(tool: string, request: object): Promise<ToolResult>
  /**
   * Sends a request to the engine directly.
   *
   * @param path address below `/api/v2`.
   * @throws Error when the response is not a success.
   */
  send<Body = unknown>(method: string, path: string, body?: unknown): Promise<Body>
}

const silent = () => {}

/** Opens a session with a new account, which ends with the test. */
export async function openMcpSession(input: Partial<EngineInput> = {}, apiKey = token): Promise<McpSession> {
  const engine = createEngine({ storage: createMemoryStorage(), wire: 'reference', ...input })
  await engine.bootstrap({ token })
  const server = createServer(createExpressHandler(engine))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = await connect(url, apiKey)
  onTestFinished(async () => {
    await client.close()
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
    await engine.close()
  })
  return {
    tools: (await client.listTools()).tools.map(({ name }) => name),
    async call(name, request) {
      const { content, isError } = await client.callTool({ name, arguments: { request } })
      const [text] = (content as readonly { text?: string }[]).map((part) => part.text ?? '')
      if (isError) return { ok: false, value: undefined, message: text ?? '' }
      return { ok: true, value: text ? JSON.parse(text) : undefined, message: '' }
    },
    send: (method, path, body) => send(`${url}/api/v2${path}`, method, body),
  }
}

async function connect(url: string, apiKey: string): Promise<Client> {
  const logger = { level: 'error', debug: silent, info: silent, warning: silent, error: silent } as const
  const mcpServer = createMCPServer({ logger, serverURL: url, apiKey })
  const client = new Client({ name: 'test', version: '1.0.0' })
  const [clientTransport, serverTransport] = InMemoryTransport.createLinkedPair()
  await mcpServer.connect(serverTransport)
  await client.connect(clientTransport)
  return client
}

async function send<Body>(url: string, method: string, body: unknown): Promise<Body> {
  const headers = { authorization: token, 'content-type': 'application/json', 'LD-API-Version': 'beta' }
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url} responded with ${response.status}: ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Body
}
