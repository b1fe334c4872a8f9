import type { ExampleMakers, Examples } from '../example.ts'
import { newProject } from './projects.ts'

/** Creates a model config in an existing project. */
export async function newModelConfig(
  { call, fresh }: Examples,
  { projectKey }: Record<'projectKey', string>,
): Promise<Record<'projectKey' | 'modelConfigKey', string>> {
  const modelConfigKey = fresh()
  await call('createModelConfig', {
    params: { projectKey },
    body: { key: modelConfigKey, name: 'Large', id: 'large-1' },
  })
  return { projectKey, modelConfigKey }
}

const aModelConfig = async (world: Examples) => newModelConfig(world, await newProject(world))

export const aiModelConfigExamples: ExampleMakers = {
  listModelConfigs: async (world) => {
    const { projectKey } = await aModelConfig(world)
    return { params: { projectKey }, query: { limit: '2', restricted: 'false' } }
  },
  createModelConfig: async (world) => ({
    params: await newProject(world),
    body: {
      key: world.fresh(),
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
  createRestrictedModels: async (world) => {
    const { projectKey, modelConfigKey } = await aModelConfig(world)
    return { params: { projectKey }, body: { keys: [modelConfigKey] } }
  },
  deleteRestrictedModels: async (world) => {
    const { projectKey, modelConfigKey } = await aModelConfig(world)
    const example = { params: { projectKey }, body: { keys: [modelConfigKey] } }
    await world.call('createRestrictedModels', example)
    return example
  },
  getModelConfig: async (world) => ({ params: await aModelConfig(world) }),
  patchModelConfig: async (world) => ({ params: await aModelConfig(world), body: { name: 'Larger' } }),
  deleteModelConfig: async (world) => ({ params: await aModelConfig(world) }),
  listModelConfigVersions: async (world) => ({ params: await aModelConfig(world), query: { limit: '5' } }),
}
