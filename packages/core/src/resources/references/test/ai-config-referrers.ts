import { type MakeReferrer, type NamedReferrers, web } from './referrer.ts'

const variationReferrer =
  (more: (text: string) => object): MakeReferrer =>
  async ({ call }, { text }) => {
    const body = { key: 'host', name: 'host', defaultVariation: { key: 'a', name: 'a', ...more(text) } }
    await call('createAIConfig', { ...web, body })
    return () => call('getAIConfig', { ...web, configKey: 'host' })
  }

/** Referrers that are variations of AI configs, agent graphs and agent optimizations. */
export const aiConfigReferrers: NamedReferrers = [
  ['ai-config-variation tools.key -> ai-tool', variationReferrer((key) => ({ tools: [{ key, version: 1 }] }))],
  ['ai-config-variation skills.key -> agent-skill', variationReferrer((key) => ({ skills: [{ key, version: 1 }] }))],
  [
    'ai-config-variation messages.content -> prompt-snippet',
    variationReferrer((key) => ({ messages: [{ role: 'system', content: `{{> ${key}@1 }}` }] })),
  ],
  [
    'ai-config-variation judges.judgeConfigKey -> ai-config',
    variationReferrer((key) => ({ judgeConfiguration: { judges: [{ judgeConfigKey: key, samplingRate: 1 }] } })),
  ],
  ['ai-config-variation modelConfigKey -> ai-model-config', variationReferrer((key) => ({ modelConfigKey: key }))],
  [
    'agent-graph edges.sourceConfig -> ai-config',
    async ({ call }, { text }) => {
      for (const key of ['root', 'other']) await call('createAIConfig', { ...web, body: { key, name: key } })
      const edges = [
        { key: 'a', sourceConfig: 'root', targetConfig: text },
        { key: 'b', sourceConfig: text, targetConfig: 'other' },
      ]
      await call('createAgentGraph', { ...web, body: { key: 'host', name: 'host', rootConfigKey: 'root', edges } })
      const body = { key: 'hosts', name: 'hosts', rootConfigKey: text, edges }
      await call('createAgentGraph', { ...web, body })
      return () => call('listAgentGraphs', web)
    },
  ],
  [
    'ai-config dependencies.key -> agent-graph',
    async ({ call }, { text }) => {
      await call('createAIConfig', { ...web, body: { key: 'host', name: 'host' } })
      const edges = [{ key: 'a', sourceConfig: 'host', targetConfig: 'host' }]
      await call('patchAgentGraph', { ...web, graphKey: text, body: { rootConfigKey: 'host', edges } })
      return () => call('getAIConfig', { ...web, configKey: 'host' })
    },
  ],
  [
    'agent-optimization aiConfigKey -> ai-config',
    async ({ call }, { text }) => {
      const body = { key: 'host', aiConfigKey: text, maxAttempts: 1, judgeModel: 'large' }
      await call('createAgentOptimization', { ...web, body })
      return () => call('listAgentOptimizations', web)
    },
  ],
]
