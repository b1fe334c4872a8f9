import { type UnitValue, winsorize } from '../statistics/index.ts'

/** The measured part of a metric. A measurement keeps the definitions that its metrics had when it started. */
export interface MetricDefinition {
  readonly key: string
  /** Version that the metric had when the measurement started. */
  readonly metricVersion: number
  readonly name: string
  /** Key of the events that the metric measures. */
  readonly eventKey: string
  /**
   * Kind of the value of a unit. `conversion`: 1 if there was an event, otherwise 0. `count`: the number of events.
   * `numeric`: the sum or average of the values of the events.
   */
  readonly value: 'conversion' | 'count' | 'numeric'
  /** The value of a unit of a numeric metric: the sum or the average of the values of its events. */
  readonly aggregation: 'sum' | 'average'
  /** A unit without events: its value is 0, or it is left out of the results of the metric. */
  readonly missing: 'zero' | 'left-out'
  readonly successCriteria: 'HigherThanBaseline' | 'LowerThanBaseline'
  /** Percentile of the values of units to compare, between 0 and 100. Undefined when means are compared. */
  readonly percentile?: number
  /** Bounds of the value of a unit; a value outside counts as the bound. */
  readonly bounds?: { readonly lower?: number; readonly upper?: number }
  /** Makes the metric a ratio of sums: the sum over units is divided by the sum of these events. */
  readonly denominator?: { readonly eventKey: string; readonly value: 'count' | 'numeric' }
  readonly unit?: string
}

/** Totals of the events of one key and one unit. */
export interface EventTotals {
  /** Number of events. */
  readonly count: number
  /** Number of events that have a value. */
  readonly valued: number
  /** Sum of the values of these events. */
  readonly sum: number
}

/** Returns the totals of the events of a unit with a key; undefined when there are none. */
type TotalsOf = (eventKey: string) => EventTotals | undefined

/**
 * Returns the values of a unit for a metric; undefined when the unit is left out of its results.
 *
 * @param preTotalsOf returns the totals of the events before the experiment; undefined when events before it are not
 *   counted. A unit without such events has the value 0 for that time, even if the metric leaves out units without
 *   events.
 */
export function unitValue(
  definition: MetricDefinition,
  totalsOf: TotalsOf,
  preTotalsOf: TotalsOf | undefined,
): UnitValue | undefined {
  const { eventKey, missing, denominator, percentile } = definition
  const value = measuredValue(definition, totalsOf(eventKey))
  const divisor = denominator && measuredValue(divisorOf(denominator), totalsOf(denominator.eventKey))
  if ((denominator ? divisor : value) === undefined && missing === 'left-out') return undefined
  const numerator = bounded(definition, value ?? 0)
  const unit: UnitValue = denominator ? { value: numerator, denominator: divisor ?? 0 } : { value: numerator }
  if (!preTotalsOf || percentile !== undefined) return unit
  const pre = bounded(definition, measuredValue(definition, preTotalsOf(eventKey)) ?? 0)
  if (!denominator) return { value: numerator, pre }
  const preDenominator = measuredValue(divisorOf(denominator), preTotalsOf(denominator.eventKey)) ?? 0
  return { ...unit, pre, preDenominator }
}

function divisorOf({ value }: NonNullable<MetricDefinition['denominator']>) {
  return { value, aggregation: 'sum' } as const
}

/** A metric group of a measurement, as it was at the start. */
export interface MeasuredGroup {
  readonly key: string
  readonly name: string
  readonly kind: 'funnel' | 'standard'
  /** The steps of a funnel in order. Each is one of the metrics of the measurement. */
  readonly metrics: readonly { readonly key: string; readonly nameInGroup?: string }[]
}

/**
 * Returns one list of steps for each funnel among the metric groups. A step is an index in the result of `eventKeysOf`.
 */
export function funnelsOf(groups: readonly MeasuredGroup[] | undefined, definitions: readonly MetricDefinition[]) {
  const funnels = (groups ?? []).filter(({ kind }) => kind === 'funnel')
  if (funnels.length === 0) return []
  const keys = eventKeysOf(definitions)
  const eventKeys = new Map(definitions.map(({ key, eventKey }) => [key, eventKey]))
  return funnels.map(({ metrics }) => metrics.map(({ key }) => keys.indexOf(eventKeys.get(key) ?? '')))
}

/** Returns the keys of all events that metrics measure, each once, sorted by code unit. */
export function eventKeysOf(definitions: readonly MetricDefinition[]): string[] {
  const keys = definitions.flatMap(({ eventKey, denominator }) =>
    denominator ? [eventKey, denominator.eventKey] : [eventKey],
  )
  return [...new Set(keys)].sort()
}

function measuredValue(
  { value, aggregation }: Pick<MetricDefinition, 'value' | 'aggregation'>,
  totals: EventTotals | undefined,
): number | undefined {
  if (!totals || totals.count === 0) return undefined
  if (value === 'conversion') return 1
  if (value === 'count') return totals.count
  if (totals.valued === 0) return undefined
  return aggregation === 'sum' ? totals.sum : totals.sum / totals.valued
}

function bounded({ bounds }: MetricDefinition, value: number): number {
  return bounds ? winsorize(value, { lower: bounds.lower, upper: bounds.upper }) : value
}
