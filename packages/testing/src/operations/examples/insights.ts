import { type ExampleMakers, type Examples, replacing } from '../example.ts'
import { newEnvironment } from './projects.ts'

const hour = 3_600_000
const merged = Date.UTC(2026, 0, 1)

const change = { externalId: 'pr-1', startedAt: merged - 9 * hour, openedAt: merged - hour, mergedAt: merged }

/** A deployment that brought one pull request. */
async function newDeployment(world: Examples) {
  const place = await newEnvironment(world)
  const event = { ...place, applicationKey: 'shop', version: '1.0.0' }
  await world.call('createDeploymentEvent', { body: { ...event, eventType: 'started', eventTime: merged + hour } })
  const pullRequests = [{ ...change, title: 'Faster checkout', author: 'ann' }]
  const finished = { ...event, eventType: 'finished', eventTime: merged + 2 * hour, pullRequests }
  await world.call('createDeploymentEvent', { body: finished })
  const { items } = await world.call<{ items: { id: string }[] }>('listDeployments', { query: { ...place, from: '0' } })
  return { place, deploymentID: items[0]?.id ?? '' }
}

async function newDeploymentId(world: Examples): Promise<Record<'deploymentID', string>> {
  const { deploymentID } = await newDeployment(world)
  return { deploymentID }
}

/** An environment with a flag that was turned on. */
async function newChangedFlag(world: Examples) {
  const place = await newEnvironment(world)
  const { projectKey, environmentKey } = place
  const { key } = await world.call<{ key: string }>('createFlag', {
    params: { projectKey },
    body: { key: world.fresh(), name: 'Checkout', temporary: true },
  })
  await world.call('patchFlag', {
    params: { projectKey, featureFlagKey: key },
    body: replacing(`/environments/${environmentKey}/on`, true),
  })
  return place
}

/** An insight group of an environment that has something to score. */
async function newInsightGroup(world: Examples) {
  const { place } = await newDeployment(world)
  const key = world.fresh()
  await world.call('createInsightGroup', { body: { key, name: `Group ${key}`, ...place, applicationKeys: ['shop'] } })
  return { insightGroupKey: key, place }
}

async function newInsightGroupKey(world: Examples): Promise<Record<'insightGroupKey', string>> {
  const { insightGroupKey } = await newInsightGroup(world)
  return { insightGroupKey }
}

export const insightExamples: ExampleMakers = {
  createDeploymentEvent: async (world) => ({
    body: {
      ...(await newEnvironment(world)),
      applicationKey: 'shop',
      version: '2.0.0',
      eventType: 'finished',
      eventTime: merged,
      deploymentMetadata: { by: 'example' },
    },
  }),
  listDeployments: async (world) => ({
    query: { ...(await newDeployment(world)).place, from: '0', expand: 'pullRequests' },
  }),
  getDeployment: async (world) => ({ params: await newDeploymentId(world), query: { expand: 'pullRequests' } }),
  patchDeployment: async (world) => ({ params: await newDeploymentId(world), body: replacing('/archived', true) }),
  deleteDeployment: async (world) => ({ params: await newDeploymentId(world) }),

  createLeadTimeSamples: async (world) => ({
    body: {
      ...(await newEnvironment(world)),
      samples: [{ ...change, applicationKey: 'shop', deployStartedAt: merged + hour, deployedAt: merged + 2 * hour }],
    },
  }),
  getLeadTimeChart: async (world) => {
    const { place } = await newDeployment(world)
    const range = { from: String(merged - 24 * hour), to: String(merged + 24 * hour) }
    return { query: { ...place, ...range, bucketType: 'hour', expand: 'percentiles' } }
  },

  getDeploymentFrequencyChart: async (world) => {
    const { place } = await newDeployment(world)
    const range = { from: String(merged - 24 * hour), to: String(merged + 24 * hour) }
    return { query: { ...place, ...range, bucketType: 'day', groupBy: 'application', expand: 'metrics' } }
  },
  getReleaseFrequencyChart: async (world) => ({
    query: { ...(await newChangedFlag(world)), bucketMs: String(24 * hour), groupBy: 'kind', expand: 'metrics' },
  }),
  getFlagStatusChart: async (world) => ({
    query: { ...(await newChangedFlag(world)), bucketType: 'day', expand: 'metrics' },
  }),
  getStaleFlagsChart: async (world) => ({
    query: { ...(await newChangedFlag(world)), groupBy: 'maintainer', expand: 'metrics' },
  }),

  listInsightGroups: async (world) => {
    await newInsightGroup(world)
    return { query: { limit: '2', sort: '-name', query: 'group', expand: 'scores,environment,metadata' } }
  },
  createInsightGroup: async (world) => ({
    body: { key: world.fresh(), name: 'Shop', ...(await newEnvironment(world)), applicationKeys: ['shop'] },
  }),
  getInsightGroup: async (world) => ({
    params: await newInsightGroupKey(world),
    query: { expand: 'scores,environment' },
  }),
  patchInsightGroup: async (world) => ({
    params: await newInsightGroupKey(world),
    body: replacing('/name', 'Renamed'),
  }),
  deleteInsightGroup: async (world) => ({ params: await newInsightGroupKey(world) }),
  getInsightsScores: async (world) => ({
    query: { ...(await newDeployment(world)).place, applicationKey: 'shop' },
  }),
}
