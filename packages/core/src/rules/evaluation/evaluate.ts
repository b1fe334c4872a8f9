import { decide, decideOnce } from './compiled-flag.ts'
import { type BigSegmentsStatus, contextNotSpecified, type Evaluated, flagNotFound } from './evaluated.ts'
import { type BigSegments, beginEvaluation, type Ruleset } from './evaluation.ts'
import { type EvaluationContext, subjectOf } from './subject.ts'

/** Information for an evaluation other than flags and segments. */
export interface EvaluateOptions {
  /**
   * Looks up the big segments that list the context. Default: none, and the reason then has the status
   * `NOT_CONFIGURED`.
   */
  readonly bigSegments?: BigSegments | undefined
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
): Evaluated {
  const subject = subjectOf(context)
  if (typeof subject === 'string') return contextNotSpecified
  const flag = ruleset.flags.get(flagKey)?.get()
  if (!flag) return flagNotFound
  const evaluation = beginEvaluation(ruleset, subject, bigSegments)
  return withStatus(decide(flag, evaluation, undefined), evaluation.bigSegmentsStatus)
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
): Readonly<Record<string, Evaluated>> {
  const subject = subjectOf(context)
  if (typeof subject === 'string') return {}
  const evaluation = beginEvaluation(ruleset, subject, bigSegments)
  const seen = clientSide === 'mobile' ? 'usingMobileKey' : 'usingEnvironmentId'
  const evaluated: [string, Evaluated][] = []
  for (const [key, lazy] of ruleset.flags.entries()) {
    const flag = lazy.get()
    if (clientSide !== undefined && !flag.data.clientSideAvailability?.[seen]) continue
    const { outcome, bigSegmentsStatus } = decideOnce(flag, evaluation, undefined)
    evaluated.push([key, withStatus(outcome, bigSegmentsStatus)])
  }
  return Object.fromEntries(evaluated)
}

function withStatus(outcome: Evaluated, bigSegmentsStatus: BigSegmentsStatus | undefined): Evaluated {
  if (bigSegmentsStatus === undefined) return outcome
  return { ...outcome, reason: { ...outcome.reason, bigSegmentsStatus } }
}
