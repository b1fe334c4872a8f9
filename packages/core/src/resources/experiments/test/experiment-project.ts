import { createMemoryStorage } from '@halyard/storage-memory'
import { onTestFinished } from 'vitest'
import { createEngine } from '../../../index.ts'
import { fixedRandomHex } from '../../account/test/fixed-random.ts'
import { environmentKeys, start } from '../../flag-evaluations/test/controlled-storage.ts'

const { projectKey, environmentKey } = environmentKeys

/** Returns the context of a user. */
export const user = (index: number) => ({ kind: 'user', key: `user-${index}` })

/** Makes an engine with a metric `buys`, and functions for flags and experiments in production. */
export async function experimentProject() {
  let now = start
  const engine = createEngine({
    storage: createMemoryStorage(),
    clock: () => now,
    randomHex: fixedRandomHex(),
    sdk: { flushMs: 60_000 },
  })
  onTestFinished(() => engine.close())
  const as = (await engine.bootstrap())?.token as string
  const { api } = engine
  await api.createProject({ body: { key: projectKey, name: 'Web' } }, { as })
  const metric = { key: 'buys', name: 'Buys', kind: 'custom', eventKey: 'buy', unitAggregationType: 'average' } as const
  await api.postMetric({ projectKey, body: metric }, { as })

  /** Creates a flag that is on and serves `true` to all contexts. */
  async function createFlag(flagKey: string) {
    const { variations } = await api.createFlag({ projectKey, body: { key: flagKey, name: flagKey } }, { as })
    await change(flagKey, { kind: 'turnFlagOn' })
    return variations.map(({ _id }) => _id) as [string, string]
  }
  function change(flagKey: string, ...instructions: object[]) {
    return api.patchFlag({ projectKey, flagKey, body: { environmentKey, instructions } as never }, { as })
  }
  /** Creates an experiment on a flag in which `true` is the baseline. */
  async function createExperiment(key: string, percent = '50', overrides: object = {}) {
    const [on, off] = await createFlag(key)
    const treatmentOf = (variationId: string, name: string) => ({
      name,
      baseline: name === 'on',
      allocationPercent: percent,
      parameters: [{ flagKey: key, variationId }],
    })
    const iteration = {
      hypothesis: 'It sells more',
      metrics: [{ key: 'buys' }],
      primarySingleMetricKey: 'buys',
      treatments: [treatmentOf(on, 'on'), treatmentOf(off, 'off')],
      flags: { [key]: { ruleId: 'fallthrough', flagConfigVersion: 2 } },
      attributes: ['plan'],
    }
    await api.createExperiment({ ...environmentKeys, body: { key, name: key, iteration, ...overrides } }, { as })
    return { on, off, iteration }
  }
  function patch(experimentKey: string, ...instructions: object[]) {
    const query = {}
    return api.patchExperiment({ ...environmentKeys, ...query, experimentKey, body: { instructions } as never }, { as })
  }
  const get = (experimentKey: string) =>
    api.getExperiment({ ...environmentKeys, experimentKey, expand: ['treatments', 'previousIterations'] }, { as })
  const evaluate = (flagKey: string, index: number) => engine.evaluate(flagKey, user(index), false, environmentKeys)
  const isCounted = (flagKey: string, index: number) => {
    const { reason } = evaluate(flagKey, index)
    return 'inExperiment' in reason && reason.inExperiment === true
  }
  const advance = (ms: number) => {
    now += ms
  }
  await engine.evaluator(environmentKeys).ready()
  return { advance, engine, api, as, createFlag, createExperiment, change, patch, get, evaluate, isCounted }
}
