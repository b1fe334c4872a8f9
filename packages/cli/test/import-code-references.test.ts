import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { runCli } from '../src/run-cli.ts'
import { halyard, temporaryFolder } from './halyard-process.ts'

const token = 'an-administrator-of-tests'
const demo = path.resolve(import.meta.dirname, '../src/demo/code-references.json')
const header = 'flagKey,projKey,path,startingLineNumber,lines,aliases,contentHash\n'

async function startServer() {
  const running = halyard(['serve', '--port', '0', '--storage', 'memory'], { HALYARD_TOKEN: token })
  const [, url] = await running.printed(/Halyard serves (\S+) /)
  return url as string
}

async function request<T>(url: string, path: string): Promise<T> {
  const response = await fetch(`${url}/api/v2/code-refs/${path}`, { headers: { authorization: token } })
  return (await response.json()) as T
}

interface Entry {
  readonly name: string
  readonly hunkCount: number
  readonly fileCount: number
  readonly latestCommitTime?: string
}

const statisticsAt = async (url: string) =>
  (await request<{ flags: Record<string, Entry[]> }>(url, 'statistics/web?includeUnknownFlags=true')).flags

interface Output {
  out: string
  err: string
}

/** Runs an import in this process; `onError` is called after each write to standard error. */
async function run(url: string, file: string, signal = new AbortController().signal, onError = () => {}) {
  const output: Output = { out: '', err: '' }
  const collect = (name: keyof Output, afterWrite = () => {}) =>
    new Writable({
      write(chunk, _, done) {
        output[name] += String(chunk)
        afterWrite()
        done()
      },
    })
  const args = ['import', 'code-references', file, '--url', url, '--token', token, '--project', 'web']
  const terminal = { env: {}, stdout: collect('out'), stderr: collect('err', onError), signal }
  return { code: await runCli(args, terminal), ...output }
}

it('the command imports code references, and a second import replaces the code references of the first', async () => {
  const file = path.join(temporaryFolder(), 'references.json')
  const references = (lines: number[]) => ({
    repository: 'acme/shop',
    commit: 'f00',
    committedAtMs: 1_700_000_000_000,
    references: [
      {
        flagKey: 'checkout',
        files: [
          { path: 'src/cart.ts', lines },
          { path: 'src/pay.ts', lines: [3] },
        ],
      },
      { flagKey: 'search', files: [{ path: 'src/cart.ts', lines: [9] }] },
    ],
  })
  const url = await startServer()
  writeFileSync(file, JSON.stringify(references([1, 5])))
  expect(await run(url, file)).toMatchObject({ code: 0, out: '2 flags, 2 files, 4 lines\n' })
  expect((await statisticsAt(url)).checkout).toMatchObject([{ name: 'acme/shop', hunkCount: 3, fileCount: 2 }])
  writeFileSync(file, JSON.stringify(references([1])))
  await run(url, file)
  const { checkout, search } = await statisticsAt(url)
  expect(checkout).toMatchObject([{ hunkCount: 2, fileCount: 2 }])
  expect(search).toMatchObject([{ hunkCount: 1, fileCount: 1, latestCommitTime: '1700000000000' }])
})

it('the command imports each line of the references of a real project', async () => {
  const url = await startServer()
  const { references } = JSON.parse(readFileSync(demo, 'utf8')) as {
    references: { flagKey: string; files: { path: string; lines: number[] }[] }[]
  }
  const flat = references.flatMap(({ flagKey, files }) =>
    files.flatMap(({ path: file, lines }) => lines.map((line) => [flagKey, file, line] as const)),
  )
  const paths = new Set(flat.map(([, file]) => file))
  expect([references.length, paths.size, flat.length]).toEqual([68, 239, 871])
  expect(await run(url, demo)).toMatchObject({ code: 0, out: '68 flags, 239 files, 871 lines\n' })

  const expected = Object.fromEntries(
    references.map(({ flagKey }) => {
      const counts = flat.filter(([key]) => key === flagKey)
      return [flagKey, [counts.length, new Set(counts.map(([, file]) => file)).size]]
    }),
  )
  const counts = Object.entries(await statisticsAt(url)).map(([flagKey, [entry]]) => [
    flagKey,
    [entry?.hunkCount, entry?.fileCount],
  ])
  expect(Object.fromEntries(counts)).toEqual(expected)
  const branch = await request<{
    references: { path: string; hunks: { flagKey: string; startingLineNumber: number }[] }[]
  }>(url, 'repositories/Unleash%2Funleash/branches/main')
  const stored = branch.references.flatMap((file) =>
    file.hunks.map((hunk) => `${hunk.flagKey} ${file.path} ${hunk.startingLineNumber}`),
  )
  expect(stored.sort()).toEqual(flat.map((hunk) => hunk.join(' ')).sort())
})

