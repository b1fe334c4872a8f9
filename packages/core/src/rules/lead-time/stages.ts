import { type LeadTimeSamples, leadTimeColumns } from './samples.ts'

/** The parts of the way from a first commit to its deployment, in order, and the whole (D25). */
export const stages = ['coding', 'review', 'wait', 'deploy', 'total'] as const

/** A part of the time from a first commit to its deployment, or `total` for all of it. */
export type Stage = (typeof stages)[number]

/** The columns that bound a stage; `otherwise` is its end where `end` is missing. */
export interface StageColumns {
  readonly start: Float64Array
  readonly end: Float64Array
  readonly otherwise: Float64Array
}

/** Picks the columns of a stage. A stage with one possible end has it twice: missing, it is missing again. */
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
 * Writes the durations of the samples `[first, last)` behind one another, without those whose ends are missing or
 * out of order.
 *
 * @param into where to, from `size` on; long enough for one duration per sample.
 * @returns how many durations are in `into` now.
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
    // Written always, kept by moving on, which NaN does not: a branch would be mispredicted too often.
    into[next] = duration
    next += Number(duration >= 0)
  }
  return next
}
