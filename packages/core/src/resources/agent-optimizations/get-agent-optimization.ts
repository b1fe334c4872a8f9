import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { agentOptimizations } from './agent-optimization.ts'
import { agentOptimizationResponse, serializeAgentOptimization } from './agent-optimization-schema.ts'

export const getAgentOptimization = getOperation(agentOptimizations, {
  id: 'getAgentOptimization',
  summary: 'Get an agent optimization',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: agentOptimizationResponse,
  serialize: serializeAgentOptimization,
})
