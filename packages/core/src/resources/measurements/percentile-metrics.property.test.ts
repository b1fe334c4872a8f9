import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngineOf, createProject, evaluators, getEnvironment, sdkEndpoints } from '../../entries/operations.ts'
import { measuredResults } from '../../models/measurements/measured-results.ts'
import { analyze } from '../../rules/experiments/analysis.ts'
import { StorageReader } from '../../storage/reader.ts'
import { engineRequest } from '../account/test/calls.ts'
import { environmentKeys, start } from '../flag-evaluations/test/controlled-storage.ts'
import { definition, exposed, runningMeasurement, storeMeasurement, tracked } from './test/measured.ts'
import { measurementConsumer } from './test/measurement-consumer.ts'

const percentiles = [50, 90, 95]
const metrics = percentiles.map((percentile) =>
  definition({ key: `p${percentile}`, eventKey: 'load', value: 'numeric', missing: 'left-out', percentile }),
)

/** Maximum relative error of a percentile, as the guide states it. */
const statedError = 0.0202

/** Counts events whose values are sent in two reports for each unit, and returns the percentiles of the treatment. */
async function estimatedPercentiles(values: readonly number[]) {
  const storage = createMemoryStorage()
  const createEngine = createEngineOf({
    operations: [createProject, getEnvironment],
    evaluators,
    sdkEndpoints,
    eventConsumers: [measurementConsumer],
  })
  const engine = createEngine({ storage, clock: () => start, sdk: { flushMs: 60_000 } })
  const as = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const { apiKey } = await engine.api.getEnvironment(environmentKeys, { as })
  const account = storage.account('default')
  const measurement = runningMeasurement({ metrics, startedAt: start - 10 })
  await storeMeasurement(account, environmentKeys, measurement)
  const at = start - 5
  const events = values.flatMap((value, unit) => [
    exposed('checkout', `u${unit}`, 1, { at }),
    tracked('load', `u${unit}`, { at, value: value / 2 }),
    tracked('load', `u${unit}`, { at, value: value / 2 }),
  ])
  // The second report changes values that the first one counted.
  for (const part of [events.filter((_, i) => i % 3 < 2), events.filter((_, i) => i % 3 === 2)]) {
    await engine.sdk.handle(engineRequest('POST', '/bulk', part, { authorization: apiKey }))
    await engine.sdk.flush()
  }
  const keys = { ...environmentKeys, measurementId: measurement.id }
  const results = (await measuredResults(new StorageReader(account), keys))!
  await engine.close()
  const options = { method: 'frequentist', level: 0.05, baseline: 0 } as const
  return analyze(results.variations, options).map(({ treatments }) => treatments[1]?.estimate?.value)
}

describe('percentile metrics', () => {
  it('equal percentiles of the raw values within the stated error', async () => {
    const magnitude = fc.integer({ min: -9_000, max: 9_000 }).map((exponent) => 10 ** (exponent / 1000))
    const value = fc.oneof(
      magnitude,
      magnitude.map((size) => -size),
      fc.integer({ min: 0, max: 9 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 80, maxLength: 200 }), async (values) => {
        const sorted = values.toSorted((a, b) => a - b)
        for (const [index, estimate] of (await estimatedPercentiles(values)).entries()) {
          const rank = (values.length * percentiles[index]!) / 100
          // A rank between two units may have any value between the values of these units.
          const bounds = [sorted[Math.ceil(rank) - 1]!, sorted[Math.floor(rank)]!]
          const error = (bound: number) => Math.abs(bound) * statedError + 1e-9
          expect(estimate).toBeGreaterThanOrEqual(Math.min(...bounds.map((bound) => bound - error(bound))))
          expect(estimate).toBeLessThanOrEqual(Math.max(...bounds.map((bound) => bound + error(bound))))
        }
      }),
      { numRuns: 25 },
    )
  })
})
