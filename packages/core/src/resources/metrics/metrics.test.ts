import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import { engineRequest } from '../account/test/calls.ts'

async function metricAccount() {
  const engine = createEngine({ storage: createMemoryStorage(), webhooks: false })
  const as = (await engine.bootstrap())?.token as string
  const { api } = engine
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const post = (body: object) => api.postMetric({ projectKey: 'web', body: { key: 'm', ...body } as never }, { as })
  const patch = (...body: object[]) =>
    api.patchMetric({ projectKey: 'web', metricKey: 'm', body: body as never }, { as })
  return { engine, api, as, post, patch }
}

const custom = { kind: 'custom', eventKey: 'buy' }
const numeric = { ...custom, isNumeric: true, successCriteria: 'HigherThanBaseline' }
const page = [{ kind: 'exact', url: 'https://shop.example/cart' }]

describe('a metric', () => {
  it('counts by default whether a unit had an event, for the default unit of the project', async () => {
    const { api, as, post } = await metricAccount()
    await api.putContextKind({ projectKey: 'web', key: 'org', body: { name: 'Organization' } }, { as })
    const units = [
      { randomizationUnit: 'user', default: false },
      { randomizationUnit: 'org', default: true },
    ]
    await api.putExperimentationSettings({ projectKey: 'web', body: { randomizationUnits: units } }, { as })
    expect(await post(custom)).toMatchObject({
      name: 'm',
      isNumeric: false,
      unitAggregationType: 'average',
      analysisType: 'mean',
      successCriteria: 'HigherThanBaseline',
      eventDefault: { disabled: false, value: 0 },
      randomizationUnits: ['org'],
      isActive: false,
      metricGroupCount: 0,
    })
  })

  it.each([
    ['eventKey', { kind: 'custom' }],
    ['selector', { kind: 'click', urls: page }],
    ['urls', { kind: 'pageview' }],
    ['urls', { kind: 'pageview', urls: [] }],
    ['urls.0', { kind: 'pageview', urls: [{ kind: 'regex', url: 'x' }] }],
    ['eventKey', { kind: 'pageview', urls: page, eventKey: 'x' }],
    ['isNumeric', { kind: 'pageview', urls: page, isNumeric: true, successCriteria: 'LowerThanBaseline' }],
    ['successCriteria', { ...custom, isNumeric: true }],
    ['unit', { ...custom, unit: 'ms' }],
    ['analysisType', { ...custom, analysisType: 'percentile', percentileValue: 90 }],
    ['percentileValue', { ...numeric, analysisType: 'percentile' }],
    ['percentileValue', { ...numeric, analysisType: 'percentile', percentileValue: 100 }],
    ['percentileValue', { ...numeric, percentileValue: 90 }],
    ['eventDefault.value', { ...custom, eventDefault: { disabled: true, value: 0 } }],
    ['winsorization', { ...numeric, winsorization: { lower: 2, upper: 1 } }],
    ['winsorization', { ...numeric, winsorization: {} }],
    ['randomizationUnits.1', { ...custom, randomizationUnits: ['user', 'org'] }],
    ['randomizationUnits', { ...custom, randomizationUnits: [] }],
    ['maintainerId', { ...custom, maintainerId: 'unknown' }],
  ])('is refused with an error that names `%s`: %j', async (attribute, body) => {
    const { post } = await metricAccount()
    await expect(post(body)).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ attribute, reason: expect.any(String) }],
    })
  })

  it('is refused when a change makes its properties contradict each other', async () => {
    const { post, patch } = await metricAccount()
    await post(numeric)
    await expect(patch({ op: 'replace', path: '/analysisType', value: 'percentile' })).rejects.toMatchObject({
      errors: [{ attribute: 'percentileValue', reason: expect.any(String) }],
    })
    const changed = await patch(
      { op: 'replace', path: '/analysisType', value: 'percentile' },
      { op: 'add', path: '/percentileValue', value: 95 },
    )
    expect(changed).toMatchObject({ analysisType: 'percentile', percentileValue: 95, _version: 2 })
  })

  it('cannot be deleted while a group contains it, except with `detach`', async () => {
    const { api, as, post } = await metricAccount()
    await post(custom)
    await api.postMetric({ projectKey: 'web', body: { key: 'other', ...custom } as never }, { as })
    const metrics = [{ key: 'm' }, { key: 'other' }]
    const body = { key: 'g', name: 'Group', kind: 'standard', metrics } as const
    await api.createMetricGroup({ projectKey: 'web', body }, { as })
    const metric = { projectKey: 'web', metricKey: 'm' }
    expect(await api.getMetric(metric, { as })).toMatchObject({ metricGroupCount: 1, metricGroups: [{ key: 'g' }] })
    await expect(api.deleteMetric(metric, { as })).rejects.toMatchObject({ status: 409 })
    await api.deleteMetric({ ...metric, detach: true }, { as })
    const group = await api.getMetricGroup({ projectKey: 'web', metricGroupKey: 'g' }, { as })
    expect(group.metrics.map(({ key }) => key)).toEqual(['other'])
  })

  it('is sent to SDKs for browsers when it measures clicks or page views', async () => {
    const { engine, api, as, post } = await metricAccount()
    await post({ kind: 'click', selector: '#buy', urls: page })
    await api.postMetric({ projectKey: 'web', body: { key: 'other', ...custom } as never }, { as })
    const { _id } = await api.getEnvironment({ projectKey: 'web', environmentKey: 'production' }, { as })
    const response = await engine.sdk.handle(engineRequest('GET', `/sdk/goals/${_id}`, undefined, {}))
    expect(JSON.parse(String(response?.body))).toEqual([{ key: 'm', kind: 'click', selector: '#buy', urls: page }])
  })
})

describe('a metric group', () => {
  it.each([
    ['metrics.0.key', 'standard', [{ key: 'unknown' }]],
    ['metrics.0.nameInGroup', 'funnel', [{ key: 'm' }]],
    ['metrics.0.key', 'funnel', [{ key: 'n', nameInGroup: 'N' }]],
    ['metrics', 'standard', [{ key: 'm' }, { key: 'm' }]],
    ['metrics', 'standard', []],
  ] as const)('is refused with an error that names `%s` of a %s group: %j', async (attribute, kind, metrics) => {
    const { api, as, post } = await metricAccount()
    await post(custom)
    await api.postMetric({ projectKey: 'web', body: { ...numeric, key: 'n' } as never }, { as })
    const body = { key: 'g', name: 'Group', kind, metrics: [...metrics] }
    await expect(api.createMetricGroup({ projectKey: 'web', body }, { as })).rejects.toMatchObject({
      errors: [{ attribute, reason: expect.any(String) }],
    })
  })
})
