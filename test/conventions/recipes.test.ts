import { execFile } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as ResourceLists from '../../packages/core/src/build/resource-lists.ts'
import { root } from '../root.ts'
import { longTests } from '../setup/long-tests.ts'

const run = promisify(execFile)

/** The packages that the recipes concern: the sources that are copied. */
const packages = ['core', 'openapi', 'storage-memory', 'transport-fetch']

let copy: string
let report: Report

/** The output of the program below. */
interface Report {
  readonly operations: readonly string[]
  readonly inProcess: unknown
  readonly created: unknown
  readonly overFetch: { readonly status: number; readonly body: unknown }
  readonly refused: number
  readonly documented: Readonly<
    Record<string, { readonly tags: readonly string[]; readonly parameters: readonly object[] }>
  >
  readonly tag: unknown
  readonly actions: readonly string[]
  readonly stored: boolean
  readonly exported: string
}

/** Calls the operations of the recipes, and prints a report. */
const program = `
import { createEngine } from '@halyard/core'
import { countTeamMembers } from '@halyard/core/operations'
import { actionsOf } from '@halyard/core/policy'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'
import { openApiDocument } from './packages/openapi/src/document/make-document.ts'
import { storedCollections } from './packages/core/src/resources/generated/stored-collections.ts'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()
const { token } = (await engine.bootstrap({ email: 'ada@example.com' })) ?? { token: '' }
const as = { role: 'admin' } as const
await engine.api.createTeam({ body: { key: 'core', name: 'Core' } }, { as })
const inProcess: { count: number } = await engine.api.countTeamMembers({ teamKey: 'core' }, { as })
const created: { key: string; text: string } = await engine.api.createNotice({ body: { key: 'a', text: 'A' } }, { as })
const handler = createFetchHandler(engine)
const response = await handler(new Request('http://localhost/api/v2/notices/a', { headers: { authorization: token } }))
const deny = { policy: [{ effect: 'deny', resources: ['notice/*'], actions: ['viewNotice'] }] } as const
const refused = await engine.api.getNotice({ noticeKey: 'a' }, { as: deny }).then(() => 200, (error) => error.status)
const { paths, tags } = openApiDocument(engine.operations, { version: '1' })
const documented = Object.values(paths).flatMap((item) => Object.values(item))
  .filter((operation) => /^(countTeamMembers|getNotice)$/.test(operation.operationId))
  .map((operation) => [operation.operationId, operation])
console.log(JSON.stringify({
  operations: engine.operations.map(({ id }) => id),
  inProcess,
  created,
  overFetch: { status: response.status, body: await response.json() },
  refused,
  documented: Object.fromEntries(documented),
  tag: tags.find(({ name }) => name === 'Notices'),
  actions: actionsOf('notice'),
  stored: storedCollections.some(({ name }) => name === 'notice'),
  exported: countTeamMembers.id,
}))
await engine.close()
`

const tsconfig = {
  extends: path.join(root, 'tsconfig.base.json'),
  compilerOptions: { typeRoots: [path.join(root, 'node_modules/@types')] },
  include: ['program.mts'],
  exclude: [],
}

/** Links the `@halyard/*` dependencies of a copied package to the copies, and all others to the installed packages. */
function linkModules(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name.startsWith('.') || name === '@halyard') continue
    symlinkSync(realpathSync(path.join(from, name)), path.join(to, name))
  }
  mkdirSync(path.join(to, '@halyard'))
  for (const name of packages) symlinkSync(path.join(copy, 'packages', name), path.join(to, '@halyard', name))
}

