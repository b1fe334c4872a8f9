import type { ReferenceAccount } from './reference-account.ts'
import { type MakeReferrer, type NamedReferrers, web } from './referrer.ts'

const simpleReaders: Readonly<Record<string, readonly [string, object, string, object]>> = {
  flag: ['createFlag', { ...web, body: { key: 'host', name: 'host' } }, 'getFlag', { ...web, flagKey: 'host' }],
  view: ['createView', { ...web, body: { key: 'host', name: 'host' } }, 'getView', { ...web, viewKey: 'host' }],
  'ai-config': [
    'createAIConfig',
    { ...web, body: { key: 'host', name: 'host' } },
    'getAIConfig',
    { ...web, configKey: 'host' },
  ],
  'ai-tool': ['createAITool', { ...web, body: { key: 'host', schema: {} } }, 'getAITool', { ...web, toolKey: 'host' }],
  'agent-graph': [
    'createAgentGraph',
    { ...web, body: { key: 'host', name: 'host' } },
    'getAgentGraph',
    { ...web, graphKey: 'host' },
  ],
  'agent-skill': [
    'createAgentSkill',
    { ...web, body: { key: 'host', name: 'host', markdown: '#' } },
    'getAgentSkill',
    { ...web, skillKey: 'host' },
  ],
  metric: [
    'postMetric',
    { ...web, body: { key: 'host', kind: 'custom', eventKey: 'paid' } },
    'getMetric',
    { ...web, metricKey: 'host' },
  ],
  'prompt-snippet': [
    'createPromptSnippet',
    { ...web, body: { key: 'host', name: 'host', text: 'x' } },
    'getPromptSnippet',
    { ...web, snippetKey: 'host' },
  ],
}

const maintained = (property: string): [string, MakeReferrer][] =>
  Object.entries(simpleReaders).map(([collection, [create, input, get, keys]]) => [
    `${collection} ${property} -> ${property === 'maintainerId' ? 'member' : 'team'}`,
    async ({ call }, { text }) => {
      const { body, ...params } = input as { body: object }
      await call(create, { ...params, body: { ...body, [property]: text } })
      return () => call(get, keys)
    },
  ])

function newMetric({ call }: ReferenceAccount, key: string) {
  return call('postMetric', { ...web, body: { key, kind: 'custom', eventKey: 'paid' } })
}

function newMetricGroup({ call }: ReferenceAccount, more: object) {
  return call('createMetricGroup', { ...web, body: { key: 'host', name: 'host', kind: 'standard', ...more } })
}

const groupsMaintainedBy = (property: string, target: string): [string, MakeReferrer][] => [
  [
    `metric-group ${property} -> ${target}`,
    async (account, { text }) => {
      await newMetric(account, 'steps')
      await newMetricGroup(account, { metrics: [{ key: 'steps' }], [property]: text })
      return () => account.call('getMetricGroup', { ...web, metricGroupKey: 'host' })
    },
  ],
]

/** Referrers that have a maintainer, and metric groups. */
export const maintainedReferrers: NamedReferrers = [
  ...maintained('maintainerId'),
  ...maintained('maintainerTeamKey'),
  ...groupsMaintainedBy('maintainerId', 'member'),
  ...groupsMaintainedBy('maintainerTeamKey', 'team'),
  [
    'metric-group metrics.key -> metric',
    async (account, { text }) => {
      await newMetric(account, 'host')
      for (const [key, metricKeys] of [
        ['only', [text]],
        ['both', [text, 'host']],
      ] as const)
        await newMetricGroup(account, { key, metrics: metricKeys.map((key) => ({ key })) })
      return () => account.call('getMetricGroups', web)
    },
  ],
]
