import type { As } from '../../../index.ts'
import type { Keys } from '../../../storage/collection.ts'
import { newOAuthClient, newOAuthGrant } from './oauth-documents.ts'
import type { ReferenceAccount } from './reference-account.ts'

/** A document that a test makes, deletes and makes again. */
export interface DeletableTarget {
  readonly keys: Keys<string>
  /** The key or id, which no other resource of the test contains. */
  readonly text: string
  delete(query?: object, caller?: As): Promise<unknown>
  /** Makes another document with the same key; undefined where keys are ids that the engine makes. */
  readonly recreate: (() => Promise<unknown>) | undefined
}

const key = 'doomed'
/** The key of the segment that the holdout `doomed` makes. */
const segmentKey = `holdout-${key}`
/** Flags, AI configs and agent graphs cannot have the same key. */
const configKey = 'retired-config'
const graphKey = 'retired-graph'
const web = { projectKey: 'web' }
const color = '000000'
const kindsOfProjects = [
  ...[
    'env',
    'view',
    'release-pipeline',
    'release-policy',
    'aiconfig',
    'ai-tool',
    'ai-model-config',
    'agent-skill',
    'prompt-snippet',
    'metric',
    'metric-group',
    'layer',
  ],
  ...['agent-graph', 'agent-optimization'],
]

/** The operations that create and delete a document, each with its input. */
interface Lifecycle {
  readonly keys: Keys<string>
  /** Operation and input that create what the document needs. Default: nothing is created. */
  readonly needs?: readonly [string, object]
  readonly create: readonly [string, object]
  readonly remove: string
}

/** Resource specifiers that together match everything that the tests change. */
export const allResources = [
  ...['acct', 'role/*', 'team/*', 'member/*', 'service-token/*', 'member/*:token/*', 'oauth-client/*'],
  'relay-proxy-config/*',
  ...['proj/*', ...kindsOfProjects.map((kind) => `proj/*:${kind}/*`)],
  ...['flag', 'segment', 'aiconfig', 'experiment', 'holdout'].map((kind) => `proj/*:env/*:${kind}/*`),
]

const policy = [{ effect: 'allow', actions: ['*'], resources: allResources }]

