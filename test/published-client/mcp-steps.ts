import { expect } from 'vitest'
import { type McpSession, openMcpSession } from './mcp-session.ts'

/** A request of a tool; each tool has its own schema. */
type Request = Readonly<Record<string, unknown>>

/** A session whose steps must all succeed, in the project `shop` of a new account. */
export interface McpSteps {
  readonly session: McpSession
  /** Calls a tool in the project, and returns the value of its result. */
  step<Value = unknown>(tool: string, request?: Request): Promise<Value>
  /** Number of the steps. */
  count(): number
  /** Names of the tools that the steps have called. */
  readonly called: ReadonlySet<string>
  /** Expects that no step has failed. */
  expectSuccess(): void
}

/** Opens a session with a project. */
export async function openMcpSteps(): Promise<McpSteps> {
  const session = await openMcpSession()
  await session.send('POST', '/projects', { key: 'shop', name: 'Shop' })
  const failures: string[] = []
  const called = new Set<string>()
  let count = 0
  return {
    session,
    called,
    count: () => count,
    async step<Value>(tool: string, request: Request = {}) {
      count += 1
      called.add(tool)
      const result = await session.call(tool, { projectKey: 'shop', ...request })
      if (!result.ok) failures.push(`${tool} ${JSON.stringify(request)}: ${result.message}`)
      return result.value as Value
    },
    expectSuccess: () => expect(failures).toEqual([]),
  }
}
