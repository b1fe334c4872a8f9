import type { ReferenceRow } from '../../../operation/reference-row.ts'
import type { DeletableTarget } from './deletable-targets.ts'
import { experimentReferrers } from './experiment-referrers.ts'
import { newOAuthClient, newOAuthGrant } from './oauth-documents.ts'
import type { ReferenceAccount } from './reference-account.ts'

const web = { projectKey: 'web' }
const production = { ...web, environmentKey: 'production' }
const far = 8_000_000_000_000

/** Makes a document that refers to a target, and returns what reads it. */
type MakeReferrer = (
  account: ReferenceAccount,
  target: DeletableTarget,
) => Promise<(() => Promise<unknown>) | undefined>

/** Returns the name of a row, by which {@link referrers} has the referrer of its test. */
export function nameOf({ from, property, to }: ReferenceRow): string {
  return `${from.name} ${property} -> ${to.name}`
}

interface Created {
  readonly _id: string
  readonly token: string
}

async function newFlag({ call }: ReferenceAccount, key: string, more: object = {}, projectKey = 'web') {
  await call('createFlag', { projectKey, body: { key, name: key, ...more } })
  return { projectKey, flagKey: key }
}

const variationsOf = async ({ call }: ReferenceAccount, keys: object) =>
  (await call<{ variations: readonly { _id: string }[] }>('getFlag', keys)).variations.map(({ _id }) => _id)

const inSegment = (segmentKey: string) => ({
  attribute: '',
  op: 'segmentMatch',
  values: [segmentKey],
  contextKind: 'user',
})

/** Makes a token with the target as its role, lets it make something, and deletes the token. */
async function asRoleHolder<T>(
  account: ReferenceAccount,
  { text }: DeletableTarget,
  make: (token: string) => Promise<T>,
) {
  const { call } = account
  const { _id, token } = await call<Created>('createToken', { body: { serviceToken: true, customRoleIds: [text] } })
  const made = await make(token)
  await call('deleteToken', { id: _id })
  return made
}

/** Makes an approval request for a flag, one for a segment and two for an AI config. */
async function newRequests(account: ReferenceAccount, more: object, caller?: string) {
  const { call } = account
  await newFlag(account, 'host')
  await call('createSegment', { ...production, body: { key: 'hosts', name: 'hosts' } })
  const variation = { key: 'short', name: 'Short' }
  await call('createAIConfig', { ...web, body: { key: 'assistant', name: 'x', defaultVariation: variation } })
  const requests = [
    { resourceId: 'proj/web:env/production:flag/host', instructions: [{ kind: 'turnFlagOn' }] },
    {
      resourceId: 'proj/web:env/production:segment/hosts',
      instructions: [{ kind: 'addIncludedTargets', contextKind: 'user', values: ['ann'] }],
    },
    { resourceId: 'proj/web:env/production:aiconfig/assistant', instructions: [{ kind: 'turnFlagOn' }] },
    { resourceId: 'proj/web:aiconfig/assistant', instructions: [{ kind: 'updateAIConfig', name: 'y' }] },
  ]
  const ids: string[] = []
  for (const request of requests) {
    const { _id } = await call<Created>(
      'createApprovalRequest',
      { body: { description: 'x', ...request, ...more } },
      caller,
    )
    ids.push(_id)
  }
  return () => Promise.all(ids.map((id) => call('getApprovalRequest', { id })))
}

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

/** Makes a pipeline whose only audience is changed by `more`, and a flag that is released in it. */
async function newPipeline(account: ReferenceAccount, more: object, release: boolean) {
  const { call } = account
  const audience = { environmentKey: 'production', name: 'All', ...more }
  const phases = [{ name: 'One', audiences: [audience] }]
  await call('createReleasePipeline', { ...web, body: { key: 'host', name: 'host', phases } })
  if (release) {
    const flag = await newFlag(account, 'host')
    await call('putRelease', { ...flag, body: { releasePipelineKey: 'host' } })
    return () => call('getRelease', flag)
  }
  return () => call('getReleasePipeline', { ...web, pipelineKey: 'host' })
}

const configuration = (more: object) => ({
  configuration: { releaseStrategy: 'x', requireApproval: false, ...more },
})

const audienceReferrers = (collection: 'release-pipeline' | 'release'): [string, MakeReferrer][] => {
  const isRelease = collection === 'release'
  const made = (audienceOf: (text: string) => object): MakeReferrer => {
    return (account, { text }) => newPipeline(account, audienceOf(text), isRelease)
  }
  const path = `${collection} phases.audiences`
  return [
    [`${path}.environmentKey -> environment`, made((text) => ({ environmentKey: text }))],
    [`${path}.segmentKeys -> segment`, made((text) => ({ segmentKeys: [text] }))],
    [`${path}.configuration.notifyMemberIds -> member`, made((id) => configuration({ notifyMemberIds: [id] }))],
    [`${path}.configuration.notifyTeamKeys -> team`, made((key) => configuration({ notifyTeamKeys: [key] }))],
  ]
}

