import { updateOperation } from '../../operation/document-operations/update-operation.ts'
import { agentOptimizations } from './agent-optimization.ts'
import { optimizationResults } from './optimization-result.ts'
import { resultChange, resultResponse, serializeResult } from './optimization-result-schema.ts'

export const patchAgentOptimizationResult = updateOperation(optimizationResults, {
  id: 'patchAgentOptimizationResult',
  undo: {
    // A result is only deleted with its run.
    async remove(context, keys, result) {
      await context.demand('deleteAgentOptimizationRun', agentOptimizations, keys)
      context.tx.remove(optimizationResults, keys, result)
    },
  },
  summary: 'Update a result of a run; a final status cannot change',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}/results/{resultId}',
  resource: 'proj/{projectKey}:agent-optimization/{optimizationKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  body: resultChange,
  change(context, before, body) {
    const { fail } = context
    const now = context.readClock()
    const { status } = before
    const after = { ...before, ...body, updatedAt: now }
    if (after.status === status) return after
    if (status !== 'RUNNING') {
      fail('invalid_request', {
        errors: [{ attribute: 'status', reason: `must not change: ${status} is a final status` }],
      })
    }
    return { ...after, completedAt: now }
  },
  response: resultResponse,
  serialize: serializeResult,
})
