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
import { patchAgentOptimization } from './patch-agent-optimization.ts'
import { patchAgentOptimizationResult } from './patch-agent-optimization-result.ts'

export const agentOptimizationOperations = [
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
] as const
