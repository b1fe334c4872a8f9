import { type LeadTimeSamples, leadTimeColumns } from './samples.ts'

/**
 * Stages between a first commit and its deployment, in order, and the total
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d25-lead-time).
 */
export const stages = ['coding', 'review', 'wait', 'deploy', 'total'] as const

/** A part of the time from a first commit to its deployment, or `total` for all of it. */
export type Stage = (typeof stages)[number]

/** Columns with the start and the end of a stage; `fallbackEnd` applies if `end` is missing. */
export interface StageColumns {
  readonly start: Float64Array
  readonly end: Float64Array
  readonly fallbackEnd: Float64Array
}

/** Returns the columns of a stage. A stage with only one possible end has the same column twice. */
export function columnsOf(stage: Stage, { at: deployed, values }: LeadTimeSamples): StageColumns {
  const started = values[leadTimeColumns.startedAt]!
  const opened = values[leadTimeColumns.openedAt]!
  const merged = values[leadTimeColumns.mergedAt]!
  const deployStarted = values[leadTimeColumns.deployStartedAt]!
  switch (stage) {
    case 'coding':
      return { start: started, end: opened, fallbackEnd: merged }
    case 'review':
      return { start: opened, end: merged, fallbackEnd: merged }
    case 'wait':
      return { start: merged, end: deployStarted, fallbackEnd: deployed }
    case 'deploy':
      return { start: deployStarted, end: deployed, fallbackEnd: deployed }
    case 'total':
      return { start: started, end: deployed, fallbackEnd: deployed }
  }
}

/** A range of indexes. */
export interface IndexRange {
  readonly first: number
  readonly last: number
}

/**
 * Writes the durations of the samples `[first, last)` consecutively into `target`, except those whose times are missing
 * or out of order.
 *
 * @param target array to write to, starting at index `size`; it must have capacity for one duration per sample.
 * @returns the number of durations in `target`.
 */
export function collectDurations(
  { start, end, fallbackEnd }: StageColumns,
  { first, last }: IndexRange,
  target: Float64Array,
  size: number,
): number {
  let targetIndex = size
  for (let i = first; i < last; i++) {
    const endTime = end[i]!
    const duration = (Number.isNaN(endTime) ? fallbackEnd[i]! : endTime) - start[i]!
    // Every duration is written, but the index advances only past valid durations (NaN is not valid), because a branch
    // would be mispredicted too often.
    target[targetIndex] = duration
    targetIndex += Number(duration >= 0)
  }
  return targetIndex
}
