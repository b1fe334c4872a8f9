import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { agentOptimizations } from './agent-optimization.ts'
import { optimizationResults } from './optimization-result.ts'
import { optimizationRuns } from './optimization-run.ts'

export const deleteAgentOptimization = deleteOperation(agentOptimizations, {
  id: 'deleteAgentOptimization',
  undo: {
    sets: {
      runs: {
        async removeKeys(context, keys, optimization, runIds) {
          await context.demand('deleteAgentOptimizationRun', agentOptimizations, keys, optimization)
          for (const runId of runIds) {
            const run = await context.tx.get(optimizationRuns, { ...keys, runId })
            for (const { id } of run?.results ?? []) context.tx.discard(optimizationResults, { ...keys, resultId: id })
            context.tx.discard(optimizationRuns, { ...keys, runId })
          }
          context.tx.note(agentOptimizations, keys, optimization, { set: 'runs', removed: runIds })
        },
        async addKeys(context, keys, optimization, runIds) {
          await context.demand('createAgentOptimizationResult', agentOptimizations, keys, optimization)
          context.tx.note(agentOptimizations, keys, optimization, { set: 'runs', added: runIds })
        },
      },
    },
  },
  summary: 'Delete an agent optimization with all its runs',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}',
  access: {
    action: 'deleteAgentOptimization',
    resource: 'proj/{projectKey}:agent-optimization/{optimizationKey}',
  },
  contents: true,
})
