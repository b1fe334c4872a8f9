import { describe, expect, it } from 'vitest'
import { engineRequest } from '../account/test/calls.ts'
import { environmentKeys, start } from '../flag-evaluations/test/controlled-storage.ts'
import { experimentProject, user } from './test/experiment-project.ts'

const { projectKey, environmentKey } = environmentKeys

describe('an iteration', () => {
  it('counts 10 % of 100,000 contexts with a tolerance of 0.3 %, and each context stays in its variation', async () => {
    const { createExperiment, patch, evaluate, isCounted } = await experimentProject()
    await createExperiment('checkout', '5')
    await patch('checkout', { kind: 'startIteration' })
    const indexes = Array.from({ length: 100_000 }, (_, index) => index)
    const counted = indexes.filter((index) => isCounted('checkout', index))
    expect(counted.length / indexes.length).toBeGreaterThan(0.097)
    expect(counted.length / indexes.length).toBeLessThan(0.103)
    const first = counted.map((index) => evaluate('checkout', index).value)
    expect(counted.map((index) => evaluate('checkout', index).value)).toEqual(first)
    expect(new Set(first)).toEqual(new Set([true, false]))
    // All other contexts get the baseline.
    const countedSet = new Set(counted)
    const others = indexes.filter((index) => !countedSet.has(index)).slice(0, 2_000)
    expect(others.every((index) => evaluate('checkout', index).value === true)).toBe(true)
  })

  it('includes its flag in lists of flags that are filtered by hasExperiment', async () => {
    const { createExperiment, api, as } = await experimentProject()
    const keysWith = async (filter: string) =>
      (await api.listFlags({ projectKey, filter }, { as })).items.map(({ key }) => key)
    await createExperiment('checkout')
    expect(await keysWith('hasExperiment:true')).toEqual(['checkout'])
    expect(await keysWith('hasExperiment:false')).not.toContain('checkout')
  })

  it('keeps contexts in their variations when the next iteration does not reshuffle', async () => {
    const { createExperiment, patch, evaluate, isCounted } = await experimentProject()
    const { iteration } = await createExperiment('checkout', '10')
    await patch('checkout', { kind: 'startIteration' })
    const counted = Array.from({ length: 5_000 }, (_, index) => index).filter((index) => isCounted('checkout', index))
    const before = counted.map((index) => evaluate('checkout', index).value)
    const treatments = iteration.treatments.map((treatment) => ({ ...treatment, allocationPercent: '30' }))
    await patch('checkout', {
      kind: 'saveAndStartNewIteration',
      changeJustification: 'more contexts',
      iteration: { ...iteration, treatments, canReshuffleTraffic: false },
    })
    expect(counted.map((index) => evaluate('checkout', index).value)).toEqual(before)
    expect(counted.every((index) => isCounted('checkout', index))).toBe(true)
  })

  it('ends with the variation of the winner, or with what the rule served before when there is no winner', async () => {
    const { createExperiment, patch, get, api, as } = await experimentProject()
    const { off } = await createExperiment('checkout')
    const fallthrough = async () =>
      (await api.getFlag({ projectKey, flagKey: 'checkout' }, { as })).environments?.[environmentKey]?.fallthrough
    const before = await fallthrough()
    await patch('checkout', { kind: 'startIteration' })
    expect((await fallthrough())?.rollout?.kind).toBe('experiment')
    await patch('checkout', { kind: 'stopIteration' })
    expect(await fallthrough()).toEqual(before)
    expect((await get('checkout')).currentIteration).toMatchObject({ status: 'stopped', endedAt: String(start) })

    const { treatments = [] } = (await get('checkout')).currentIteration ?? {}
    expect(treatments.map(({ name }) => name)).toEqual(['on', 'off'])
    await expect(patch('checkout', { kind: 'startIteration' })).rejects.toMatchObject({
      errors: [{ attribute: 'instructions.0', reason: 'must follow the creation of an iteration' }],
    })
    expect(off).not.toBe('')
  })

  it('ends when a change of the flag serves one variation instead, and that variation is the winner', async () => {
    const { createExperiment, patch, get, change, api, as } = await experimentProject()
    const { off } = await createExperiment('checkout')
    await patch('checkout', { kind: 'startIteration' })
    await change('checkout', { kind: 'turnFlagOff' }, { kind: 'turnFlagOn' })
    expect((await get('checkout')).currentIteration?.status).toBe('running')
    await change('checkout', { kind: 'updateFallthroughVariationOrRollout', variationId: off })
    const { currentIteration } = await get('checkout')
    const winner = currentIteration?.treatments?.find(({ name }) => name === 'off')
    expect(currentIteration).toMatchObject({ status: 'stopped', winningTreatmentId: winner?._id })
    const { items } = await api.listChangeLog({ limit: 1 }, { as })
    expect(items[0]?.description).toBe(
      'made checkout in Production serve false when no rule matches\n' +
        'ended the iteration of checkout in Production with the winner off',
    )
  })

  it('is not started by a JSON Patch that contains an experiment', async () => {
    const { createFlag, api, as } = await experimentProject()
    await createFlag('checkout')
    const rollout = {
      kind: 'experiment',
      seed: 3,
      contextKind: 'user',
      variations: [{ variation: 0, weight: 100_000 }],
    }
    const body = [{ op: 'replace', path: `/environments/${environmentKey}/fallthrough`, value: { rollout } }]
    await expect(api.patchFlag({ projectKey, flagKey: 'checkout', body }, { as })).rejects.toMatchObject({
      status: 400,
      errors: [{ attribute: 'environments.production.rules' }],
    })
  })

  it('prevents the deletion of its flag and its metric', async () => {
    const { createExperiment, patch, api, as } = await experimentProject()
    await createExperiment('checkout')
    await patch('checkout', { kind: 'startIteration' })
    await expect(api.deleteFlag({ projectKey, flagKey: 'checkout' }, { as })).rejects.toMatchObject({ status: 409 })
    await expect(api.deleteMetric({ projectKey, metricKey: 'buys' }, { as })).rejects.toMatchObject({ status: 409 })
  })
})

