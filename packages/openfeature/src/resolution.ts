import type { EvaluationError, EvaluationReason } from '@halyard/core/evaluation'
import { ErrorCode, type FlagMetadata, type ResolutionDetails, StandardResolutionReasons } from '@openfeature/core'

/** What a flag must be for a typed evaluation. */
export interface ValueType<T> {
  readonly name: string
  is(value: unknown): value is T
}

export const booleanType: ValueType<boolean> = { name: 'boolean', is: (value) => typeof value === 'boolean' }
export const stringType: ValueType<string> = { name: 'string', is: (value) => typeof value === 'string' }
export const numberType: ValueType<number> = { name: 'number', is: (value) => typeof value === 'number' }

/** Everything else that JSON has: objects, lists and null. */
export function jsonType<T>(): ValueType<T> {
  return { name: 'object', is: (value): value is T => typeof value === 'object' }
}

/** What a flag came to, with what OpenFeature calls the reason. */
export interface Outcome {
  readonly value: unknown
  readonly variant: string | undefined
  readonly reason: string
  readonly flagMetadata: FlagMetadata
}

/** The outcome as a typed resolution; the fallback where there is no value. */
export function resolved<T>({ value, variant, reason, flagMetadata }: Outcome, fallback: T, type: ValueType<T>) {
  const also: Omit<ResolutionDetails<T>, 'value'> = { reason, flagMetadata }
  if (value === undefined) return { ...also, value: fallback }
  if (type.is(value)) return { ...also, value, ...(variant === undefined ? {} : { variant }) }
  const is = typeof value
  return failed(fallback, ErrorCode.TYPE_MISMATCH, `the flag has a value of type ${is}, not ${type.name}`, flagMetadata)
}

/** A resolution to the fallback. */
export function failed<T>(
  value: T,
  errorCode: ErrorCode,
  errorMessage: string,
  flagMetadata: FlagMetadata = {},
): ResolutionDetails<T> {
  return { value, reason: StandardResolutionReasons.ERROR, errorCode, errorMessage, flagMetadata }
}

/** The code of an evaluation that failed, and words for it. */
export function failureOf(errorKind: EvaluationError, flagKey: string): readonly [ErrorCode, string] {
  switch (errorKind) {
    case 'CLIENT_NOT_READY':
      return [ErrorCode.PROVIDER_NOT_READY, 'the flags have not been read yet']
    case 'FLAG_NOT_FOUND':
      return [ErrorCode.FLAG_NOT_FOUND, `flag ${flagKey} not found`]
    case 'USER_NOT_SPECIFIED':
      return [ErrorCode.INVALID_CONTEXT, 'the evaluation context is none']
    case 'MALFORMED_FLAG':
      return [ErrorCode.PARSE_ERROR, `flag ${flagKey} contradicts itself`]
    case 'WRONG_TYPE':
      return [ErrorCode.TYPE_MISMATCH, `flag ${flagKey} has a value of another type`]
    default:
      return [ErrorCode.GENERAL, `flag ${flagKey} could not be evaluated: ${errorKind}`]
  }
}

/** What is known of a flag besides the reason of an evaluation. */
export interface Serving {
  /** Whether a share of a rollout was served. */
  readonly split: boolean
  /** Whether everybody gets the same. */
  readonly fixed: boolean
}

/** The reason in the words of OpenFeature (specification, 2.2.5). */
export function reasonOf({ kind }: EvaluationReason, { split, fixed }: Serving): string {
  if (split) return StandardResolutionReasons.SPLIT
  switch (kind) {
    case 'OFF':
      return StandardResolutionReasons.DISABLED
    case 'TARGET_MATCH':
    case 'RULE_MATCH':
      return StandardResolutionReasons.TARGETING_MATCH
    case 'ERROR':
      return StandardResolutionReasons.ERROR
    default:
      return fixed ? StandardResolutionReasons.STATIC : StandardResolutionReasons.DEFAULT
  }
}
