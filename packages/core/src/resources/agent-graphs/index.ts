import { createAgentGraph } from './create-agent-graph.ts'
import { deleteAgentGraph } from './delete-agent-graph.ts'
import { getAgentGraph } from './get-agent-graph.ts'
import { listAgentGraphs } from './list-agent-graphs.ts'
import { patchAgentGraph } from './patch-agent-graph.ts'

export const agentGraphOperations = [
  listAgentGraphs,
  createAgentGraph,
  getAgentGraph,
  patchAgentGraph,
  deleteAgentGraph,
] as const
