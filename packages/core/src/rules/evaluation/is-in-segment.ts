import type { EvaluateOptions } from './evaluate.ts'
import { beginEvaluation, type Ruleset } from './evaluation.ts'
import { type EvaluationContext, subjectOf } from './subject.ts'

/** Whether a context is in a segment, as a clause that asks for it would have it; in none that does not exist. */
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
