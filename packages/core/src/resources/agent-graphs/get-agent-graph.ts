import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { agentGraphs } from './agent-graph.ts'
import { agentGraphWire, presentAgentGraph } from './agent-graph-wire.ts'

export const getAgentGraph = getOperation(agentGraphs, {
  id: 'getAgentGraph',
  summary: 'Get an agent graph',
  path: '/api/v2/projects/{projectKey}/agent-graphs/{graphKey}',
  beta: 'declared',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: agentGraphWire,
  serialize: presentAgentGraph,
})
