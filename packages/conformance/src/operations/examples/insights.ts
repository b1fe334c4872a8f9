import { type ExampleContext, type ExampleMakers, replaceValueAt } from '../example.ts'
import { newEnvironment } from './projects.ts'

const hour = 3_600_000
const mergedAt = Date.UTC(2026, 0, 1)

const change = { externalId: 'pr-1', startedAt: mergedAt - 9 * hour, openedAt: mergedAt - hour, mergedAt }

/** Creates a pull request that reached an environment, referenced by its id. */
async function newPullRequest(context: ExampleContext) {
  const environmentParams = await newEnvironment(context)
  const body = {
    projectKey: environmentParams.projectKey,
    pullRequests: [
      {
        externalId: 'shop#1',
        repositoryKey: 'octo/shop',
        title: 'Faster checkout',
        state: 'merged',
        openedAt: mergedAt - hour,
        mergedAt,
        commits: [{ externalId: 'a1', authoredAt: mergedAt - 9 * hour }],
      },
    ],
  }
  await context.call('createPullRequests', { body })
  const event = { applicationKey: 'shop', version: '1.0.0', eventType: 'finished', eventTime: mergedAt + hour }
  await context.call('createDeploymentEvents', {
    body: { ...environmentParams, events: [{ ...event, pullRequestIds: ['shop#1'] }] },
  })
  return environmentParams
}

async function newApplication(context: ExampleContext) {
  const { place: environmentParams } = await newDeployment(context)
  return { ...environmentParams, applicationKey: 'shop' }
}

/** Creates a deployment of an application that no other example has, and returns its key. */
async function newAccountApplication(context: ExampleContext): Promise<string> {
  const applicationKey = context.newKey()
  const event = { ...(await newEnvironment(context)), applicationKey, version: '1.0.0' }
  await context.call('createDeploymentEvent', { body: { ...event, eventType: 'finished', eventTime: mergedAt } })
  return applicationKey
}

/** Creates a deployment that contains one pull request. */
async function newDeployment(context: ExampleContext) {
  const environmentParams = await newEnvironment(context)
  const event = { ...environmentParams, applicationKey: 'shop', version: '1.0.0' }
  await context.call('createDeploymentEvent', { body: { ...event, eventType: 'started', eventTime: mergedAt + hour } })
  const pullRequests = [{ ...change, title: 'Faster checkout', author: 'ann' }]
  const finished = { ...event, eventType: 'finished', eventTime: mergedAt + 2 * hour, pullRequests }
  await context.call('createDeploymentEvent', { body: finished })
  const { items } = await context.call<{ items: { id: string }[] }>('listDeployments', {
    query: { ...environmentParams, from: '0' },
  })
  return { place: environmentParams, deploymentID: items[0]?.id ?? '' }
}

async function newDeploymentId(context: ExampleContext): Promise<Record<'deploymentID', string>> {
  const { deploymentID } = await newDeployment(context)
  return { deploymentID }
}

/** Creates an environment with a flag that was turned on. */
async function newChangedFlag(context: ExampleContext) {
  const environmentParams = await newEnvironment(context)
  const { projectKey, environmentKey } = environmentParams
  const { key } = await context.call<{ key: string }>('createFlag', {
    params: { projectKey },
    body: { key: context.newKey(), name: 'Checkout', temporary: true },
  })
  await context.call('patchFlag', {
    params: { projectKey, flagKey: key },
    body: replaceValueAt(`/environments/${environmentKey}/on`, true),
  })
  return environmentParams
}

/** Creates an insight group of an environment that has data to score. */
async function newInsightGroup(context: ExampleContext) {
  const { place: environmentParams } = await newDeployment(context)
  const key = context.newKey()
  await context.call('createInsightGroup', {
    body: { key, name: `Group ${key}`, ...environmentParams, applicationKeys: ['shop'] },
  })
  return { insightGroupKey: key, place: environmentParams }
}

async function newInsightGroupKey(context: ExampleContext): Promise<Record<'insightGroupKey', string>> {
  const { insightGroupKey } = await newInsightGroup(context)
  return { insightGroupKey }
}

