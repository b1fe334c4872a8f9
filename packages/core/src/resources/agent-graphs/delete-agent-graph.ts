import { deleteCard } from '../../operation/cards/delete-card.ts'
import { agentGraphs } from './agent-graph.ts'

export const deleteAgentGraph = deleteCard(agentGraphs, {
  id: 'deleteAgentGraph',
  summary: 'Delete an agent graph; its AI configs stay',
  path: '/api/v2/projects/{projectKey}/agent-graphs/{graphKey}',
  beta: 'declared',
  access: { action: 'deleteAgentGraph', resource: 'proj/{projectKey}:agent-graph/{graphKey}' },
})
