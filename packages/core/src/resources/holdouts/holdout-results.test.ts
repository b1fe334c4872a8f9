import { describe, expect, it } from 'vitest'
import { engineRequest } from '../account/test/calls.ts'
import { experimentProject, user } from '../experiments/test/experiment-project.ts'
import { environmentKeys, start } from '../flag-evaluations/test/controlled-storage.ts'

const holdoutKeys = { ...environmentKeys, holdoutKey: 'q1' }
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Makes a project with a holdout of 30 % of the contexts, and functions that report events as an SDK does. */
async function projectWithHoldout() {
  const project = await experimentProject()
  const { engine, api, as, evaluate, createFlag, change } = project
  const body = {
    key: 'q1',
    name: 'Q1',
    attributes: ['plan'],
    holdoutamount: '30',
    primarymetrickey: 'buys',
    metrics: [{ key: 'buys' }],
  }
  const { _id: holdoutId } = await api.postHoldout({ ...environmentKeys, body }, { as })
  const [isIn, isOut] = await createFlag('probe')
  const clause = { attribute: 'segmentMatch', op: 'segmentMatch', values: ['holdout-q1'], contextKind: 'user' }
  await change('probe', { kind: 'addRule', clauses: [clause], variationId: isIn })
  await change('probe', { kind: 'updateFallthroughVariationOrRollout', variationId: isOut })
  const { apiKey } = await api.getEnvironment(environmentKeys, { as })
  return {
    ...project,
    holdoutId,
    /** Returns true for a context of the holdout. The flag `probe` serves true to the segment of the holdout. */
    isHeldOut: (index: number) => evaluate('probe', index).value === true,
    /** Returns the event that an SDK sends for an evaluation; undefined when it sends none. */
    exposure(flagKey: string, index: number, at: number) {
      const { value, variationIndex, reason } = evaluate(flagKey, index)
      if (!('inExperiment' in reason)) return undefined
      const context = { ...user(index), plan: index % 2 === 0 ? 'free' : 'paid' }
      const evaluation = { key: flagKey, version: 1, variation: variationIndex, value, reason }
      return { kind: 'feature', ...evaluation, creationDate: at, context }
    },
    async report(events: readonly (object | undefined)[]) {
      const sent = events.filter((event) => event !== undefined)
      await engine.sdk.handle(engineRequest('POST', '/bulk', sent, { authorization: apiKey }))
      await engine.sdk.flush()
    },
    results: (query: object = {}) => api.getHoldoutResults({ ...holdoutKeys, ...query }, { as }),
    async units() {
      return (await api.getHoldoutResults(holdoutKeys, { as })).traffic.map(({ units }) => units)
    },
  }
}

type Project = Awaited<ReturnType<typeof projectWithHoldout>>

interface Counts {
  units: number
  buyers: number
}

/**
 * Reports evaluations and purchases of 4,000 users. Returns the units and buyers in the holdout and outside of it, for
 * all users and by plan.
 */
async function useFlags({ exposure, isHeldOut, report }: Project) {
  const expected = new Map(
    ['all', 'free', 'paid'].map((name) => [name, numbers(2).map(() => ({ units: 0, buyers: 0 }))]),
  )
  const outside: number[] = []
  const events: (object | undefined)[] = []
  for (const index of numbers(4_000)) {
    // A quarter of the users evaluate no flag, a quarter evaluate only the first flag, a quarter only the second, and a
    // quarter both.
    const flagKeys = [...(index % 4 >= 2 ? ['first'] : []), ...((index % 4) % 2 === 1 ? ['second'] : [])]
    const exposures = flagKeys.flatMap((key, at) => exposure(key, index, start + 10 + at) ?? [])
    // Some purchases are earlier than the first exposure, and do not count.
    const isEarly = index % 11 === 0
    // Outside of the holdout, far more users buy than could be explained by chance.
    const buys = index % (isHeldOut(index) ? 50 : 3) === 0
    const purchase = {
      kind: 'custom',
      key: 'buy',
      creationDate: start + (isEarly ? 5 : 20),
      contextKeys: { user: user(index).key },
    }
    events.push(...(buys ? [purchase] : []), ...exposures)
    if (exposures.length === 0) {
      if (flagKeys.length > 0) outside.push(index)
      continue
    }
    for (const name of ['all', index % 2 === 0 ? 'free' : 'paid']) {
      const counts = expected.get(name)?.[isHeldOut(index) ? 0 : 1] as Counts
      counts.units++
      if (buys && !isEarly) counts.buyers++
    }
  }
  for (let at = 0; at < events.length; at += 2_000) await report(events.slice(at, at + 2_000))
  return { expected, outside }
}

