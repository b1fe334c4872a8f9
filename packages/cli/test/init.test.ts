import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inProcess } from '../../../test/frameworks/run-commands.ts'
import { root } from '../../../test/root.ts'
import { longTests } from '../../../test/setup/long-tests.ts'
import { runCli } from '../src/run-cli.ts'
import { capturedTerminal } from './captured-terminal.ts'
import { followReport } from './first-flag.ts'
import { temporaryFolder } from './halyard-process.ts'
import { type NewApplication, newApplications, writeNewApplication } from './new-applications.ts'

const names = Object.keys(newApplications) as NewApplication[]

/** Applications that are started in each run; long runs start all of them. */
const startedAlways: readonly NewApplication[] = ['express-modules', 'next']

/** Runs `halyard init` in this process. */
async function init(folder: string, ...options: string[]) {
  const { terminal, out, err } = capturedTerminal()
  const code = await runCli(['init', folder, ...options], { ...terminal, env: process.env })
  return { code, out: out(), err: err() }
}

function newApplication(name: NewApplication, files: Readonly<Record<string, string>> = {}): string {
  const folder = path.join(temporaryFolder(), name)
  writeNewApplication(name, folder)
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text)
  return folder
}

/** Returns all files of a folder with their texts. */
function textsIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const texts = files
    .filter((file) => statSync(path.join(folder, file)).isFile())
    .map((file) => [file.replaceAll(path.sep, '/'), readFileSync(path.join(folder, file), 'utf8')])
  return Object.fromEntries(texts)
}

describe.each(names)('init of a new application of %s', (name) => {
  it('changes nothing with --dry-run, and prints the changes that it would make', async () => {
    const folder = newApplication(name)
    const { code, out } = await init(folder, '--dry-run')
    expect(code).toBe(0)
    expect(out).toMatch(/^Nothing is changed/)
    expect(textsIn(folder)).toEqual(newApplications[name])
    const { out: done } = await init(folder, '--skip-install')
    const changed = Object.keys(textsIn(folder)).filter((file) => textsIn(folder)[file] !== newApplications[name][file])
    expect(changed).toHaveLength(2)
    for (const file of changed)
      expect([out, done]).toEqual([expect.stringContaining(file), expect.stringContaining(file)])
  })

  it('refuses to write a file that exists, and changes nothing', async () => {
    const folder = newApplication(name)
    await init(folder, '--skip-install')
    const before = textsIn(folder)
    const { code, err } = await init(folder, '--skip-install')
    expect([code, err]).toEqual([1, expect.stringMatching(/halyard\.(js|ts) exists already; nothing was changed/)])
    expect(textsIn(folder)).toEqual(before)
  })
})

// Sources run unbuilt as ES modules only, so the application of CommonJS is not started.
it.each(names.filter((name) => (longTests ? name !== 'express' : startedAlways.includes(name))))(
  'init adds an engine to a new application of %s, and the commands that it prints turn a flag on',
  async (name) => {
    // The folder is inside the repository, so that the application finds the packages that are installed there.
    const parent = mkdtempSync(path.join(root, '.halyard-init-'))
    onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
    const folder = path.join(parent, name)
    writeNewApplication(name, folder)
    writeFileSync(path.join(folder, 'package-lock.json'), '{}')
    const { code, out, err } = await init(folder, '--skip-install')
    expect([code, err]).toEqual([0, ''])
    if (name === 'next') serveRoutesInsteadOfNext(folder)
    const nodeOptions = `--conditions=@halyard/source --import ${path.join(root, 'node_modules/tsx/dist/loader.mjs')}`
    const env = { NODE_OPTIONS: nodeOptions }
    const printed = await followReport(out, inProcess, { cwd: folder, env })
    expect(printed).toMatch(/^true \(FALLTHROUGH\)$/m)
  },
)

/** Replaces Next, which is not among the installed packages: passes requests to the function that it would call. */
function serveRoutesInsteadOfNext(folder: string): void {
  const text = `import { serve } from '@hono/node-server'
import * as route from './app/features/[...path]/route.ts'

const home = () => new Response('the shop')
const fetch = (request: Request) => (new URL(request.url).pathname === '/' ? home() : route[request.method](request))
serve({ fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
`
  writeFileSync(path.join(folder, 'serve.ts'), text)
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ ...manifest, type: 'module', scripts: { dev: 'tsx serve.ts' } }),
  )
}

