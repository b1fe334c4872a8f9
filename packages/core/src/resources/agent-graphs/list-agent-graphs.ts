import { agentGraphs } from '../../models/agent-graphs/agent-graph.ts'
import { projects } from '../../models/projects/project.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { agentGraphResponse, serializeAgentGraph } from './agent-graph-schema.ts'

export const listAgentGraphs = listOperation(agentGraphs, {
  id: 'listAgentGraphs',
  summary: 'List the agent graphs of a project, by key',
  path: '/api/v2/projects/{projectKey}/agent-graphs',
  beta: 'declared',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  response: agentGraphResponse,
  serialize: serializeAgentGraph,
})
