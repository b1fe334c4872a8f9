import { agentGraphs } from '../../models/agent-graphs/agent-graph.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteAgentGraph = deleteOperation(agentGraphs, {
  id: 'deleteAgentGraph',
  summary: 'Delete an agent graph, but not its AI configs',
  path: '/api/v2/projects/{projectKey}/agent-graphs/{graphKey}',
  beta: 'declared',
  access: { action: 'deleteAgentGraph', resource: 'proj/{projectKey}:agent-graph/{graphKey}' },
})