it('the command imports the CSV file of a scanner into the default branch of the repository', async () => {
  const url = await startServer()
  const headers = { authorization: token, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'my_shop', defaultBranch: 'trunk' })
  await fetch(`${url}/api/v2/code-refs/repositories`, { method: 'POST', headers, body })
  const file = path.join(temporaryFolder(), 'coderefs_default_my_shop_3af01c2.csv')
  const rows = [
    'checkout,default,src/cart.ts,7,"if (on(""checkout"")) {\n  pay()",isOn is_checkout,9c1185',
    'checkout,default,src/cart.ts,30,,,',
    'search,default,"src/a,b.ts",1,x,,0beec7',
    'not a key,default,src/cart.ts,1,,,',
    'search,default,src/cart.ts,first,,,',
    'search,default,,1,,,',
    'search,default',
  ]
  writeFileSync(file, `${header}${rows.join('\n')}\n`)
  const { code, out, err } = await run(url, file)
  expect({ code, out }).toEqual({ code: 0, out: '2 flags, 2 files, 3 lines; 4 skipped\n' })
  for (const message of [
    'line 6: flagKey must be a key; skipped',
    'line 7: startingLineNumber must be an integer from 0 to 999999999; skipped',
    'line 8: path must not be empty; skipped',
    'line 9: must have as many fields as the header; skipped',
  ])
    expect(err).toContain(message)
  const branch = await request<{ head: string; references: unknown }>(url, 'repositories/my_shop/branches/trunk')
  expect(branch.head).toBe('3af01c2')
  const flagRef = { projKey: 'web', flagKey: 'checkout' }
  expect(branch.references).toEqual([
    {
      path: 'src/cart.ts',
      hunks: [
        {
          ...flagRef,
          startingLineNumber: 7,
          lines: 'if (on("checkout")) {\n  pay()',
          aliases: ['isOn', 'is_checkout'],
          contentHash: '9c1185',
        },
        { ...flagRef, startingLineNumber: 30 },
      ],
    },
    {
      path: 'src/a,b.ts',
      hunks: [{ projKey: 'web', flagKey: 'search', startingLineNumber: 1, lines: 'x', contentHash: '0beec7' }],
    },
  ])
  expect(Object.keys(await statisticsAt(url)).sort()).toEqual(['checkout', 'search'])
})

it('the command shows progress, and changes nothing when it is interrupted', async () => {
  const url = await startServer()
  // The project in the file name is empty when a scanner has several.
  const file = path.join(temporaryFolder(), 'coderefs__shop_3af01c2.csv')
  const rows = Array.from({ length: 20_000 }, (_, i) => `flag-${i % 100},default,src/file-${i % 900}.ts,${i},,,\n`)
  writeFileSync(file, header + rows.join(''))
  const stop = new AbortController()
  const interrupted = await run(url, file, stop.signal, () => stop.abort())
  expect(interrupted).toMatchObject({ code: 130, out: '' })
  expect(interrupted.err).toMatch(/^bytes: \d+ of \d+\n/)
  expect(interrupted.err).toContain('halyard: interrupted; nothing was changed\n')
  expect(await statisticsAt(url)).toEqual({})

  const complete = await run(url, file)
  expect(complete).toMatchObject({ code: 0, out: '100 flags, 900 files, 20000 lines\n' })
  expect(complete.err.match(/^bytes: \d+ of \d+$/gm)?.length).toBeGreaterThanOrEqual(9)
  expect((await statisticsAt(url))['flag-7']).toMatchObject([{ name: 'shop', hunkCount: 200, fileCount: 9 }])
})

it.each([
  ['references.csv', header, 'must be named coderefs_<project>_<repository>_<commit>.csv'],
  ['coderefs_web_shop_3af01c2.csv', 'flagKey,path\n', 'the header line lacks projKey, startingLineNumber'],
  ['references.json', '{"repository": 1}', 'repository is invalid'],
  ['references.json', '{', 'is not valid JSON'],
])('the command names the invalid property in the file %s with the content %j', async (name, text, message) => {
  const file = path.join(temporaryFolder(), name)
  writeFileSync(file, text)
  const running = halyard(['import', 'code-references', file, '--storage', 'memory'])
  expect(await running.ended).toBe(1)
  expect(running.err()).toContain(message)
})
