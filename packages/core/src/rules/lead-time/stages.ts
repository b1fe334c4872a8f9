import { type LeadTimeSamples, leadTimeColumns } from './samples.ts'

/** Stages between a first commit and its deployment, in order, and the total (D25). */
export const stages = ['coding', 'review', 'wait', 'deploy', 'total'] as const

/** A part of the time from a first commit to its deployment, or `total` for all of it. */
export type Stage = (typeof stages)[number]

/** Columns with the start and the end of a stage; `fallbackEnd` applies if `end` is missing. */
export interface StageColumns {
  readonly start: Float64Array
  readonly end: Float64Array
  readonly otherwise: Float64Array
}

/** Returns the columns of a stage. A stage with only one possible end has the same column twice. */
export function columnsOf(stage: Stage, { at: deployed, values }: LeadTimeSamples): StageColumns {
  const started = values[leadTimeColumns.startedAt]!
  const opened = values[leadTimeColumns.openedAt]!
  const merged = values[leadTimeColumns.mergedAt]!
  const deployStarted = values[leadTimeColumns.deployStartedAt]!
  switch (stage) {
    case 'coding':
      return { start: started, end: opened, otherwise: merged }
    case 'review':
      return { start: opened, end: merged, otherwise: merged }
    case 'wait':
      return { start: merged, end: deployStarted, otherwise: deployed }
    case 'deploy':
      return { start: deployStarted, end: deployed, otherwise: deployed }
    case 'total':
      return { start: started, end: deployed, otherwise: deployed }
  }
}

/**
 * Writes the durations of the samples `[first, last)` consecutively into `target`, except those whose times are missing
 * or out of order.
 *
 * @param target array to write to, starting at index `size`; it must have room for one duration per sample.
 * @returns the number of durations in `target`.
 */
export function collectDurations(
  { start, end, otherwise }: StageColumns,
  first: number,
  last: number,
  into: Float64Array,
  size: number,
): number {
  let next = size
  for (let i = first; i < last; i++) {
    const ended = end[i]!
    const duration = (Number.isNaN(ended) ? otherwise[i]! : ended) - start[i]!
    // Every duration is written, but the index advances only past valid ones, and NaN is not valid: a branch would be
    // mispredicted too often.
    into[next] = duration
    next += Number(duration >= 0)
  }
  return next
}
