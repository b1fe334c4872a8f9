import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { agentOptimizations } from './agent-optimization.ts'

export const deleteAgentOptimization = deleteOperation(agentOptimizations, {
  id: 'deleteAgentOptimization',
  summary: 'Delete an agent optimization with all its runs',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}',
  access: {
    action: 'deleteAgentOptimization',
    resource: 'proj/{projectKey}:agent-optimization/{optimizationKey}',
  },
  contents: true,
})