/** The operations that make and delete the documents of a collection, by its name. */
const lifecycles: Readonly<Record<string, Lifecycle>> = {
  role: { keys: { roleKey: key }, create: ['createRole', { body: { key, name: key, policy } }], remove: 'deleteRole' },
  team: { keys: { teamKey: key }, create: ['createTeam', { body: { key, name: key } }], remove: 'deleteTeam' },
  project: {
    keys: { projectKey: key },
    create: ['createProject', { body: { key, name: key } }],
    remove: 'deleteProject',
  },
  environment: {
    keys: { ...web, environmentKey: key },
    create: ['createEnvironment', { ...web, body: { key, name: key, color } }],
    remove: 'deleteEnvironment',
  },
  flag: {
    keys: { ...web, flagKey: key },
    create: ['createFlag', { ...web, body: { key, name: key } }],
    remove: 'deleteFlag',
  },
  segment: {
    keys: { ...web, environmentKey: 'production', segmentKey },
    create: ['createSegment', { ...web, environmentKey: 'production', body: { key: segmentKey, name: key } }],
    remove: 'deleteSegment',
  },
  view: {
    keys: { ...web, viewKey: key },
    create: ['createView', { ...web, body: { key, name: key } }],
    remove: 'deleteView',
  },
  'release-pipeline': {
    keys: { ...web, pipelineKey: key },
    create: ['createReleasePipeline', { ...web, body: { key, name: key, phases: [{ name: 'One', audiences: [] }] } }],
    remove: 'deleteReleasePipeline',
  },
  'release-policy': {
    keys: { ...web, policyKey: key },
    create: [
      'createReleasePolicy',
      { ...web, body: { key, name: key, releaseMethod: 'immediate-release', scope: { flagTagKeys: ['a'] } } },
    ],
    remove: 'deleteReleasePolicy',
  },
  'ai-config': {
    keys: { ...web, configKey },
    create: ['createAIConfig', { ...web, body: { key: configKey, name: configKey, mode: 'judge' } }],
    remove: 'deleteAIConfig',
  },
  'ai-tool': {
    keys: { ...web, toolKey: key },
    create: ['createAITool', { ...web, body: { key, schema: {} } }],
    remove: 'deleteAITool',
  },
  'ai-model-config': {
    keys: { ...web, modelConfigKey: key },
    create: ['createModelConfig', { ...web, body: { key, name: key, id: 'large' } }],
    remove: 'deleteModelConfig',
  },
  'agent-skill': {
    keys: { ...web, skillKey: key },
    create: ['createAgentSkill', { ...web, body: { key, name: key, markdown: '# A skill' } }],
    remove: 'deleteAgentSkill',
  },
  'prompt-snippet': {
    keys: { ...web, snippetKey: key },
    create: ['createPromptSnippet', { ...web, body: { key, name: key, text: 'Be kind.' } }],
    remove: 'deletePromptSnippet',
  },
  metric: {
    keys: { ...web, metricKey: key },
    create: ['postMetric', { ...web, body: { key, name: key, kind: 'custom', eventKey: 'paid' } }],
    remove: 'deleteMetric',
  },
  'metric-group': {
    keys: { ...web, metricGroupKey: key },
    needs: ['postMetric', { ...web, body: { key: 'step', name: 'Step', kind: 'custom', eventKey: 'paid' } }],
    create: ['createMetricGroup', { ...web, body: { key, name: key, kind: 'standard', metrics: [{ key: 'step' }] } }],
    remove: 'deleteMetricGroup',
  },
  'agent-graph': {
    keys: { ...web, graphKey },
    create: ['createAgentGraph', { ...web, body: { key: graphKey, name: graphKey } }],
    remove: 'deleteAgentGraph',
  },
}

/** Makes a document of a collection, without references. */
export async function deletableTarget(account: ReferenceAccount, collection: string): Promise<DeletableTarget> {
  const { call } = account
  if (collection === 'oauth-client' || collection === 'oauth-grant') {
    const clientId = await newOAuthClient(account)
    if (collection === 'oauth-client')
      return targetOf({ clientId }, clientId, () => call('deleteOAuthClient', { clientId }))
    const grantId = await newOAuthGrant(account, clientId)
    return targetOf({ grantId }, grantId, () => call('deleteOAuthGrant', { grantId }))
  }
  if (collection === 'member') {
    const body = [{ email: 'doomed@example.com', role: 'reader' }]
    const { items } = await call<{ items: { _id: string }[] }>('createMembers', { body })
    const id = items[0]?._id ?? ''
    return targetOf({ memberId: id }, id, () => call('deleteMember', { id }))
  }
  const { keys, needs, create, remove } = lifecycleOf(collection)
  if (needs) await call(...needs)
  const recreate = () => call(...create)
  await recreate()
  const text = Object.values(keys).at(-1) as string
  return { keys, text, delete: (query = {}, caller?: As) => call(remove, { ...keys, ...query }, caller), recreate }
}

/** Returns a target whose id the engine made. */
function targetOf(keys: Keys<string>, text: string, remove: () => Promise<unknown>): DeletableTarget {
  return { keys, text, delete: remove, recreate: undefined }
}

/** Operations that delete documents whose ids the engine makes. */
const deletionsById: Readonly<Record<string, string>> = {
  member: 'deleteMember',
  'oauth-client': 'deleteOAuthClient',
  'oauth-grant': 'deleteOAuthGrant',
}

/** Returns the id of the operation that deletes the documents of a collection. */
export function deletingOperation(collection: string): string {
  return deletionsById[collection] ?? lifecycleOf(collection).remove
}

function lifecycleOf(collection: string): Lifecycle {
  const lifecycle = lifecycles[collection]
  if (!lifecycle) throw new Error(`${collection}: add an entry to \`lifecycles\``)
  return lifecycle
}
