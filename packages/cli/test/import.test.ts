import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { emptyStorage, halyard, temporaryFolder } from './halyard-process.ts'

const token = 'an-administrator-of-tests'

const csv = [
  'application,version,commit,authored_at_ms,committed_at_ms,released_at_ms,files_changed',
  'shop,v1.0,aaa,1000,2000,5000,1',
  'shop,v1.0,bbb,4000,3000,5000,1',
  'shop,v1.1,ccc,tomorrow,7000,9000,1',
  'shop,v1.1,ddd,6000,7000,9000',
  '"shop",v1.1,"e,e",6000,7000,9000,1',
  '',
].join('\n')

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const running = halyard(args, env)
  return { code: await running.ended, out: running.out(), err: running.err() }
}

async function startServer(storage: string) {
  const running = halyard(['serve', '--port', '0', '--storage', storage], { HALYARD_TOKEN: token })
  const [, url] = await running.printed(/Halyard serves (\S+) /)
  return { running, url: url as string }
}

async function request(url: string, path: string) {
  const headers = { authorization: token, 'SVC-API-Version': 'beta' }
  const response = await fetch(`${url}/api/v2/${path}`, { headers })
  return (await response.json()) as never
}

interface Chart {
  series: { metadata: { name: string; count: number }; data: { x: number; y: number }[] }[]
}

function total(chart: Chart, series: string): number {
  return chart.series.find((entry) => entry.metadata.name === series)?.metadata.count ?? 0
}

it('lead times are imported, invalid rows are reported with their lines, and a second import changes nothing', async () => {
  const folder = temporaryFolder()
  const storage = emptyStorage(folder)
  const file = path.join(folder, 'lead-times.csv')
  writeFileSync(file, csv)
  const args = ['import', 'lead-times', file, '--storage', storage, '--project', 'web']
  const first = await run(args)
  expect(first).toMatchObject({ code: 0, out: '3 added, 0 already present, 2 skipped; 2 releases\n' })
  expect(first.err).toContain('line 4: authored_at_ms must be Unix milliseconds; skipped')
  expect(first.err).toContain('line 5: must have as many fields as the header; skipped')
  expect(await run(args)).toMatchObject({ code: 0, out: '0 added, 3 already present, 2 skipped; 2 releases\n' })

  const { url } = await startServer(storage)
  const query = 'projectKey=web&environmentKey=production&from=0&to=10000&bucketType=hour'
  const chart = await request(url, `engineering-insights/charts/lead-time?${query}`)
  // In the second row the commit precedes the author date, so it has no coding stage, but a wait and a total.
  expect(total(chart, 'coding')).toBe(2)
  expect(total(chart, 'wait')).toBe(3)
  expect(total(chart, 'total')).toBe(3)
  const deployments = await request(url, 'engineering-insights/deployments?projectKey=web&environmentKey=production')
  expect((deployments as { items: unknown[] }).items).toHaveLength(2)
})

it('lead times are imported into a running engine over REST', async () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'lead-times.csv')
  writeFileSync(file, csv)
  const { url } = await startServer('memory')
  const remoteOptions = ['--url', url, '--token', token]
  expect(await run(['import', 'lead-times', file, ...remoteOptions])).toMatchObject({
    code: 0,
    out: '3 added, 0 already present, 2 skipped; 2 releases\n',
  })
  const failed = await run(['import', 'lead-times', file, '--url', url, '--token', 'not-the-right-token'])
  expect(failed.code).toBe(1)
  expect(failed.err).toContain('401')
  expect((await run(['import', 'lead-times', file, '--url', 'http://127.0.0.1:1', '--token', token])).err).toBe(
    'halyard: cannot connect to http://127.0.0.1:1\n',
  )
})

it('releases and the changes between them are read from a git repository', async () => {
  const repository = temporaryFolder()
  const git = (seconds: number, ...args: string[]) =>
    execFileSync('git', ['-C', repository, ...args], {
      env: {
        PATH: process.env.PATH,
        GIT_AUTHOR_NAME: 'A',
        GIT_AUTHOR_EMAIL: 'a@example.com',
        GIT_COMMITTER_NAME: 'A',
        GIT_COMMITTER_EMAIL: 'a@example.com',
        GIT_AUTHOR_DATE: `${seconds - 60} +0000`,
        GIT_COMMITTER_DATE: `${seconds} +0000`,
        GIT_CONFIG_GLOBAL: '/dev/null',
      },
    })
  git(0, 'init', '-q', '-b', 'main')
  const commit = (seconds: number) => git(seconds, 'commit', '-q', '--allow-empty', '-m', `at ${seconds}`)
  const start = Date.UTC(2024, 1, 28) / 1000
  commit(start)
  commit(start + 3600)
  git(start + 7200, 'tag', '-a', 'v1.0.0', '-m', 'first')
  commit(start + 10_000)
  git(start + 10_500, 'tag', '-a', 'v1.1.0-rc.1', '-m', 'not a release')
  commit(start + 11_000)
  git(start + 90_000, 'tag', '-a', 'v1.1.0', '-m', 'second')
  commit(start + 100_000)

  const storage = emptyStorage(temporaryFolder())
  const args = ['import', 'git', repository, '--storage', storage, '--application', 'shop', '--project', 'web']
  expect(await run(args)).toMatchObject({ code: 0, out: 'shop: 4 added, 0 already present, 0 skipped; 2 releases\n' })
  expect(await run(args)).toMatchObject({ code: 0, out: 'shop: 0 added, 4 already present, 0 skipped; 2 releases\n' })

  const { url } = await startServer(storage)
  const query = `projectKey=web&environmentKey=production&bucketType=day&groupBy=application`
  const range = `&from=${start * 1000}&to=${(start + 172_800) * 1000}`
  const chart = (await request(url, `engineering-insights/charts/lead-time?${query}${range}`)) as Chart
  // The changes of the first release were authored 60 s before `start` and 60 s before `start + 3600`. The mean is the
  // time from these to `start + 7200`. The mean of the second release is computed in the same way.
  const means = [(7260 + 3660) / 2, (80_060 + 79_060) / 2].map((seconds) => seconds * 1000)
  expect(chart.series.map((entry) => entry.metadata.name)).toEqual(['shop'])
  expect(chart.series[0]?.data.map((point) => point.y)).toEqual(means)
})

