import { resource } from '../../operation/resource.ts'
import { agentGraphs as agentGraphDocuments } from './agent-graph.ts'
import { createAgentGraph } from './create-agent-graph.ts'
import { deleteAgentGraph } from './delete-agent-graph.ts'
import { getAgentGraph } from './get-agent-graph.ts'
import { listAgentGraphs } from './list-agent-graphs.ts'
import { patchAgentGraph } from './patch-agent-graph.ts'

export const agentGraphs = resource({
  title: 'Agent graphs',
  description: 'Graphs of agents that hand over work to each other.',
  kinds: [{ shape: 'proj:agent-graph', actions: ['createAgentGraph', 'updateAgentGraph', 'deleteAgentGraph'] }],
  collections: [agentGraphDocuments],
  operations: [listAgentGraphs, createAgentGraph, getAgentGraph, patchAgentGraph, deleteAgentGraph],
  parameters: {
    graphKey: 'Key of the agent graph.',
  },
})
