import type { ExampleMakers, Examples } from '../example.ts'
import { newModelConfig } from './ai-model-configs.ts'
import { newAITool } from './ai-tools.ts'
import { newProject } from './projects.ts'

type ConfigPlace = Record<'projectKey' | 'configKey', string>

const defaultVariation = { key: 'short', name: 'Short', messages: [{ role: 'system', content: 'Be brief.' }] }

/** Creates a project and an AI config with the variation `short`. */
async function newAIConfig(world: Examples, more: Record<string, unknown> = {}): Promise<ConfigPlace> {
  return newAIConfigIn(world, await newProject(world), more)
}

/** Creates an AI config in an existing project, with a new key or a given one. */
export async function newAIConfigIn(
  { call, fresh }: Examples,
  { projectKey }: Record<'projectKey', string>,
  more: { readonly [member: string]: unknown; readonly key?: string } = {},
): Promise<ConfigPlace> {
  const configKey = more.key ?? fresh()
  await call('createAIConfig', {
    params: { projectKey },
    body: { key: configKey, name: 'Assistant', tags: ['shop'], defaultVariation, ...more },
  })
  return { projectKey, configKey }
}

async function newVariation(world: Examples): Promise<ConfigPlace & Record<'variationKey', string>> {
  const params = await newAIConfig(world)
  await world.call('createAIConfigVariation', { params, body: { key: 'long', name: 'Long' } })
  return { ...params, variationKey: 'long' }
}

const semantic = 'application/json; domain-model=svc.semanticpatch'

export const aiConfigExamples: ExampleMakers = {
  listAIConfigs: async (world) => {
    const { projectKey } = await newAIConfig(world)
    return { params: { projectKey }, query: { limit: '2', sort: '-updatedAt', filter: 'tags:shop,mode:completion' } }
  },
  createAIConfig: async (world) => ({
    params: await newProject(world),
    body: {
      key: world.fresh(),
      name: 'Assistant',
      description: 'Answers customers',
      mode: 'agent',
      tags: ['shop'],
      evaluationMetricKeys: ['satisfaction'],
      isInverted: false,
      defaultVariation: { key: 'calm', name: 'Calm', instructions: 'Stay calm.', model: { modelName: 'small' } },
    },
  }),
  getAIConfig: async (world) => ({ params: await newAIConfig(world) }),
  patchAIConfig: async (world) => ({ params: await newAIConfig(world), body: { name: 'Renamed', tags: ['web'] } }),
  deleteAIConfig: async (world) => ({ params: await newAIConfig(world) }),

  createAIConfigVariation: async (world) => {
    const tool = await newAITool(world)
    const { modelConfigKey } = await newModelConfig(world, tool)
    const judge = await newAIConfigIn(world, tool, { mode: 'judge' })
    return {
      params: await newAIConfigIn(world, tool),
      body: {
        key: world.fresh(),
        name: 'Precise',
        messages: [{ role: 'user', content: 'Hello' }],
        model: { modelName: 'large', parameters: { temperature: 0.2 } },
        modelConfigKey,
        tools: [{ key: tool.toolKey, version: 1 }],
        judgeConfiguration: { judges: [{ judgeConfigKey: judge.configKey, samplingRate: 0.5 }] },
        color: 'blue',
        comment: 'to try',
      },
    }
  },
  getAIConfigVariation: async (world) => ({ params: await newVariation(world), query: { limit: '5' } }),
  patchAIConfigVariation: async (world) => ({
    params: await newVariation(world),
    body: { messages: [{ role: 'system', content: 'Be thorough.' }], state: 'archived', comment: 'no longer needed' },
  }),
  deleteAIConfigVariation: async (world) => ({ params: await newVariation(world) }),

  getAIConfigTargeting: async (world) => ({ params: await newAIConfig(world) }),
  patchAIConfigTargeting: async (world) => ({
    params: await newAIConfig(world),
    mediaType: semantic,
    body: { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] },
  }),
}
