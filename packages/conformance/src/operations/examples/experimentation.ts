import type { ExampleContext, ExampleMakers } from '../example.ts'
import { newProject } from './projects.ts'

async function newContextKind(context: ExampleContext): Promise<Record<'projectKey' | 'key', string>> {
  const params = { ...(await newProject(context)), key: context.newKey() }
  await context.call('putContextKind', { params, body: { name: 'Organization' } })
  return params
}

export const experimentationExamples: ExampleMakers = {
  listContextKinds: async (context) => {
    const { projectKey } = await newContextKind(context)
    return { params: { projectKey }, query: { limit: '1' } }
  },
  putContextKind: async (context) => ({
    params: await newContextKind(context),
    body: { name: 'Company', description: 'Who pays', hideInTargeting: true, archived: false, version: 1 },
  }),
  getExperimentationSettings: async (context) => ({ params: await newProject(context) }),
  putExperimentationSettings: async (context) => {
    const { projectKey, key } = await newContextKind(context)
    const units = [
      { randomizationUnit: 'user', default: true, standardRandomizationUnit: 'user' },
      { randomizationUnit: key, default: false },
    ]
    return { params: { projectKey }, body: { randomizationUnits: units } }
  },
}
