import { evaluateFlag, evaluateFlagOnce } from './compiled-flag.ts'
import { type BigSegmentLookup, beginEvaluation, type Ruleset } from './evaluation.ts'
import {
  type BigSegmentsStatus,
  contextNotSpecified,
  type EvaluationResult,
  flagNotFound,
} from './evaluation-result.ts'
import { type EvaluationContext, subjectOf } from './subject.ts'

/** Information for an evaluation other than flags and segments. */
export interface EvaluateOptions {
  /**
   * Looks up the big segments that list the context. Without this function, no context is in a big segment, and the
   * reason of an evaluation that needs one has the big segments status `NOT_CONFIGURED`.
   */
  readonly bigSegments?: BigSegmentLookup | undefined
}

/**
 * Evaluates a flag for a context. Synchronous and deterministic; never throws.
 *
 * @param context single, multi-kind, or a legacy user without `kind`.
 * @returns the value, the index of the variation, and the reason; frozen. If the caller's default applies, `value` is
 *   undefined and `variationIndex` null.
 */
export function evaluate(
  ruleset: Ruleset,
  flagKey: string,
  context: EvaluationContext,
  { bigSegments }: EvaluateOptions = {},
): EvaluationResult {
  const subject = subjectOf(context)
  if (typeof subject === 'string') return contextNotSpecified
  const flag = ruleset.flags.get(flagKey)?.get()
  if (!flag) return flagNotFound
  const evaluation = beginEvaluation(ruleset, subject, bigSegments)
  return withStatus(evaluateFlag(flag, evaluation, undefined), evaluation.bigSegmentsStatus)
}

/** Options of {@link evaluateAll}. */
export interface EvaluateAllOptions extends EvaluateOptions {
  /** Restricts the result to flags that SDKs of this kind may see. Default: all flags. */
  readonly clientSide?: 'environmentId' | 'mobile'
}

/**
 * Evaluates all flags for one context; each prerequisite is evaluated once.
 *
 * @returns results by flag key; empty if the context is invalid.
 */
export function evaluateAll(
  ruleset: Ruleset,
  context: EvaluationContext,
  { bigSegments, clientSide }: EvaluateAllOptions = {},
): Readonly<Record<string, EvaluationResult>> {
  const subject = subjectOf(context)
  if (typeof subject === 'string') return {}
  const evaluation = beginEvaluation(ruleset, subject, bigSegments)
  const availability = clientSide === 'mobile' ? 'usingMobileKey' : 'usingEnvironmentId'
  const results: [string, EvaluationResult][] = []
  for (const [key, lazy] of ruleset.flags.entries()) {
    const flag = lazy.get()
    if (clientSide !== undefined && !flag.data.clientSideAvailability?.[availability]) continue
    const { outcome, bigSegmentsStatus } = evaluateFlagOnce(flag, evaluation, undefined)
    results.push([key, withStatus(outcome, bigSegmentsStatus)])
  }
  return Object.fromEntries(results)
}

function withStatus(outcome: EvaluationResult, bigSegmentsStatus: BigSegmentsStatus | undefined): EvaluationResult {
  if (bigSegmentsStatus === undefined) return outcome
  return { ...outcome, reason: { ...outcome.reason, bigSegmentsStatus } }
}