it('invalid input is refused with its reason', async () => {
  const folder = temporaryFolder()
  const storage = ['--storage', 'memory']
  expect((await run(['import', 'git', folder, ...storage])).err).toMatch(/^halyard: git .*not a git repository/)
  expect((await run(['import', 'lead-times', path.join(folder, 'none.csv'), ...storage])).err).toMatch(/ENOENT/)
  const file = path.join(folder, 'wrong.csv')
  writeFileSync(file, 'a,b\n1,2\n')
  expect((await run(['import', 'lead-times', file, ...storage])).err).toContain('the header line lacks application')
  writeFileSync(path.join(folder, 'wrong.json'), '{"repository": 1}')
  const json = await run(['import', 'code-references', path.join(folder, 'wrong.json'), ...storage])
  expect(json).toMatchObject({ code: 1 })
  expect(json.err).toContain('repository')
  expect((await run(['import', 'nonsense'])).code).toBe(2)
})

it('a big segment is filled from a file, in a storage or over REST', async () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'keys.csv')
  writeFileSync(file, `key\n${Array.from({ length: 12_000 }, (_, index) => `user-${index}\n`).join('')}`)
  const storage = emptyStorage(folder)
  const segmentOptions = ['--project', 'web', '--environment', 'production', '--segment', 'beta']
  const first = await run(['import', 'segment', file, ...segmentOptions, '--storage', storage])
  expect(first).toMatchObject({ code: 0, out: 'beta: 12000 keys merged\n' })
  expect(first.err).toMatch(/^bytes: \d+ of \d+\n/)

  const { url } = await startServer(storage)
  const remoteOptions = ['--url', url, '--token', token]
  writeFileSync(file, 'one\ntwo\n')
  const second = await run(['import', 'segment', file, ...segmentOptions, ...remoteOptions, '--mode', 'replace'])
  expect(second).toMatchObject({ code: 0, out: 'beta: 2 keys replaced the previous keys\n' })
  const segment = await request(url, 'segments/web/production/beta')
  expect(segment).toMatchObject({ unbounded: true, _unboundedMetadata: { includedCount: 2 } })
})

it('segments that an earlier import of flags created and that are no longer used are deleted, also over REST', async () => {
  const folder = temporaryFolder()
  const { url } = await startServer(emptyStorage(folder))
  const file = path.join(folder, 'features.json')
  const importedWith = (country: string) => {
    const rules = [{ force: true, condition: { country: { $nin: [country] } } }]
    writeFileSync(file, JSON.stringify({ features: { banner: { defaultValue: false, rules } } }))
    return run(['import', 'growthbook', file, '--compare', '0', '--project', 'web', '--url', url, '--token', token])
  }
  const keys = async () => {
    const { items } = (await request(url, 'segments/web/production')) as { items: { key: string }[] }
    return items.map(({ key }) => key)
  }
  expect((await importedWith('de')).code).toBe(0)
  const [first, ...rest] = await keys()
  expect([first, rest]).toEqual([expect.any(String), []])
  expect((await importedWith('fr')).out).toContain('unused segments: 1 deleted\n')
  expect(await keys()).toEqual([expect.not.stringMatching(first as string)])
})

it('errors of a segment import name the line that is not a key, and the option that is missing or invalid', async () => {
  const file = path.join(temporaryFolder(), 'keys.csv')
  const segmentOptions = ['--segment', 'beta', '--storage', 'memory']
  writeFileSync(file, 'one\ntwo,fields\n')
  const failed = await run(['import', 'segment', file, ...segmentOptions])
  expect(failed).toMatchObject({ code: 1, out: '' })
  expect(failed.err).toContain('line 2: must be one field')
  expect((await run(['import', 'segment', file])).err).toContain('--segment')
  expect((await run(['import', 'segment', file, ...segmentOptions, '--mode', 'append'])).err).toContain('--mode')
})
