import { type ExampleMakers, type Examples, replacing } from '../example.ts'
import { newEnvironment } from './projects.ts'

const hour = 3_600_000
const merged = Date.UTC(2026, 0, 1)

const change = { externalId: 'pr-1', startedAt: merged - 9 * hour, openedAt: merged - hour, mergedAt: merged }

/** Creates a pull request that reached an environment, referenced by its id. */
async function newPullRequest(world: Examples) {
  const place = await newEnvironment(world)
  const body = {
    projectKey: place.projectKey,
    pullRequests: [
      {
        externalId: 'shop#1',
        repositoryKey: 'octo/shop',
        title: 'Faster checkout',
        state: 'merged',
        openedAt: merged - hour,
        mergedAt: merged,
        commits: [{ externalId: 'a1', authoredAt: merged - 9 * hour }],
      },
    ],
  }
  await world.call('createPullRequests', { body })
  const event = { applicationKey: 'shop', version: '1.0.0', eventType: 'finished', eventTime: merged + hour }
  await world.call('createDeploymentEvents', { body: { ...place, events: [{ ...event, pullRequestIds: ['shop#1'] }] } })
  return place
}

async function newApplication(world: Examples) {
  const { place } = await newDeployment(world)
  return { ...place, applicationKey: 'shop' }
}

/** Creates a deployment that contains one pull request. */
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

/** Creates an environment with a flag that was turned on. */
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

/** Creates an insight group of an environment that has data to score. */
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
  createDeploymentEvents: async (world) => ({
    body: {
      ...(await newEnvironment(world)),
      events: [
        {
          applicationKey: 'shop',
          version: '2.0.0',
          eventType: 'finished',
          eventTime: merged + hour,
          commitIds: ['a1'],
        },
        { applicationKey: 'shop', version: '2.0.0', eventType: 'started', eventTime: merged },
      ],
    },
  }),
  listApplications: async (world) => {
    const { projectKey, environmentKey } = await newApplication(world)
    return { params: { projectKey, environmentKey } }
  },
  getApplication: async (world) => ({ params: await newApplication(world) }),
  patchApplication: async (world) => ({ params: await newApplication(world), body: replacing('/name', 'The shop') }),
  deleteApplication: async (world) => ({ params: await newApplication(world) }),
  createPullRequests: async (world) => ({
    body: {
      projectKey: (await newEnvironment(world)).projectKey,
      pullRequests: [
        { externalId: 'shop#2', repositoryKey: 'octo/shop', title: 'Slower', state: 'open', openedAt: merged },
      ],
    },
  }),
  createCommits: async (world) => ({
    body: {
      projectKey: (await newEnvironment(world)).projectKey,
      commits: [{ externalId: 'b2', pullRequestId: 'shop#2', authoredAt: merged - hour }],
    },
  }),
  listPullRequests: async (world) => ({
    query: {
      ...(await newPullRequest(world)),
      status: 'deployed',
      sort: '-leadTime',
      expand: 'deployments',
      limit: '1',
    },
  }),
  listInsightRepositories: async (world) => {
    const { projectKey } = await newPullRequest(world)
    return { query: { projectKey } }
  },
  associateRepositoriesAndProjects: async (world) => ({
    body: { mappings: [{ repositoryKey: 'octo/shop', projectKey: (await newEnvironment(world)).projectKey }] },
  }),
  deleteRepositoryProject: async (world) => ({
    params: { repositoryKey: 'octo/shop', projectKey: (await newPullRequest(world)).projectKey },
  }),
  createFlagEvents: async (world) => ({
    body: {
      ...(await newEnvironment(world)),
      events: [{ externalId: 'e1', flagKey: 'checkout', eventType: 'experimentStarted', eventTime: merged }],
    },
  }),
  listFlagEvents: async (world) => {
    const place = await newChangedFlag(world)
    const events = [
      {
        externalId: 'e2',
        flagKey: 'checkout',
        eventType: 'experimentStarted',
        eventTime: merged,
        applicationKey: 'shop',
        impactPercentage: 12.5,
        impactReason: 'evaluations',
        hasExperiments: true,
      },
    ]
    await world.call('createFlagEvents', { body: { ...place, events } })
    const impact = { impactSize: 'small', hasExperiments: 'true', global: 'exclude', applicationKey: 'shop' }
    return { query: { ...place, ...impact, limit: '1' } }
  },
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
