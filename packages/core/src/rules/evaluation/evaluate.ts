import { decide, decideOnce } from './compiled-flag.ts'
import { type BigSegmentsStatus, contextNotSpecified, type Evaluated, flagNotFound } from './evaluated.ts'
import { type BigSegments, beginEvaluation, type Ruleset } from './evaluation.ts'
import { type EvaluationContext, subjectOf } from './subject.ts'

/** What is known besides the flags and segments. */
export interface EvaluateOptions {
  /** Which big segments list the context. Default: nobody has looked. */
  readonly bigSegments?: BigSegments | undefined
}

/**
 * Evaluates a flag for a context. It waits for nothing, throws for nothing, and gives the same for the same.
 *
 * @param context single, multi-kind, or a user of old.
 * @returns the value, the index of the variation, and why; frozen. Where there is no value but a default `value` is
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

/** Which flags are evaluated, and with what knowledge. */
export interface EvaluateAllOptions extends EvaluateOptions {
  /** Only flags that SDKs of this kind may see. Default: all. */
  readonly clientSide?: 'environmentId' | 'mobile'
}

/**
 * Evaluates all flags for one context; each prerequisite once.
 *
 * @returns by flag key; empty for what is no context.
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
