import type { EventTotals } from './metric-definition.ts'

/**
 * Time before the start of an experiment whose events reduce the variance of its results (CUPED): 14 days in ms. Two
 * whole weeks, so that each day of the week counts equally.
 */
export const prePeriodMs = 14 * 24 * 60 * 60 * 1000

/**
 * Time in ms, after its last event, for which a unit that was not exposed is kept: 30 days. The first exposure of a
 * unit may come late in an experiment. If the unit was removed before, its value before the experiment counts as 0,
 * which makes results less precise, but not wrong.
 */
export const preKeptMs = 30 * 24 * 60 * 60 * 1000

/** Totals of the events of one key and one unit on one UTC day. */
export interface DayTotals extends EventTotals {
  /** Days since 1970-01-01, UTC. */
  readonly day: number
  readonly eventKey: string
}

/** An event of a unit before an experiment. */
export interface PreEvent {
  /** Integer ms, UTC. */
  readonly at: number
  readonly eventKey: string
  readonly value?: number
}

/** Maximum number of totals that are kept for a unit: the newest ones. */
export const maxDayTotals = 300

/**
 * Adds events to the totals of a unit, and removes the totals of days that are too old to count.
 *
 * @param from integer ms, UTC: start of the first day that is kept.
 */
export function withPreEvents(
  before: readonly DayTotals[] | undefined,
  events: readonly PreEvent[],
  from: number,
): readonly DayTotals[] {
  const totals = (before ?? []).filter(({ day }) => day >= dayOf(from))
  for (const { at, eventKey, value } of events) {
    const day = dayOf(at)
    const index = totals.findIndex((one) => one.day === day && one.eventKey === eventKey)
    const { count, valued, sum } = totals[index] ?? { count: 0, valued: 0, sum: 0 }
    const added = { count: count + 1, valued: valued + Number(value !== undefined), sum: sum + (value ?? 0) }
    totals.splice(index < 0 ? totals.length : index, 1, { day, eventKey, ...added })
  }
  return totals.length <= maxDayTotals ? totals : totals.toSorted((a, b) => b.day - a.day).slice(0, maxDayTotals)
}

/** Returns the totals of the events of a key on all days; undefined when there are none. */
export function preTotals(days: readonly DayTotals[] | undefined, eventKey: string): EventTotals | undefined {
  if (!days) return undefined
  const counted = days.filter((one) => one.eventKey === eventKey)
  if (counted.length === 0) return undefined
  return counted.reduce((sums, one) => ({
    ...one,
    count: sums.count + one.count,
    valued: sums.valued + one.valued,
    sum: sums.sum + one.sum,
  }))
}

/**
 * Returns the time at which the day of the last event before the experiment ends; undefined when there was no event.
 */
export function endOfLastDay(days: readonly DayTotals[] | undefined): number | undefined {
  return days?.length ? (Math.max(...days.map(({ day }) => day)) + 1) * dayMs : undefined
}

const dayMs = 24 * 60 * 60 * 1000

function dayOf(at: number): number {
  return Math.floor(at / dayMs)
}
