import type { ExampleContext, ExampleMakers } from '../example.ts'
import { newProject } from './projects.ts'

type MetricParams = Record<'projectKey' | 'metricKey', string>

/** Creates a metric in a project, by default a new one. */
export async function newMetric(context: ExampleContext, project?: { projectKey: string }): Promise<MetricParams> {
  const { projectKey } = project ?? (await newProject(context))
  const metricKey = context.newKey()
  const body = { key: metricKey, name: 'Purchases', kind: 'custom', eventKey: 'purchase', tags: ['shop'] }
  await context.call('postMetric', { params: { projectKey }, body })
  return { projectKey, metricKey }
}

async function newMetricGroup(context: ExampleContext): Promise<MetricParams & Record<'metricGroupKey', string>> {
  const { projectKey, metricKey } = await newMetric(context)
  const metricGroupKey = context.newKey()
  const metrics = [{ key: metricKey, nameInGroup: 'Pays' }]
  const body = { key: metricGroupKey, name: 'Checkout', kind: 'funnel', tags: ['shop'], metrics }
  await context.call('createMetricGroup', { params: { projectKey }, body })
  return { projectKey, metricKey, metricGroupKey }
}

export const metricExamples: ExampleMakers = {
  getMetrics: async (context) => {
    const { projectKey } = await newMetric(context)
    const filter = 'tags anyOf ["shop"], eventKind equals custom, isNumeric equals false'
    return { params: { projectKey }, query: { limit: '5', sort: '-createdAt', filter } }
  },
  postMetric: async (context) => ({
    params: await newProject(context),
    body: {
      key: context.newKey(),
      name: 'Latency',
      description: 'Time until a page is shown',
      kind: 'custom',
      eventKey: 'page-shown',
      isNumeric: true,
      unit: 'ms',
      successCriteria: 'LowerThanBaseline',
      tags: ['shop'],
      randomizationUnits: ['user'],
      unitAggregationType: 'average',
      analysisType: 'percentile',
      percentileValue: 95,
      eventDefault: { disabled: true },
      winsorization: { lower: 0, upper: 60_000 },
    },
  }),
  getMetric: async (context) => {
    const { projectKey, metricKey } = await newMetricGroup(context)
    return { params: { projectKey, metricKey } }
  },
  patchMetric: async (context) => ({
    params: await newMetric(context),
    body: [
      { op: 'replace', path: '/name', value: 'Orders' },
      { op: 'replace', path: '/unitAggregationType', value: 'sum' },
      { op: 'add', path: '/winsorization', value: { upper: 10 } },
    ],
  }),
  deleteMetric: async (context) => ({ params: await newMetric(context) }),
  getMetricGroups: async (context) => {
    const { projectKey } = await newMetricGroup(context)
    return { params: { projectKey }, query: { limit: '5', sort: 'name', filter: 'kind equals funnel' } }
  },
  createMetricGroup: async (context) => {
    const { projectKey, metricKey } = await newMetric(context)
    const metrics = [{ key: metricKey, nameInGroup: 'Pays' }]
    return {
      params: { projectKey },
      body: {
        key: context.newKey(),
        name: 'Checkout',
        kind: 'funnel',
        description: 'From cart to order',
        tags: [],
        metrics,
      },
    }
  },
  getMetricGroup: async (context) => {
    const { projectKey, metricGroupKey } = await newMetricGroup(context)
    return { params: { projectKey, metricGroupKey } }
  },
  patchMetricGroup: async (context) => {
    const { projectKey, metricGroupKey } = await newMetricGroup(context)
    const { metricKey } = await newMetric(context, { projectKey })
    const step = { key: metricKey, nameInGroup: 'Comes back' }
    return {
      params: { projectKey, metricGroupKey },
      body: [
        { op: 'replace', path: '/name', value: 'Checkout and return' },
        { op: 'add', path: '/metrics/-', value: step },
      ],
    }
  },
  deleteMetricGroup: async (context) => {
    const { projectKey, metricGroupKey } = await newMetricGroup(context)
    return { params: { projectKey, metricGroupKey } }
  },
}
