import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { halyard, temporaryFolder } from './halyard-process.ts'

const token = 'an-administrator-of-tests'
const hour = 3_600_000

/** Starts a server with one change that took 36 hours and reached production on 3 March 2026. */
async function startServer(): Promise<string> {
  const running = halyard(['serve', '--port', '0', '--storage', 'memory'], { HALYARD_TOKEN: token })
  const [, url] = await running.printed(/Halyard serves (\S+) /)
  const headers = { authorization: token, 'content-type': 'application/json', 'SVC-API-Version': 'beta' }
  const post = (path: string, body: object) =>
    fetch(`${url}/api/v2/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  await post('projects', { key: 'web', name: 'Web' })
  const deployedAt = Date.UTC(2026, 2, 3, 12)
  const times = { startedAt: deployedAt - 36 * hour, mergedAt: deployedAt - hour, deployedAt }
  const samples = [{ externalId: 'a', applicationKey: 'checkout', ...times }]
  const environment = { projectKey: 'web', environmentKey: 'production' }
  const response = await post('engineering-insights/lead-time-samples', { ...environment, samples })
  expect(response.ok).toBe(true)
  return url as string
}

const march = ['--project', 'web', '--from', '2026-03-01', '--to', '2026-04-01']

it('halyard chart draws the lead times of a running engine to standard output', async () => {
  const run = halyard(['chart', 'lead-time', ...march, '--url', await startServer(), '--token', token])
  expect(await run.ended).toBe(0)
  expect(run.err()).toBe('')
  expect(run.out()).toMatch(/^<svg [\s\S]*<\/svg>\n$/)
  expect(run.out()).toContain('<title>Lead time: web, production, 2026-03-01 to 2026-03-31</title>')
  expect(run.out()).toContain('>checkout</text>')
  // 36 hours are shown in hours, so the scale ends at 36 or more.
  expect(run.out()).toContain('>hours</text>')
  expect(run.out()).toContain('>40</text>')
})

it('options of halyard chart select the file, the dark theme and the grouping by stage', async () => {
  const file = `${temporaryFolder()}/chart.svg`
  const choices = ['--theme', 'dark', '--group-by', 'stage', '--measure', 'mean,p90', '--bucket', 'week', '--out', file]
  const run = halyard(['chart', 'lead-time', ...march, ...choices, '--url', await startServer(), '--token', token])
  expect([await run.ended, run.out(), run.err()]).toEqual([0, '', ''])
  const svg = readFileSync(file, 'utf8')
  expect(svg).toContain('fill="#1a1f26"')
  expect(svg).toContain('>coding, P90</text>')
})

it.each([
  [['--bucket', 'minute'], '--bucket must be one of hour, day, week, month, not "minute"'],
  [['--theme', 'red'], '--theme must be one of light, dark, not "red"'],
  [['--measure', 'p42'], '--measure must be one of mean, p50, p75, p90, p95, p99, not "p42"'],
  [['--group-by', 'team'], '--group-by must be one of application, stage, not "team"'],
  [['--from', 'soon'], '--from must be a day, a date or Unix milliseconds, not "soon"'],
  [['extra'], '"extra" is not an option; options begin with --'],
])('the command refuses the arguments %j with one line', async (args, message) => {
  const run = halyard(['chart', 'lead-time', '--storage', 'memory', ...args])
  expect([await run.ended, run.out(), run.err()]).toEqual([1, '', `halyard: ${message}\n`])
})

it('halyard chart prints an error of the engine, and writes no file', async () => {
  const file = `${temporaryFolder()}/chart.svg`
  const run = halyard([
    'chart',
    'lead-time',
    '--project',
    'nowhere',
    '--url',
    await startServer(),
    '--token',
    token,
    '--out',
    file,
  ])
  expect(await run.ended).toBe(1)
  expect(run.err()).toBe('halyard: 404 Invalid resource identifier\n')
  expect(() => readFileSync(file)).toThrow('ENOENT')
})

it('serve offers the insights page on the same origin as the API', async () => {
  const url = await startServer()
  const page = await fetch(`${url}/insights`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect((await fetch(`${url}/insights/console.js`)).status).toBe(200)
})
