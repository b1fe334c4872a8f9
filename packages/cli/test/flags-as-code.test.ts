import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { killChildren } from '../../../test/processes/child.ts'
import { halyardFile, type ServedEngine, serveHalyard } from '../../../test/processes/served-engine.ts'
import { bundledProgram } from '../../../test/setup/bundled-program.ts'
import { longTests } from '../../../test/setup/long-tests.ts'
import { runCli } from '../src/run-cli.ts'
import { capturedTerminal } from './captured-terminal.ts'
import { editedFile, generatedParts } from './generated-flags.ts'

const token = 'api-flags-as-code-0001'
const folder = mkdtempSync(path.join(tmpdir(), 'halyard-flags-'))
let server: ServedEngine
let projects = 0

beforeAll(async () => {
  server = await serveHalyard(bundledProgram(halyardFile), 'memory', token, ['--rate-limit', 'off'])
}, 120_000)
afterEach(() => {
  process.exitCode = 0
})
afterAll(async () => {
  await killChildren()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a command against a server. */
async function run(args: readonly string[], address = server.address) {
  const captured = capturedTerminal()
  const code = await runCli([...args, '--url', address, '--token', token], captured.terminal)
  return { code, out: captured.out(), err: captured.err() }
}

/** Creates a project, and returns its key and the file that `pull` prints for it. */
async function newProject(at = server): Promise<{ readonly key: string; readonly text: string }> {
  const key = `p${++projects}`
  await at.send('POST', '/api/v2/projects', { body: { key, name: key } })
  return { key, text: (await run(['pull', '--project', key], at.address)).out }
}

/** Writes a file and returns its path. */
function fileWith(text: string): string {
  const file = path.join(folder, `${projects}.yaml`)
  writeFileSync(file, text)
  return file
}

describe('a generated project', () => {
  it('needs no further changes after an apply, and is pulled byte for byte as it was applied', async () => {
    await fc.assert(
      fc.asyncProperty(generatedParts, generatedParts, async (first, second) => {
        const { key, text } = await newProject()
        for (const parts of [first, second]) {
          const edited = editedFile(text, parts)
          const file = fileWith(edited)
          const applied = await run(['apply', file, '--prune'])
          expect(applied).toMatchObject({ code: 0, err: '' })
          expect((await run(['pull', '--project', key])).out).toBe(edited)
          expect(await run(['plan', file])).toMatchObject({ code: 0, out: 'no changes\n' })
          expect(await run(['drift', file])).toMatchObject({ code: 0 })
        }
      }),
      { numRuns: longTests ? 1000 : 12, seed: Number(process.env.HALYARD_TEST_SEED ?? 20_240_229) },
    )
  }, 3_600_000)
})

/** A file with a flag more than the project of another file. */
function withFlag(text: string, flagKey: string, name = flagKey): string {
  const file = parse(text)
  const flag = {
    name,
    temporary: true,
    variations: [{ value: true }, { value: false }],
    defaults: { offVariation: 1, onVariation: 0 },
    clientSideAvailability: { usingEnvironmentId: false, usingMobileKey: true },
    environments: {},
  }
  return stringify({ ...file, flags: { ...file.flags, [flagKey]: flag } })
}

describe('the commands', () => {
  it('end with exit code 3 and the name of the flag after a change between plan and apply', async () => {
    const { key, text } = await newProject()
    const file = fileWith(withFlag(text, 'checkout'))
    expect(await run(['apply', file])).toMatchObject({ code: 0 })
    writeFileSync(file, withFlag(withFlag(text, 'search'), 'checkout', 'Cashier'))
    const plan = path.join(folder, 'plan.json')
    expect(await run(['plan', file, '--out', plan])).toMatchObject({ code: 0 })
    const body = [{ op: 'replace', path: '/name', value: 'Till' }]
    await server.send('PATCH', `/api/v2/flags/${key}/checkout`, { body })
    const refused = await run(['apply', file, '--plan', plan])
    expect(refused.code).toBe(3)
    expect(refused.err).toContain('another call has changed flag checkout since the plan')
    const { body: listed } = await server.send('GET', `/api/v2/flags/${key}`)
    expect(listed).toMatchObject({ items: [{ key: 'checkout', name: 'Till' }] })
  })

  it('end with exit code 2 when the project differs from the file, and print the difference', async () => {
    const { text } = await newProject()
    const file = fileWith(withFlag(text, 'checkout'))
    const drift = await run(['drift', file])
    expect(drift.code).toBe(2)
    expect(drift.out).toContain('flag checkout\n  created')
  })

  it('list the contexts that would get another variation by a plan, from the contexts of SDKs or of a file', async () => {
    const { key, text } = await newProject()
    const file = fileWith(withFlag(text, 'checkout'))
    expect(await run(['apply', file])).toMatchObject({ code: 0 })
    const pulled = (await run(['pull', '--project', key])).out
    writeFileSync(file, pulled.replace(/(production:\n\s+on: )false/, '$1true'))
    const environment = await server.send('GET', `/api/v2/projects/${key}/environments/production`)
    const { _id } = environment.body as { readonly _id: string }
    const context = Buffer.from('{"kind":"user","key":"ann"}').toString('base64url')
    expect((await fetch(`${server.address}/sdk/evalx/${_id}/contexts/${context}`)).status).toBe(200)
    const planned = await run(['plan', file])
    expect(planned.out).toContain(
      'flag checkout in production: 1 of 1 contexts would get another variation\n  user ann: ',
    )
    const contexts = path.join(folder, 'contexts.ndjson')
    writeFileSync(contexts, '{"kind":"user","key":"bob"}\n{"kind":"user","key":"eve"}\n')
    expect((await run(['plan', file, '--contexts', contexts])).out).toContain('2 of 2 contexts')
  })

  it('change nothing in a dry run', async () => {
    const { key, text } = await newProject()
    expect(await run(['apply', fileWith(withFlag(text, 'checkout')), '--dry-run'])).toMatchObject({ code: 0 })
    expect((await run(['pull', '--project', key])).out).toBe(text)
  })

  it('pull a project into a file, and keep its comments', async () => {
    const { key, text } = await newProject()
    const file = fileWith(`# Ours.\n${text}`)
    await server.send('POST', `/api/v2/flags/${key}`, { body: { key: 'checkout', name: 'Checkout' } })
    expect(await run(['pull', file])).toMatchObject({ code: 0, out: '' })
    const pulled = readFileSync(file, 'utf8')
    expect(pulled.startsWith('# Ours.\n')).toBe(true)
    expect(Object.keys(parse(pulled).flags)).toEqual(['checkout'])
  })

  it('pull a project into a TypeScript module, and plan and apply it', async () => {
    const { key } = await newProject()
    // A process runs a module once, so each content has a file of its own.
    const [pulled, edited, wrong] = ['a', 'b', 'c'].map((name) => path.join(folder, `${key}-${name}.ts`)) as [
      string,
      string,
      string,
    ]
    expect(await run(['pull', pulled, '--project', key])).toMatchObject({ code: 0, out: '' })
    const text = readFileSync(pulled, 'utf8')
    expect(text).toContain('export const project = {')
    expect(await run(['plan', pulled])).toEqual({ code: 0, out: 'no changes\n', err: '' })
    writeFileSync(edited, `// Ours.\n${text.replace(`"name": "${key}"`, '"name": "Shop"')}`)
    expect(await run(['apply', edited])).toMatchObject({ code: 0, err: '' })
    expect(await run(['pull', edited])).toMatchObject({ code: 0, out: '' })
    expect(readFileSync(edited, 'utf8')).toContain('// Ours.')
    expect((await server.send('GET', `/api/v2/projects/${key}`)).body).toMatchObject({ name: 'Shop' })
    writeFileSync(wrong, 'export const project = { version: 2 }')
    const refused = await run(['plan', wrong])
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('version')])
  })

  it('request the approval of a plan with --request-approval', async () => {
    const { key, text } = await newProject()
    const file = fileWith(withFlag(text, 'checkout'))
    expect(await run(['apply', file])).toMatchObject({ code: 0 })
    const body = [{ op: 'replace', path: '/approvalSettings/required', value: true }]
    await server.send('PATCH', `/api/v2/projects/${key}/environments/production`, { body })
    const pulled = (await run(['pull', '--project', key])).out
    writeFileSync(file, pulled.replace(/(production:\n\s+on: )false/, '$1true'))
    expect((await run(['apply', file])).code).toBe(3)
    const requested = await run(['apply', file, '--request-approval'])
    expect(requested).toMatchObject({ code: 0 })
    const [, id] = /approval requested: (\S+)/.exec(requested.err) ?? []
    expect((await server.send('GET', `/api/v2/approval-requests/${id}`)).body).toMatchObject({
      resourceId: `proj/${key}`,
      status: 'pending',
    })
    expect((await run(['pull', '--project', key])).out).toBe(pulled)
  })

  it.each([
    ['a property that a file does not have', 'flags: { a: { color: red } }\n', 'flags.a'],
    ['text that is not YAML', 'flags: [\n', 'line'],
  ])('end with exit code 2 for %s, and name it', async (_, text, named) => {
    const refused = await run(['plan', fileWith(`version: 1\nproject: p1\n${text}`)])
    expect(refused.code).toBe(2)
    expect(refused.err).toContain(named)
  })
})