function expectedTreatments(counts: readonly Counts[]) {
  return counts.map(({ units, buyers }) => {
    const rate = buyers / units
    const standardError = Math.sqrt((rate * (1 - rate)) / (units - 1))
    return { units, value: expect.closeTo(rate, 12), standardError: expect.closeTo(standardError, 12) }
  })
}

describe('the results of a holdout', () => {
  it('compare the held-out units with all other units that an experiment counts, like a computation from the events', async () => {
    const project = await projectWithHoldout()
    const { createExperiment, patch, advance, isHeldOut, holdoutId, results } = project
    await expect(results()).rejects.toMatchObject({ code: 'not_found' })
    for (const [key, percent] of [
      ['first', '30'],
      ['second', '10'],
    ] as const) {
      await createExperiment(key, percent, { holdoutId })
      await patch(key, { kind: 'startIteration' })
    }
    advance(30)
    const { expected, outside } = await useFlags(project)
    const all = expected.get('all') as Counts[]
    const compared = await results({ method: 'frequentist', correction: 'none', expand: ['days'] })
    expect(compared).toMatchObject({ status: 'running', mixedUnits: 0, sampleRatio: { mismatch: false } })
    expect(compared.traffic.map(({ treatmentName, units }) => [treatmentName, units])).toEqual([
      ['In the holdout', all[0]?.units],
      ['Not in the holdout', all[1]?.units],
    ])
    expect(compared.metrics[0]?.treatments).toMatchObject(expectedTreatments(all))
    expect(compared.metrics[0]?.treatments[1]?.comparison).toMatchObject({ verdict: 'better' })
    expect(compared.days?.at(-1)?.metrics).toEqual(compared.metrics)
    for (const plan of ['free', 'paid']) {
      const ofPlan = compared.attributes[0]?.values.find(({ value }) => value === plan)
      expect(ofPlan?.metrics[0]?.treatments).toMatchObject(expectedTreatments(expected.get(plan) as Counts[]))
    }
    // The experiment leaves out the same fraction of the contexts inside and outside of the holdout.
    const shares = [true, false].map((side) => {
      const unitCount = outside.filter((index) => isHeldOut(index) === side).length
      return unitCount / (unitCount + (all[side ? 0 : 1]?.units ?? 0))
    })
    expect(Math.abs((shares[0] ?? 0) - (shares[1] ?? 0))).toBeLessThan(0.06)
  })

  it('contain no exposures from before or after the iterations of the holdout', async () => {
    const project = await projectWithHoldout()
    const { createExperiment, patch, change, advance, exposure, report, holdoutId, units, results, api, as } = project
    const { iteration, on } = await createExperiment('first', '50', { holdoutId })
    await patch('first', { kind: 'startIteration' })
    const inTime = numbers(40).map((index) => exposure('first', index, start + 5))
    // SDKs report the exposures of ten more users after the end.
    const late = inTime
      .slice(0, 10)
      .map((event, index) => ({ ...event, context: { kind: 'user', key: `late-${index}` } }))
    advance(10)
    // A change of the rule ends the iteration.
    await change('first', { kind: 'updateFallthroughVariationOrRollout', variationId: on })
    await api.createExperiment(
      { ...environmentKeys, body: { key: 'other', name: 'Other', iteration } as never },
      { as },
    )
    await patch('other', { kind: 'startIteration' })
    advance(10)
    await report(numbers(400).map((index) => exposure('first', index, start + 15)))
    const total = async () => (await units()).reduce((sum, count) => sum + count)
    expect(await total()).toBe(40)
    await report(late)
    expect(await total()).toBe(50)

    await patch('other', { kind: 'stopIteration' })
    await patch('first', { kind: 'saveAndStartNewIteration', iteration })
    await report(numbers(90).map((index) => exposure('first', index, start + 20)))
    expect(await total()).toBe(100)
    advance(10)
    await patch('first', { kind: 'stopIteration' })
    const instructions = [{ kind: 'endHoldout' }] as never
    await api.patchHoldout({ ...holdoutKeys, body: { instructions } }, { as })
    expect(await results()).toMatchObject({ status: 'stopped', endedAt: String(start + 30) })
  })
})
