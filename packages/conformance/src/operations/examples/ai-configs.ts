import type { ExampleContext, ExampleMakers } from '../example.ts'
import { newModelConfig } from './ai-model-configs.ts'
import { newAITool } from './ai-tools.ts'
import { newProject } from './projects.ts'

type ConfigParams = Record<'projectKey' | 'configKey', string>

const defaultVariation = { key: 'short', name: 'Short', messages: [{ role: 'system', content: 'Be brief.' }] }

/** Creates a project and an AI config with the variation `short`. */
async function newAIConfig(context: ExampleContext, overrides: Record<string, unknown> = {}): Promise<ConfigParams> {
  return newAIConfigIn(context, await newProject(context), overrides)
}

/** Creates an AI config in an existing project, with a new key or a given one. */
export async function newAIConfigIn(
  { call, newKey }: ExampleContext,
  { projectKey }: Record<'projectKey', string>,
  overrides: { readonly [member: string]: unknown; readonly key?: string } = {},
): Promise<ConfigParams> {
  const configKey = overrides.key ?? newKey()
  await call('createAIConfig', {
    params: { projectKey },
    body: { key: configKey, name: 'Assistant', tags: ['shop'], defaultVariation, ...overrides },
  })
  return { projectKey, configKey }
}

async function newVariation(context: ExampleContext): Promise<ConfigParams & Record<'variationKey', string>> {
  const params = await newAIConfig(context)
  await context.call('createAIConfigVariation', { params, body: { key: 'long', name: 'Long' } })
  return { ...params, variationKey: 'long' }
}

const semanticPatchType = 'application/json; domain-model=svc.semanticpatch'

const lastDay = { from: '1767225600000', to: '1767312000000', env: 'production' }

export const aiConfigExamples: ExampleMakers = {
  listAIConfigs: async (context) => {
    const { projectKey } = await newAIConfig(context)
    return { params: { projectKey }, query: { limit: '2', sort: '-updatedAt', filter: 'tags:shop,mode:completion' } }
  },
  createAIConfig: async (context) => ({
    params: await newProject(context),
    body: {
      key: context.newKey(),
      name: 'Assistant',
      description: 'Answers customers',
      mode: 'agent',
      tags: ['shop'],
      evaluationMetricKeys: ['satisfaction'],
      isInverted: false,
      defaultVariation: { key: 'calm', name: 'Calm', instructions: 'Stay calm.', model: { modelName: 'small' } },
    },
  }),
  getAIConfig: async (context) => ({ params: await newAIConfig(context) }),
  patchAIConfig: async (context) => ({ params: await newAIConfig(context), body: { name: 'Renamed', tags: ['web'] } }),
  deleteAIConfig: async (context) => ({ params: await newAIConfig(context) }),

  getAIConfigMetrics: async (context) => ({ params: await newAIConfig(context), query: lastDay }),
  getAIConfigMetricsByVariation: async (context) => ({ params: await newAIConfig(context), query: lastDay }),
  getAIConfigQuickStats: async (context) => {
    const { projectKey } = await newAIConfig(context)
    return { params: { projectKey }, query: { env: 'production' } }
  },

  createAIConfigVariation: async (context) => {
    const tool = await newAITool(context)
    const { modelConfigKey } = await newModelConfig(context, tool)
    const judge = await newAIConfigIn(context, tool, { mode: 'judge' })
    return {
      params: await newAIConfigIn(context, tool),
      body: {
        key: context.newKey(),
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
  getAIConfigVariation: async (context) => ({ params: await newVariation(context), query: { limit: '5' } }),
  patchAIConfigVariation: async (context) => ({
    params: await newVariation(context),
    body: { messages: [{ role: 'system', content: 'Be thorough.' }], state: 'archived', comment: 'no longer needed' },
  }),
  deleteAIConfigVariation: async (context) => ({ params: await newVariation(context) }),

  getAIConfigTargeting: async (context) => ({ params: await newAIConfig(context) }),
  patchAIConfigTargeting: async (context) => ({
    params: await newAIConfig(context),
    mediaType: semanticPatchType,
    body: { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] },
  }),
}
