import { resource } from '../../operation/resource.ts'
import { agentOptimizations as agentOptimizationDocuments } from './agent-optimization.ts'
import { createAgentOptimization } from './create-agent-optimization.ts'
import { createAgentOptimizationResult } from './create-agent-optimization-result.ts'
import { deleteAgentOptimization } from './delete-agent-optimization.ts'
import { deleteAgentOptimizationRun } from './delete-agent-optimization-run.ts'
import { getAgentOptimization } from './get-agent-optimization.ts'
import { listAgentOptimizationResults } from './list-agent-optimization-results.ts'
import { listAgentOptimizationResultsByRunId } from './list-agent-optimization-results-by-run-id.ts'
import { listAgentOptimizationRuns } from './list-agent-optimization-runs.ts'
import { listAgentOptimizations } from './list-agent-optimizations.ts'
import { listAllAgentOptimizationResults } from './list-all-agent-optimization-results.ts'
import { optimizationResults } from './optimization-result.ts'
import { optimizationRuns } from './optimization-run.ts'
import { patchAgentOptimization } from './patch-agent-optimization.ts'
import { patchAgentOptimizationResult } from './patch-agent-optimization-result.ts'

export const agentOptimizations = resource({
  title: 'Agent optimizations',
  description: 'Runs that improve an agent, with their results.',
  kinds: [
    {
      shape: 'proj:agent-optimization',
      actions: [
        'createAgentOptimization',
        'updateAgentOptimization',
        'deleteAgentOptimization',
        'createAgentOptimizationResult',
        'updateAgentOptimizationResult',
        'deleteAgentOptimizationRun',
      ],
    },
  ],
  collections: [agentOptimizationDocuments, optimizationResults, optimizationRuns],
  operations: [
    listAgentOptimizations,
    createAgentOptimization,
    getAgentOptimization,
    patchAgentOptimization,
    deleteAgentOptimization,
    listAgentOptimizationResults,
    createAgentOptimizationResult,
    patchAgentOptimizationResult,
    listAllAgentOptimizationResults,
    listAgentOptimizationRuns,
    listAgentOptimizationResultsByRunId,
    deleteAgentOptimizationRun,
  ],
  parameters: {
    optimizationKey: 'Key of the agent optimization.',
    resultId: 'Id of the result.',
    runId: 'Id of the run.',
  },
})
