import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressSdk } from '@halyard/transport-express'
import type { LDClient } from '@launchdarkly/node-server-sdk'
import { expect, it } from 'vitest'
import { createSdkFixture, environmentKeys, listen, readyClient } from './setup/sdk-fixture.ts'

const { projectKey, environmentKey } = environmentKeys
const experiment = { ...environmentKeys, experimentKey: 'answers' }

type Fixture = Awaited<ReturnType<typeof createSdkFixture>>

/** Makes a flag or an AI config with two variations that is on, and returns the ids of the variations. */
const subjects = {
  async flag({ api, as, instruct }: Fixture) {
    const variations = [{ value: 'short' }, { value: 'long' }]
    const flag = await api.createFlag({ projectKey, body: { key: 'assistant', name: 'Assistant', variations } }, { as })
    await instruct('assistant', { kind: 'turnFlagOn' })
    return flag.variations.map(({ _id }) => _id as string)
  },
  async 'AI config'({ api, as }: Fixture) {
    const config = { projectKey, configKey: 'assistant' }
    await api.createAIConfig({ projectKey, body: { key: 'assistant', name: 'Assistant' } }, { as })
    const ids: string[] = []
    for (const key of ['short', 'long']) {
      ids.push((await api.createAIConfigVariation({ ...config, body: { key, name: key } }, { as }))._id)
    }
    const instructions = [
      { kind: 'turnFlagOn' },
      { kind: 'updateFallthroughVariationOrRollout', variationId: ids[0] },
    ] as never
    await api.patchAIConfigTargeting({ ...config, body: { environmentKey, instructions } }, { as })
    return ids
  },
} as const

/** Starts an experiment in which each of two variations gets a part of the contexts. */
async function startExperiment({ api, as }: Fixture, ids: readonly string[], percents: readonly string[]) {
  const metric = { key: 'spent', name: 'Spent', kind: 'custom', eventKey: 'buy', isNumeric: true, unit: 'USD' } as const
  await api.postMetric(
    { projectKey, body: { ...metric, unitAggregationType: 'sum', successCriteria: 'HigherThanBaseline' } },
    { as },
  )
  const treatments = ids.map((variationId, index) => ({
    name: ['short', 'long'][index] as string,
    baseline: index === 0,
    allocationPercent: percents[index] as string,
    parameters: [{ flagKey: 'assistant', variationId }],
  }))
  const iteration = {
    hypothesis: 'Longer answers sell more',
    metrics: [{ key: 'spent' }],
    primarySingleMetricKey: 'spent',
    treatments,
    flags: { assistant: { ruleId: 'fallthrough', flagConfigVersion: 2 } },
    attributes: ['plan'],
  }
  await api.createExperiment({ ...environmentKeys, body: { key: 'answers', name: 'Answers', iteration } }, { as })
  const instructions = [{ kind: 'startIteration' }] as never
  await api.patchExperiment({ ...experiment, body: { instructions } }, { as })
}

interface Side {
  units: number
  sum: number
  sumOfSquares: number
}

/** Evaluates and tracks with the SDK. Returns the sums of the contexts by the variation that the SDK served. */
async function useSdk(client: LDClient, { engine }: Fixture) {
  const totals: Side[] = [0, 1].map(() => ({ units: 0, sum: 0, sumOfSquares: 0 }))
  const paid: Side[] = structuredClone(totals)
  let differing = 0
  let outside = 0
  for (let index = 0; index < 2_000; index++) {
    const plan = index % 3 === 0 ? 'paid' : 'free'
    const context = { kind: 'user', key: `user-${index}`, plan }
    const { value, variationIndex, reason } = await client.variationDetail('assistant', context, null)
    const ours = engine.evaluate('assistant', context, null, environmentKeys)
    if (JSON.stringify(ours.value) !== JSON.stringify(value) || ours.variationIndex !== variationIndex) differing++
    if (!reason.inExperiment) {
      outside++
      continue
    }
    // One context in four buys one to three things.
    const prices = index % 4 === 0 ? Array.from({ length: 1 + (index % 3) }, (_, thing) => 5 + (index % 7) + thing) : []
    for (const price of prices) client.track('buy', context, undefined, price)
    const spent = prices.reduce((sum, price) => sum + price, 0)
    const side = JSON.stringify(value).includes('long') ? 1 : 0
    for (const sums of plan === 'paid' ? [totals, paid] : [totals]) {
      const sum = sums[side] as Side
      sum.units++
      sum.sum += spent
      sum.sumOfSquares += spent * spent
    }
  }
  return { totals, paid, differing, outside }
}

function expectedTreatment({ units, sum, sumOfSquares }: Side) {
  const mean = sum / units
  const variance = (sumOfSquares - units * mean * mean) / (units - 1)
  return {
    units,
    value: expect.closeTo(mean, 10),
    standardError: expect.closeTo(Math.sqrt(variance / units), 10),
  }
}

it.each(Object.keys(subjects) as (keyof typeof subjects)[])(
  'an unmodified SDK serves an experiment on one %s as the engine does, and the results are computed from its events',
  async (subject) => {
    const fixture = await createSdkFixture(createMemoryStorage())
    const { engine, api, as, keys } = fixture
    const ids = await subjects[subject](fixture)
    await startExperiment(fixture, ids, ['40', '40'])
    const url = await listen(createExpressSdk(engine))
    const client = await readyClient(url, keys.server)
    await engine.evaluator(environmentKeys).ready()
    const { totals, paid, differing, outside } = await useSdk(client, fixture)
    expect(differing).toBe(0)
    // A fifth of the contexts is in no treatment.
    expect(Math.abs(outside - 400)).toBeLessThan(80)
    await client.flush()
    await engine.sdk.flush()

    const results = await api.getExperimentAnalysis({ ...experiment, method: 'frequentist', expand: ['days'] }, { as })
    expect(results.mixedUnits).toBe(0)
    expect(results.traffic.map(({ units }) => units)).toEqual(totals.map(({ units }) => units))
    expect(results.metrics[0]?.treatments).toMatchObject(totals.map(expectedTreatment))
    const byPlan = results.attributes[0]?.values.find(({ value }) => value === 'paid')
    expect(byPlan?.metrics[0]?.treatments).toMatchObject(paid.map(expectedTreatment))
    expect(results.days?.at(-1)?.metrics).toEqual(results.metrics)

    const quickStats = async () => api.getAIConfigQuickStats({ projectKey, env: environmentKey }, { as })
    expect(await quickStats()).toMatchObject({ activeExperiments: subject === 'flag' ? 0 : 1 })
    const instructions = [{ kind: 'stopIteration' }] as never
    await api.patchExperiment({ ...experiment, body: { instructions } }, { as })
    expect(await quickStats()).toMatchObject({ activeExperiments: 0 })
  },
)
