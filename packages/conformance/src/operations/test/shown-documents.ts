import * as operations from '@halyard/core/operations'
import type { ExampleContext } from '../example.ts'
import type { StoredDocument } from './logged-state.ts'

type Keys = Readonly<Record<string, string>>

/** The operation whose response shows a document, and its input. */
interface ShownBy {
  /** Default: the operation `get…` with the name of the collection, e.g. `getAITool` for `ai-tool`. */
  readonly operation?: string
  /** Returns the path parameters from the keys of the document. Default: those with the same names. */
  params?(keys: Keys, body: object): Keys
  readonly query?: Keys
  /** Finds the document in the response of a list. */
  find?(items: readonly Record<string, unknown>[], keys: Keys, body: object): unknown
}

const withoutParameter = (name: string) => (keys: Keys) =>
  Object.fromEntries(Object.entries(keys).filter(([key]) => key !== name))
const withId = (name: string) => (keys: Keys) => ({ ...keys, id: keys[name] ?? '' })
const byProperty = (property: string, key: string) => (items: readonly Record<string, unknown>[], keys: Keys) =>
  items.find((item) => item[property] === keys[key])

/** Operations with the prefix `get`, by the rest of their ids in lower case. */
const getOperations = new Map(
  Object.keys(operations).flatMap((id) => (id.startsWith('get') ? [[id.slice(3).toLowerCase(), id] as const] : [])),
)

/** Collections whose documents are not shown by an operation with their name, or need more than their keys. */
const shownBy: Readonly<Record<string, ShownBy>> = {
  'flag-config': { operation: 'getFlag', params: withoutParameter('environmentKey') },
  'context-kind': { operation: 'listContextKinds', find: byProperty('key', 'key') },
  member: { params: withId('memberId') },
  team: { query: { expand: 'members,roles,roleAttributes,maintainers' } },
  'agent-optimization-result': {
    operation: 'listAllAgentOptimizationResults',
    find: byProperty('id', 'resultId'),
  },
  // The newest version comes first.
  'ai-config-variation': { find: ([newest]) => newest },
  'ai-config-targeting': { params: withoutParameter('environmentKey') },
  'ai-model-config': { operation: 'getModelConfig' },
  'code-reference-repository': { operation: 'getRepository' },
  deployment: { params: (_, body) => ({ deploymentID: (body as { id: string }).id }) },
  experiment: {
    query: { expand: 'draftIteration,previousIterations,secondaryMetrics,treatments' },
  },
  'flag-followers': {
    // A flag without followers has no document. The followers of the examples are in the environment `production`.
    params: (keys) => ({ environmentKey: 'production', ...keys }),
    // The change log names members by their ids.
    find: (items) => ({ items: items.map(({ _id }) => ({ _id })) }),
  },
  'flag-link': { operation: 'listFlagLinks', find: byProperty('_id', 'id') },
  'ip-allowlist': { params: () => ({}) },
  layer: { operation: 'getLayers', params: withoutParameter('layerKey'), find: byProperty('key', 'layerKey') },
  'relay-config': { operation: 'getRelayProxyConfig' },
  'release-policy-ranking': { operation: 'listReleasePolicies' },
  'sdk-key': { operation: 'getSdkKeyByKey' },
  workflow: { operation: 'getCustomWorkflow' },
  'workflow-template': { operation: 'getWorkflowTemplates', find: byProperty('_key', 'templateKey') },
}

/** Parts of a resource that exist without a stored document, by the collection of the resource. */
export const impliedParts: Readonly<Record<string, readonly string[]>> = {
  'ai-config': ['ai-config-targeting'],
  flag: ['flag-followers'],
  // The allowlist belongs to the account, which is not a resource that callers change. It is listed as a part of a
  // member, because every account has members.
  member: ['ip-allowlist'],
  project: ['experimentation-settings', 'flag-defaults'],
}

/** A response that shows documents. */
export interface ShownDocument {
  /** Text that distinguishes the response from all others. */
  readonly at: string
  readonly response: unknown
}

/** Returns the response that shows a document, or undefined when no response shows it. */
export async function shownDocument(
  context: ExampleContext,
  {
    collection,
    keys,
    body,
  }: Pick<StoredDocument, 'keys' | 'body'> & { readonly collection: { readonly name: string } },
): Promise<ShownDocument> {
  const { params = () => keys, query = {}, find, ...shown } = shownBy[collection.name] ?? {}
  const operation = shown.operation ?? getOperationOf(collection.name)
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

function getOperationOf(collection: string): string {
  const operation = getOperations.get(collection.replaceAll('-', ''))
  if (operation === undefined)
    throw new Error(`no operation \`get…\` has the name of the collection ${collection}: add an entry to \`shownBy\``)
  return operation
}
