import type { LeadTimeSamples } from '../lead-time/samples.ts'
import type { MissingScore } from './rating.ts'
import { isWithin, type ScorePeriod } from './score-period.ts'

/** A started iteration of an experiment on a flag. */
export interface ScoredIteration {
  readonly flagKey: string
  /** Integer ms, UTC. */
  readonly startedAt: number
  /** Integer ms, UTC. Undefined while it runs. */
  readonly endedAt?: number | undefined
  /** Share of the contexts of its rule that got another variation when the experiment started, 0 to 1. */
  readonly movedShare?: number | undefined
}

/**
 * Changes of flags as columns: labels are keys of flags, the first column is NaN for changes that are not releases.
 */
export type FlagReleases = Pick<LeadTimeSamples, 'at' | 'labels' | 'label' | 'values'>

/**
 * Returns the share of releases that belonged to an experiment
 * (docs/decisions/0075-score-experiments-by-their-iterations.md). A release belongs to an experiment when it changed
 * the flag between the start and the end of an iteration, both inclusive. `unknown` without experiments,
 * `notCalculated` without releases.
 */
export function experimentationCoverageInput(
  { at: times, labels, label: labelIndexes, values }: FlagReleases,
  iterations: readonly ScoredIteration[],
  period: ScorePeriod,
): number | MissingScore {
  if (iterations.length === 0) return 'unknown'
  let releases = 0
  let covered = 0
  for (const [index, time] of times.entries()) {
    if (!isWithin(period, time) || Number.isNaN(values[0]![index]!)) continue
    releases++
    const changed = labels[labelIndexes[index]!]
    const isCovered = iterations.some(
      ({ flagKey, startedAt, endedAt = time }) => flagKey === changed && startedAt <= time && time <= endedAt,
    )
    if (isCovered) covered++
  }
  return releases === 0 ? 'notCalculated' : covered / releases
}

/**
 * Returns the median share of contexts that got another variation when an iteration started, over the iterations that
 * started in a period. `unknown` without experiments, `notCalculated` when no iteration started.
 */
export function impactSizeInput(iterations: readonly ScoredIteration[], period: ScorePeriod): number | MissingScore {
  if (iterations.length === 0) return 'unknown'
  const shares = iterations
    .filter(({ startedAt }) => isWithin(period, startedAt))
    .flatMap(({ movedShare }) => movedShare ?? [])
    .sort((a, b) => a - b)
  const middle = shares.length / 2
  return shares.length === 0 ? 'notCalculated' : (shares[Math.ceil(middle) - 1]! + shares[Math.floor(middle)]!) / 2
}
