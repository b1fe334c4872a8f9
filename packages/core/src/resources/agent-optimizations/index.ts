import { resource } from '../../operation/resource.ts'
import { agentOptimizations as agentOptimizationDocuments } from './agent-optimization.ts'
import * as operations from './operations.ts'
import { optimizationResults } from './optimization-result.ts'
import { optimizationRuns } from './optimization-run.ts'

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
  operations: Object.values(operations),
  parameters: {
    optimizationKey: 'Key of the agent optimization.',
    resultId: 'Id of the result.',
    runId: 'Id of the run.',
  },
})
