import { expect, it, vi } from 'vitest'
import { halyard } from './halyard-process.ts'

const token = 'an-administrator-of-tests'
const production = 'projects/web/environments/production'
const semanticPatch = 'application/json; domain-model=svc.semanticpatch'

interface Variations {
  readonly variations: readonly { readonly _id: string }[]
}

/** Starts a server with a project, a metric of the event `buy`, and the flag `checkout`, which is on. */
async function startServer() {
  const running = halyard(['serve', '--port', '0', '--storage', 'memory'], { HALYARD_TOKEN: token })
  const [, url] = await running.printed(/Halyard serves (\S+) /)
  async function send(method: string, path: string, body?: object, contentType = 'application/json') {
    const headers = { authorization: token, 'content-type': contentType, 'SVC-API-Version': 'beta' }
    const response = await fetch(`${url}/api/v2/${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    expect(response.ok, `${path}: ${text}`).toBe(true)
    return JSON.parse(text)
  }
  const patch = (path: string, body: object) => send('PATCH', path, body, semanticPatch)
  const patchFlag = (...instructions: object[]) =>
    patch('flags/web/checkout', { environmentKey: 'production', instructions })
  await send('POST', 'projects', { key: 'web', name: 'Web' })
  const metric = { key: 'buys', name: 'Buys', kind: 'custom', eventKey: 'buy', successCriteria: 'LowerThanBaseline' }
  await send('POST', 'metrics/web', metric)
  const { variations } = (await send('POST', 'flags/web', { key: 'checkout', name: 'Checkout' })) as Variations
  await patchFlag({ kind: 'turnFlagOn' })
  const { apiKey } = await send('GET', production)

  /** Reports contexts that got a variation, some of which have bought. */
  async function report(variation: number, contexts: number, buyers: number) {
    const creationDate = Date.now()
    const reason = { kind: 'FALLTHROUGH', inExperiment: true }
    const events = Array.from({ length: contexts }, (_, index) => {
      const user = `user-${variation}-${index}`
      const context = { kind: 'user', key: user }
      const exposure = {
        kind: 'feature',
        key: 'checkout',
        version: 1,
        variation,
        value: 1,
        creationDate,
        context,
        reason,
      }
      const buy = { kind: 'custom', key: 'buy', creationDate, contextKeys: { user } }
      return index < buyers ? [exposure, buy] : [exposure]
    })
    const response = await fetch(`${url}/bulk`, {
      method: 'POST',
      headers: { authorization: apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(events.flat()),
    })
    expect(response.status).toBe(202)
  }

  async function chart(...args: string[]) {
    const run = halyard(['chart', ...args, '--url', url as string, '--token', token])
    expect([await run.ended, run.err()]).toEqual([0, ''])
    expect(run.out()).toMatch(/^<svg [\s\S]*<\/svg>\n$/)
    return run.out()
  }
  const [on, off] = variations.map(({ _id }) => _id) as [string, string]
  return { url: url as string, send, patch, patchFlag, report, chart, on, off }
}

const patience = { timeout: 60_000, interval: 200 }

it('the command draws the results of an experiment with the interval of each metric, and the primary metric over time', async () => {
  const { send, patch, report, chart, on, off } = await startServer()
  const treatmentOf = (name: string, variationId: string) => ({
    name,
    baseline: variationId === on,
    allocationPercent: '50',
    parameters: [{ flagKey: 'checkout', variationId }],
  })
  const iteration = {
    hypothesis: 'Fewer buy',
    metrics: [{ key: 'buys' }],
    primarySingleMetricKey: 'buys',
    treatments: [treatmentOf('old page', on), treatmentOf('new page', off)],
    flags: { checkout: { ruleId: 'fallthrough', flagConfigVersion: 2 } },
  }
  await send('POST', `${production}/experiments`, { key: 'page', name: 'Page', iteration })
  await patch(`${production}/experiments/page`, { instructions: [{ kind: 'startIteration' }] })
  await report(0, 200, 60)
  await report(1, 200, 20)
  await vi.waitFor(async () => {
    const { metrics } = await send('GET', `${production}/experiments/page/results`)
    expect(metrics[0].treatments).toMatchObject([
      { units: 200, value: 0.3 },
      { units: 200, value: 0.1 },
    ])
  }, patience)

  const svg = await chart('experiment', 'web', 'production', 'page', '--method', 'frequentist')
  expect(svg).toContain('<title>Experiment Page: running</title>')
  // A change from 30 % to 10 % is two thirds less. Fewer is better for this metric.
  expect(svg).toMatch(/>better: -66\.7% \(-\d+(\.\d)?% to -\d+(\.\d)?%\)<\/text>/)
  expect(svg).toContain('>Buys over time</text>')
  expect(svg).toContain('>new page</text>')
  expect(svg).not.toContain('>old page</text>')
}, 120_000)

it('the command draws a release with its stages and compared metrics, and fails for a flag without releases', async () => {
  const { url, send, patchFlag, report, chart, on, off } = await startServer()
  const release = {
    kind: 'startAutomatedRelease',
    originalVariationId: off,
    targetVariationId: on,
    stages: [
      { allocation: 10_000, durationMillis: 0 },
      { allocation: 50_000, durationMillis: 3_600_000 },
    ],
  }
  const newest = async () =>
    (await send('GET', 'projects/web/flags/checkout/environments/production/automated-releases')).items[0]
  const none = halyard(['chart', 'release', 'web', 'checkout', 'production', '--url', url, '--token', token])
  expect([await none.ended, none.out()]).toEqual([1, ''])
  expect(none.err()).toBe('halyard: the flag checkout has no automated release in production\n')

  await patchFlag({ ...release, releaseKind: 'progressive' })
  await vi.waitFor(async () => expect((await newest()).latestStageIndex).toBe(1), patience)
  const progressive = await chart('release', 'web', 'checkout', 'production')
  expect(progressive).toContain('<title>Release of checkout in production: running</title>')
  for (const text of ['10%', 'completed', '50%', 'current']) expect(progressive).toContain(`>${text}</text>`)
  expect(progressive).not.toContain('Difference')

  await patchFlag({ kind: 'stopAutomatedRelease', finalVariationId: off })
  const [, stage] = release.stages
  const guard = { metrics: [{ key: 'buys' }], metricMonitoringPreferences: { buys: { autoRollback: true } } }
  await patchFlag({ ...release, ...guard, releaseKind: 'guarded', stages: [stage] })
  await report(0, 400, 160)
  await report(1, 400, 20)
  await vi.waitFor(async () => expect((await newest()).status).toBe('rolledBack'), patience)
  const guarded = await chart('release', 'web', 'checkout', 'production')
  expect(guarded).toContain('<title>Release of checkout in production: rolled back</title>')
  // From 5 % to 40 % is an increase by 700 %.
  for (const text of ['50%', 'rolled back', 'Buys']) expect(guarded).toContain(`>${text}</text>`)
  expect(guarded).toMatch(/>worse: \+700% \(\+\d+(\.\d)?% to \+[\d,]+(\.\d)?%\)<\/text>/)
}, 120_000)

it.each([
  [['experiment', 'web'], 'the command needs a project, an environment, an experiment, and no other argument'],
  [['release', 'a', 'b', 'c', 'd'], 'the command needs a project, a flag, an environment, and no other argument'],
  [
    ['experiment', 'web', 'production', 'page', '--method', 'guess'],
    '--method must be one of bayesian, frequentist, sequential, not "guess"',
  ],
  [['release', 'web', 'checkout', 'production', '--theme', 'red'], '--theme must be one of light, dark, not "red"'],
])('the command refuses the arguments chart %j with one line', async (args, message) => {
  const run = halyard(['chart', ...args, '--storage', 'memory'])
  expect([await run.ended, run.out(), run.err()]).toEqual([1, '', `halyard: ${message}\n`])
})
