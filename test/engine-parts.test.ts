import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { root } from './source-imports.ts'

const { operations } = createEngine({ storage: createMemoryStorage() })

/**
 * Modules that only writes need: the tables, the checks of each commit, and the modules that make entries of the change
 * log.
 */
const onlyForWrites =
  /^(operation\/(undo|change-log\/(logged-call|entry-sentences|removed-documents))|pipeline\/(references|write|redo|conflicts)|resources\/references)\b/

/** Returns the source files of core that a bundle of an engine with these operations contains. */
async function modulesOf(ids: readonly string[]): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: {
      contents: `export { ${['createEngineOf', ...ids].join(', ')} } from '@halyard/core/operations'`,
      resolveDir: root,
    },
    conditions: ['@halyard/source'],
    platform: 'neutral',
    mainFields: ['module', 'main'],
    format: 'esm',
    bundle: true,
    write: false,
    metafile: true,
  })
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => {
      const [, module] = /packages\/core\/src\/(.+)$/.exec(file) ?? []
      return module !== undefined && bytesInOutput > 0 ? [module] : []
    }),
  )
}

describe('an engine of selected operations', () => {
  const reads = operations.filter(({ method }) => method === 'GET').map(({ id }) => id)

  it('contains nothing that only writes need, when all of its operations read', async () => {
    expect(reads.length).toBeGreaterThan(100)
    expect((await modulesOf(reads)).filter((module) => onlyForWrites.test(module))).toEqual([])
  })

  it('contains everything that writes need when one of its operations writes', async () => {
    const modules = await modulesOf(['deleteTeam'])
    for (const part of ['pipeline/write.ts', 'resources/references/references.ts', 'resources/approval-guard.ts'])
      expect(modules).toContain(part)
  })
})

/** The source files of core that contain an operation. */
const operationFiles = new Set(
  [
    ...readFileSync(path.join(root, 'packages/core/src/generated/selectable-operations.ts'), 'utf8').matchAll(
      /from '\.\.\/(resources\/.+)'/g,
    ),
  ].map(([, file]) => file as string),
)

/** Runs a script in a fresh process and returns what it prints. */
async function runFresh<Report>(script: string): Promise<Report> {
  const args = ['--conditions=@halyard/source', '--import', 'tsx', '--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 2 ** 26 })
  return JSON.parse(stdout)
}

const imports = `import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
const engine = createEngine({ storage: createMemoryStorage() })
`

/** Adds the source files of core that V8 has compiled to `modules`. */
const listModules = `import { Session } from 'node:inspector/promises'
const modules = []
async function readModules() {
  const session = new Session()
  session.connect()
  session.on('Debugger.scriptParsed', ({ params: { url } }) => {
    const file = url.split('/packages/core/src/')[1]
    if (file) modules.push(file.split('?')[0])
  })
  await session.post('Debugger.enable')
  session.disconnect()
}
`

describe('a fresh process', () => {
  it('imports no operation before the first call, and nothing that only writes need before the first write', async () => {
    const script = `${imports}${listModules}await readModules()
console.log(JSON.stringify(modules))`
    const modules = await runFresh<readonly string[]>(script)
    expect(modules).toContain('engine.ts')
    expect(operationFiles.size).toBe(operations.length)
    const lists = modules.filter((file) => /^resources\/[\w-]+\/(operations|index)\.ts$/.test(file))
    expect([...lists, ...modules.filter((file) => onlyForWrites.test(file) || operationFiles.has(file))]).toEqual([])
  })

  it('serves the API beside the console without the HTTP client of Node, which takes tens of milliseconds to load', async () => {
    const script = `${imports}import { createServer, get } from 'node:http'
import { createConsole } from '@halyard/console'
const server = createServer(createConsole(engine, { secureCookies: false }).express)
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const status = await new Promise((resolve) =>
  get({ port: server.address().port, path: '/api/v2/projects' }, (response) => resolve(response.resume().statusCode)))
server.close().closeAllConnections()
console.log(JSON.stringify({ status, client: process.moduleLoadList.filter((name) => name.includes('undici')) }))`
    expect(await runFresh(script)).toEqual({ status: 401, client: [] })
  })

  it('imports parts that only writes need at the first write', async () => {
    const script = `${imports}${listModules}
const { token } = await engine.bootstrap()
await engine.api.createTeam({ body: { key: 'a', name: 'A' } }, { as: token })
await readModules()
console.log(JSON.stringify(modules))`
    const modules = await runFresh<readonly string[]>(script)
    expect(modules).toEqual(expect.arrayContaining(['pipeline/write.ts', 'resources/teams/create-team.ts']))
    expect(modules).not.toContain('resources/flags/create-flag.ts')
  })

  let outcomes: Readonly<Record<string, string>> = {}
  beforeAll(async () => {
    // Each call imports the definition of its operation. Most of the responses report that an input is missing.
    const script = `${imports}const { token } = await engine.bootstrap()
const outcomes = {}
for (const { id, path } of engine.operations) {
  const params = Object.fromEntries([...path.matchAll(/\\{(\\w+)\\}/g)].map(([, name]) => [name, 'x']))
  outcomes[id] = await engine.api[id](params, { as: token }).then(() => 'done', ({ code, message }) => code ?? message)
}
console.log(JSON.stringify(outcomes))`
    outcomes = await runFresh(script)
  }, 60_000)

  it.each(operations.map(({ id }) => id))('runs %s, although nothing had imported it', (id) => {
    expect(['done', 'not_found', 'invalid_request', 'forbidden', 'optimistic_locking_error']).toContain(outcomes[id])
  })

  it('has the schemas of all operations once `engine.definitions()` has resolved', async () => {
    const script = `${imports}
let before = 'none'
try { engine.operations[0].success } catch ({ message }) { before = message }
const definitions = await engine.definitions()
console.log(JSON.stringify({ before, statuses: definitions.map(({ success }) => success.status), same: definitions === engine.operations }))`
    const { before, statuses, same } = await runFresh<{ before: string; statuses: number[]; same: boolean }>(script)
    expect(before).toBe(`${operations[0]?.id}: await engine.definitions() before reading schemas of operations`)
    expect(statuses).toHaveLength(operations.length)
    for (const status of statuses) expect([200, 201, 204]).toContain(status)
    expect(same).toBe(true)
  })
})
