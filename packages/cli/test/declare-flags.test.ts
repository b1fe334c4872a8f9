import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { runCli } from '../src/run-cli.ts'
import { halyard, temporaryFolder } from './halyard-process.ts'

const token = 'an-administrator-of-tests'

async function startServer() {
  const running = halyard(['serve', '--port', '0', '--storage', 'memory'], { HALYARD_TOKEN: token })
  const [, url] = await running.printed(/Halyard serves (\S+) /)
  const headers = { authorization: token, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}/api/v2/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(response.status).toBe(201)
  }
  await post('projects', { key: 'shop', name: 'Shop' })
  return { url: url as string, create: (body: object) => post('flags/shop', body) }
}

/** Runs `halyard types` in this process. */
async function types(...args: string[]) {
  const output = { out: '', err: '' }
  const collect = (name: keyof typeof output) =>
    new Writable({
      write(chunk, _, done) {
        output[name] += String(chunk)
        done()
      },
    })
  const { signal } = new AbortController()
  const code = await runCli(['types', ...args], { env: {}, stdout: collect('out'), stderr: collect('err'), signal })
  return { code, ...output }
}

it('the command declares the flags of a running engine, and reports a file that is not up to date', async () => {
  const { url, create } = await startServer()
  // More than one page of flags.
  const keys = Array.from({ length: 120 }, (_, index) => `flag-${String(index).padStart(3, '0')}`)
  await Promise.all(keys.map((key) => create({ key, name: 'A flag' })))
  await create({ key: 'theme', name: 'Theme', variations: [{ value: 'light' }, { value: 'dark' }] })
  const folder = temporaryFolder()
  const out = path.join(folder, 'flags.d.ts')
  const source = ['--project', 'shop', '--url', url, '--token', token]
  expect(await types(...source, '--out', out, '--check')).toEqual({
    code: 1,
    out: '',
    err: `halyard: ${out} does not exist\n`,
  })
  expect(await types(...source, '--out', out)).toEqual({ code: 0, out: '', err: `wrote ${out}\n` })
  const text = readFileSync(out, 'utf8')
  expect([...text.matchAll(/^ {2}'?([\w-]+)'?: (.*)$/gm)].map(([, key, type]) => [key, type])).toEqual([
    ...keys.map((key) => [key, 'boolean']),
    ['theme', "'light' | 'dark'"],
  ])
  expect(text).toContain("declare module '@halyard/core' {\n  interface FlagTypes extends Flags {}\n}")
  expect(await types(...source)).toEqual({ code: 0, out: text, err: '' })
  writeFileSync(out, text.replaceAll('\n', '\r\n'))
  expect(await types(...source, '--out', out, '--check')).toEqual({ code: 0, out: '', err: '' })

  await create({ key: 'one-more', name: 'One more' })
  expect(await types(...source, '--out', out, '--check')).toEqual({
    code: 1,
    out: '',
    err: `halyard: ${out} is not up to date: run halyard types again\n`,
  })
  expect(readFileSync(out, 'utf8')).toBe(text.replaceAll('\n', '\r\n'))
  expect(readdirSync(folder)).toEqual(['flags.d.ts'])

  const unknownProject = await types(...source, '--project', 'nowhere', '--out', path.join(folder, 'none.d.ts'))
  expect(unknownProject).toEqual({ code: 1, out: '', err: 'halyard: 404 Invalid resource identifier\n' })
  expect(existsSync(path.join(folder, 'none.d.ts'))).toBe(false)
  const unwritable = path.join(folder, 'no', 'flags.d.ts')
  expect((await types(...source, '--out', unwritable)).err).toBe(`halyard: cannot write ${unwritable}: ENOENT\n`)
})

it.each([
  [['--check'], '--check needs --out'],
  [['--for', 'react'], '--for must be none, or a list of engine, openfeature, not "react"'],
  [
    ['--for', 'openfeature', '--out', 'flags.ts'],
    '--for openfeature: --out must name a declaration file, such as flags.d.ts',
  ],
  [['extra'], '"extra" is not an option; options begin with --'],
])('the command refuses the arguments %j with one line', async (args, message) => {
  expect(await types('--storage', 'memory', ...args)).toEqual({ code: 1, out: '', err: `halyard: ${message}\n` })
})
