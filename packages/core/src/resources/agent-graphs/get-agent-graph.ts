import { agentGraphs } from '../../models/agent-graphs/agent-graph.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { agentGraphResponse, serializeAgentGraph } from './agent-graph-schema.ts'

export const getAgentGraph = getOperation(agentGraphs, {
  id: 'getAgentGraph',
  summary: 'Get an agent graph',
  path: '/api/v2/projects/{projectKey}/agent-graphs/{graphKey}',
  beta: 'declared',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: agentGraphResponse,
  serialize: serializeAgentGraph,
})
