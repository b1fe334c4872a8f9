import type { BoundApi } from '../../../engine-interface.ts'
import type { CallResponse, Operation } from '../../../operation/operation.ts'
import type { listAgentOptimizationResultsByRunId } from '../list-agent-optimization-results-by-run-id.ts'

/** The operations that a run calls, as functions of its caller. */
export type OptimizerApi = Pick<
  BoundApi,
  | 'getAgentOptimization'
  | 'getAIConfig'
  | 'getAIConfigVariation'
  | 'createAIConfigVariation'
  | 'listAgentOptimizationResultsByRunId'
  | 'createAgentOptimizationResult'
  | 'patchAgentOptimizationResult'
>

type ResponseOf<O extends Operation> = CallResponse<O>

/** A result as the operations return it. */
export type StoredResult = ResponseOf<typeof listAgentOptimizationResultsByRunId>['items'][number]
