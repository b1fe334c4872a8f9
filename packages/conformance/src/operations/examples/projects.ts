import { type ExampleContext, type ExampleMakers, replaceValueAt } from '../example.ts'

/** Creates a project with the environments `production` and `test`. */
export async function newProject({ call, newKey }: ExampleContext): Promise<Record<'projectKey', string>> {
  const projectKey = newKey()
  await call('createProject', { body: { key: projectKey, name: `Project ${projectKey}` } })
  return { projectKey }
}

/** Creates a project and returns the parameters of its environment `production`. */
export async function newEnvironment(
  context: ExampleContext,
): Promise<Record<'projectKey' | 'environmentKey', string>> {
  return { ...(await newProject(context)), environmentKey: 'production' }
}

/** Creates a project and an SDK key for apps in its environment `production`. */
async function newSdkKey(
  context: ExampleContext,
): Promise<Record<'projectKey' | 'environmentKey' | 'sdkKeyKey', string>> {
  const environment = await newEnvironment(context)
  const sdkKeyKey = context.newKey()
  const body = { key: sdkKeyKey, name: 'Tablet app', kind: 'mobile' }
  await context.call('postSdkKey', { params: environment, body })
  return { ...environment, sdkKeyKey }
}

const flagDefaults = {
  tags: ['example'],
  temporary: false,
  defaultClientSideAvailability: { usingEnvironmentId: true, usingMobileKey: true },
  booleanDefaults: {
    trueDisplayName: 'Shown',
    falseDisplayName: 'Hidden',
    trueDescription: 'The page is shown',
    falseDescription: 'The page is hidden',
    onVariation: 0,
    offVariation: 1,
  },
}

export const projectExamples: ExampleMakers = {
  listProjects: async (context) => {
    await newProject(context)
    return { query: { limit: '2', sort: '-createdAt', query: 'p' } }
  },
  createProject: ({ newKey }) => ({
    body: {
      key: newKey(),
      name: 'Shop',
      tags: ['example'],
      environments: [{ key: 'live', name: 'Live', color: '00ff00', critical: true }],
    },
  }),
  getProject: async (context) => ({ params: await newProject(context), query: { expand: 'environments' } }),
  patchProject: async (context) => ({ params: await newProject(context), body: replaceValueAt('/name', 'Renamed') }),
  deleteProject: async (context) => ({ params: await newProject(context) }),
  getFlagDefaults: async (context) => ({ params: await newProject(context) }),
  putFlagDefaults: async (context) => ({ params: await newProject(context), body: flagDefaults }),
  patchFlagDefaults: async (context) => ({
    params: await newProject(context),
    body: replaceValueAt('/temporary', false),
  }),

  listEnvironments: async (context) => ({ params: await newProject(context), query: { limit: '1', sort: '-name' } }),
  createEnvironment: async (context) => ({
    params: await newProject(context),
    body: { key: context.newKey(), name: 'Staging', color: 'abcdef', tags: ['example'] },
  }),
  getEnvironment: async (context) => ({ params: await newEnvironment(context) }),
  patchEnvironment: async (context) => ({
    params: await newEnvironment(context),
    body: { comment: 'why', patch: replaceValueAt('/color', '123abc') },
  }),
  deleteEnvironment: async (context) => ({ params: await newEnvironment(context) }),
  resetSdkKey: async (context) => ({ params: await newEnvironment(context) }),
  resetMobileKey: async (context) => ({ params: await newEnvironment(context) }),

  getSdkKeys: async (context) => {
    const { sdkKeyKey, ...params } = await newSdkKey(context)
    return { params, query: { filter: 'kind:mobile,active:true', sort: '-createdAt', limit: '5' } }
  },
  postSdkKey: async (context) => ({
    params: await newEnvironment(context),
    body: { key: context.newKey(), name: 'Billing service', description: 'Held by billing', expiry: 1_924_992_000_000 },
  }),
  getSdkKeyByKey: async (context) => ({ params: await newSdkKey(context) }),
  patchSdkKeyByKey: async (context) => ({
    params: await newSdkKey(context),
    query: { version: '1' },
    body: { name: 'Renamed', description: 'Held by billing', expiry: 1_924_992_000_000, comment: 'why' },
  }),
  deleteSdkKeyByKey: async (context) => ({ params: await newSdkKey(context) }),
}
