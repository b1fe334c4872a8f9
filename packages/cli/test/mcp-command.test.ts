import path from 'node:path'
import { createEngine } from '@halyard/core'
import { createSqliteStorage } from '@halyard/storage-sqlite'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import Database from 'libsql'
import { expect, it, onTestFinished } from 'vitest'
import { halyardFile } from '../../../test/processes/served-engine.ts'
import { bundledProgram } from '../../../test/setup/bundled-program.ts'
import { halyard, temporaryFolder } from './halyard-process.ts'

const token = 'api-administrator-0001'

async function startSession(args: readonly string[], env: Record<string, string>): Promise<Client> {
  const { file, nodeOptions } = bundledProgram(halyardFile)
  const client = new Client({ name: 'test', version: '1' })
  const command = { command: process.execPath, args: [...nodeOptions, file, 'mcp', ...args] }
  await client.connect(new StdioClientTransport({ ...command, env: { PATH: process.env.PATH ?? '', ...env } }))
  onTestFinished(() => client.close())
  return client
}

async function textOf(client: Client, name: string, input: object): Promise<string> {
  const { content } = await client.callTool({ name, arguments: { ...input } })
  return (content as { readonly text: string }[]).map(({ text }) => text).join('\n')
}

it('halyard mcp serves a session of a storage over standard input and output', async () => {
  const file = path.join(temporaryFolder(), 'flags.db')
  const engine = createEngine({
    storage: createSqliteStorage({ database: new Database(file) }),
    clock: () => Date.now(),
  })
  await engine.migrate()
  await engine.bootstrap({ token })
  await engine.close()
  const client = await startSession(['--storage', `sqlite:${file}`], { HALYARD_TOKEN: token })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('createProject')
  const input = { body: { key: 'web', name: 'Web shop' } }
  expect(await textOf(client, 'createProject', input)).toContain('Nothing was changed')
  expect(JSON.parse(await textOf(client, 'createProject', { ...input, confirm: true })).key).toBe('web')
})

it('halyard mcp connects a session to a server, and fails with the error of the server when the token is invalid', async () => {
  const running = halyard(['serve', '--port', '0', '--storage', 'memory'], { HALYARD_TOKEN: token })
  const [, url = ''] = await running.printed(/Halyard serves (\S+) /)
  const client = await startSession(['--url', url], { HALYARD_TOKEN: token })
  expect(JSON.parse(await textOf(client, 'listProjects', {})).totalCount).toBe(0)
  const text = await (await fetch(`${url}/llms.txt`)).text()
  expect(text).toContain('PATCH /api/v2/flags/{projectKey}/{flagKey}: Update a feature flag')
  await expect(startSession(['--url', url], { HALYARD_TOKEN: `${token}x` })).rejects.toThrow('access token is required')
})
