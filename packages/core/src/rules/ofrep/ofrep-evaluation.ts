import type { EvaluationReason, EvaluationResult } from '../evaluation/index.ts'

/** An evaluation in the form of OFREP. */
export interface OfrepEvaluation {
  readonly key: string
  /** Omitted when the flag has no value: the caller's default applies. */
  readonly value?: unknown
  readonly variant?: string
  readonly reason: string
  readonly metadata: Readonly<Record<string, unknown>>
}

/** A failed evaluation in the form of OFREP. */
export interface OfrepError {
  readonly key?: string
  readonly errorCode: string
  readonly errorDetails: string
}

/**
 * Returns an evaluation in the form of OFREP.
 *
 * @param names names of the variations; a variation without one is named by its index.
 */
export function ofrepEvaluation(
  key: string,
  { value, variationIndex, reason }: EvaluationResult,
  names: readonly (string | undefined)[],
): OfrepEvaluation | OfrepError {
  if (reason.kind === 'ERROR') {
    return { key, errorCode: errorCodeOf(reason.errorKind), errorDetails: `The flag ${key} cannot be evaluated` }
  }
  const { kind: _, ...metadata } = reason
  return {
    key,
    ...(value === undefined || value === null ? {} : { value }),
    ...(variationIndex === null ? {} : { variant: names[variationIndex] ?? String(variationIndex) }),
    reason: reasonOf(reason),
    metadata,
  }
}

function reasonOf({ kind }: EvaluationReason): string {
  switch (kind) {
    case 'OFF':
      return 'DISABLED'
    case 'TARGET_MATCH':
    case 'RULE_MATCH':
      return 'TARGETING_MATCH'
    default:
      return 'DEFAULT'
  }
}

function errorCodeOf(errorKind: string): string {
  switch (errorKind) {
    case 'FLAG_NOT_FOUND':
      return 'FLAG_NOT_FOUND'
    case 'USER_NOT_SPECIFIED':
      return 'INVALID_CONTEXT'
    case 'MALFORMED_FLAG':
      return 'PARSE_ERROR'
    default:
      return 'GENERAL'
  }
}
