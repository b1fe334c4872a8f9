import type { ExampleContext, ExampleMakers } from '../example.ts'
import { newProject } from './projects.ts'

/** Creates a model config in an existing project. */
export async function newModelConfig(
  { call, newKey }: ExampleContext,
  { projectKey }: Record<'projectKey', string>,
): Promise<Record<'projectKey' | 'modelConfigKey', string>> {
  const modelConfigKey = newKey()
  await call('createModelConfig', {
    params: { projectKey },
    body: { key: modelConfigKey, name: 'Large', id: 'large-1' },
  })
  return { projectKey, modelConfigKey }
}

const newProjectWithModelConfig = async (context: ExampleContext) => newModelConfig(context, await newProject(context))

export const aiModelConfigExamples: ExampleMakers = {
  listModelConfigs: async (context) => {
    const { projectKey } = await newProjectWithModelConfig(context)
    return { params: { projectKey }, query: { limit: '2', restricted: 'false' } }
  },
  createModelConfig: async (context) => ({
    params: await newProject(context),
    body: {
      key: context.newKey(),
      name: 'Large',
      id: 'large-1',
      provider: 'Example',
      icon: 'example',
      params: { temperature: 0.3 },
      customParams: { team: 'shop' },
      tags: ['shop'],
      costPerInputToken: 0.000_003,
      costPerOutputToken: 0.000_015,
    },
  }),
  createRestrictedModels: async (context) => {
    const { projectKey, modelConfigKey } = await newProjectWithModelConfig(context)
    return { params: { projectKey }, body: { keys: [modelConfigKey] } }
  },
  deleteRestrictedModels: async (context) => {
    const { projectKey, modelConfigKey } = await newProjectWithModelConfig(context)
    const example = { params: { projectKey }, body: { keys: [modelConfigKey] } }
    await context.call('createRestrictedModels', example)
    return example
  },
  getModelConfig: async (context) => ({ params: await newProjectWithModelConfig(context) }),
  patchModelConfig: async (context) => ({ params: await newProjectWithModelConfig(context), body: { name: 'Larger' } }),
  deleteModelConfig: async (context) => ({ params: await newProjectWithModelConfig(context) }),
  listModelConfigVersions: async (context) => ({
    params: await newProjectWithModelConfig(context),
    query: { limit: '5' },
  }),
}
