import { createEngine } from '@halyard/core'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { afterEach, expect, it } from 'vitest'
import { type Child, killChildren, startChild } from './processes/child.ts'
import { purchasesOfReport } from './processes/numbered-reports.ts'
import { bundledProgram } from './setup/bundled-program.ts'
import { longTests } from './setup/long-tests.ts'
import { ownDatabase } from './setup/own-database.ts'

const kills = longTests ? 100 : 3

/** Minimum number of reports that a process writes before it is killed. */
const reportsBeforeKill = 5

const as = { role: 'owner' } as const
const production = { projectKey: 'web', environmentKey: 'production' }

afterEach(killChildren)

it(
  `events that arrive while their process is killed ${kills} times are counted once each`,
  async () => {
    const { url, pool, drop } = await ownDatabase()
    const engine = createEngine({ storage: createPostgresStorage({ pool }) })
    try {
      await engine.migrate()
      const { apiKey, startedAt } = await startExperiment(engine)
      const reports = await sendAndKill([url, apiKey, String(startedAt)])
      const query = { ...production, experimentKey: 'checkout', method: 'frequentist', correction: 'none' } as const
      const { metrics, mixedUnits } = await engine.api.getExperimentAnalysis(query, { as })
      expect(mixedUnits).toBe(0)
      const expected = expectedResults(reports)
      for (const [index, { units, value, standardError }] of (metrics[0]?.treatments ?? []).entries()) {
        expect({ index, units }).toEqual({ index, units: expected[index]?.units })
        expect(value).toBeCloseTo(expected[index]?.value as number, 9)
        expect(standardError).toBeCloseTo(expected[index]?.standardError as number, 9)
      }
    } finally {
      await killChildren()
      await engine.close()
      await drop()
    }
  },
  longTests ? 900_000 : 300_000,
)

type Engine = ReturnType<typeof createEngine>

async function startExperiment({ api }: Engine): Promise<{ readonly apiKey: string; readonly startedAt: number }> {
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const metric = {
    key: 'revenue',
    name: 'Revenue',
    kind: 'custom',
    eventKey: 'buy',
    isNumeric: true,
    unitAggregationType: 'sum',
    successCriteria: 'HigherThanBaseline',
  } as const
  await api.postMetric({ projectKey: 'web', body: metric }, { as })
  const flag = await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
  const turnOn = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] } as never
  await api.patchFlag({ projectKey: 'web', flagKey: 'checkout', body: turnOn }, { as })
  const iteration = {
    hypothesis: 'It sells more',
    metrics: [{ key: 'revenue' }],
    primarySingleMetricKey: 'revenue',
    treatments: flag.variations.map(({ _id }, index) => ({
      name: `treatment ${index}`,
      baseline: index === 0,
      allocationPercent: '50',
      parameters: [{ flagKey: 'checkout', variationId: _id as string }],
    })),
    flags: { checkout: { ruleId: 'fallthrough', flagConfigVersion: 2 } },
  }
  const body = { key: 'checkout', name: 'Checkout', iteration }
  await api.createExperiment({ ...production, body }, { as })
  const experiment = { ...production, experimentKey: 'checkout' }
  const start = { instructions: [{ kind: 'startIteration' }] } as never
  const { currentIteration } = await api.patchExperiment({ ...experiment, body: start }, { as })
  const { apiKey } = await api.getEnvironment(production, { as })
  return { apiKey, startedAt: Number(currentIteration?.startedAt) }
}

/**
 * Starts one process after the other, and kills each but the last while it writes. Each process starts with the first
 * report that no process has got a response to, so reports that a killed process wrote arrive again.
 *
 * @returns the number of reports that were sent, which is the number of the last one plus 1.
 */
async function sendAndKill(options: readonly string[]): Promise<number> {
  const program = bundledProgram('test/processes/event-sender.ts')
  const start = () => startChild(program, options, { waits: true })
  const acknowledged = new Set<number>()
  const firstMissing = () => {
    let report = 0
    while (acknowledged.has(report)) report++
    return report
  }
  const written = async (child: Child, count: number) => {
    await expect.poll(() => child.lines().length, { timeout: 200_000, interval: 5 }).toBeGreaterThanOrEqual(count)
  }
  let next = start()
  for (let run = 0; run < kills; run++) {
    const sender = next
    sender.writeLine(`${firstMissing()} ${Number.MAX_SAFE_INTEGER}`)
    next = start()
    await written(sender, reportsBeforeKill + (run % 3))
    await sender.kill()
    for (const line of sender.lines()) acknowledged.add(Number(line))
  }
  const from = firstMissing()
  // More than the reports that killed processes may have written without a response.
  const until = Math.max(...acknowledged) + 10
  next.writeLine(`${from} ${until}`)
  await written(next, until - from)
  await next.kill()
  return until
}

/** Returns the results of both treatments over all purchases of the reports, each counted once. */
function expectedResults(reports: number) {
  const totals = new Map<number, number>()
  for (let report = 0; report < reports; report++)
    for (const { unit, value } of purchasesOfReport(report)) totals.set(unit, (totals.get(unit) ?? 0) + value)
  return [0, 1].map((variation) => {
    const values = [...totals].filter(([unit]) => unit % 2 === variation).map(([, total]) => total)
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
    return { units: values.length, value: mean, standardError: Math.sqrt(variance / values.length) }
  })
}
