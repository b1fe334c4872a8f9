/** Why a flag has its value. */
export type EvaluationReason =
  /** The flag is off. */
  | { readonly kind: 'OFF'; readonly bigSegmentsStatus?: BigSegmentsStatus }
  /** No target and no rule matched. */
  | { readonly kind: 'FALLTHROUGH'; readonly inExperiment?: true; readonly bigSegmentsStatus?: BigSegmentsStatus }
  /** The context is named in the flag. */
  | { readonly kind: 'TARGET_MATCH'; readonly bigSegmentsStatus?: BigSegmentsStatus }
  | {
      readonly kind: 'RULE_MATCH'
      /** From 0. */
      readonly ruleIndex: number
      readonly ruleId?: string
      readonly inExperiment?: true
      readonly bigSegmentsStatus?: BigSegmentsStatus
    }
  /** Another flag is off, or has not the variation that this one needs. */
  | {
      readonly kind: 'PREREQUISITE_FAILED'
      readonly prerequisiteKey: string
      readonly bigSegmentsStatus?: BigSegmentsStatus
    }
  /** There is no value but the caller's default. */
  | { readonly kind: 'ERROR'; readonly errorKind: EvaluationError; readonly bigSegmentsStatus?: BigSegmentsStatus }

/**
 * What kept a flag from having a value:
 *  - `CLIENT_NOT_READY`: the environment has not been read yet;
 *  - `FLAG_NOT_FOUND`: there is none of that key;
 *  - `USER_NOT_SPECIFIED`: the context is none;
 *  - `MALFORMED_FLAG`: it contradicts itself, e.g. by a circle of prerequisites;
 *  - `WRONG_TYPE`: its value is of another type than the default.
 */
export type EvaluationError =
  | 'CLIENT_NOT_READY'
  | 'FLAG_NOT_FOUND'
  | 'USER_NOT_SPECIFIED'
  | 'MALFORMED_FLAG'
  | 'WRONG_TYPE'

/**
 * How sure it is which big segments a context is in; of several the worst:
 *  - `HEALTHY`: as they are now;
 *  - `STALE`: as they were, and they have changed since;
 *  - `STORE_ERROR`: they could not be read;
 *  - `NOT_CONFIGURED`: nobody has looked, so it counts as in none by list.
 */
export type BigSegmentsStatus = 'HEALTHY' | 'STALE' | 'STORE_ERROR' | 'NOT_CONFIGURED'

/** What a flag is for a context. Frozen, and shared between evaluations that have the same outcome. */
export interface Evaluated<T = unknown> {
  /** Undefined where the caller's default is to be used: on errors, and where the flag is off without an off variation. */
  readonly value: T
  /** Which variation that is, from 0; null for the caller's default. */
  readonly variationIndex: number | null
  readonly reason: EvaluationReason
}

/** The outcome of what cannot be evaluated. */
export function failedEvaluation(errorKind: EvaluationError): Evaluated {
  return Object.freeze({
    value: undefined,
    variationIndex: null,
    reason: Object.freeze({ kind: 'ERROR', errorKind } as const),
  })
}

export const malformedFlag = failedEvaluation('MALFORMED_FLAG')
export const flagNotFound = failedEvaluation('FLAG_NOT_FOUND')
export const contextNotSpecified = failedEvaluation('USER_NOT_SPECIFIED')