describe('a layer', () => {
  it('counts no context in two experiments, and refuses to reserve more than all contexts', async () => {
    const { createExperiment, patch, isCounted, api, as } = await experimentProject()
    await api.createLayer({ projectKey, body: { key: 'page', name: 'Page', description: '' } }, { as })
    const reserve = (experimentKey: string, reservationPercent: number) => {
      const instruction = { kind: 'updateExperimentReservation', experimentKey, reservationPercent } as const
      const body = { environmentKey, instructions: [instruction] }
      return api.updateLayer({ projectKey, layerKey: 'page', body }, { as })
    }
    for (const key of ['first', 'second']) await createExperiment(key)
    await reserve('first', 60)
    await expect(reserve('second', 41)).rejects.toMatchObject({
      errors: [{ attribute: 'instructions.0.reservationPercent' }],
    })
    await reserve('second', 40)
    for (const key of ['first', 'second']) await patch(key, { kind: 'startIteration' })
    await expect(reserve('first', 10)).rejects.toMatchObject({
      errors: [{ attribute: 'instructions.0.experimentKey' }],
    })
    const indexes = Array.from({ length: 5_000 }, (_, index) => index)
    const first = indexes.filter((index) => isCounted('first', index))
    const second = new Set(indexes.filter((index) => isCounted('second', index)))
    expect(first.filter((index) => second.has(index))).toEqual([])
    expect(first.length + second.size).toBe(indexes.length)
  })
})

describe('a holdout', () => {
  it('contains contexts that take part in none of its experiments', async () => {
    const { createExperiment, patch, evaluate, api, as } = await experimentProject()
    const { _id: holdoutId } = await api.postHoldout(
      {
        ...environmentKeys,
        body: { key: 'q1', name: 'Q1', holdoutamount: '20', primarymetrickey: 'buys', metrics: [{ key: 'buys' }] },
      },
      { as },
    )
    for (const key of ['first', 'second']) {
      await createExperiment(key, '50', { holdoutId })
      await patch(key, { kind: 'startIteration' })
    }
    const indexes = Array.from({ length: 10_000 }, (_, index) => index)
    // The rule of the holdout is the only one; all other contexts get the default rule.
    const isHeldOut = (flagKey: string, index: number) => evaluate(flagKey, index).reason.kind === 'RULE_MATCH'
    const heldOut = indexes.filter((index) => isHeldOut('first', index))
    // The tolerance is five standard deviations.
    expect(Math.abs(heldOut.length / indexes.length - 0.2)).toBeLessThan(0.02)
    expect(indexes.filter((index) => isHeldOut('second', index))).toEqual(heldOut)
    expect(heldOut.every((index) => evaluate('first', index).value === true)).toBe(true)
    // The treatments of the experiments are independent of each other.
    const both = indexes.filter((index) => evaluate('first', index).value === evaluate('second', index).value)
    expect((both.length - heldOut.length) / (indexes.length - heldOut.length)).toBeCloseTo(0.5, 1)
    await patch('first', { kind: 'stopIteration' })
    const { environments } = await api.getFlag({ projectKey, flagKey: 'first' }, { as })
    expect(environments?.[environmentKey]?.rules).toEqual([])
  })
})

