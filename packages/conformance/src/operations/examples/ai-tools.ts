import type { ExampleContext, ExampleMakers } from '../example.ts'
import { newProject } from './projects.ts'

const schema = { type: 'object', properties: { city: { type: 'string' } } }

/** Creates a project with a tool. */
export async function newAITool(context: ExampleContext): Promise<Record<'projectKey' | 'toolKey', string>> {
  const params = await newProject(context)
  const toolKey = context.newKey()
  await context.call('createAITool', { params, body: { key: toolKey, description: 'Reports the weather', schema } })
  return { ...params, toolKey }
}

export const aiToolExamples: ExampleMakers = {
  listAITools: async (context) => {
    const { projectKey } = await newAITool(context)
    return { params: { projectKey }, query: { limit: '2' } }
  },
  createAITool: async (context) => ({
    params: await newProject(context),
    body: { key: context.newKey(), description: 'Reports the weather', schema, customParameters: { unit: 'celsius' } },
  }),
  getAITool: async (context) => ({ params: await newAITool(context) }),
  patchAITool: async (context) => ({ params: await newAITool(context), body: { description: 'Returns the time' } }),
  deleteAITool: async (context) => ({ params: await newAITool(context) }),
  listAIToolVersions: async (context) => ({ params: await newAITool(context), query: { limit: '5' } }),
  listAIToolReferences: async (context) => {
    const params = await newAITool(context)
    const tools = [{ key: params.toolKey, version: 1 }]
    const body = { key: context.newKey(), name: 'Forecast', defaultVariation: { key: 'plain', name: 'Plain', tools } }
    await context.call('createAIConfig', { params: { projectKey: params.projectKey }, body })
    return { params, query: { limit: '5' } }
  },
}
