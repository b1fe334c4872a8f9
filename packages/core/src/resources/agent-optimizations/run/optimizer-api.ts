import type * as v from 'valibot'
import type { aiConfigResponse } from '../../ai-configs/ai-config-schema.ts'
import type { variationRequest } from '../../ai-configs/variations/ai-config-variation-schema.ts'
import type { agentOptimizationResponse } from '../agent-optimization-schema.ts'
import type { resultChange, resultRequest, resultResponse } from '../optimization-result-schema.ts'

/** A result as the operations return it. */
export type StoredResult = v.InferOutput<typeof resultResponse>

/** Properties of a result that a run changes. */
export type ResultChange = v.InferInput<typeof resultChange>

interface OptimizationKeys {
  readonly projectKey: string
  readonly optimizationKey: string
}

interface ConfigKeys {
  readonly projectKey: string
  readonly configKey: string
}

/** The operations that a run calls, as functions of its caller. */
export interface OptimizerApi {
  getAgentOptimization(input: OptimizationKeys): Promise<v.InferOutput<typeof agentOptimizationResponse>>
  getAIConfig(input: ConfigKeys): Promise<v.InferOutput<typeof aiConfigResponse>>
  getAIConfigVariation(
    input: ConfigKeys & { readonly variationKey: string },
  ): Promise<{ readonly items: readonly { readonly instructions?: string | undefined }[] }>
  createAIConfigVariation(
    input: ConfigKeys & { readonly body: v.InferInput<typeof variationRequest> },
  ): Promise<unknown>
  listAgentOptimizationResultsByRunId(
    input: OptimizationKeys & { readonly runId: string; readonly limit: number; readonly offset: number },
  ): Promise<{ readonly items: readonly StoredResult[]; readonly totalCount: number }>
  createAgentOptimizationResult(
    input: OptimizationKeys & { readonly body: v.InferInput<typeof resultRequest> },
  ): Promise<StoredResult>
  patchAgentOptimizationResult(
    input: OptimizationKeys & { readonly resultId: string; readonly body: ResultChange },
  ): Promise<StoredResult>
}
