import type { EvaluationReason, EvaluationResult } from '../evaluation/index.ts'
import type { AgentGraphValue } from './agent-graph-flag.ts'
import type { EvaluatedAIConfig } from './ai-config-value.ts'

/** A graph of agents for a context. */
export interface EvaluatedAgentGraph {
  readonly key: string
  /** False when there is no such graph, when an agent is disabled, and when the root does not lead to every agent. */
  readonly enabled: boolean
  /** Key of the AI config of the agent that starts. Omitted when the graph is not enabled. */
  readonly root?: string
  /**
   * Edges to the agents that an agent can hand work to, by the key of its AI config. Empty when the graph is not
   * enabled.
   */
  readonly edges: AgentGraphValue['edges']
  /** The agents by the keys of their AI configs. Empty when the graph is not enabled. */
  readonly nodes: Readonly<Record<string, EvaluatedAIConfig>>
  readonly reason: EvaluationReason
}

/**
 * Returns a graph of agents with its nodes. A graph is enabled as a whole or not at all, as in the AI SDKs for the
 * reference API.
 *
 * @param evaluation result of the evaluation of the graph as a flag.
 * @param agentOf returns the AI config of a node.
 */
export function evaluateAgentGraph(
  key: string,
  { value, reason }: EvaluationResult,
  agentOf: (configKey: string) => EvaluatedAIConfig,
): EvaluatedAgentGraph {
  const {
    _ldMeta,
    root,
    edges = {},
  }: Partial<AgentGraphValue> = typeof value === 'object' && value !== null ? value : {}
  const disabled = { key, enabled: false, edges: {}, nodes: {}, reason }
  if (!root || _ldMeta?.enabled === false) return disabled
  const reachable = reachableFrom(root, edges)
  if (Object.keys(edges).some((source) => !reachable.has(source))) return disabled
  const nodes = Array.from(reachable, (configKey) => [configKey, agentOf(configKey)] as const)
  if (nodes.some(([, agent]) => !agent.enabled)) return disabled
  return { key, enabled: true, root, edges, nodes: Object.fromEntries(nodes), reason }
}

/** Returns the root and every agent that receives work from it, directly or indirectly. */
function reachableFrom(root: string, edges: AgentGraphValue['edges']): Set<string> {
  const reachable = new Set([root])
  // A Set also iterates over elements that are added during the iteration.
  for (const source of reachable) for (const { key } of edges[source] ?? []) reachable.add(key)
  return reachable
}