const variationReferrer =
  (more: (text: string) => object): MakeReferrer =>
  async ({ call }, { text }) => {
    const body = { key: 'host', name: 'host', defaultVariation: { key: 'a', name: 'a', ...more(text) } }
    await call('createAIConfig', { ...web, body })
    return () => call('getAIConfig', { ...web, configKey: 'host' })
  }

/** Makes a document that refers to the target of each row, by the name of the row. */
export const referrers: ReadonlyMap<string, MakeReferrer> = new Map<string, MakeReferrer>([
  [
    'token grant.customRoles -> role',
    async ({ call }, { text }) => {
      const { _id } = await call<Created>('createToken', { body: { customRoleIds: [text] } })
      return () => call('getToken', { id: _id })
    },
  ],
  [
    'token ceiling.customRoles -> role',
    async (account, target) => {
      await asRoleHolder(account, target, (token) =>
        account.call('createToken', { body: { serviceToken: true, role: 'reader' } }, token),
      )
      return undefined
    },
  ],
  [
    'member customRoles -> role',
    async ({ call }, { text }) => {
      const body = [{ email: 'bob@example.com', role: 'reader', customRoles: [text] }]
      const { items } = await call<{ items: Created[] }>('createMembers', { body })
      return () => call('getMember', { id: items[0]?._id })
    },
  ],
  [
    'team customRoles.key -> role',
    async ({ call }, { text }) => {
      await call('createTeam', { body: { key: 'hosts', name: 'hosts', customRoleKeys: [text] } })
      return () => call('getTeam', { teamKey: 'hosts', expand: 'roles' })
    },
  ],
  [
    'scheduled-change mandate.grants.customRoles -> role',
    async (account, target) => {
      const flag = await newFlag(account, 'host')
      const body = { executionDate: far, instructions: [{ kind: 'turnFlagOn' }] }
      await asRoleHolder(account, target, (token) =>
        account.call('createScheduledChange', { ...flag, environmentKey: 'production', body }, token),
      )
      return undefined
    },
  ],
  [
    'flag-trigger mandate.grants.customRoles -> role',
    async (account, target) => {
      const flag = await newFlag(account, 'host')
      const body = { integrationKey: 'generic-trigger' }
      await asRoleHolder(account, target, (token) =>
        account.call('createFlagTrigger', { ...flag, environmentKey: 'production', body }, token),
      )
      return undefined
    },
  ],
  [
    'approval-request mandate.grants.customRoles -> role',
    async (account, target) => {
      await asRoleHolder(account, target, (token) => newRequests(account, { executionDate: far }, token))
      return undefined
    },
  ],
  [
    'oauth-client clientCredentials.scopes -> role',
    async (account, { text }) => {
      const clientId = await newOAuthClient(account, [text])
      return () => account.call('getOAuthClient', { clientId })
    },
  ],
  [
    'oauth-client clientCredentials.mandate.grants.customRoles -> role',
    async (account, target) => {
      await asRoleHolder(account, target, (token) => newOAuthClient(account, ['reader'], token))
      return undefined
    },
  ],
  [
    'oauth-grant scopes -> role',
    async (account, { text }) => {
      const grantId = await newOAuthGrant(account, await newOAuthClient(account), [text])
      return () => account.call('getOAuthGrant', { grantId })
    },
  ],
  [
    'oauth-grant limits.customRoles -> role',
    async (account, { text }) => {
      const clientId = await newOAuthClient(account)
      const { _id: id, token } = await account.call<Created>('createToken', { body: { customRoleIds: [text] } })
      await newOAuthGrant(account, clientId, ['reader'], token)
      await account.call('deleteToken', { id })
      return undefined
    },
  ],
  [
    'oauth-grant clientId -> oauth-client',
    async (account, { text }) => {
      const grantId = await newOAuthGrant(account, text)
      return () => account.call('getOAuthGrant', { grantId })
    },
  ],
  [
    'oauth-grant memberId -> member',
    async (account, { text }) => {
      const caller = { role: 'admin', memberId: text } as const
      const grantId = await newOAuthGrant(account, await newOAuthClient(account), ['reader'], caller)
      return () => account.call('getOAuthGrant', { grantId })
    },
  ],
  [
    'member teamKeys -> team',
    async ({ call }, { text }) => {
      const body = [{ email: 'bob@example.com', role: 'reader', teamKeys: [text] }]
      const { items } = await call<{ items: Created[] }>('createMembers', { body })
      return () => call('getMember', { id: items[0]?._id })
    },
  ],
  [
    'member managedTeamKeys -> team',
    async ({ call, ownerId }, { text }) => {
      const instructions = [{ kind: 'addPermissionGrants', actionSet: 'maintainTeam', memberIDs: [ownerId] }]
      await call('patchTeam', { teamKey: text, body: { instructions } })
      return undefined
    },
  ],
  [
    'team permissionGrants.memberIDs -> member',
    async ({ call }, { text }) => {
      const permissionGrants = [{ actionSet: 'maintainTeam', memberIDs: [text] }]
      await call('createTeam', { body: { key: 'hosts', name: 'hosts', permissionGrants } })
      return () => call('getTeam', { teamKey: 'hosts', expand: 'maintainers' })
    },
  ],
  [
    'approval-request notifyMemberIds -> member',
    (account, { text }) => newRequests(account, { notifyMemberIds: [text] }),
  ],
  ['approval-request notifyTeamKeys -> team', (account, { text }) => newRequests(account, { notifyTeamKeys: [text] })],
  ...maintained('maintainerId'),
  ...maintained('maintainerTeamKey'),
  [
    'flag-config rules.clauses.values -> segment',
    async (account, { text }) => {
      const flag = await newFlag(account, 'host')
      const [variationId] = await variationsOf(account, flag)
      const instructions = [{ kind: 'addRule', clauses: [inSegment(text)], variationId }]
      await account.call('patchFlag', { ...flag, body: { environmentKey: 'production', instructions } })
      return () => account.call('getFlag', flag)
    },
  ],
  [
    'ai-config-targeting rules.clauses.values -> segment',
    async ({ call }, { text }) => {
      const body = { key: 'host', name: 'host', defaultVariation: { key: 'a', name: 'a' } }
      const keys = { ...web, configKey: 'host' }
      const { variations } = await call<{ variations: Created[] }>('createAIConfig', { ...web, body })
      const instructions = [{ kind: 'addRule', clauses: [inSegment(text)], variationId: variations[0]?._id }]
      await call('patchAIConfigTargeting', { ...keys, body: { environmentKey: 'production', instructions } })
      return () => call('getAIConfigTargeting', keys)
    },
  ],
  [
    'segment rules.clauses.values -> segment',
    async ({ call }, { text }) => {
      await call('createSegment', { ...production, body: { key: 'hosts', name: 'hosts' } })
      const keys = { ...production, segmentKey: 'hosts' }
      const value = [{ clauses: [inSegment(text)] }]
      await call('patchSegment', { ...keys, body: [{ op: 'replace', path: '/rules', value }] })
      return () => call('getSegment', keys)
    },
  ],
  [
    'flag-config prerequisites.key -> flag',
    async (account, { keys, text }) => {
      const [variationId] = await variationsOf(account, keys)
      const flag = await newFlag(account, 'host')
      const instructions = [{ kind: 'addPrerequisite', key: text, variationId }]
      await account.call('patchFlag', { ...flag, body: { environmentKey: 'production', instructions } })
      return () => account.call('getFlag', flag)
    },
  ],
  [
    'scheduled-change instructions.clauses.values -> segment',
    async (account, { text }) => {
      const flag = { ...(await newFlag(account, 'host')), environmentKey: 'production' }
      const [variationId] = await variationsOf(account, flag)
      const instructions = [{ kind: 'addRule', clauses: [inSegment(text)], variationId }]
      await account.call('createScheduledChange', { ...flag, body: { executionDate: far, instructions } })
      return () => account.call('listScheduledChanges', flag)
    },
  ],
  [
    'scheduled-change instructions.key -> flag',
    async (account, { keys, text }) => {
      const [variationId] = await variationsOf(account, keys)
      const flag = { ...(await newFlag(account, 'host')), environmentKey: 'production' }
      const instructions = [{ kind: 'addPrerequisite', key: text, variationId }]
      await account.call('createScheduledChange', { ...flag, body: { executionDate: far, instructions } })
      return () => account.call('listScheduledChanges', flag)
    },
  ],
  ...audienceReferrers('release-pipeline'),
  ...audienceReferrers('release'),
  [
    'project defaultReleasePipelineKey -> release-pipeline',
    // The first pipeline of a project is its default.
    async ({ call }) =>
      () =>
        call('getProject', web),
  ],
  [
    'release pipelineKey -> release-pipeline',
    async (account, { text }) => {
      const { call } = account
      const flag = await newFlag(account, 'host')
      const audiences = [{ environmentKey: 'production', name: 'All' }]
      const phases = [{ name: 'One', audiences }]
      const body = [{ op: 'replace', path: '/phases', value: phases }]
      await call('patchReleasePipeline', { ...web, pipelineKey: text, body })
      await call('putRelease', { ...flag, body: { releasePipelineKey: text } })
      return () => call('getRelease', flag)
    },
  ],
  [
    'release-policy guardedReleaseConfig.metricKeys -> metric',
    async ({ call }, { text }) => {
      const guardedReleaseConfig = { metricKeys: [text] }
      const body = { key: 'host', name: 'Host', releaseMethod: 'guarded-release', guardedReleaseConfig }
      await call('createReleasePolicy', { ...web, body })
      return () => call('getReleasePolicy', { ...web, policyKey: 'host' })
    },
  ],
  [
    'release-policy scope.environmentKeys -> environment',
    async ({ call }, { text }) => {
      for (const [key, environmentKeys] of [
        ['only', [text]],
        ['both', [text, 'production']],
      ] as const) {
        const body = { key, name: key, releaseMethod: 'immediate-release', scope: { environmentKeys } }
        await call('createReleasePolicy', { ...web, body })
      }
      return () => call('listReleasePolicies', web)
    },
  ],
  [
    'release-policy-ranking scoped -> release-policy',
    async ({ call }) =>
      () =>
        call('listReleasePolicies', web),
  ],
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
  ...experimentReferrers,
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
])