describe('a server that is killed during apply', () => {
  const kills = longTests ? 100 : 2

  it(
    'leaves all changes or none',
    async () => {
      const storage = `sqlite:${path.join(folder, 'killed.db')}`
      const program = bundledProgram(halyardFile)
      let killed = await serveHalyard(program, storage, token, ['--rate-limit', 'off'])
      const { key, text } = await newProject(killed)
      const outcomes = { all: 0, none: 0 }
      let before = text
      for (let round = 0; round < kills; round++) {
        const edited = Array.from({ length: 40 }, (_, index) => `r${round}-${index}`).reduce(
          (file, flagKey) => withFlag(file, flagKey),
          before,
        )
        const plan = path.join(folder, 'killed.json')
        const file = fileWith(edited)
        expect(await run(['plan', file, '--out', plan], killed.address)).toMatchObject({ code: 0 })
        const applying = run(['apply', file, '--plan', plan], killed.address)
        await delay(Math.random() * 150)
        await killed.kill()
        const { code } = await applying
        killed = await serveHalyard(program, storage, token, ['--rate-limit', 'off'])
        const after = (await run(['pull', '--project', key], killed.address)).out
        const keys = Object.keys(parse(after).flags ?? {})
        const added = keys.filter((each) => each.startsWith(`r${round}-`)).length
        expect([0, 40]).toContain(added)
        if (code === 0) expect(added).toBe(40)
        outcomes[added === 40 ? 'all' : 'none']++
        before = after
        await run(['apply', fileWith(text), '--prune'], killed.address)
        before = text
      }
      console.log(`${kills} kills: ${outcomes.all} times all, ${outcomes.none} times none`)
    },
    kills * 30_000,
  )
})
