import type { ExampleContext, ExampleMakers } from '../example.ts'
import { newMetric } from './metrics.ts'
import { newEnvironment } from './projects.ts'

const semanticPatch = 'application/json; domain-model=svc.semanticpatch'

interface FlagExample {
  readonly variations: readonly { readonly _id: string }[]
}

/** Creates a flag that is on in production, and returns an iteration on its default rule. */
async function newDesign(context: ExampleContext, environment?: Readonly<Record<string, string>>) {
  const params = environment ?? (await newEnvironment(context))
  const flagKey = context.newKey()
  const { projectKey = '' } = params
  const { variations } = await context.call<FlagExample>('createFlag', {
    params: { projectKey },
    body: { key: flagKey, name: 'Checkout' },
  })
  await context.call('patchFlag', {
    params: { projectKey, flagKey },
    body: [{ op: 'replace', path: '/environments/production/on', value: true }],
  })
  const { metricKey } = await newMetric(context, { projectKey })
  const treatments = variations.map(({ _id }, index) => ({
    name: index === 0 ? 'New page' : 'Old page',
    baseline: index === 1,
    allocationPercent: '50',
    parameters: [{ flagKey, variationId: _id }],
  }))
  const iteration = {
    hypothesis: 'The new page sells more',
    metrics: [{ key: metricKey, isGroup: false }],
    primarySingleMetricKey: metricKey,
    treatments,
    flags: { [flagKey]: { ruleId: 'fallthrough', flagConfigVersion: 1 } },
    randomizationUnit: 'user',
    attributes: ['country'],
  }
  return { params, iteration, metricKey }
}

async function newExperiment(
  context: ExampleContext,
  properties: object = {},
  environment?: Readonly<Record<string, string>>,
) {
  const { params: given, iteration, metricKey } = await newDesign(context, environment)
  const { projectKey = '', environmentKey = '' } = given
  const params = { projectKey, environmentKey }
  const experimentKey = context.newKey()
  await context.call('createExperiment', {
    params,
    body: { key: experimentKey, name: 'New checkout', iteration, ...properties },
  })
  return { params: { ...params, experimentKey }, environmentParams: params, iteration, metricKey }
}

/** Creates an experiment with a running iteration. */
async function newRunningExperiment(
  context: ExampleContext,
  properties: object = {},
  environment?: Readonly<Record<string, string>>,
) {
  const created = await newExperiment(context, properties, environment)
  await context.call('patchExperiment', {
    params: created.params,
    mediaType: semanticPatch,
    body: { instructions: [{ kind: 'startIteration' }] },
  })
  return created
}

async function newLayer(context: ExampleContext) {
  const { params, environmentParams } = await newExperiment(context)
  const layerKey = context.newKey()
  const projectKey = environmentParams.projectKey ?? ''
  await context.call('createLayer', {
    params: { projectKey },
    body: { key: layerKey, name: 'Checkout page', description: 'Experiments on the checkout page' },
  })
  const { experimentKey, environmentKey } = params
  return { params: { projectKey, layerKey }, experimentKey, environmentKey }
}

async function newHoldout(context: ExampleContext) {
  const params = await newEnvironment(context)
  const holdoutKey = context.newKey()
  const { metricKey } = await newMetric(context, params)
  const { _id } = await context.call<{ _id: string }>('postHoldout', {
    params,
    body: {
      key: holdoutKey,
      name: 'First quarter',
      holdoutamount: '5',
      primarymetrickey: metricKey,
      metrics: [{ key: metricKey }],
    },
  })
  return { params: { ...params, holdoutKey }, id: _id }
}

