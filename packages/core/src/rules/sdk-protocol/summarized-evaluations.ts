/** Number of evaluations of a flag with one variation, as an SDK reports it. */
export interface SummarizedEvaluation {
  readonly flagKey: string
  /** Index of the variation; null if the caller's default was used. */
  readonly variation: number | null
  /** 0 if the event only says that the flag was evaluated. */
  readonly count: number
  /** Time of the last of them: integer ms, UTC, not later than now. */
  readonly at: number
}

/** Maximum difference between the clock of an SDK and ours, in ms; a larger one counts as wrong. */
const maxClockSkewMs = 24 * 60 * 60 * 1000

/**
 * Extracts the evaluations that SDKs report. They count every evaluation in `summary` events; `feature` and `debug`
 * events report some of the same evaluations, so these only determine when a flag was evaluated and add nothing to the
 * counts. All other events, and invalid ones, are ignored: SDKs do not send a report again, so its valid parts count.
 *
 * @param events body of a report: a list of events, or one event.
 * @param now integer ms, UTC; it replaces times of an SDK that are later, or more than a day earlier.
 * @returns counts of flags that the SDK knew, in no particular order; the same flag and variation may occur several
 *   times.
 */
export function summarizedEvaluations(events: unknown, now: number): SummarizedEvaluation[] {
  return (Array.isArray(events) ? events : [events]).flatMap((event): SummarizedEvaluation[] => {
    if (!isObject(event)) return []
    if (event.kind === 'summary') return fromSummary(event, now)
    if (event.kind === 'feature' || event.kind === 'debug') return fromFeature(event, now)
    return []
  })
}

function fromSummary({ features, endDate }: Properties, now: number): SummarizedEvaluation[] {
  if (!isObject(features)) return []
  const at = timeOf(endDate, now)
  return Object.entries(features).flatMap(([flagKey, feature]) => {
    if (!isObject(feature) || !Array.isArray(feature.counters)) return []
    return feature.counters.flatMap((counter: unknown): SummarizedEvaluation[] => {
      if (!isObject(counter) || counter.unknown === true || !isCount(counter.count)) return []
      return [{ flagKey, variation: variationOf(counter.variation), count: counter.count, at }]
    })
  })
}

function fromFeature({ key, creationDate, version, variation }: Properties, now: number): SummarizedEvaluation[] {
  // Without a version, the SDK did not know the flag.
  if (typeof key !== 'string' || typeof version !== 'number') return []
  return [{ flagKey: key, variation: variationOf(variation), count: 0, at: timeOf(creationDate, now) }]
}

type Properties = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= maxCount
}

/** Maximum number of evaluations in one counter; no SDK counts more between two reports. */
const maxCount = 1_000_000_000

function variationOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < maxVariations
    ? (value as number)
    : null
}

/** Maximum number of variations of a flag. */
const maxVariations = 200

function timeOf(value: unknown, now: number): number {
  return Number.isSafeInteger(value) && (value as number) <= now && (value as number) > now - maxClockSkewMs
    ? (value as number)
    : now
}
