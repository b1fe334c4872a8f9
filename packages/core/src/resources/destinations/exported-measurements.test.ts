import { expect, it } from 'vitest'
import type { ExportedEvent } from '../../operation/exported-event.ts'
import { engineRequest } from '../account/test/calls.ts'
import { environmentKeys } from './test/destination-engine.ts'
import { exportingEngine } from './test/recording-exporter.ts'

const projectKey = 'web'
const experiment = { ...environmentKeys, experimentKey: 'checkout' }
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Makes an engine with a destination, and an experiment on the flag `checkout` that measures the values of `buy`. */
async function measuringEngine() {
  const { engine, recorder, createFlag, as, advance } = await exportingEngine()
  const { api } = engine
  const metric = {
    key: 'revenue',
    name: 'Revenue',
    kind: 'custom',
    eventKey: 'buy',
    isNumeric: true,
    unitAggregationType: 'sum',
    successCriteria: 'HigherThanBaseline',
    unit: 'EUR',
  } as const
  await api.postMetric({ projectKey, body: metric }, as)
  const { variations } = await createFlag('checkout')
  const turnOn = { environmentKey: environmentKeys.environmentKey, instructions: [{ kind: 'turnFlagOn' }] } as never
  await api.patchFlag({ projectKey, flagKey: 'checkout', body: turnOn }, as)
  const iteration = {
    hypothesis: 'It sells more',
    metrics: [{ key: 'revenue' }],
    primarySingleMetricKey: 'revenue',
    treatments: variations.map(({ _id }, index) => ({
      name: `treatment ${index}`,
      baseline: index === 0,
      allocationPercent: '40',
      parameters: [{ flagKey: 'checkout', variationId: _id as string }],
    })),
    flags: { checkout: { ruleId: 'fallthrough', flagConfigVersion: 2 } },
  }
  await api.createExperiment({ ...environmentKeys, body: { key: 'checkout', name: 'Checkout', iteration } }, as)
  await api.patchExperiment({ ...experiment, body: { instructions: [{ kind: 'startIteration' }] } as never }, as)
  await engine.evaluator(environmentKeys).ready()
  advance(10)
  return { engine, recorder, as, advance }
}

/** Computes the results of both treatments from the exported events alone: one value for each exposed context. */
function resultsOf(events: readonly ExportedEvent[]) {
  const units = new Map<string, { readonly variation: number; readonly at: number; value: number }>()
  for (const event of events)
    if (event.kind === 'evaluation' && event.flagKey === 'checkout' && event.variation !== undefined) {
      const earlier = units.get(event.contextKeys.user as string)
      if (earlier && earlier.at <= event.time) continue
      units.set(event.contextKeys.user as string, { variation: event.variation, at: event.time, value: 0 })
    }
  for (const event of events) {
    if (event.kind !== 'custom' || event.key !== 'buy') continue
    const unit = units.get(event.contextKeys.user as string)
    if (unit && event.time >= unit.at) unit.value += event.metricValue ?? 0
  }
  return [0, 1].map((variation) => {
    const values = [...units.values()].filter((unit) => unit.variation === variation).map(({ value }) => value)
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
    const standardError = Math.sqrt(variance / values.length)
    return { units: values.length, value: expect.closeTo(mean, 9), standardError: expect.closeTo(standardError, 9) }
  })
}

it('the exported events of an experiment are exactly the events from which its results are computed', async () => {
  const { engine, recorder, as, advance } = await measuringEngine()
  const { apiKey } = await engine.api.getEnvironment(environmentKeys, as)
  const reported: object[] = []
  let counted = 0
  for (const index of numbers(300)) {
    const context = { kind: 'user', key: `user-${index}` }
    const { value, variationIndex, reason } = engine.evaluator(environmentKeys).peek('checkout', context, false)
    counted += 'inExperiment' in reason ? 1 : 0
    // Some users buy before they see the flag; these purchases do not count.
    if (index % 5 === 0) engine.track('buy', context, { value: 1000 }, environmentKeys)
    advance(1)
    if (index % 2 === 0) {
      engine.evaluate('checkout', context, false, environmentKeys)
      engine.track('buy', context, { value: index, data: { item: `item ${index}` } }, environmentKeys)
    } else if ('inExperiment' in reason) {
      const shared = { creationDate: engine.now(), contextKeys: { user: context.key } }
      reported.push({
        kind: 'feature',
        key: 'checkout',
        version: 1,
        variation: variationIndex,
        value,
        reason,
        ...shared,
      })
      reported.push({ kind: 'custom', key: 'buy', metricValue: index / 2, ...shared })
    }
  }
  await engine.sdk.handle(engineRequest('POST', '/bulk', reported, { authorization: apiKey }))
  await engine.sdk.flush()
  await engine.runDueTasks()

  const exported = recorder.batches.flatMap(({ events }) => events)
  const query = { ...experiment, method: 'frequentist', correction: 'none' } as const
  const { metrics, mixedUnits } = await engine.api.getExperimentAnalysis(query, as)
  expect(mixedUnits).toBe(0)
  const results = resultsOf(exported)
  expect(results.reduce((sum, { units }) => sum + units, 0)).toBe(counted)
  expect(metrics[0]?.treatments).toMatchObject(results)
  const bought = exported.find((event) => event.kind === 'custom' && event.contextKeys.user === 'user-2')
  expect(bought).toMatchObject({ key: 'buy', metricValue: 2, data: { item: 'item 2' } })
})
