import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngineOf, createProject, evaluators, getEnvironment, sdkEndpoints } from '../../entries/operations.ts'
import { measuredResults } from '../../models/measurements/measured-results.ts'
import type { Measurement } from '../../models/measurements/measurement.ts'
import type { MeasuredGroup, MetricDefinition } from '../../rules/measurement/metric-definition.ts'
import { StorageReader } from '../../storage/reader.ts'
import { engineRequest } from '../account/test/calls.ts'
import { controlled, environmentKeys, start } from '../flag-evaluations/test/controlled-storage.ts'
import { definition, exposed, runningMeasurement, storeMeasurement, tracked } from './test/measured.ts'
import { measurementConsumer } from './test/measurement-consumer.ts'

const metrics: readonly MetricDefinition[] = [
  definition({ key: 'converted', eventKey: 'buy', value: 'conversion' }),
  definition({ key: 'purchases', eventKey: 'buy', value: 'count', bounds: { upper: 2 } }),
  definition({ key: 'revenue', eventKey: 'buy', value: 'numeric' }),
  definition({ key: 'latency', eventKey: 'load', value: 'numeric', aggregation: 'average', missing: 'left-out' }),
  definition({
    key: 'order-value',
    eventKey: 'buy',
    value: 'numeric',
    denominator: { eventKey: 'load', value: 'count' },
  }),
  definition({ key: 'loaded', eventKey: 'load', value: 'conversion' }),
  definition({ key: 'bought-again', eventKey: 'buy', value: 'conversion' }),
]

const path: MeasuredGroup = {
  key: 'path',
  name: 'Path',
  kind: 'funnel',
  metrics: [{ key: 'loaded' }, { key: 'converted' }, { key: 'bought-again' }],
}

const measurement: Measurement = runningMeasurement({
  metrics,
  groups: [{ ...path, key: 'all', kind: 'standard' }, path],
  attributes: [{ contextKind: 'user', attribute: 'plan' }],
  startedAt: start - 40,
  endedAt: start - 5,
})

interface TestEvent {
  readonly unit: number
  readonly at: number
  readonly exposure?: number
  readonly key?: string
  readonly value?: number
}

const time = fc.integer({ min: start - 45, max: start })
const testEvent: fc.Arbitrary<TestEvent> = fc.oneof(
  fc.record({ unit: fc.nat(5), at: time, exposure: fc.constantFrom(0, 0, 0, 1) }),
  fc.record({
    unit: fc.nat(5),
    at: time,
    key: fc.constantFrom('buy', 'load', 'other'),
    value: fc.integer({ min: -4, max: 9 }),
  }),
  fc.record({ unit: fc.nat(5), at: time, key: fc.constantFrom('buy', 'load') }),
)
const testReport = fc.record({
  events: fc.array(testEvent, { maxLength: 6 }),
  /** The engines that receive the report, in order. */
  deliveries: fc.array(fc.record({ engine: fc.nat(1), flush: fc.boolean() }), { minLength: 1, maxLength: 3 }),
})

const planOf = (unit: number) => (unit % 2 === 0 ? 'free' : 'paid')

/** Sums over the raw events of all reports, each once. */
function expectedSums(events: readonly TestEvent[], units: readonly number[]) {
  const inTime = events.filter(({ at }) => at >= measurement.startedAt && at < (measurement.endedAt as number))
  const variations = [0, 1].map(() => ({
    units: 0,
    metrics: metrics.map(() => [0, 0, 0, 0, 0, 0]),
    funnels: [[0, 0, 0]],
  }))
  let mixedUnits = 0
  for (const unit of units) {
    const unitEvents = inTime.filter((event) => event.unit === unit)
    const exposures = unitEvents.filter(({ exposure }) => exposure !== undefined)
    if (exposures.length === 0) continue
    if (new Set(exposures.map(({ exposure }) => exposure)).size > 1) {
      mixedUnits++
      continue
    }
    const first = Math.min(...exposures.map(({ at }) => at))
    const counted = unitEvents.filter(({ at, exposure }) => exposure === undefined && at >= first)
    const buys = counted.filter(({ key }) => key === 'buy')
    const loads = counted.filter(({ key }) => key === 'load')
    const values = (list: readonly TestEvent[]) => list.flatMap(({ value }) => value ?? [])
    const total = (list: readonly TestEvent[]) => values(list).reduce((a, b) => a + b, 0)
    const variation = variations[exposures[0]?.exposure as number]!
    variation.units++
    const unitValues: ([number, number] | undefined)[] = [
      [buys.length > 0 ? 1 : 0, 0],
      [Math.min(buys.length, 2), 0],
      [total(buys), 0],
      values(loads).length > 0 ? [total(loads) / values(loads).length, 0] : undefined,
      [total(buys), loads.length],
      [loads.length > 0 ? 1 : 0, 0],
      [buys.length > 0 ? 1 : 0, 0],
    ]
    const purchases = (from: number) => buys.filter(({ at }) => at >= from)
    const steps = [
      loads.length > 0,
      loads.some((load) => purchases(load.at).length > 0),
      loads.some((load) => purchases(load.at).some((buy) => purchases(buy.at + 1).length > 0)),
    ]
    for (const [step, isReached] of steps.entries()) variation.funnels[0]![step]! += isReached ? 1 : 0
    for (const [index, pair] of unitValues.entries()) {
      if (!pair) continue
      const [x, y] = pair
      const sums = variation.metrics[index]!
      for (const [at, term] of [1, x, x * x, y, y * y, x * y].entries()) sums[at]! += term
    }
  }
  return { variations, mixedUnits }
}

