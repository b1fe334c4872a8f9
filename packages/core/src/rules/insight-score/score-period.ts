import { insightScoreTable } from './score-table.ts'

/** A range of time, integer ms; its start is exclusive, its end inclusive. */
export interface ScorePeriod {
  readonly startTime: number
  readonly endTime: number
}

/**
 * Returns the period that ends now, and the previous one of the same length
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores); they do not overlap.
 */
export function scorePeriods(now: number): { readonly period: ScorePeriod; readonly lastPeriod: ScorePeriod } {
  const { periodMs } = insightScoreTable
  const start = now - periodMs
  return {
    period: { startTime: start, endTime: now },
    lastPeriod: { startTime: start - periodMs, endTime: start },
  }
}

/** Returns true if a time, ms, is in a period. */
export function isWithin({ startTime, endTime }: ScorePeriod, time: number): boolean {
  return time > startTime && time <= endTime
}
