import { expect, it } from 'vitest'
import { engineRequest } from '../account/test/calls.ts'
import { environmentKeys, start } from '../flag-evaluations/test/controlled-storage.ts'
import { experimentProject, user } from './test/experiment-project.ts'

const { projectKey } = environmentKeys

it('the results of an experiment contain the metrics of a group, and each step of a funnel for the contexts that reached the previous step', async () => {
  const { engine, api, as, createExperiment, patch, advance, evaluate } = await experimentProject()
  const metric = { kind: 'custom', unitAggregationType: 'average' } as const
  await api.postMetric({ projectKey, body: { ...metric, key: 'views', name: 'Views', eventKey: 'view' } }, { as })
  const steps = [
    { key: 'views', nameInGroup: 'See the page' },
    { key: 'buys', nameInGroup: 'Buy' },
  ]
  await api.createMetricGroup(
    { projectKey, body: { key: 'path', name: 'Path', kind: 'funnel', metrics: steps } },
    { as },
  )
  const all = { key: 'all', name: 'All', kind: 'standard', metrics: [{ key: 'buys' }] } as const
  await api.createMetricGroup({ projectKey, body: all }, { as })
  const { iteration } = await createExperiment('checkout')
  const { primarySingleMetricKey: _, ...rest } = iteration
  const metrics = [
    { key: 'path', isGroup: true },
    { key: 'all', isGroup: true },
  ]
  await patch('checkout', {
    kind: 'saveAndStartNewIteration',
    iteration: { ...rest, metrics, primaryFunnelKey: 'path' },
  })
  advance(100)
  const { apiKey } = await api.getEnvironment(environmentKeys, { as })
  const counts = [0, 1].map(() => ({ units: 0, viewed: 0, boughtAfterView: 0, bought: 0 }))
  const events = Array.from({ length: 900 }, (_, index) => {
    const { value, variationIndex, reason } = evaluate('checkout', index)
    const context = user(index)
    const exposure = { kind: 'feature', key: 'checkout', version: 1, variation: variationIndex, value, reason, context }
    const event = (key: string, at: number) => ({
      kind: 'custom',
      key,
      creationDate: at,
      contextKeys: { user: context.key },
    })
    const views = index % 3 !== 0
    // The shares are so far apart that the verdict holds for any allocation of the contexts.
    const buys = index % (value === true ? 50 : 2) === 0
    // Some users buy before they see the page; these purchases are not a step of the funnel.
    const isEarly = index % 4 === 0
    const side = counts[value === true ? 0 : 1]!
    side.units++
    side.viewed += views ? 1 : 0
    side.bought += buys ? 1 : 0
    side.boughtAfterView += views && buys && !isEarly ? 1 : 0
    return [
      ...(buys ? [event('buy', start + (isEarly ? 10 : 30))] : []),
      ...(views ? [event('view', start + 20)] : []),
      { ...exposure, creationDate: start + 5 },
    ]
  }).flat()
  await engine.sdk.handle(engineRequest('POST', '/bulk', events, { authorization: apiKey }))
  await engine.sdk.flush()
  const experiment = { ...environmentKeys, experimentKey: 'checkout' }
  const query = { method: 'frequentist', expand: ['days'] } as const
  const results = await api.getExperimentAnalysis({ ...experiment, ...query }, { as })
  const shares = (part: (side: (typeof counts)[0]) => readonly [number, number]) =>
    counts.map((side) => {
      const [units, reached] = part(side)
      const value = reached / units
      const error = Math.sqrt((value * (1 - value)) / (units - 1))
      return { units, value: expect.closeTo(value, 12), standardError: expect.closeTo(error, 12) }
    })
  const [path, group] = results.metricGroups
  expect(path).toMatchObject({
    key: 'path',
    kind: 'funnel',
    metrics: [
      { key: 'views', name: 'See the page', treatments: shares(({ units, viewed }) => [units, viewed]) },
      { key: 'buys', name: 'Buy', treatments: shares(({ viewed, boughtAfterView }) => [viewed, boughtAfterView]) },
    ],
    completion: { treatments: shares(({ units, boughtAfterView }) => [units, boughtAfterView]) },
  })
  expect(path?.metrics[1]?.treatments[1]?.comparison).toMatchObject({
    verdict: 'better',
    correctedPValue: expect.any(Number),
  })
  expect(group?.metrics).toMatchObject([{ key: 'buys', treatments: shares(({ units, bought }) => [units, bought]) }])
  expect(group).not.toHaveProperty('completion')
  expect(results.days?.at(-1)?.metricGroups).toEqual(results.metricGroups)
  const resultsOf = async (metricGroupKey: string) =>
    (await api.getExperimentResultsForMetricGroup({ ...experiment, metricGroupKey }, { as })).metrics
  const means = (part: (side: (typeof counts)[0]) => readonly [number, number]) =>
    shares(part).map(({ units, value }) => ({ units, mean: value }))
  expect(await resultsOf('path')).toMatchObject([
    {
      metric: { key: 'views', nameInGroup: 'See the page' },
      results: { treatmentResults: means(({ units, viewed }) => [units, viewed]), metricSeen: { ever: true } },
    },
    {
      metric: { key: 'buys', nameInGroup: 'Buy' },
      results: { treatmentResults: means(({ viewed, boughtAfterView }) => [viewed, boughtAfterView]) },
    },
  ])
  expect(await resultsOf('all')).toMatchObject([
    { metric: { key: 'buys' }, results: { treatmentResults: means(({ units, bought }) => [units, bought]) } },
  ])
  await expect(resultsOf('buys')).rejects.toMatchObject({ code: 'not_found' })
})
