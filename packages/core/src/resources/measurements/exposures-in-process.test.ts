import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import {
  aiEvaluation,
  createEngineOf,
  createProject,
  evaluators,
  getEnvironment,
  sdkEndpoints,
} from '../../entries/operations.ts'
import { evaluationCountingStarts, evaluationsKeys } from '../../models/flag-evaluations/flag-evaluation.ts'
import { measuredResults } from '../../models/measurements/measured-results.ts'
import type { FlagData } from '../../rules/evaluation/index.ts'
import { StorageReader } from '../../storage/reader.ts'
import { controlled, day, environmentKeys, hour, start } from '../flag-evaluations/test/controlled-storage.ts'
import { definition, runningMeasurement, storeMeasurement } from './test/measured.ts'
import { measurementConsumer } from './test/measurement-consumer.ts'
import { trimMeasurements } from './trim-measurements.ts'

const serving = (key: string, kind: 'experiment' | 'rollout'): [string, FlagData] => [
  key,
  {
    key,
    version: 3,
    on: true,
    variations: ['old', 'new'],
    fallthrough: { rollout: { kind, contextKind: 'user', seed: 7, variations: [{ variation: 1, weight: 100_000 }] } },
    salt: 's',
  },
]

/** Serves `checkout` by an experiment and `plain` by a rollout, and measures `checkout`. */
async function measuringEngine() {
  let now = start
  const { storage } = controlled(createMemoryStorage())
  const content = {
    read: async () => new Map([serving('checkout', 'experiment'), serving('plain', 'rollout')]),
    affectedBy: () => () => false,
  }
  const createEngine = createEngineOf({
    operations: [createProject, getEnvironment],
    evaluators,
    sdkEndpoints,
    aiEvaluation: { ...aiEvaluation, content },
    eventConsumers: [measurementConsumer],
  })
  const engine = createEngine({ storage, clock: () => now, sdk: { flushMs: 60_000 } })
  const as = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const account = storage.account('default')
  const metrics = [definition({ key: 'revenue', eventKey: 'buy', value: 'numeric' })]
  const measurement = runningMeasurement({ metrics, startedAt: start })
  await storeMeasurement(account, environmentKeys, measurement)
  const flags = engine.evaluator(environmentKeys)
  await flags.ready()
  return {
    engine,
    flags,
    account,
    measurement,
    pass: (ms: number) => (now += ms),
    clock: { now: () => now },
    async results() {
      await engine.sdk.flush()
      const keys = { ...environmentKeys, measurementId: measurement.id }
      return (await measuredResults(new StorageReader(account), keys))!
    },
  }
}

const user = (key: string) => ({ kind: 'user', key })

describe('evaluations in process', () => {
  it('expose each unit once, and events of exposed units count', async () => {
    const { engine, flags, results } = await measuringEngine()
    engine.track('buy', user('early'), { value: 100 }, environmentKeys)
    for (const key of ['ann', 'bob', 'ann']) expect(flags.evaluate('checkout', user(key), '').value).toBe('new')
    flags.track('buy', user('ann'), { value: 5 })
    engine.track('buy', user('ann'), { value: 2 }, environmentKeys)
    const { variations, mixedUnits, lastEventAt } = await results()
    expect(variations.map(({ id, units }) => [id, units])).toEqual([
      ['control', 0],
      ['treatment', 2],
    ])
    expect(variations[1]?.metrics[0]?.sums).toEqual({ units: 2, sum: 7, sumOfSquares: 49 })
    expect({ mixedUnits, lastEventAt }).toEqual({ mixedUnits: 0, lastEventAt: [start] })
  })

  it('expose no unit by `peek`, by `evaluateAll`, by another type of value, or outside of an experiment', async () => {
    const { flags, results } = await measuringEngine()
    flags.peek('checkout', user('ann'), '')
    flags.evaluateAll(user('ann'))
    expect(flags.evaluate('checkout', user('ann'), 1).variationIndex).toBeNull()
    expect(flags.evaluate('plain', user('ann'), '').variationIndex).toBe(1)
    expect((await results()).variations.map(({ units }) => units)).toEqual([0, 0])
  })

  it('store no count of evaluations when they only expose a unit', async () => {
    const { flags, results, account } = await measuringEngine()
    flags.evaluate('checkout', user('ann'), '')
    expect((await results()).variations[1]?.units).toBe(1)
    expect(await account.get(evaluationCountingStarts.id({ ...environmentKeys, ...evaluationsKeys }))).toBeUndefined()
  })
})

describe('a measurement', () => {
  it('keeps for each day the sums at the end of that day', async () => {
    const { engine, flags, results, pass } = await measuringEngine()
    flags.evaluate('checkout', user('ann'), '')
    engine.track('buy', user('ann'), { value: 5 }, environmentKeys)
    await results()
    pass(day)
    engine.track('buy', user('ann'), { value: 5 }, environmentKeys)
    const { days } = await results()
    expect(days.map(({ day, variations }) => [day, variations[1]?.metrics[0]?.sums.sum])).toEqual([
      ['2026-11-02', 5],
      ['2026-11-03', 10],
    ])
  })

  it('counts events from before its end that arrive later, and none from after it', async () => {
    const { engine, flags, account, measurement, results, pass } = await measuringEngine()
    flags.evaluate('checkout', user('ann'), '')
    engine.track('buy', user('ann'), { value: 5 }, environmentKeys)
    await storeMeasurement(account, environmentKeys, { ...measurement, endedAt: start + hour }, measurement)
    pass(2 * hour)
    engine.track('buy', user('ann'), { value: 70 }, environmentKeys)
    expect((await results()).variations[1]?.metrics[0]?.sums.sum).toBe(5)
  })

  it('keeps its sums when `compact` removes the units of ended measurements and units without exposure', async () => {
    const { engine, flags, account, measurement, results, pass, clock } = await measuringEngine()
    flags.evaluate('checkout', user('ann'), '')
    engine.track('buy', user('ann'), { value: 5 }, environmentKeys)
    engine.track('buy', user('bob'), { value: 5 }, environmentKeys)
    const before = await results()
    const units = async () => {
      const scope = 'proj/web:env/production:measurement/iteration-1'
      const query = { collection: 'measured-unit', scope, limit: 10, select: 'fields' } as const
      return (await account.list(query)).items.map(({ key }) => key)
    }
    expect(await units()).toEqual(['ann', 'bob'])
    await trimMeasurements(account, clock)
    expect(await units()).toEqual(['ann', 'bob'])
    pass(day + 1)
    await trimMeasurements(account, clock)
    expect(await units()).toEqual(['ann'])
    await storeMeasurement(account, environmentKeys, { ...measurement, endedAt: start + hour }, measurement)
    pass(day)
    await trimMeasurements(account, clock)
    expect(await units()).toEqual([])
    expect((await results()).variations).toEqual(before.variations)
  })
})
