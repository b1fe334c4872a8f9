import { getCard } from '../../operation/cards/get-card.ts'
import { agentGraphs } from './agent-graph.ts'
import { agentGraphWire, presentAgentGraph } from './agent-graph-wire.ts'

export const getAgentGraph = getCard(agentGraphs, {
  id: 'getAgentGraph',
  summary: 'Fetch an agent graph',
  path: '/api/v2/projects/{projectKey}/agent-graphs/{graphKey}',
  beta: 'declared',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  answer: agentGraphWire,
  present: presentAgentGraph,
})
