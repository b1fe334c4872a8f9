import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { agentOptimizations } from './agent-optimization.ts'
import { newestResultFirst, optimizationResults } from './optimization-result.ts'
import { resultResponse, serializeResult } from './optimization-result-schema.ts'

export const listAllAgentOptimizationResults = listOperation(optimizationResults, {
  id: 'listAllAgentOptimizationResults',
  summary: 'List the results of all runs of an agent optimization, newest first',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}/all-results',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: agentOptimizations,
  select: () => ({ order: newestResultFirst }),
  response: resultResponse,
  serialize: serializeResult,
})
