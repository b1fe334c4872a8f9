import type { ExampleContext } from '../example.ts'
import type { StoredDocument } from './logged-state.ts'

type Keys = Readonly<Record<string, string>>

/** The operation whose response shows a document, and its input. */
interface ShownBy {
  readonly operation: string
  /** Returns the path parameters from the keys of the document. Default: those with the same names. */
  params?(keys: Keys, body: object): Keys
  readonly query?: Keys
  /** Finds the document in the response of a list. */
  find?(items: readonly Record<string, unknown>[], keys: Keys, body: object): unknown
}

const without = (name: string) => (keys: Keys) =>
  Object.fromEntries(Object.entries(keys).filter(([key]) => key !== name))
const withId = (name: string) => (keys: Keys) => ({ ...keys, id: keys[name] ?? '' })
const byProperty = (property: string, key: string) => (items: readonly Record<string, unknown>[], keys: Keys) =>
  items.find((item) => item[property] === keys[key])

/** Operations that show documents, by the name of the collection. */
export const shownBy: Readonly<Record<string, ShownBy>> = {
  project: { operation: 'getProject' },
  environment: { operation: 'getEnvironment' },
  flag: { operation: 'getFlag' },
  'flag-config': { operation: 'getFlag', params: without('environmentKey') },
  segment: { operation: 'getSegment' },
  'context-kind': { operation: 'listContextKinds', find: byProperty('key', 'key') },
  member: { operation: 'getMember', params: withId('memberId') },
  team: { operation: 'getTeam', query: { expand: 'members,roles,roleAttributes,maintainers' } },
  role: { operation: 'getRole' },
  token: { operation: 'getToken' },
  'agent-graph': { operation: 'getAgentGraph' },
  'agent-optimization': { operation: 'getAgentOptimization' },
  'agent-optimization-result': {
    operation: 'listAllAgentOptimizationResults',
    find: byProperty('id', 'resultId'),
  },
  'agent-skill': { operation: 'getAgentSkill' },
  'ai-config': { operation: 'getAIConfig' },
  // The newest version comes first.
  'ai-config-variation': { operation: 'getAIConfigVariation', find: ([newest]) => newest },
  'ai-config-targeting': { operation: 'getAIConfigTargeting', params: without('environmentKey') },
  'ai-model-config': { operation: 'getModelConfig' },
  'ai-tool': { operation: 'getAITool' },
  application: { operation: 'getApplication' },
  'approval-request': { operation: 'getApprovalRequest' },
  'code-reference-repository': { operation: 'getRepository' },
  deployment: { operation: 'getDeployment', params: (_, body) => ({ deploymentID: (body as { id: string }).id }) },
  destination: { operation: 'getDestination' },
  experiment: {
    operation: 'getExperiment',
    query: { expand: 'draftIteration,previousIterations,secondaryMetrics,treatments' },
  },
  'experimentation-settings': { operation: 'getExperimentationSettings' },
  'flag-defaults': { operation: 'getFlagDefaults' },
  'flag-followers': {
    operation: 'getFlagFollowers',
    // A flag without followers has no document. Those of examples are in production.
    params: (keys) => ({ environmentKey: 'production', ...keys }),
    // The change log names members by their ids.
    find: (items) => ({ items: items.map(({ _id }) => ({ _id })) }),
  },
  'flag-link': { operation: 'listFlagLinks', find: byProperty('_id', 'id') },
  'flag-trigger': { operation: 'getFlagTrigger' },
  holdout: { operation: 'getHoldout' },
  'insight-group': { operation: 'getInsightGroup' },
  'ip-allowlist': { operation: 'getIpAllowlist', params: () => ({}) },
  layer: { operation: 'getLayers', params: without('layerKey'), find: byProperty('key', 'layerKey') },
  metric: { operation: 'getMetric' },
  'metric-group': { operation: 'getMetricGroup' },
  'oauth-client': { operation: 'getOAuthClient' },
  'oauth-grant': { operation: 'getOAuthGrant' },
  'prompt-snippet': { operation: 'getPromptSnippet' },
  'relay-config': { operation: 'getRelayProxyConfig' },
  release: { operation: 'getRelease' },
  'release-pipeline': { operation: 'getReleasePipeline' },
  'release-policy': { operation: 'getReleasePolicy' },
  'release-policy-ranking': { operation: 'listReleasePolicies' },
  'sdk-key': { operation: 'getSdkKeyByKey' },
  'scheduled-change': { operation: 'getScheduledChange' },
  view: { operation: 'getView' },
  webhook: { operation: 'getWebhook' },
  workflow: { operation: 'getCustomWorkflow' },
  'workflow-template': { operation: 'getWorkflowTemplates', find: byProperty('_key', 'templateKey') },
}

/** Parts of a resource that exist without a stored document, by the collection of the resource. */
export const impliedParts: Readonly<Record<string, readonly string[]>> = {
  'ai-config': ['ai-config-targeting'],
  flag: ['flag-followers'],
  // Callers do not change the account itself, to which the allowlist belongs. Every account has members.
  member: ['ip-allowlist'],
  project: ['experimentation-settings', 'flag-defaults'],
}

/** A response that shows documents. */
export interface ShownDocument {
  /** Text that distinguishes the response from all others. */
  readonly at: string
  readonly response: unknown
}

/** Returns the response that shows a document, or undefined when there is none. */
export async function shownDocument(
  context: ExampleContext,
  {
    collection,
    keys,
    body,
  }: Pick<StoredDocument, 'keys' | 'body'> & { readonly collection: { readonly name: string } },
): Promise<ShownDocument> {
  const { operation, params = () => keys, query = {}, find } = shownBy[collection.name] ?? noOperation(collection.name)
  const input = { params: params(keys, body), query: { ...query, ...(find ? { limit: '100' } : {}) } }
  const at = `${operation} ${JSON.stringify(input.params)}`
  let response: unknown
  try {
    response = await context.call(operation, input)
  } catch (error) {
    if (!/expected 404/.test(String(error))) throw error
    return { at, response: undefined }
  }
  if (!find) return { at, response }
  return { at, response: find((response as { items: Record<string, unknown>[] }).items, keys, body) }
}

function noOperation(collection: string): never {
  throw new Error(`no operation shows the documents of ${collection}`)
}
