import type { ExampleMakers, Examples } from '../example.ts'
import { newProject } from './projects.ts'

const schema = { type: 'object', properties: { city: { type: 'string' } } }

/** Creates a project with a tool. */
export async function newAITool(world: Examples): Promise<Record<'projectKey' | 'toolKey', string>> {
  const place = await newProject(world)
  const toolKey = world.fresh()
  await world.call('createAITool', { params: place, body: { key: toolKey, description: 'Tells the weather', schema } })
  return { ...place, toolKey }
}

export const aiToolExamples: ExampleMakers = {
  listAITools: async (world) => {
    const { projectKey } = await newAITool(world)
    return { params: { projectKey }, query: { limit: '2' } }
  },
  createAITool: async (world) => ({
    params: await newProject(world),
    body: { key: world.fresh(), description: 'Tells the weather', schema, customParameters: { unit: 'celsius' } },
  }),
  getAITool: async (world) => ({ params: await newAITool(world) }),
  patchAITool: async (world) => ({ params: await newAITool(world), body: { description: 'Tells the time' } }),
  deleteAITool: async (world) => ({ params: await newAITool(world) }),
  listAIToolVersions: async (world) => ({ params: await newAITool(world), query: { limit: '5' } }),
  listAIToolReferences: async (world) => {
    const params = await newAITool(world)
    const tools = [{ key: params.toolKey, version: 1 }]
    const body = { key: world.fresh(), name: 'Forecast', defaultVariation: { key: 'plain', name: 'Plain', tools } }
    await world.call('createAIConfig', { params: { projectKey: params.projectKey }, body })
    return { params, query: { limit: '5' } }
  },
}