function copySources(): void {
  linkModules(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  for (const name of packages) {
    const [from, to] = [path.join(root, 'packages', name), path.join(copy, 'packages', name)]
    const isCopied = (file: string) => !/\.test\.ts$|[\\/]test([\\/]|$)/.test(path.relative(from, file))
    cpSync(path.join(from, 'src'), path.join(to, 'src'), { recursive: true, filter: isCopied })
    cpSync(path.join(from, 'package.json'), path.join(to, 'package.json'))
    linkModules(path.join(from, 'node_modules'), path.join(to, 'node_modules'))
  }
}

/** Performs the recipes of CONTRIBUTING.md: writes the files, and applies the changes of one line. */
function performRecipes(): void {
  const text = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8')
  for (const [, file = '', contents = ''] of text.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```/gms)) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true })
    writeFileSync(path.join(copy, file), contents)
  }
  for (const [, file = '', change = ''] of text.matchAll(/^```diff\n# (\S+)\n(.*?)^```/gms)) {
    const added = change.trimEnd().split('\n')
    expect(added, `CONTRIBUTING.md: the recipe for ${file} must add one line`).toHaveLength(1)
    appendFileSync(path.join(copy, file), `${added[0]?.slice(1)}\n`)
  }
}

beforeAll(async () => {
  copy = realpathSync(mkdtempSync(path.join(tmpdir(), 'recipes-')))
  copySources()
  performRecipes()
  writeFileSync(path.join(copy, 'program.mts'), program)
  writeFileSync(path.join(copy, 'tsconfig.json'), JSON.stringify(tsconfig))
  const node = ['--conditions=@halyard/source', '--import', 'tsx']
  await run(process.execPath, [...node, 'packages/core/src/build/write-resource-lists.ts'], { cwd: copy })
  const { stdout } = await run(process.execPath, [...node, 'program.mts'], { cwd: copy })
  report = JSON.parse(stdout)
}, 120_000)

afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe.runIf(longTests)('an operation and a resource that were added by the recipes of CONTRIBUTING.md', () => {
  it('pass the type check', async () => {
    const tsc = path.join(root, 'node_modules/typescript-native/bin/tsc')
    const { stdout } = await run(process.execPath, [tsc, '-p', '.'], { cwd: copy }).catch((error) => error)
    expect(stdout, 'correct the recipe in CONTRIBUTING.md that declares the file of each error').toBe('')
  }, 120_000)

  it('can be called in process and over fetch', () => {
    expect(report.operations).toEqual(expect.arrayContaining(['countTeamMembers', 'createNotice', 'getNotice']))
    expect(report.inProcess).toEqual({ count: 0 })
    expect(report.created).toEqual({ key: 'a', text: 'A' })
    expect(report.overFetch).toEqual({ status: 200, body: { key: 'a', text: 'A' } })
  })

  it('are in the same generated lists for every module loader, although their lines are not in the order of names', async () => {
    const lists = path.join(copy, 'packages/core/src/build/resource-lists.ts')
    const { resourceLists, sourceFolder } = (await import(lists)) as typeof ResourceLists
    const stale = (await resourceLists()).filter(
      ({ path: file, text }) => readFileSync(path.join(sourceFolder, file), 'utf8') !== text,
    )
    expect(stale.map(({ path: file }) => file)).toEqual([])
  }, 120_000)

  it('can be imported by their names, for engines of chosen operations', () => {
    expect(report.exported).toBe('countTeamMembers')
  })

  it('are documented with their tag and parameters', () => {
    expect(report.tag).toEqual({ name: 'Notices', description: 'Notices that the console shows to all members.' })
    const { countTeamMembers, getNotice } = report.documented
    expect(countTeamMembers?.tags).toEqual(['Teams'])
    expect(countTeamMembers?.parameters).toMatchObject([{ name: 'teamKey', description: 'Key of the team.' }])
    expect(getNotice?.tags).toEqual(['Notices'])
    expect(getNotice?.parameters).toMatchObject([{ name: 'noticeKey', description: 'Key of the notice.' }])
  })

  it('are known to policies and to back-ups', () => {
    expect(report.actions).toEqual(['viewNotice', 'createNotice', 'updateNotice', 'deleteNotice'])
    expect(report.refused).toBe(403)
    expect(report.stored).toBe(true)
  })
})
