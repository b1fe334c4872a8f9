import type { AIEvaluation } from '../resources/ai-evaluation/ai-evaluation.ts'
import type { BackUps } from '../resources/back-ups/back-ups.ts'
import type { Evaluators } from '../resources/evaluation/evaluators.ts'
import { onlyFlags } from '../resources/evaluation/served-content.ts'
import type { OAuthService } from '../resources/oauth-grants/oauth-service.ts'

const failWithoutEvaluators = (): never => {
  throw new Error('evaluators: this engine was made without evaluators')
}

/**
 * Replaces the evaluators in an engine that was made without them. Using an evaluator throws; the other functions do
 * nothing.
 */
export const noEvaluators: Evaluators = {
  of: failWithoutEvaluators,
  handleOf: failWithoutEvaluators,
  snapshot: failWithoutEvaluators,
  settled: () => undefined,
  recentContexts: () => [],
  takeCounts: () => [],
  sendEvents: () => {},
  clear: () => {},
  stop: async () => {},
}

const failWithoutAIEvaluation = (): never => {
  throw new Error('aiEvaluation: this engine was made without AI evaluation')
}

/** Replaces the AI evaluation in an engine that was made without it. */
export const noAIEvaluation: AIEvaluation = {
  content: onlyFlags,
  config: failWithoutAIEvaluation,
  graph: failWithoutAIEvaluation,
}

const missingBackUpsMessage = 'back-ups: this engine was made without back-ups'

/** Replaces the back-ups in an engine that was made without them. */
export const noBackUps: BackUps = {
  // biome-ignore lint/correctness/useYield: the reader of an export receives its errors
  async *export() {
    throw new Error(missingBackUpsMessage)
  },
  import: () => Promise.reject(new Error(missingBackUpsMessage)),
}

const failWithoutOAuth = () => Promise.reject(new Error('oauth: this engine was made without OAuth'))

/** Replaces the OAuth service in an engine that was made without it. */
export const noOAuth: OAuthService = {
  findClient: failWithoutOAuth,
  issueTokens: failWithoutOAuth,
  revokeToken: failWithoutOAuth,
  introspect: failWithoutOAuth,
}

const failWithoutBranches = () => Promise.reject(new Error('branches: this engine was made without branches'))

/** Replaces the branches in an engine that was made without them. */
export const noBranches = {
  branch: failWithoutBranches,
  branches: { list: failWithoutBranches, delete: failWithoutBranches },
}
