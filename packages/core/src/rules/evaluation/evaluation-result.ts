/** Reason why a flag has its value. */
export type EvaluationReason =
  /** The flag is off. */
  | { readonly kind: 'OFF'; readonly bigSegmentsStatus?: BigSegmentsStatus }
  /** No target and no rule matched. */
  | { readonly kind: 'FALLTHROUGH'; readonly inExperiment?: true; readonly bigSegmentsStatus?: BigSegmentsStatus }
  /** A target of the flag lists the context. */
  | { readonly kind: 'TARGET_MATCH'; readonly bigSegmentsStatus?: BigSegmentsStatus }
  | {
      readonly kind: 'RULE_MATCH'
      /** Index of the rule, from 0. */
      readonly ruleIndex: number
      readonly ruleId?: string
      readonly inExperiment?: true
      readonly bigSegmentsStatus?: BigSegmentsStatus
    }
  /** A prerequisite is off, or does not serve the variation that this flag requires. */
  | {
      readonly kind: 'PREREQUISITE_FAILED'
      readonly prerequisiteKey: string
      readonly bigSegmentsStatus?: BigSegmentsStatus
    }
  /** The flag has no value, so the caller's default applies. */
  | { readonly kind: 'ERROR'; readonly errorKind: EvaluationError; readonly bigSegmentsStatus?: BigSegmentsStatus }

/**
 * Error because of which a flag has no value of its own.
 *
 * - `CLIENT_NOT_READY`: the environment has not been read yet.
 * - `ENVIRONMENT_NOT_FOUND`: the environment was deleted.
 * - `FLAG_NOT_FOUND`: no flag has this key.
 * - `USER_NOT_SPECIFIED`: the context is invalid.
 * - `MALFORMED_FLAG`: the flag contradicts itself, e.g. by a cycle of prerequisites.
 * - `WRONG_TYPE`: the value has another type than the default.
 */
export type EvaluationError =
  | 'CLIENT_NOT_READY'
  | 'ENVIRONMENT_NOT_FOUND'
  | 'FLAG_NOT_FOUND'
  | 'USER_NOT_SPECIFIED'
  | 'MALFORMED_FLAG'
  | 'WRONG_TYPE'

/**
 * Reliability of the memberships in big segments that an evaluation used. If the evaluation used several, it is that of
 * the least reliable one.
 *
 * - `HEALTHY`: the membership is up to date.
 * - `STALE`: the segment has changed since the membership was read.
 * - `STORE_ERROR`: the membership could not be read.
 * - `NOT_CONFIGURED`: the membership was not looked up, so the context counts as in no list.
 */
export type BigSegmentsStatus = 'HEALTHY' | 'STALE' | 'STORE_ERROR' | 'NOT_CONFIGURED'

/** Outcome of a flag for a context. Frozen, and shared between evaluations that have the same outcome. */
export interface EvaluationResult<T = unknown> {
  /** Undefined if the caller's default applies: on errors, and if the flag is off without an off variation. */
  readonly value: T
  /** Index of the variation, from 0; null for the caller's default. */
  readonly variationIndex: number | null
  readonly reason: EvaluationReason
}

/** Creates the result of an evaluation that failed. */
export function failedEvaluation(errorKind: EvaluationError): EvaluationResult {
  return Object.freeze({
    value: undefined,
    variationIndex: null,
    reason: Object.freeze({ kind: 'ERROR', errorKind } as const),
  })
}

export const malformedFlag = failedEvaluation('MALFORMED_FLAG')
export const flagNotFound = failedEvaluation('FLAG_NOT_FOUND')
export const contextNotSpecified = failedEvaluation('USER_NOT_SPECIFIED')
