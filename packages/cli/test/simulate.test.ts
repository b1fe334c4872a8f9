import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Writable } from 'node:stream'
import { createEngine } from '@halyard/core'
import { createSqliteStorage } from '@halyard/storage-sqlite'
import Database from 'libsql'
import { expect, it } from 'vitest'
import { runCli } from '../src/run-cli.ts'
import { halyard, temporaryFolder } from './halyard-process.ts'

/** Runs the command as a process of its own, which takes time to start. */
async function run(args: readonly string[]) {
  const running = halyard(args)
  return { code: await running.ended, out: running.out(), err: running.err() }
}

/** Runs the command in this process. */
async function runHere(args: readonly string[]) {
  const stream = () => {
    const pieces: string[] = []
    const write = (piece: Buffer, _: unknown, done: () => void) => {
      pieces.push(piece.toString())
      done()
    }
    return { stream: new Writable({ write }), text: () => pieces.join('') }
  }
  const [out, err] = [stream(), stream()]
  const terminal = { env: {}, stdout: out.stream, stderr: err.stream, signal: new AbortController().signal }
  return { code: await runCli(args, terminal), out: out.text(), err: err.text() }
}

const owner = { as: { role: 'owner' } } as const

/** Runs work with an engine on a SQLite file, and closes the engine. */
async function withEngine<T>(file: string, work: (engine: ReturnType<typeof createEngine>) => Promise<T>): Promise<T> {
  const database = new Database(file)
  const engine = createEngine({ storage: createSqliteStorage({ database }) })
  try {
    return await work(engine)
  } finally {
    await engine.close()
    database.close()
  }
}

const backUp = (file: string) =>
  withEngine(file, async (engine) => {
    let text = ''
    for await (const piece of engine.export({ secrets: true })) text += piece
    return text
  })

it('simulate prints the effect of a change, as a table or as JSON, and writes nothing', async () => {
  const database = path.join(temporaryFolder(), 'flags.db')
  await withEngine(database, async ({ api, migrate, bootstrap }) => {
    await migrate()
    await bootstrap()
    await api.createProject({ body: { key: 'web', name: 'Web' } }, owner)
    await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, owner)
    const defaultVariation = { key: 'short', name: 'Short' }
    await api.createAIConfig({ projectKey: 'web', body: { key: 'chat', name: 'Chat', defaultVariation } }, owner)
  })
  const before = await backUp(database)

  const folder = temporaryFolder()
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text)
    return path.join(folder, name)
  }
  const targetOptions = ['--storage', `sqlite:${database}`, '--project', 'web', '--environment', 'production']
  const flag = [...targetOptions, '--flag', 'checkout']
  const contexts = file('contexts.ndjson', '{"kind":"user","key":"ann"}\n\n{"kind":"org","key":"acme"}\n')
  const turnOn = file('on.json', '{"comment":"at last","instructions":[{"kind":"turnFlagOn"}]}')

  expect(await run(['simulate', ...flag, '--instructions', turnOn, '--contexts', contexts])).toEqual({
    code: 0,
    err: '',
    out: `flag checkout in web/production: 2 of 2 contexts change
  user ann  false (OFF)  ->  true (FALLTHROUGH)
  org acme  false (OFF)  ->  true (FALLTHROUGH)
needs updateOn on proj/web:env/production:flag/checkout
nothing was written
`,
  })

  const patch = file('patch.json', '[{"op":"replace","path":"/name","value":"Pay"}]')
  const json = await runHere(['simulate', ...flag, '--patch', patch, '--contexts', contexts, '--json'])
  expect(JSON.parse(json.out)).toMatchObject({ kind: 'flag', changed: 0, answer: { name: 'Pay' } })

  const model = file('model.json', '{"model":{"name":"large"}}')
  const config = [...targetOptions, '--ai-config', 'chat', '--variation', 'short', '--patch', model]
  expect(await runHere(['simulate', ...config, '--contexts', contexts])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^AI config chat in web\/production: 2 of 2 contexts change\n/),
  })

  const refused = file('refused.json', '[{"kind":"noSuchKind"}]')
  expect(await runHere(['simulate', ...flag, '--instructions', refused])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^halyard: validation failed: instructions\.0/),
  })
  const bad = file('bad.ndjson', '{"kind":"user","key":"ann"}\nann\n')
  expect(await runHere(['simulate', ...flag, '--instructions', turnOn, '--contexts', bad])).toMatchObject({
    code: 1,
    err: `halyard: --contexts ${bad}, line 2 is not JSON\n`,
  })
  expect(await backUp(database)).toBe(before)
}, 120_000)
