import type { createEngine } from '@halyard/core'

const environmentKeys = { projectKey: 'web', environmentKey: 'production' }

/** The experiment that `startExperiment` starts. */
export const experiment = { ...environmentKeys, experimentKey: 'checkout' }

/** Time at which the reports of the bench arrive: integer ms, UTC. */
export const arrivesAt = Date.UTC(2026, 10, 23, 12)

const eventsPerReport = 1000

/** Sends the exposures and events of some units, ten reports before each write. Returns the time in ms. */
export async function count(
  engine: Engine,
  apiKey: string,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<number> {
  let totalMs = 0
  for (let first = from; first < until; first += 10 * eventsPerReport) {
    const end = Math.min(first + 10 * eventsPerReport, until)
    for (const eventOf of [exposure, purchase]) {
      const startTime = performance.now()
      for (let report = first; report < end; report += eventsPerReport)
        await send(engine, apiKey, `${eventOf.name}-${report}`, report, eventOf)
      await engine.sdk.flush()
      totalMs += performance.now() - startTime
    }
  }
  return totalMs
}

/** Starts an experiment on the default rule of a flag. Returns the key of the environment for SDKs. */
export async function startExperiment({ api }: Engine, as: string): Promise<string> {
  const { projectKey } = environmentKeys
  await api.createProject({ body: { key: projectKey, name: 'Web' } }, { as })
  const metric = { key: 'revenue', name: 'Revenue', kind: 'custom', eventKey: 'buy', isNumeric: true } as const
  const numeric = { unitAggregationType: 'sum', successCriteria: 'HigherThanBaseline', unit: 'USD' } as const
  await api.postMetric({ projectKey, body: { ...metric, ...numeric } }, { as })
  const flagKey = 'checkout'
  const { variations } = await api.createFlag({ projectKey, body: { key: flagKey, name: 'Checkout' } }, { as })
  const turnOn = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] } as never
  await api.patchFlag({ projectKey, flagKey, body: turnOn }, { as })
  const iteration = {
    hypothesis: 'It sells more',
    metrics: [{ key: 'revenue' }],
    primarySingleMetricKey: 'revenue',
    treatments: variations.map(({ _id }, index) => ({
      name: `treatment ${index}`,
      baseline: index === 0,
      allocationPercent: '50',
      parameters: [{ flagKey, variationId: _id as string }],
    })),
    flags: { [flagKey]: { ruleId: 'fallthrough', flagConfigVersion: 2 } },
  }
  await api.createExperiment({ ...environmentKeys, body: { key: 'checkout', name: 'Checkout', iteration } }, { as })
  const body = { instructions: [{ kind: 'startIteration' }] } as never
  await api.patchExperiment({ ...experiment, body }, { as })
  return (await api.getEnvironment(environmentKeys, { as })).apiKey
}

type Engine = ReturnType<typeof createEngine>

async function send(
  engine: Engine,
  apiKey: string,
  id: string,
  first: number,
  eventOf: (unit: number) => object,
): Promise<void> {
  const headers: Readonly<Record<string, string>> = { authorization: apiKey, 'x-launchdarkly-payload-id': id }
  const value = Array.from({ length: eventsPerReport }, (_, index) => eventOf(first + index))
  const body = { kind: 'parsed', value } as const
  const request = { method: 'POST', path: '/bulk', query: '', header: (name: string) => headers[name], body }
  const response = await engine.sdk.handle(request)
  if (response?.status !== 202) throw new Error(`expected 202, got ${response?.status}`)
}

function exposure(unit: number): object {
  const reason = { kind: 'FALLTHROUGH', inExperiment: true }
  const contextKeys = { user: `user-${unit}` }
  return {
    kind: 'feature',
    key: 'checkout',
    version: 1,
    variation: unit % 2,
    creationDate: arrivesAt - 2000,
    contextKeys,
    reason,
  }
}

function purchase(unit: number): object {
  const contextKeys = { user: `user-${unit}` }
  return { kind: 'custom', key: 'buy', metricValue: unit % 100, creationDate: arrivesAt - 1000, contextKeys }
}
