import { readFile } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { usageError } from './cli-error.ts'
import type { Command, Terminal } from './command.ts'
import { openConnection, settingsOf } from './connection/open-connection.ts'
import { describeOptions, type OptionDeclaration, readOptions } from './options.ts'

const options = {
  url: { type: 'string', help: 'address of a server; or HALYARD_URL' },
  token: { type: 'string', help: 'access token of the session; or HALYARD_TOKEN' },
  storage: { type: 'string', help: 'storage to open in this process instead; or HALYARD_STORAGE' },
  account: { type: 'string', help: 'account of the storage' },
  profile: { type: 'string', help: 'profile with presets; or HALYARD_PROFILE' },
  policy: { type: 'string', help: 'JSON file with statements that limit the token further; only with --storage' },
} as const satisfies Record<string, OptionDeclaration>

/** The command that serves one session of the Model Context Protocol over standard input and output. */
export const mcpCommand: Command = {
  usage: 'mcp [options]',
  summary: 'serve the operations as tools for an agent, over standard input and output',
  options: describeOptions(options),
  async run(args, terminal) {
    const { values, positionals } = readOptions(options, args, {})
    if (positionals.length > 0) throw usageError(`"${positionals[0]}" is not an option; options begin with --`)
    const { policy: file, ...named } = values
    const settings = await settingsOf(named, terminal.env)
    if (settings.token === undefined) throw usageError('a session needs --token, or HALYARD_TOKEN')
    const policy = file === undefined ? undefined : await readPolicy(file)
    const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
    const stdio = new StdioServerTransport(terminal.stdin as Readable, terminal.stdout as Writable)
    if (settings.url !== undefined) {
      if (policy) throw usageError('--policy needs a storage; a server limits its sessions itself')
      return connectToServer(stdio, { url: settings.url, token: settings.token }, terminal)
    }
    const { engine, close } = await openConnection(settings)
    if (!engine) return
    const { createMcpServer } = await import('@halyard/mcp')
    const server = createMcpServer(engine, { as: { token: settings.token, ...(policy ? { policy } : {}) } })
    const ended = sessionEnd(terminal)
    await server.connect(stdio)
    await ended
    await server.close()
    await close()
  },
}

type Stdio = InstanceType<typeof import('@modelcontextprotocol/sdk/server/stdio.js').StdioServerTransport>

/**
 * Passes the messages of a session to the endpoint of a server, and the messages of the endpoint back. A request that
 * the server refuses, or that does not reach the server, gets an error as its response.
 */
async function connectToServer(
  stdio: Stdio,
  { url, token }: { readonly url: string; readonly token: string },
  terminal: Terminal,
): Promise<void> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
  const remote = new StreamableHTTPClientTransport(new URL(`${url.replace(/\/+$/, '')}/mcp`), {
    requestInit: { headers: { authorization: token } },
  })
  const report = (error: Error) => terminal.stderr.write(`halyard: ${error.message.split('\n')[0]}\n`)
  stdio.onmessage = (message) =>
    void remote.send(message).catch((error: Error) => {
      // An agent would otherwise wait for the response until its own time limit.
      if ('id' in message && 'method' in message) void stdio.send(failureOf(message.id, error))
    })
  remote.onmessage = (message) => void stdio.send(message)
  remote.onerror = report
  const ended = sessionEnd(terminal)
  await remote.start()
  await stdio.start()
  await ended
  await remote.close()
  await stdio.close()
}

/** Returns the error of JSON-RPC for a request that no server handled. */
const failureOf = (id: string | number, { message }: Error) => ({
  jsonrpc: '2.0' as const,
  id,
  error: { code: -32000, message: message.split('\n')[0] ?? '' },
})

/** Resolves when the client closes standard input, or when the user interrupts the command. */
function sessionEnd({ stdin, signal }: Terminal): Promise<void> {
  return new Promise((resolve) => {
    stdin?.once('end', resolve).once('close', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function readPolicy(file: string) {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw usageError(`--policy: cannot read ${file} as JSON`, error)
  }
}
