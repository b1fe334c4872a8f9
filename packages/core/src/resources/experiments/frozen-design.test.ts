import { describe, expect, it } from 'vitest'
import { environmentKeys } from '../flag-evaluations/test/controlled-storage.ts'
import { experimentProject } from './test/experiment-project.ts'

const { projectKey } = environmentKeys
const experiment = { ...environmentKeys, experimentKey: 'checkout' }
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

const numeric = { isNumeric: true, successCriteria: 'HigherThanBaseline', unit: 'EUR' } as const

/**
 * The settings of each metric, and a function that returns the value of an organization for its purchases; undefined
 * when the organization has no value.
 */
const metrics: Readonly<
  Record<string, readonly [settings: object, measure: (values: number[]) => number | undefined]>
> = {
  converted: [{ unitAggregationType: 'average' }, (values) => (values.length > 0 ? 1 : 0)],
  purchases: [{ unitAggregationType: 'sum' }, (values) => values.length],
  revenue: [{ ...numeric, unitAggregationType: 'sum' }, sum],
  limited: [
    { ...numeric, unitAggregationType: 'sum', winsorization: { lower: 4, upper: 20 } },
    (values) => Math.max(4, Math.min(sum(values), 20)),
  ],
  price: [{ ...numeric, unitAggregationType: 'average' }, (values) => sum(values) / Math.max(values.length, 1)],
  'price-of-buyers': [
    { ...numeric, unitAggregationType: 'average', eventDefault: { disabled: true } },
    (values) => (values.length > 0 ? sum(values) / values.length : undefined),
  ],
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Starts an experiment on `checkout` that randomizes by organization and measures all metrics. */
async function organizationExperiment() {
  const project = await experimentProject()
  const { engine, api, as, createFlag } = project
  await api.putContextKind({ projectKey, key: 'org', body: { name: 'Organization' } }, { as })
  const units = ['user', 'org'].map((randomizationUnit) => ({
    randomizationUnit,
    default: randomizationUnit === 'user',
  }))
  await api.putExperimentationSettings({ projectKey, body: { randomizationUnits: units } }, { as })
  for (const [key, [settings]] of Object.entries(metrics)) {
    const body = { key, name: key, kind: 'custom', eventKey: 'buy', randomizationUnits: ['org'], ...settings }
    await api.postMetric({ projectKey, body: body as never }, { as })
  }
  const [on, off] = await createFlag('checkout')
  const treatments = [on, off].map((variationId, index) => ({
    name: ['on', 'off'][index] as string,
    baseline: index === 0,
    allocationPercent: '50',
    parameters: [{ flagKey: 'checkout', variationId }],
  }))
  const iteration = {
    hypothesis: 'It sells more',
    metrics: Object.keys(metrics).map((key) => ({ key })),
    primarySingleMetricKey: 'revenue',
    treatments,
    flags: { checkout: { ruleId: 'fallthrough', flagConfigVersion: 2 } },
    randomizationUnit: 'org',
  }
  const create = (overrides: object = {}) => {
    const body = { key: 'checkout', name: 'Checkout', iteration: { ...iteration, ...overrides } }
    return api.createExperiment({ ...environmentKeys, body: body as never }, { as })
  }
  return {
    ...project,
    create,
    /**
     * Evaluates for three members of each organization, some of whom buy. Returns the purchases of each organization.
     */
    use(times: number) {
      const sides = [true, false].map(() => new Map<number, number[]>())
      for (const org of numbers(60)) {
        const members = numbers(3).map((member) => ({
          kind: 'multi',
          user: { key: `user-${org}-${member}` },
          org: { key: `org-${org}` },
        }))
        const values = members.map((member) => engine.evaluate('checkout', member, false, environmentKeys).value)
        expect(new Set(values).size).toBe(1)
        const prices = numbers(times * (org % 4)).map((time) => 1 + ((org * 7 + time) % 13))
        for (const [time, value] of prices.entries())
          engine.track('buy', members[time % 3] as object as never, { value }, environmentKeys)
        sides[values[0] === true ? 0 : 1]?.set(org, prices)
      }
      return sides
    },
    async results() {
      await engine.sdk.flush()
      const query = { ...experiment, method: 'frequentist', correction: 'none' } as const
      return api.getExperimentAnalysis(query, { as })
    },
  }
}

function expectedTreatments(side: ReadonlyMap<number, number[]>, measure: (values: number[]) => number | undefined) {
  const values = [...side.values()].flatMap((prices) => measure(prices) ?? [])
  const mean = sum(values) / values.length
  const variance = sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1)
  return {
    units: values.length,
    value: expect.closeTo(mean, 9),
    standardError: expect.closeTo(Math.sqrt(variance / values.length), 9),
  }
}

describe('an experiment that randomizes by organization', () => {
  it('serves one variation to all members, and has the results of each kind of metric over organizations', async () => {
    const { create, patch, use, results } = await organizationExperiment()
    await create()
    await patch('checkout', { kind: 'startIteration' })
    const sides = use(1)
    const { traffic, mixedUnits, metrics: analyzed } = await results()
    expect([...traffic.map(({ units }) => units), mixedUnits]).toEqual([sides[0]?.size, sides[1]?.size, 0])
    expect(analyzed.map(({ key }) => key).toSorted()).toEqual(Object.keys(metrics).toSorted())
    for (const { key, treatments } of analyzed) {
      const [, measure] = metrics[key] as (typeof metrics)[string]
      expect(treatments, key).toMatchObject(sides.map((side) => expectedTreatments(side, measure)))
    }
  })

  it('is refused when the experimentation settings do not have the unit', async () => {
    const { create, api, as } = await organizationExperiment()
    const body = { randomizationUnits: [{ randomizationUnit: 'user', default: true }] }
    await api.putExperimentationSettings({ projectKey, body }, { as })
    await expect(create()).rejects.toMatchObject({
      errors: [{ attribute: 'iteration.randomizationUnit', reason: 'must be one of user' }],
    })
  })

  it('measures the metrics and units as they were defined at the start, despite later changes', async () => {
    const { create, patch, use, results, get, api, as } = await organizationExperiment()
    await create()
    await patch('checkout', { kind: 'startIteration' })
    const before = (await get('checkout')).currentIteration
    for (const metricKey of ['revenue', 'limited'])
      await api.patchMetric(
        { projectKey, metricKey, body: [{ op: 'replace', path: '/eventKey', value: 'other' }] as never },
        { as },
      )
    await api.patchMetric(
      {
        projectKey,
        metricKey: 'limited',
        body: [{ op: 'replace', path: '/winsorization', value: { upper: 1 } }] as never,
      },
      { as },
    )
    const body = { randomizationUnits: [{ randomizationUnit: 'user', default: true }] }
    await api.putExperimentationSettings({ projectKey, body }, { as })
    const sides = use(2)
    const { metrics: analyzed } = await results()
    for (const { key, treatments } of analyzed.filter(({ key }) => ['revenue', 'limited'].includes(key))) {
      const [, measure] = metrics[key] as (typeof metrics)[string]
      expect(treatments, key).toMatchObject(sides.map((side) => expectedTreatments(side, measure)))
    }
    const after = (await get('checkout')).currentIteration
    expect(after).toMatchObject({ treatments: before?.treatments, randomizationUnit: 'org', flags: before?.flags })
  })
})