export const insightExamples: ExampleMakers = {
  createDeploymentEvent: async (context) => ({
    body: {
      ...(await newEnvironment(context)),
      applicationKey: 'shop',
      version: '2.0.0',
      eventType: 'finished',
      eventTime: mergedAt,
      deploymentMetadata: { by: 'example' },
    },
  }),
  createDeploymentEvents: async (context) => ({
    body: {
      ...(await newEnvironment(context)),
      events: [
        {
          applicationKey: 'shop',
          version: '2.0.0',
          eventType: 'finished',
          eventTime: mergedAt + hour,
          commitIds: ['a1'],
        },
        { applicationKey: 'shop', version: '2.0.0', eventType: 'started', eventTime: mergedAt },
      ],
    },
  }),
  listApplications: async (context) => {
    const { projectKey, environmentKey } = await newApplication(context)
    return { params: { projectKey, environmentKey } }
  },
  getApplication: async (context) => ({ params: await newApplication(context) }),
  patchApplication: async (context) => ({
    params: await newApplication(context),
    body: replaceValueAt('/name', 'The shop'),
  }),
  deleteApplication: async (context) => ({ params: await newApplication(context) }),
  getAccountApplications: async (context) => {
    await newApplication(context)
    return { query: { filter: 'key equals "shop"', sort: '-creationDate,name', limit: '1' } }
  },
  getAccountApplication: async (context) => ({ params: { applicationKey: await newAccountApplication(context) } }),
  patchAccountApplication: async (context) => ({
    params: { applicationKey: await newAccountApplication(context) },
    body: replaceValueAt('/description', 'Sells things'),
  }),
  deleteAccountApplication: async (context) => ({ params: { applicationKey: await newAccountApplication(context) } }),
  getApplicationVersions: async (context) => ({
    params: { applicationKey: await newAccountApplication(context) },
    query: { filter: 'supported equals true', sort: 'name' },
  }),
  patchApplicationVersion: async (context) => ({
    params: { applicationKey: await newAccountApplication(context), versionKey: '1.0.0' },
    body: replaceValueAt('/supported', false),
  }),
  deleteApplicationVersion: async (context) => ({
    params: { applicationKey: await newAccountApplication(context), versionKey: '1.0.0' },
  }),
  createPullRequests: async (context) => ({
    body: {
      projectKey: (await newEnvironment(context)).projectKey,
      pullRequests: [
        { externalId: 'shop#2', repositoryKey: 'octo/shop', title: 'Slower', state: 'open', openedAt: mergedAt },
      ],
    },
  }),
  createCommits: async (context) => ({
    body: {
      projectKey: (await newEnvironment(context)).projectKey,
      commits: [{ externalId: 'b2', pullRequestId: 'shop#2', authoredAt: mergedAt - hour }],
    },
  }),
  listPullRequests: async (context) => ({
    query: {
      ...(await newPullRequest(context)),
      status: 'deployed',
      sort: '-leadTime',
      expand: 'deployments',
      limit: '1',
    },
  }),
  listInsightRepositories: async (context) => {
    const { projectKey } = await newPullRequest(context)
    return { query: { projectKey } }
  },
  associateRepositoriesAndProjects: async (context) => ({
    body: { mappings: [{ repositoryKey: 'octo/shop', projectKey: (await newEnvironment(context)).projectKey }] },
  }),
  deleteRepositoryProject: async (context) => ({
    params: { repositoryKey: 'octo/shop', projectKey: (await newPullRequest(context)).projectKey },
  }),
  createFlagEvents: async (context) => ({
    body: {
      ...(await newEnvironment(context)),
      events: [{ externalId: 'e1', flagKey: 'checkout', eventType: 'experimentStarted', eventTime: mergedAt }],
    },
  }),
  listFlagEvents: async (context) => {
    const environmentParams = await newChangedFlag(context)
    const events = [
      {
        externalId: 'e2',
        flagKey: 'checkout',
        eventType: 'experimentStarted',
        eventTime: mergedAt,
        applicationKey: 'shop',
        impactPercentage: 12.5,
        impactReason: 'evaluations',
        hasExperiments: true,
      },
    ]
    await context.call('createFlagEvents', { body: { ...environmentParams, events } })
    const impact = { impactSize: 'small', hasExperiments: 'true', global: 'exclude', applicationKey: 'shop' }
    return { query: { ...environmentParams, ...impact, limit: '1' } }
  },
  listDeployments: async (context) => ({
    query: { ...(await newDeployment(context)).place, from: '0', expand: 'pullRequests' },
  }),
  getDeployment: async (context) => ({ params: await newDeploymentId(context), query: { expand: 'pullRequests' } }),
  patchDeployment: async (context) => ({
    params: await newDeploymentId(context),
    body: replaceValueAt('/archived', true),
  }),
  deleteDeployment: async (context) => ({ params: await newDeploymentId(context) }),

  createLeadTimeSamples: async (context) => ({
    body: {
      ...(await newEnvironment(context)),
      samples: [
        { ...change, applicationKey: 'shop', deployStartedAt: mergedAt + hour, deployedAt: mergedAt + 2 * hour },
      ],
    },
  }),
  getLeadTimeChart: async (context) => {
    const { place: environmentParams } = await newDeployment(context)
    const range = { from: String(mergedAt - 24 * hour), to: String(mergedAt + 24 * hour) }
    return { query: { ...environmentParams, ...range, bucketType: 'hour', expand: 'percentiles' } }
  },

  getDeploymentFrequencyChart: async (context) => {
    const { place: environmentParams } = await newDeployment(context)
    const range = { from: String(mergedAt - 24 * hour), to: String(mergedAt + 24 * hour) }
    return { query: { ...environmentParams, ...range, bucketType: 'day', groupBy: 'application', expand: 'metrics' } }
  },
  getReleaseFrequencyChart: async (context) => ({
    query: { ...(await newChangedFlag(context)), bucketMs: String(24 * hour), groupBy: 'kind', expand: 'metrics' },
  }),
  getFlagStatusChart: async (context) => ({
    query: { ...(await newChangedFlag(context)), bucketType: 'day', expand: 'metrics' },
  }),
  getStaleFlagsChart: async (context) => ({
    query: { ...(await newChangedFlag(context)), groupBy: 'maintainer', expand: 'metrics' },
  }),

  listInsightGroups: async (context) => {
    await newInsightGroup(context)
    return { query: { limit: '2', sort: '-name', query: 'group', expand: 'scores,environment,metadata' } }
  },
  createInsightGroup: async (context) => ({
    body: { key: context.newKey(), name: 'Shop', ...(await newEnvironment(context)), applicationKeys: ['shop'] },
  }),
  getInsightGroup: async (context) => ({
    params: await newInsightGroupKey(context),
    query: { expand: 'scores,environment' },
  }),
  patchInsightGroup: async (context) => ({
    params: await newInsightGroupKey(context),
    body: replaceValueAt('/name', 'Renamed'),
  }),
  deleteInsightGroup: async (context) => ({ params: await newInsightGroupKey(context) }),
  getInsightsScores: async (context) => ({
    query: { ...(await newDeployment(context)).place, applicationKey: 'shop' },
  }),
}
