import type { EvaluationError, EvaluationReason } from '@halyard/core/evaluation'
import { ErrorCode, type FlagMetadata, type ResolutionDetails, StandardResolutionReasons } from '@openfeature/core'
import type { ValueType } from './typed-resolvers.ts'

/** The evaluation of a flag in the terms of OpenFeature. */
export interface FlagEvaluation {
  /** Undefined when the caller's default value applies. */
  readonly value: unknown
  readonly variant: string | undefined
  readonly reason: string
  readonly flagMetadata: FlagMetadata
}

/** The code and the message of an error. */
export type FlagError = readonly [ErrorCode, string]

/** Returns an evaluation as resolution details; an error when the value is not of the type. */
export function resolutionDetails<T>(
  evaluation: FlagEvaluation | FlagError,
  defaultValue: T,
  type: ValueType<T>,
): ResolutionDetails<T> {
  if (!('reason' in evaluation)) return errorDetails(defaultValue, ...evaluation)
  const { value, variant, reason, flagMetadata } = evaluation
  if (value === undefined) return { value: defaultValue, reason, flagMetadata }
  if (type.is(value)) return { value, reason, flagMetadata, ...(variant === undefined ? {} : { variant }) }
  const message = `the flag has a value of type ${typeof value}, not ${type.name}`
  return errorDetails(defaultValue, ErrorCode.TYPE_MISMATCH, message, flagMetadata)
}

/** Returns the resolution details of an error. */
export function errorDetails<T>(
  defaultValue: T,
  errorCode: ErrorCode,
  errorMessage: string,
  flagMetadata: FlagMetadata = {},
): ResolutionDetails<T> {
  return { value: defaultValue, reason: StandardResolutionReasons.ERROR, errorCode, errorMessage, flagMetadata }
}

/** Returns the error code and the message for an evaluation error. */
export function describeError(errorKind: EvaluationError, flagKey: string): FlagError {
  switch (errorKind) {
    case 'CLIENT_NOT_READY':
      return [ErrorCode.PROVIDER_NOT_READY, 'the flags are not loaded yet']
    case 'FLAG_NOT_FOUND':
      return [ErrorCode.FLAG_NOT_FOUND, `flag ${flagKey} not found`]
    case 'USER_NOT_SPECIFIED':
      return [ErrorCode.INVALID_CONTEXT, 'the evaluation context is invalid']
    case 'MALFORMED_FLAG':
      return [ErrorCode.PARSE_ERROR, `the configuration of flag ${flagKey} is invalid`]
    case 'WRONG_TYPE':
      return [ErrorCode.TYPE_MISMATCH, `flag ${flagKey} has a value of another type`]
    default:
      return [ErrorCode.GENERAL, `flag ${flagKey} could not be evaluated: ${errorKind}`]
  }
}

/** Properties of a flag that its reason does not contain. */
export interface FlagTraits {
  /** True when a percentage rollout selected the variation. */
  readonly isSplit: boolean
  /** True when every context gets the same variation. */
  readonly isStatic: boolean
}

/** Returns the reason of OpenFeature (specification, 2.2.5). */
export function resolutionReason({ kind }: EvaluationReason, { isSplit, isStatic }: FlagTraits): string {
  if (isSplit) return StandardResolutionReasons.SPLIT
  switch (kind) {
    case 'OFF':
      return StandardResolutionReasons.DISABLED
    case 'TARGET_MATCH':
    case 'RULE_MATCH':
      return StandardResolutionReasons.TARGETING_MATCH
    case 'ERROR':
      return StandardResolutionReasons.ERROR
    default:
      return isStatic ? StandardResolutionReasons.STATIC : StandardResolutionReasons.DEFAULT
  }
}
