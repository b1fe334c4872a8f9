import { listedIn, listedInBigSegment } from './compiled-segment.ts'
import type { EvaluateOptions } from './evaluate.ts'
import { beginEvaluation, type Ruleset } from './evaluation.ts'
import { type EvaluationContext, subjectOf } from './subject.ts'

/**
 * Returns true if a context is in a segment, as a `segmentMatch` clause would decide; false if the segment does not
 * exist.
 */
export function isInSegment(
  ruleset: Ruleset,
  segmentKey: string,
  context: EvaluationContext,
  { bigSegments }: EvaluateOptions = {},
): boolean {
  const subject = subjectOf(context)
  const segment = ruleset.segments.get(segmentKey)?.get()
  if (typeof subject === 'string' || !segment) return false
  return segment.matches(beginEvaluation(ruleset, subject, bigSegments), undefined) === true
}

/**
 * Returns the reason why a context is in a segment: a list of keys, or a rule. Undefined when it is not in it, or the
 * segment does not exist.
 */
export function segmentMembership(
  ruleset: Ruleset,
  segmentKey: string,
  context: EvaluationContext,
  { bigSegments }: EvaluateOptions = {},
): 'listed' | 'rule' | undefined {
  const subject = subjectOf(context)
  const segment = ruleset.segments.get(segmentKey)?.get()
  if (typeof subject === 'string' || !segment) return undefined
  const evaluation = beginEvaluation(ruleset, subject, bigSegments)
  if (segment.matches(evaluation, undefined) !== true) return undefined
  const { data, included, excluded } = segment
  const listed = data.unbounded ? listedInBigSegment(data, evaluation) : listedIn(included, excluded, subject)
  return listed === undefined ? 'rule' : 'listed'
}
