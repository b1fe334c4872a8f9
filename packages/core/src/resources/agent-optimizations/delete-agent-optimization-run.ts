import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { agentOptimizations } from './agent-optimization.ts'
import { optimizationResults } from './optimization-result.ts'
import { optimizationRuns } from './optimization-run.ts'

export const deleteAgentOptimizationRun = deleteOperation(optimizationRuns, {
  id: 'deleteAgentOptimizationRun',
  summary: 'Delete a run of an agent optimization with all its results',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}/runs/{runId}',
  beta: 'declared',
  access: {
    action: 'deleteAgentOptimizationRun',
    resource: 'proj/{projectKey}:agent-optimization/{optimizationKey}',
  },
  async also({ tx, fail }, { results }, keys) {
    const optimization = (await tx.get(agentOptimizations, keys)) ?? fail('not_found')
    for (const { id } of results) tx.discard(optimizationResults, { ...keys, resultId: id })
    tx.note(agentOptimizations, keys, optimization, { set: 'runs', removed: [keys.runId] })
  },
})
