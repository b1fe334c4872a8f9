import { type EventTimes, type FunnelSteps, withFunnelEvents } from './funnel.ts'
import { latenessMs } from './lateness.ts'
import type { EventTotals } from './metric-definition.ts'
import { type DayTotals, type PreEvent, withPreEvents } from './pre-period.ts'

/** A unit that got a variation, at the time of the evaluation. */
export interface Exposure {
  /** Integer ms, UTC. */
  readonly at: number
  /** Index in the variations of the measurement. */
  readonly variation: number
  /**
   * Values of the attributes by which results are divided, in their order; null where the context does not have the
   * attribute.
   */
  readonly attributes?: readonly (string | null)[]
}

/** An event of a unit that a metric measures. */
export interface MeasuredEvent {
  /** Integer ms, UTC. */
  readonly at: number
  /** Index in the sorted event keys of the measurement. */
  readonly event: number
  readonly value?: number
}

/**
 * The state of one unit in a measurement. It is a function of the exposures and events of the unit, whatever their
 * order (docs/decisions/0060-count-each-unit-once-in-running-sums.md).
 */
export interface MeasuredUnit {
  /** The earliest exposure. Undefined while only events of the unit have arrived. */
  readonly exposure?: Exposure
  /** True when the unit got more than one variation. Nothing else is stored for such a unit. */
  readonly mixed?: true
  /** Totals of the events at and after the exposure, by index of the event key; null where there are none. */
  readonly totals?: readonly (EventTotals | null)[]
  /** Events before the earliest exposure. They count when the report of an even earlier exposure arrives late. */
  readonly early?: readonly MeasuredEvent[]
  /** Times of events that happened at or after the exposure. Funnels compute from them which steps the unit reaches. */
  readonly times?: EventTimes
  /** Totals of the events before the measurement, for experiments. */
  readonly pre?: readonly DayTotals[]
}

/** Further exposures and events of a unit, to be added to its state. */
export interface UnitReports {
  readonly exposures: readonly Exposure[]
  readonly events: readonly MeasuredEvent[]
  /** Events before the measurement. */
  readonly preEvents: readonly PreEvent[]
}

/** The parts of a measurement that determine which events of its units are stored. */
export interface KeptParts {
  /** Start of the totals of days: integer ms, UTC. Undefined when no totals of days are kept. */
  readonly preFrom?: number | undefined
  readonly funnels?: readonly FunnelSteps[]
}

/** Maximum number of events before the exposure that are kept for a unit: the newest ones. */
export const maxEarlyEvents = 100

/**
 * Returns the state of a unit after further exposures and events.
 *
 * @param now integer ms, UTC; events before the exposure that are older than a day are dropped.
 */
export function withReports(
  before: MeasuredUnit,
  { exposures, events, preEvents }: UnitReports,
  now: number,
  { preFrom, funnels = [] }: KeptParts,
): MeasuredUnit {
  let { exposure, mixed } = before
  for (const next of exposures) {
    if (exposure && exposure.variation !== next.variation) mixed = true
    if (!exposure || isEarlier(next, exposure)) exposure = next
  }
  if (exposure && mixed) return { exposure, mixed }
  const start = exposure?.at ?? Number.POSITIVE_INFINITY
  const totals = before.totals ? [...before.totals] : []
  const early: MeasuredEvent[] = []
  const counted: MeasuredEvent[] = []
  for (const event of before.early ? [...before.early, ...events] : events) {
    if (event.at >= start) {
      addEvent(totals, event)
      counted.push(event)
    } else if (event.at > now - latenessMs) early.push(event)
  }
  const unit: Mutable<MeasuredUnit> = {}
  if (exposure) unit.exposure = exposure
  if (totals.length > 0) unit.totals = totals
  if (early.length > 0) unit.early = newest(early)
  if (exposure && funnels.length > 0) {
    const times = withFunnelEvents(before.times, counted, funnels, now)
    if (times.some((list) => list !== null)) unit.times = times
  }
  if (preFrom !== undefined && (before.pre || preEvents.length > 0)) {
    const pre = withPreEvents(before.pre, preEvents, preFrom)
    if (pre.length > 0) unit.pre = pre
  }
  return unit
}

/**
 * A unit that is filled property by property, because a spread for each property would cost more than the rest of the
 * computation.
 */
type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

/**
 * Returns true if `a` is the earlier exposure. Of two exposures at the same time, the order of their attributes
 * decides, so that the order of arrival does not matter.
 */
function isEarlier(a: Exposure, b: Exposure): boolean {
  return a.at < b.at || (a.at === b.at && JSON.stringify(a.attributes ?? []) < JSON.stringify(b.attributes ?? []))
}

function addEvent(totals: (EventTotals | null)[], { event, value }: MeasuredEvent): void {
  while (totals.length <= event) totals.push(null)
  const { count, valued, sum } = totals[event] ?? { count: 0, valued: 0, sum: 0 }
  totals[event] =
    value === undefined ? { count: count + 1, valued, sum } : { count: count + 1, valued: valued + 1, sum: sum + value }
}

function newest(events: readonly MeasuredEvent[]): readonly MeasuredEvent[] {
  return events.length <= maxEarlyEvents ? events : events.toSorted((a, b) => b.at - a.at).slice(0, maxEarlyEvents)
}
