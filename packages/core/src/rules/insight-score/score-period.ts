import { insightScoreTable } from './score-table.ts'

/** A stretch of time, integer ms; its end belongs to it, its start does not. */
export interface ScorePeriod {
  readonly startTime: number
  readonly endTime: number
}

/** The period that ends now, and the one of the same length before it (D26); no moment is in both. */
export function scorePeriods(now: number): { readonly period: ScorePeriod; readonly lastPeriod: ScorePeriod } {
  const { periodMs } = insightScoreTable
  const start = now - periodMs
  return {
    period: { startTime: start, endTime: now },
    lastPeriod: { startTime: start - periodMs, endTime: start },
  }
}

/** Whether a moment, ms, is in a period. */
export function isWithin({ startTime, endTime }: ScorePeriod, moment: number): boolean {
  return moment > startTime && moment <= endTime
}