async function countedSums(
  reports: readonly { events: readonly TestEvent[]; deliveries: readonly { engine: number; flush: boolean }[] }[],
) {
  const { storage } = controlled(createMemoryStorage())
  const createEngine = createEngineOf({
    operations: [createProject, getEnvironment],
    evaluators,
    sdkEndpoints,
    eventConsumers: [measurementConsumer],
  })
  const engines = [0, 1].map(() => createEngine({ storage, clock: () => start, sdk: { flushMs: 60_000 } }))
  const [engine] = engines as [(typeof engines)[0]]
  const as = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const { apiKey } = await engine.api.getEnvironment(environmentKeys, { as })
  const account = storage.account('default')
  await storeMeasurement(account, environmentKeys, measurement)
  const rounds = [0, 1, 2].flatMap((round) =>
    reports.flatMap(({ events, deliveries }, id) => (deliveries[round] ? [{ events, id, ...deliveries[round] }] : [])),
  )
  for (const { events, id, engine, flush } of rounds) {
    const body = events.map(({ unit, at, exposure, key, value }) =>
      exposure === undefined
        ? tracked(key as string, `u${unit}`, { at, value })
        : exposed('checkout', `u${unit}`, exposure, { at, attributes: { plan: planOf(unit) } }),
    )
    const headers = { authorization: apiKey, 'x-launchdarkly-payload-id': `report-${id}` }
    await engines[engine]?.sdk.handle(engineRequest('POST', '/bulk', body, headers))
    if (flush) await engines[engine]?.sdk.flush()
  }
  await Promise.all(engines.map((each) => each.close()))
  const results = await measuredResults(new StorageReader(account), {
    ...environmentKeys,
    measurementId: measurement.id,
  })
  return results!
}

/** Returns the sums of variations as lists of numbers. */
function numbersOf(variations: Awaited<ReturnType<typeof countedSums>>['variations']) {
  return variations.map(({ units, metrics, funnels }) => ({
    units,
    metrics: metrics.map(({ sums }) => [
      sums.units,
      sums.sum,
      sums.sumOfSquares,
      sums.denominatorSum ?? 0,
      sums.denominatorSumOfSquares ?? 0,
      sums.ratioCrossSum ?? 0,
    ]),
    funnels,
  }))
}

/** Rounds averages: they are fractions, and the last digits of their sums depend on the order of addition. */
function rounded(variations: ReturnType<typeof numbersOf>) {
  return variations.map(({ metrics, ...variation }) => ({
    ...variation,
    metrics: metrics.map((sums) => sums.map((value) => Number(value.toFixed(9)) + 0)),
  }))
}

describe('the sums of a measurement', () => {
  it('equal sums over the raw events, for any order, repetition and division of reports among engines', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(testReport, { maxLength: 12 }), async (reports) => {
        const { variations, mixedUnits, attributes, days } = await countedSums(reports)
        const events = reports.flatMap((report) => report.events)
        const all = expectedSums(events, [0, 1, 2, 3, 4, 5])
        expect(rounded(numbersOf(variations))).toEqual(rounded(all.variations))
        expect(mixedUnits).toBe(all.mixedUnits)
        for (const plan of ['free', 'paid']) {
          const ofPlan = attributes[0]?.values.find(({ value }) => value === plan)
          const units = [0, 1, 2, 3, 4, 5].filter((unit) => planOf(unit) === plan)
          const expected = expectedSums(events, units).variations
          expect(ofPlan ? rounded(numbersOf(ofPlan.variations)) : undefined).toEqual(
            ofPlan || expected.some(({ units }) => units > 0) ? rounded(expected) : undefined,
          )
        }
        if (days[0]) expect(numbersOf(days[0].variations)).toEqual(numbersOf(variations))
      }),
      { numRuns: 30 },
    )
  })
})