describe('the results', () => {
  it('equal an independent computation for 10,000 contexts with a known effect', async () => {
    const { advance, engine, createExperiment, patch, evaluate, api, as } = await experimentProject()
    await createExperiment('checkout')
    await patch('checkout', { kind: 'startIteration' })
    advance(10)
    const { apiKey } = await api.getEnvironment(environmentKeys, { as })
    const counts = { on: [0, 0], off: [0, 0] }
    const events = Array.from({ length: 10_000 }, (_, index) => {
      const { value, variationIndex, reason } = evaluate('checkout', index)
      const side = value === true ? counts.on : counts.off
      // One unit in 10 buys with the baseline, one in 5 with the other variation: a difference far greater than any
      // random split causes.
      const buys = Math.imul(index, 2_654_435_761) >>> 0 < 2 ** 32 / (value === true ? 10 : 5)
      side[0] = (side[0] ?? 0) + 1
      side[1] = (side[1] ?? 0) + (buys ? 1 : 0)
      const context = { ...user(index), plan: index % 2 === 0 ? 'free' : 'paid' }
      const shared = { creationDate: start + 1, version: 1 }
      const exposure = {
        kind: 'feature',
        key: 'checkout',
        variation: variationIndex,
        value,
        reason,
        context,
        ...shared,
      }
      const purchase = { kind: 'custom', key: 'buy', creationDate: start + 2, contextKeys: { user: context.key } }
      return buys ? [exposure, purchase] : [exposure]
    })
    for (let at = 0; at < events.length; at += 500) {
      const body = events.slice(at, at + 500).flat()
      await engine.sdk.handle(engineRequest('POST', '/bulk', body, { authorization: apiKey }))
    }
    await engine.sdk.flush()
    const experiment = { ...environmentKeys, experimentKey: 'checkout' }
    const results = await api.getExperimentAnalysis(
      { ...experiment, method: 'frequentist', correction: 'none' },
      { as },
    )

    const [nOn = 0, kOn = 0] = counts.on
    const [nOff = 0, kOff = 0] = counts.off
    expect(results.traffic.map(({ units }) => units)).toEqual([nOn, nOff])
    expect(results).toMatchObject({ mixedUnits: 0, status: 'running', sampleRatio: { mismatch: false } })
    const [on, off] = results.metrics[0]?.treatments ?? []
    const difference = kOff / nOff - kOn / nOn
    const variance = (n: number, k: number) => ((k / n) * (1 - k / n)) / (n - 1)
    const error = Math.sqrt(variance(nOn, kOn) + variance(nOff, kOff))
    expect(on).toMatchObject({ value: kOn / nOn, units: nOn, baseline: true })
    expect(off?.value).toBeCloseTo(kOff / nOff, 12)
    expect(off?.comparison?.difference.estimate).toBeCloseTo(difference, 12)
    expect(off?.comparison?.difference.lower).toBeCloseTo(difference - 1.96 * error, 4)
    expect(off?.comparison).toMatchObject({ verdict: 'better' })
    expect(results.attributes).toMatchObject([{ attribute: 'plan', values: [{ value: 'free' }, { value: 'paid' }] }])

    const bayesian = await api.getExperimentResults({ ...experiment, metricKey: 'buys', expand: ['traffic'] }, { as })
    expect(bayesian.metricSeen).toEqual({ ever: true, timestamp: start + 2 })
    expect(bayesian.treatmentResults.map(({ traffic }) => traffic)).toEqual([nOn, nOff])
    expect(bayesian.treatmentResults[1]?.pBest).toBeGreaterThan(0.99)
  })
})
