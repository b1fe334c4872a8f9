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
