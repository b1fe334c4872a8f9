import { agentGraphs as agentGraphDocuments } from '../../models/agent-graphs/agent-graph.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const agentGraphs = resource({
  title: 'Agent graphs',
  description: 'Graphs of agents that hand over work to each other.',
  kinds: [{ shape: 'proj:agent-graph', actions: ['createAgentGraph', 'updateAgentGraph', 'deleteAgentGraph'] }],
  collections: [agentGraphDocuments],
  operations: Object.values(operations),
  parameters: {
    graphKey: 'Key of the agent graph.',
  },
})
