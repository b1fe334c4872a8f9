import * as v from 'valibot'
import { type AgentGraph, agentGraphs } from '../../models/agent-graphs/agent-graph.ts'
import type { ReadContext } from '../../operation/context.ts'
import type { ValidationError } from '../../operation/errors.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, anyObject, jsonObject, key, links, list, name, text } from '../../operation/schema.ts'
import { maintainerRequest, maintainerResponse, serializeMaintainer } from '../maintainers/maintainer-schema.ts'

const edges = v.pipe(
  list(v.strictObject({ key: key(), sourceConfig: key(), targetConfig: key(), handoff: v.optional(jsonObject()) })),
  v.maxLength(1000, 'must contain at most 1000 edges'),
  v.check((all) => new Set(all.map((edge) => edge.key)).size === all.length, 'must not repeat the key of an edge'),
)

const structure = { rootConfigKey: v.optional(key()), edges: v.optional(edges) }

/** Request body of the creation of a graph. */
export const agentGraphRequest = v.strictObject({
  key: key(),
  name: name(),
  description: v.optional(text(), ''),
  ...maintainerRequest,
  ...structure,
})

/** Request body of an update of a graph. */
export const agentGraphChange = v.strictObject({
  name: v.optional(name()),
  description: v.optional(text()),
  comment: v.optional(text()),
  ...maintainerRequest,
  ...structure,
})

/** Validates that the root and the edges are given together or not at all. */
export function validateStructure({ rootConfigKey, edges }: Partial<AgentGraph>): readonly ValidationError[] {
  if ((rootConfigKey === undefined) === (edges === undefined)) return []
  const [missing, present] = edges ? ['rootConfigKey', 'edges'] : ['edges', 'rootConfigKey']
  return [{ attribute: missing as string, reason: `must be present with ${present}` }]
}

const agentGraphObject = v.object({
  _links: links(),
  key: v.string(),
  name: v.string(),
  description: v.string(),
  rootConfigKey: v.optional(v.string()),
  edges: v.optional(
    list(
      v.object({
        key: v.string(),
        sourceConfig: v.string(),
        targetConfig: v.string(),
        handoff: v.optional(anyObject()),
      }),
    ),
  ),
  /**
   * Times of graphs are integers, like those of AI configs
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d4-timestamps).
   */
  createdAt: v.number(),
  updatedAt: v.number(),
  _maintainer: v.optional(maintainerResponse),
  _access: v.optional(accessDetails()),
})

/** An agent graph in a response. */
export interface AgentGraphResponse extends v.InferOutput<typeof agentGraphObject> {}

export const agentGraphResponse: v.GenericSchema<AgentGraphResponse> = agentGraphObject

export async function serializeAgentGraph(
  context: ReadContext,
  graph: AgentGraph,
  keys: { readonly projectKey: string; readonly graphKey: string },
): Promise<AgentGraphResponse> {
  const { version, maintainerId, maintainerTeamKey, ...properties } = graph
  const parent = path`/api/v2/projects/${keys.projectKey}/agent-graphs`
  const [maintainer, _access] = await Promise.all([
    serializeMaintainer(context, graph),
    context.access(agentGraphs, keys, graph),
  ])
  return { ...properties, _links: selfAndParent(`${parent}${path`/${graph.key}`}`, parent), ...maintainer, _access }
}
