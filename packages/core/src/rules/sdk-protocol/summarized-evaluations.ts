import { contextKindsIn, type SdkEvent, type SummarizedEvaluation } from './sdk-events.ts'

/**
 * Extracts the evaluations that SDKs report. They count every evaluation in `summary` events; `feature` and `debug`
 * events report some of the same evaluations, so these only determine when a flag was evaluated and add nothing to the
 * counts.
 *
 * @returns counts of flags that the SDK knew, in no particular order; the same flag and variation may occur several
 *   times.
 */
export function summarizedEvaluations(events: readonly SdkEvent[]): SummarizedEvaluation[] {
  return events.flatMap((event): readonly SummarizedEvaluation[] => {
    if (event.kind === 'summary') return event.evaluations
    if ((event.kind !== 'feature' && event.kind !== 'debug') || event.uncounted) return []
    const { flagKey, variation, at, contextKeys } = event
    return [{ flagKey, variation, count: 0, at, ...contextKindsIn(Object.keys(contextKeys)) }]
  })
}
