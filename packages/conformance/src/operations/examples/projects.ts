import { type ExampleMakers, type Examples, replacing } from '../example.ts'

/** Creates a project with the environments `production` and `test`. */
export async function newProject({ call, fresh }: Examples): Promise<Record<'projectKey', string>> {
  const projectKey = fresh()
  await call('createProject', { body: { key: projectKey, name: `Project ${projectKey}` } })
  return { projectKey }
}

/** Creates a project and returns the parameters of its environment `production`. */
export async function newEnvironment(world: Examples): Promise<Record<'projectKey' | 'environmentKey', string>> {
  return { ...(await newProject(world)), environmentKey: 'production' }
}

export const projectExamples: ExampleMakers = {
  listProjects: async (world) => {
    await newProject(world)
    return { query: { limit: '2', sort: '-createdAt', query: 'p' } }
  },
  createProject: ({ fresh }) => ({
    body: {
      key: fresh(),
      name: 'Shop',
      tags: ['example'],
      environments: [{ key: 'live', name: 'Live', color: '00ff00', critical: true }],
    },
  }),
  getProject: async (world) => ({ params: await newProject(world), query: { expand: 'environments' } }),
  patchProject: async (world) => ({ params: await newProject(world), body: replacing('/name', 'Renamed') }),
  deleteProject: async (world) => ({ params: await newProject(world) }),

  listEnvironments: async (world) => ({ params: await newProject(world), query: { limit: '1', sort: '-name' } }),
  createEnvironment: async (world) => ({
    params: await newProject(world),
    body: { key: world.fresh(), name: 'Staging', color: 'abcdef', tags: ['example'] },
  }),
  getEnvironment: async (world) => ({ params: await newEnvironment(world) }),
  patchEnvironment: async (world) => ({
    params: await newEnvironment(world),
    body: { comment: 'why', patch: replacing('/color', '123abc') },
  }),
  deleteEnvironment: async (world) => ({ params: await newEnvironment(world) }),
  resetSdkKey: async (world) => ({ params: await newEnvironment(world) }),
  resetMobileKey: async (world) => ({ params: await newEnvironment(world) }),
}
