import { addressTemplate } from '../../rules/address.ts'
import { documents, type Versioned } from '../../storage/collection.ts'
import { agentOptimizations } from './agent-optimization.ts'

export const resultStatuses = ['RUNNING', 'PASSED', 'FAILED', 'ERRORED'] as const
export type ResultStatus = (typeof resultStatuses)[number]

export const resultActivities = [
  'PENDING',
  'GENERATING',
  'EVALUATING',
  'GENERATING_VARIATION',
  'VALIDATING',
  'COMPLETED',
] as const

/**
 * Result of one iteration of a run (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d30-agent-optimizations).
 * Times are integers in ms.
 */
export interface OptimizationResult extends Versioned {
  readonly id: string
  readonly runId: string
  readonly agentOptimizationId: string
  /** Version of the optimization that the run used. */
  readonly agentOptimizationVersion: number
  readonly iteration: number
  readonly instructions: string
  readonly userInput: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly status: ResultStatus
  readonly activity: (typeof resultActivities)[number]
  /** Reason of the status, for people. */
  readonly reason?: string
  readonly completionResponse?: string
  readonly scores?: Readonly<Record<string, unknown>>
  readonly variation?: Readonly<Record<string, unknown>>
  readonly createdVariationKey?: string
  readonly generationTokens?: Readonly<Record<string, unknown>>
  /** Milliseconds. */
  readonly generationLatency?: number
  readonly evaluationTokens?: Readonly<Record<string, unknown>>
  readonly evaluationLatencies?: Readonly<Record<string, unknown>>
  readonly createdAt: number
  readonly updatedAt: number
  /** Time at which the status became PASSED, FAILED or ERRORED. */
  readonly completedAt?: number
}

const ofOptimization = addressTemplate(agentOptimizations.template)

export const optimizationResults = documents<OptimizationResult>()({
  name: 'agent-optimization-result',
  address: 'proj/{projectKey}:agent-optimization/{optimizationKey}:result/{resultId}',
  fields: ({ createdAt, iteration }) => ({ createdAt, iteration }),
  // Policies refer to optimizations, not to their results.
  resource: (_, keys) => ofOptimization.resource(keys),
  partOf: agentOptimizations,
  sentences: {
    name: (_, whole) => `a result of ${whole}`,
    created: (_, { it }) => `recorded ${it}`,
  },
  changes: {
    id: null,
    runId: null,
    agentOptimizationId: null,
    agentOptimizationVersion: null,
    iteration: null,
    instructions: null,
    userInput: null,
    parameters: null,
    status: 'updateAgentOptimizationResult',
    activity: 'updateAgentOptimizationResult',
    reason: 'updateAgentOptimizationResult',
    completionResponse: 'updateAgentOptimizationResult',
    scores: 'updateAgentOptimizationResult',
    variation: 'updateAgentOptimizationResult',
    createdVariationKey: 'updateAgentOptimizationResult',
    generationTokens: 'updateAgentOptimizationResult',
    generationLatency: 'updateAgentOptimizationResult',
    evaluationTokens: 'updateAgentOptimizationResult',
    evaluationLatencies: 'updateAgentOptimizationResult',
    createdAt: null,
    updatedAt: null,
    completedAt: null,
  },
})

/**
 * Newest first: by time of creation, then by iteration
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d30-agent-optimizations).
 */
export const newestResultFirst = [
  { field: 'createdAt', type: 'number', descending: true },
  { field: 'iteration', type: 'number', descending: true },
] as const