export const experimentExamples: ExampleMakers = {
  createExperiment: async (context) => {
    const { params, iteration } = await newDesign(context)
    return { params, body: { key: context.newKey(), name: 'New checkout', description: 'The page', iteration } }
  },
  getExperiment: async (context) => {
    const { params } = await newRunningExperiment(context)
    return { params, query: { expand: 'treatments,previousIterations,draftIteration,secondaryMetrics' } }
  },
  getExperiments: async (context) => {
    const { environmentParams } = await newExperiment(context)
    return { params: environmentParams, query: { limit: '5', filter: 'status:not_started' } }
  },
  getExperimentAnalysis: async (context) => {
    const { params } = await newRunningExperiment(context)
    return { params, query: { method: 'sequential', level: '0.1', correction: 'benjamini-hochberg', expand: 'days' } }
  },
  getExperimentResults: async (context) => {
    const { params, metricKey } = await newRunningExperiment(context)
    return { params: { ...params, metricKey }, query: { expand: 'traffic' } }
  },
  getExperimentResultsForMetricGroup: async (context) => {
    const { params: environment, iteration, metricKey } = await newDesign(context)
    const { projectKey = '' } = environment
    const metricGroupKey = context.newKey()
    await context.call('createMetricGroup', {
      params: { projectKey },
      body: { key: metricGroupKey, name: 'Sales', kind: 'standard', metrics: [{ key: metricKey, nameInGroup: 'Buy' }] },
    })
    const metrics = [...iteration.metrics, { key: metricGroupKey, isGroup: true }]
    const { params } = await newRunningExperiment(context, { iteration: { ...iteration, metrics } }, environment)
    return { params: { ...params, metricGroupKey } }
  },
  getExperimentsAnyEnv: async (context) => {
    const { environmentParams } = await newExperiment(context)
    return { params: { projectKey: environmentParams.projectKey ?? '' }, query: { lifecycleState: 'active' } }
  },
  createIteration: async (context) => {
    const { params, iteration } = await newExperiment(context)
    return { params, body: { ...iteration, hypothesis: 'It sells as much', canReshuffleTraffic: false } }
  },
  patchExperiment: async (context) => {
    const { params } = await newExperiment(context)
    return {
      params,
      mediaType: semanticPatch,
      body: { comment: 'why', instructions: [{ kind: 'updateName', value: 'Checkout' }, { kind: 'startIteration' }] },
    }
  },
  createLayer: async (context) => {
    const { projectKey = '' } = await newEnvironment(context)
    const body = { key: context.newKey(), name: 'Checkout page', description: 'Experiments on the checkout page' }
    return { params: { projectKey }, body }
  },
  getLayers: async (context) => {
    const { params, experimentKey, environmentKey } = await newLayer(context)
    const instruction = { kind: 'updateExperimentReservation', experimentKey, reservationPercent: 20 }
    await context.call('updateLayer', {
      params,
      mediaType: semanticPatch,
      body: { environmentKey, instructions: [instruction] },
    })
    const filter = `reservations.experimentKey contains "${experimentKey}"`
    return { params: { projectKey: params.projectKey }, query: { filter } }
  },
  updateLayer: async (context) => {
    const { params, experimentKey, environmentKey } = await newLayer(context)
    const instruction = { kind: 'updateExperimentReservation', experimentKey, reservationPercent: 20 }
    return { params, mediaType: semanticPatch, body: { environmentKey, instructions: [instruction] } }
  },
  postHoldout: async (context) => {
    const params = await newEnvironment(context)
    const { metricKey } = await newMetric(context, params)
    return {
      params,
      body: {
        key: context.newKey(),
        name: 'First quarter',
        description: 'Everything of the quarter',
        randomizationunit: 'user',
        attributes: ['country'],
        holdoutamount: '5',
        primarymetrickey: metricKey,
        metrics: [{ key: metricKey, isGroup: false }],
      },
    }
  },
  getAllHoldouts: async (context) => {
    const { environmentKey, projectKey } = (await newHoldout(context)).params
    return { params: { projectKey, environmentKey }, query: { limit: '5' } }
  },
  getHoldout: async (context) => ({
    params: (await newHoldout(context)).params,
    query: { expand: 'rel-treatments' },
  }),
  getHoldoutById: async (context) => {
    const { params, id } = await newHoldout(context)
    const { projectKey, environmentKey } = params
    return { params: { projectKey, environmentKey, holdoutId: id } }
  },
  getHoldoutResults: async (context) => {
    const { params, id } = await newHoldout(context)
    await newRunningExperiment(context, { holdoutId: id }, params)
    return { params, query: { method: 'frequentist', level: '0.1', correction: 'none', expand: 'days' } }
  },
  patchHoldout: async (context) => ({
    params: (await newHoldout(context)).params,
    mediaType: semanticPatch,
    body: { comment: 'why', instructions: [{ kind: 'updateName', value: 'Second quarter' }] },
  }),
}
