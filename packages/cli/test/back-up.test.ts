import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { emptyStorage, halyard, temporaryFolder } from './halyard-process.ts'

const token = 'an-administrator-of-tests'

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const running = halyard(args, env)
  return { code: await running.ended, out: running.out(), err: running.err() }
}

/** Returns a storage with data, in a folder. */
async function filledStorage(folder: string): Promise<string> {
  const storage = emptyStorage(folder)
  const file = path.join(folder, 'lead-times.csv')
  const heading = 'application,version,commit,authored_at_ms,committed_at_ms,released_at_ms,files_changed'
  writeFileSync(file, `${heading}\nshop,v1.0,aaa,1000,2000,5000,1\n`)
  expect((await run(['import', 'lead-times', file, '--storage', storage])).code).toBe(0)
  return storage
}

it('an exported account can be imported into another storage, whose export has the same bytes', async () => {
  const folder = temporaryFolder()
  const storage = await filledStorage(folder)
  const out = path.join(folder, 'back-up.ndjson')
  expect(await run(['export', '--storage', storage, '--secrets', '--out', out])).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringMatching(/wrote .*back-up\.ndjson\n$/),
  })
  expect(statSync(out).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([])

  const other = emptyStorage(folder, 'other')
  const imported = await run(['import', 'account', out, '--storage', other, '--account', 'second'])
  expect(imported).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d+ documents, \d+ members, \d+ samples, 0 tasks\n$/),
  })
  const again = await run(['export', '--storage', other, '--account', 'second', '--secrets'])
  expect(again.code).toBe(0)
  expect(again.out).toBe(readFileSync(out, 'utf8'))

  expect(await run(['import', 'account', out, '--storage', other, '--account', 'second'])).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/halyard: The account is not empty\n$/),
  })
}, 180_000)

/** Returns a storage that was served once, so that it has an administrator. */
async function servedStorage(folder: string): Promise<string> {
  const storage = emptyStorage(folder)
  const server = halyard(['serve', '--port', '0', '--storage', storage], { HALYARD_TOKEN: token })
  await server.printed(/Halyard serves (\S+) /)
  server.signal('SIGTERM')
  await server.ended
  return storage
}

it('an export without secrets is imported, and an invalid file is refused with the number of the invalid line', async () => {
  const folder = temporaryFolder()
  const storage = await servedStorage(folder)
  const other = emptyStorage(folder, 'other')
  const plain = await run(['export', '--storage', storage])
  expect(plain.out).not.toContain('apiKey":')
  const file = path.join(folder, 'plain.ndjson')
  writeFileSync(file, plain.out)
  const env = { HALYARD_TOKEN: token }
  const third = await run(['import', 'account', file, '--storage', other, '--account', 'third'], env)
  expect(third.out).toContain('not in the file: 1 credential, 1 token\n')
  expect(third.out).toContain(`shown once: ${token}\n`)

  const line = plain.out.split('\n')[1] as string
  writeFileSync(file, plain.out.replace(line, line.replace('"version":', '"varsion":')))
  expect(await run(['import', 'account', file, '--storage', other, '--account', 'fourth'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/halyard: validation failed: line 2 /),
  })
}, 180_000)

it('an interrupted import leaves nothing in the account', async () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'large.ndjson')
  const members = Array.from(
    { length: 400_000 },
    (_, index) => `{"kind":"member","name":"s","scope":"","member":"m${index}"}`,
  )
  writeFileSync(file, `{"format":"halyard","version":1,"secrets":false}\n${members.join('\n')}\n`)
  const storage = emptyStorage(folder)
  const importing = halyard(['import', 'account', file, '--storage', storage])
  while (!importing.err().includes('bytes: ')) await new Promise((resolve) => setImmediate(resolve))
  importing.signal('SIGINT')
  expect(await importing.ended).toBe(130)
  expect(importing.err()).toContain('halyard: interrupted; nothing was imported\n')
  const exported = await run(['export', '--storage', storage])
  expect(exported.out.split('\n')).toHaveLength(3)
}, 180_000)

it('export and import print an error as one line', async () => {
  const folder = temporaryFolder()
  const storage = emptyStorage(folder)
  const missing = await run(['import', 'account', `${folder}/no-file`, '--storage', storage])
  expect(missing).toEqual({ code: 1, out: '', err: `halyard: cannot read ${folder}/no-file: ENOENT\n` })
  const unwritable = await run(['export', '--storage', 'memory', '--out', `${folder}/no-folder/x`])
  expect(unwritable.code).toBe(1)
  expect(unwritable.err).toMatch(/^halyard: cannot write .*: ENOENT\n$/)
  expect((await run(['export', 'file', '--storage', 'memory'])).err).toBe(
    'halyard: the file name must be given with --out\n',
  )
}, 180_000)
