import { documents, type Versioned } from '../../storage/collection.ts'
import type { MaintainerReference } from '../maintainers/maintainer.ts'
import { maintainerSentences, shownMaintainer } from '../maintainers/maintainer.ts'

/** Agents that hand work to each other. The nodes are AI configs, which the edges refer to by key. */
export interface AgentGraph extends Versioned, MaintainerReference {
  readonly key: string
  readonly name: string
  readonly description: string
  /** The agent that starts. Omitted together with the edges when the graph has no structure yet. */
  readonly rootConfigKey?: string
  readonly edges?: readonly AgentGraphEdge[]
  readonly createdAt: number
  readonly updatedAt: number
}

/** A pair of agents of which the first can hand work to the second. */
export interface AgentGraphEdge {
  /** Unique in the graph. */
  readonly key: string
  readonly sourceConfig: string
  readonly targetConfig: string
  readonly handoff?: Readonly<Record<string, unknown>>
}

export const agentGraphs = documents<AgentGraph>()({
  name: 'agent-graph',
  address: 'proj/{projectKey}:agent-graph/{graphKey}',
  shown: shownMaintainer,
  sentences: { changed: { ...maintainerSentences, rootConfigKey: 'root config' } },
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
