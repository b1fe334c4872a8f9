import type { ExampleMakers, Examples } from '../example.ts'
import { newProject } from './projects.ts'

async function newContextKind(world: Examples): Promise<Record<'projectKey' | 'key', string>> {
  const params = { ...(await newProject(world)), key: world.fresh() }
  await world.call('putContextKind', { params, body: { name: 'Organization' } })
  return params
}

export const experimentationExamples: ExampleMakers = {
  listContextKinds: async (world) => {
    const { projectKey } = await newContextKind(world)
    return { params: { projectKey }, query: { limit: '1' } }
  },
  putContextKind: async (world) => ({
    params: await newContextKind(world),
    body: { name: 'Company', description: 'Who pays', hideInTargeting: true, archived: false, version: 1 },
  }),
  getExperimentationSettings: async (world) => ({ params: await newProject(world) }),
  putExperimentationSettings: async (world) => {
    const { projectKey, key } = await newContextKind(world)
    const units = [
      { randomizationUnit: 'user', default: true, standardRandomizationUnit: 'user' },
      { randomizationUnit: key, default: false },
    ]
    return { params: { projectKey }, body: { randomizationUnits: units } }
  },
}