describe('init', () => {
  it.each([
    ['pnpm', { 'pnpm-lock.yaml': '' }],
    ['yarn', { 'yarn.lock': '' }],
    ['bun', { 'bun.lock': '' }],
    ['npm', { 'package-lock.json': '{}' }],
  ])('installs packages with %s when its lock file exists', async (manager, files) => {
    const { out } = await init(newApplication('hono', files), '--dry-run', '--skip-install')
    expect(out).toContain(`\n  ${manager} ${manager === 'npm' ? 'install' : 'add'} `)
    expect(out).toMatch(/@halyard\/core@\^\d+\.\d+\.\d+ .*@halyard\/transport-fetch@\^\d.* libsql@\^\d/)
  })

  it.each([
    [
      'after the call that creates the server, in lines of its own',
      'new Hono<{ Variables: { user: string } }>({\n  strict: false, // (once)\n})',
      0,
    ],
    ['nowhere in a chain of calls', "new Hono().get('/', (c) => c.text('the shop'))", 1],
  ])('mounts the engine %s', async (_, creation, expected) => {
    const text = newApplications.hono['src/index.ts']?.replace('new Hono()', creation) as string
    const folder = newApplication('hono', { 'src/index.ts': text })
    const { code, err } = await init(folder, '--skip-install', '--path', 'flags/of/shop/')
    expect(code, err).toBe(expected)
    const after = readFileSync(path.join(folder, 'src/index.ts'), 'utf8')
    if (expected === 0) expect(after).toContain(`${creation}\napp.mount('/flags/of/shop', features)\n`)
    else expect([after, existsSync(path.join(folder, 'src/halyard.ts'))]).toEqual([text, false])
  })

  it('keeps the CRLF line ends of a file', async () => {
    const text = newApplications.express['app.js']?.replaceAll('\n', '\r\n') as string
    const folder = newApplication('express', { 'app.js': text })
    await init(folder, '--skip-install')
    expect(readFileSync(path.join(folder, 'app.js'), 'utf8').replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })

  it('changes nothing when the packages cannot be installed', async () => {
    const folder = newApplication('express', {
      'package.json': '{ "dependencies": { "express": "5" }, "packageManager": "pnpm@10" }',
    })
    const before = textsIn(folder)
    const { terminal, err } = capturedTerminal()
    expect(await runCli(['init', folder], { ...terminal, env: { PATH: '/nowhere' } })).toBe(1)
    expect(err()).toMatch(/pnpm could not install the packages; nothing else was changed/)
    expect(textsIn(folder)).toEqual(before)
  })

  it.each([
    ['a folder without package.json', 'hono', { 'package.json': 'none' }, [], 1, 'package.json cannot be read'],
    [
      'an application of no framework',
      'hono',
      { 'package.json': '{}' },
      [],
      2,
      'depends on none of next, @nestjs/core, hono, express',
    ],
    [
      'one of two frameworks',
      'hono',
      { 'package.json': '{ "dependencies": { "hono": "4", "express": "5" } }' },
      [],
      2,
      'name one by --framework',
    ],
    ['an unknown framework', 'hono', {}, ['--framework', 'koa'], 2, 'must be one of next, nest, hono, express'],
    ['a path with other characters', 'hono', {}, ['--path', "/it's"], 2, '--path must be a path such as /features'],
    [
      'an application whose files create no server',
      'hono',
      { 'src/index.ts': 'export {}' },
      [],
      1,
      'in app, index, server or main (.ts, .mts, .js, .mjs or .cjs) in src or beside package.json; name the file',
    ],
    [
      'a file without a server',
      'hono',
      {},
      ['--entry', 'tsconfig.json'],
      1,
      'in tsconfig.json; name the file with --entry',
    ],
  ] as const)('refuses %s', async (_, name, files, options, expected, message) => {
    const { code, err } = await init(newApplication(name, files), '--skip-install', ...options)
    expect([code, err]).toEqual([expected, expect.stringContaining(message)])
  })
})
