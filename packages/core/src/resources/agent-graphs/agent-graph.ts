import type { Maintained } from '../../models/maintainers/maintainer.ts'
import { documents, type Versioned } from '../../storage/collection.ts'

/** Agents that hand work to each other. Its nodes are AI configs, named by the edges. */
export interface AgentGraph extends Versioned, Maintained {
  readonly key: string
  readonly name: string
  readonly description: string
  /** The agent that begins; left out, with the edges, while there is only the name. */
  readonly rootConfigKey?: string
  readonly edges?: readonly AgentGraphEdge[]
  readonly createdAt: number
  readonly updatedAt: number
}

/** From whom to whom work can be handed. */
export interface AgentGraphEdge {
  /** No other edge of the graph has it. */
  readonly key: string
  readonly sourceConfig: string
  readonly targetConfig: string
  readonly handoff?: Readonly<Record<string, unknown>>
}

export const agentGraphs = documents<AgentGraph>()({
  name: 'agent-graph',
  address: 'proj/{projectKey}:agent-graph/{graphKey}',
  changes: {
    key: null,
    name: 'updateAgentGraph',
    description: 'updateAgentGraph',
    maintainerId: 'updateAgentGraph',
    maintainerTeamKey: 'updateAgentGraph',
    rootConfigKey: 'updateAgentGraph',
    edges: 'updateAgentGraph',
    createdAt: null,
    updatedAt: null,
  },
})
