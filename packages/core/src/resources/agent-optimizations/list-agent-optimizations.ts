import { projects } from '../../models/projects/project.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { agentOptimizations } from './agent-optimization.ts'
import { agentOptimizationResponse, serializeAgentOptimization } from './agent-optimization-schema.ts'

export const listAgentOptimizations = listOperation(agentOptimizations, {
  id: 'listAgentOptimizations',
  summary: 'List the agent optimizations of a project, by key',
  path: '/api/v2/projects/{projectKey}/agent-optimizations',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  response: agentOptimizationResponse,
  serialize: serializeAgentOptimization,
})
