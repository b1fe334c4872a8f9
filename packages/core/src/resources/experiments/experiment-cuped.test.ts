import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createEngine } from '../../index.ts'
import { type RawUnit, rawCuped } from '../../rules/statistics/test/raw-cuped.ts'
import { engineRequest } from '../account/test/calls.ts'
import { fixedRandomHex } from '../account/test/fixed-random.ts'
import { controlled, day, environmentKeys, hour, start } from '../flag-evaluations/test/controlled-storage.ts'

const { projectKey, environmentKey } = environmentKeys
const experiment = { ...environmentKeys, experimentKey: 'checkout' }
const user = (index: number) => ({ kind: 'user', key: `user-${index}` })

/** Makes an engine with an experiment that has not started, and functions that move its clock and track events. */
async function draftedExperiment() {
  let now = start
  const { storage } = controlled(createMemoryStorage())
  const randomHex = fixedRandomHex()
  const open = () => createEngine({ storage, clock: () => now, randomHex, sdk: { flushMs: 60_000 } })
  let engine = open()
  onTestFinished(() => engine.close())
  const as = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: projectKey, name: 'Web' } }, { as })
  const numeric = {
    kind: 'custom',
    eventKey: 'buy',
    isNumeric: true,
    unitAggregationType: 'sum',
    successCriteria: 'HigherThanBaseline',
    unit: 'EUR',
  } as const
  const perVisit = { ...numeric, denominator: { eventKey: 'visit' } }
  await engine.api.postMetric({ projectKey, body: { ...numeric, key: 'revenue', name: 'Revenue' } }, { as })
  await engine.api.postMetric({ projectKey, body: { ...perVisit, key: 'per-visit', name: 'Per visit' } }, { as })
  const { variations } = await engine.api.createFlag(
    { projectKey, body: { key: 'checkout', name: 'Checkout' } },
    { as },
  )
  const turnOn = { environmentKey, instructions: [{ kind: 'turnFlagOn' }] } as never
  await engine.api.patchFlag({ projectKey, flagKey: 'checkout', body: turnOn }, { as })
  const iteration = {
    hypothesis: 'It sells more',
    canReshuffleTraffic: true,
    metrics: [{ key: 'revenue' }, { key: 'per-visit' }],
    primarySingleMetricKey: 'revenue',
    treatments: variations.map(({ _id }, index) => ({
      name: `treatment ${index}`,
      baseline: index === 0,
      allocationPercent: '50',
      parameters: [{ flagKey: 'checkout', variationId: _id as string }],
    })),
    flags: { checkout: { ruleId: 'fallthrough', flagConfigVersion: 2 } },
  }
  const body = { key: 'checkout', name: 'Checkout', iteration }
  await engine.api.createExperiment({ ...environmentKeys, body: body as never }, { as })
  return {
    /** Creates the next iteration, which does not start. */
    draft: () => engine.api.createIteration({ ...experiment, body: iteration as never }, { as }),
    advance(ms: number) {
      now += ms
    },
    /** Writes the pending events and continues with another engine on the same storage. */
    async restart() {
      await engine.close()
      engine = open()
    },
    patch: (...instructions: object[]) =>
      engine.api.patchExperiment({ ...experiment, body: { instructions } as never }, { as }),
    async evaluate(index: number) {
      await engine.evaluator(environmentKeys).ready()
      return engine.evaluate('checkout', user(index), false, environmentKeys).variationIndex
    },
    track(key: string, index: number, value?: number) {
      engine.track(key, user(index), value === undefined ? {} : { value }, environmentKeys)
    },
    /** Sends the events of a report of an SDK and writes them. */
    async report(id: string, events: readonly object[]) {
      const { apiKey } = await engine.api.getEnvironment(environmentKeys, { as })
      const headers = { authorization: apiKey, 'x-launchdarkly-payload-id': id }
      await engine.sdk.handle(engineRequest('POST', '/bulk', events, headers))
      await engine.sdk.flush()
    },
    compact: () => engine.compact(),
    /** Returns the keys of all stored units. */
    async unitKeys() {
      const query = { collection: 'measured-unit', scope: '', deep: true, limit: 100, select: 'fields' } as const
      return (await storage.account('default').list(query)).items.map(({ key }) => key)
    },
    async results(varianceReduction: 'none' | 'cuped') {
      await engine.sdk.flush()
      const query = { varianceReduction, method: 'frequentist', correction: 'none' } as const
      const { metrics } = await engine.api.getExperimentAnalysis({ ...experiment, ...query }, { as })
      return metrics.map(({ treatments }) => treatments)
    },
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('an experiment with CUPED', () => {
  it('has results that equal a computation from all events before and after its start, with much less variance', async () => {
    const { advance, patch, evaluate, track, restart, results } = await draftedExperiment()
    const skillOf = (index: number) => (index * 7) % 41
    const units = numbers(300).map(() => ({ value: 0, denominator: 0, pre: 0, preDenominator: 0 }))
    for (const round of numbers(3)) {
      for (const [index, unit] of units.entries()) {
        // Some users have no events before the experiment.
        if (index % 10 === 0) continue
        const value = skillOf(index) + ((index + round) % 3)
        track('buy', index, value)
        track('visit', index)
        unit.pre += value
        unit.preDenominator += 1
      }
      advance(day)
      await restart()
    }
    await patch({ kind: 'startIteration' })
    advance(hour)
    const variations: RawUnit[][] = [[], []]
    for (const [index, unit] of units.entries()) {
      const variation = (await evaluate(index)) as number
      variations[variation]?.push(unit)
      for (const visit of numbers(1 + (index % 2))) {
        const value = 2 * skillOf(index) + ((index + visit) % 5) + variation
        track('buy', index, value)
        track('visit', index)
        unit.value += value
        unit.denominator += 1
      }
    }
    const [plainMean, plainRatio] = await results('none')
    const [mean, ratio] = await results('cuped')
    const raw = [
      rawCuped(variations.map((units) => units.map(({ value, pre }) => ({ value, pre })))),
      rawCuped(variations),
    ]
    for (const [metric, treatments] of [mean, ratio].entries()) {
      for (const [index, { value, standardError }] of (treatments ?? []).entries()) {
        expect(value).toBeCloseTo(raw[metric]?.[index]?.value as number, 7)
        expect(standardError).toBeCloseTo(raw[metric]?.[index]?.standardError as number, 7)
      }
    }
    const varianceOf = (treatments: typeof mean) => (treatments?.[1]?.standardError ?? Number.NaN) ** 2
    expect(varianceOf(mean)).toBeLessThan(varianceOf(plainMean) / 2)
    expect(varianceOf(ratio)).toBeLessThan(varianceOf(plainRatio) / 2)
  })

  it('counts no events that are older than 14 days at the start', async () => {
    const { advance, patch, evaluate, track, results } = await draftedExperiment()
    // Only some users have these events, so that the events would change the variance if they counted.
    for (const index of numbers(20)) track('buy', index, 1000)
    await results('none').catch(() => {})
    advance(15 * day)
    await patch({ kind: 'startIteration' })
    for (const index of numbers(40)) {
      await evaluate(index)
      track('buy', index, index)
    }
    expect(await results('cuped')).toEqual(await results('none'))
  })

  it('counts the events between two iterations, but not the events during the earlier iteration', async () => {
    const { advance, draft, patch, evaluate, track, report, results } = await draftedExperiment()
    const users = numbers(40)
    const purchases = (at: number, from: number, priceOf: (index: number) => number) =>
      users.slice(from).map((index) => {
        const contextKeys = { user: user(index).key }
        return { kind: 'custom', key: 'buy', metricValue: priceOf(index), creationDate: at, contextKeys }
      })
    await patch({ kind: 'startIteration' })
    advance(hour)
    await draft()
    await report(
      'while running',
      purchases(start + 1, 20, () => 1000),
    )
    await patch({ kind: 'stopIteration' })
    advance(hour)
    await report(
      'late, before the start',
      purchases(start + 2, 20, () => 1000),
    )
    await patch({ kind: 'startIteration' })
    for (const index of users) {
      await evaluate(index)
      track('buy', index, index * 10 + (index % 2))
    }
    await report(
      'late, after the start',
      purchases(start + 3, 20, () => 1000),
    )
    const [plain] = await results('none')
    expect((await results('cuped'))[0]).toEqual(plain)
    await report(
      'between the iterations',
      purchases(start + hour + 1, 0, (index) => index * 10),
    )
    const [reduced] = await results('cuped')
    expect(reduced?.[0]?.standardError).toBeLessThan((plain?.[0]?.standardError ?? 0) / 5)
  })

  it('counts events before the start that are reported after the exposure, once for each report', async () => {
    const { advance, patch, evaluate, track, report, results } = await draftedExperiment()
    advance(hour)
    await patch({ kind: 'startIteration' })
    for (const index of numbers(40)) {
      await evaluate(index)
      track('buy', index, index * 10 + (index % 2))
    }
    const [plain] = await results('none')
    expect(await results('cuped')).toEqual(await results('none'))
    const late = numbers(40).map((index) => {
      const contextKeys = { user: user(index).key }
      return { kind: 'custom', key: 'buy', metricValue: index * 10, creationDate: start + 1, contextKeys }
    })
    await report('late', late)
    const [reduced] = await results('cuped')
    expect(reduced?.[0]?.standardError).toBeLessThan((plain?.[0]?.standardError ?? 0) / 5)
    await report('late', late)
    expect((await results('cuped'))[0]).toEqual(reduced)
    expect((await results('none'))[0]).toEqual(plain)
  })

  it('keeps a unit that was not exposed until `compact` runs 30 days after its last event', async () => {
    const { advance, track, results, compact, unitKeys } = await draftedExperiment()
    track('buy', 1, 5)
    track('other', 2, 5)
    await results('none').catch(() => {})
    expect(await unitKeys()).toEqual(['user-1'])
    advance(29 * day)
    await compact()
    expect(await unitKeys()).toEqual(['user-1'])
    advance(2 * day)
    await compact()
    expect(await unitKeys()).toEqual([])
  })
})
