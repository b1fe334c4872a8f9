/** How often a flag was evaluated to a variation, as an SDK tells of it. */
export interface SummarisedEvaluation {
  readonly flagKey: string
  /** Index of the variation; null where the caller's default was used. */
  readonly variation: number | null
  /** 0 where the SDK only says that the flag was asked for. */
  readonly count: number
  /** When the last of them was: integer ms, UTC, not later than now. */
  readonly at: number
}

/** A clock of an SDK that differs by more is wrong: ms. */
const patienceMs = 24 * 60 * 60 * 1000

/**
 * Counts what SDKs report. They count every evaluation in `summary` events; `feature` and `debug` events tell of some of the
 * same ones, so these say when a flag was asked for and add nothing to the counts. All other events, and whatever is not
 * as it should be, is passed over: SDKs send one report once, and what is right in it counts.
 *
 * @param events the body of a report: a list of events, or one.
 * @param now integer ms, UTC; it stands for times of an SDK that are later, or more than a day earlier.
 * @returns counts of flags that the SDK knew, in no particular order; the same flag and variation may come several times.
 */
export function summarisedEvaluations(events: unknown, now: number): SummarisedEvaluation[] {
  return (Array.isArray(events) ? events : [events]).flatMap((event): SummarisedEvaluation[] => {
    if (!isObject(event)) return []
    if (event.kind === 'summary') return ofSummary(event, now)
    if (event.kind === 'feature' || event.kind === 'debug') return ofFeature(event, now)
    return []
  })
}

function ofSummary({ features, endDate }: Members, now: number): SummarisedEvaluation[] {
  if (!isObject(features)) return []
  const at = timeOf(endDate, now)
  return Object.entries(features).flatMap(([flagKey, feature]) => {
    if (!isObject(feature) || !Array.isArray(feature.counters)) return []
    return feature.counters.flatMap((counter: unknown): SummarisedEvaluation[] => {
      if (!isObject(counter) || counter.unknown === true || !isCount(counter.count)) return []
      return [{ flagKey, variation: variationOf(counter.variation), count: counter.count, at }]
    })
  })
}

function ofFeature({ key, creationDate, version, variation }: Members, now: number): SummarisedEvaluation[] {
  // Without a version the SDK did not know the flag.
  if (typeof key !== 'string' || typeof version !== 'number') return []
  return [{ flagKey: key, variation: variationOf(variation), count: 0, at: timeOf(creationDate, now) }]
}

type Members = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= mostCounted
}

/** Evaluations that one counter tells of: more no SDK counts between two reports. */
const mostCounted = 1_000_000_000

function variationOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < mostVariations
    ? (value as number)
    : null
}

/** As many as a flag can have. */
const mostVariations = 200

function timeOf(value: unknown, now: number): number {
  return Number.isSafeInteger(value) && (value as number) <= now && (value as number) > now - patienceMs
    ? (value as number)
    : now
}
