import { addUnit, countValue, type UnitSums, type UnitValue, type ValueSketch } from '../statistics/index.ts'
import { reachedAt } from './funnel.ts'
import type { MeasuredUnit } from './measured-unit.ts'
import { eventKeysOf, funnelsOf, type MeasuredGroup, type MetricDefinition, unitValue } from './metric-definition.ts'
import { preTotals } from './pre-period.ts'

/** Sums over the units of one variation for one metric, from which results are computed without the units. */
export interface MetricSums extends UnitSums {
  /** Distribution of the values of the units. Present for percentile metrics. */
  readonly bins?: ValueSketch
}

/** The sums of one variation. */
export interface VariationSums {
  /** Number of units that got only this variation. */
  readonly units: number
  /** In the order of the metrics of the measurement. */
  readonly metrics: readonly MetricSums[]
  /** For each funnel, the number of units that reached each step. Undefined without funnels. */
  readonly funnels?: readonly (readonly number[])[]
}

/** The sums of a measurement. Plain JSON, as it is stored. */
export interface SumsOfUnits {
  /** In the order of the variations of the measurement. */
  readonly variations: readonly VariationSums[]
  /** Number of units that got more than one variation and are left out. */
  readonly mixedUnits: number
  /** For each attribute of the measurement, the sums of the units with each of its values. */
  readonly attributes?: readonly Readonly<Record<string, readonly VariationSums[]>>[]
}

/** Maximum number of values of an attribute with sums of their own. The units with other values are summed together. */
export const maxAttributeValues = 50

/** Name of the sums of the units with all other values of an attribute. */
export const otherValues = '(other)'

/** Name of the sums of the units without the attribute. */
export const noValue = '(none)'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Sums to which units are added. No other object refers to its objects, so they can be modified. */
export interface SumsInProgress {
  /** Replaces the contribution of a unit to the sums. */
  replaceUnit(before: MeasuredUnit, after: MeasuredUnit): void
  result(): SumsOfUnits
}

/** The parts of a measurement that decide how units are summed. */
interface SummedMeasurement {
  readonly metrics: readonly MetricDefinition[]
  readonly variations: readonly unknown[]
  readonly groups?: readonly MeasuredGroup[]
  readonly attributes?: readonly unknown[]
  /**
   * Start of the time before the measurement whose events count: integer ms, UTC. Undefined when no such events count.
   */
  readonly preFrom?: number
}

/**
 * Continues the sums of a measurement.
 *
 * @param before the stored sums; undefined when there are none.
 */
export function continuedSums(
  before: SumsOfUnits | undefined,
  { metrics, variations, attributes = [], preFrom, groups }: SummedMeasurement,
): SumsInProgress {
  const eventIndex = new Map(eventKeysOf(metrics).map((key, index) => [key, index]))
  const funnels = funnelsOf(groups, metrics)
  const emptyFunnels = () => (funnels.length === 0 ? {} : { funnels: funnels.map((steps) => steps.map(() => 0)) })
  const emptyVariations = () => variations.map(() => ({ units: 0, metrics: metrics.map(emptySums), ...emptyFunnels() }))
  const sums = before
    ? (structuredClone(before) as Mutable<SumsOfUnits>)
    : { variations: emptyVariations(), mixedUnits: 0, ...attributesOf(attributes.length) }

  // The functions are made once, for the unit that is added, because batches have ten thousand units.
  let unit: MeasuredUnit = {}
  const totalsOf = (key: string) => unit.totals?.[eventIndex.get(key) as number] ?? undefined
  const preTotalsOf = preFrom === undefined ? undefined : (key: string) => preTotals(unit.pre, key)
  const allUnits = [sums.variations]

  /**
   * Returns the sums that a unit is part of: the sums over all units, and those over units with the same attribute
   * values.
   */
  function groupsOf({ exposure }: MeasuredUnit): (readonly VariationSums[])[] {
    if (!sums.attributes) return allUnits
    const groups = [sums.variations]
    for (const [index, byValue] of (sums.attributes ?? []).entries()) {
      const value = exposure?.attributes?.[index] ?? noValue
      const known = byValue as Record<string, readonly VariationSums[]>
      const isListed = Object.hasOwn(known, value) || Object.keys(known).length < maxAttributeValues
      const name = isListed ? value : otherValues
      if (!Object.hasOwn(known, name)) Object.defineProperty(known, name, ownProperty(emptyVariations()))
      groups.push(known[name] as readonly VariationSums[])
    }
    return groups
  }

  function add(added: MeasuredUnit, sign: 1 | -1): void {
    const { exposure, mixed, times } = added
    if (!exposure) return
    if (mixed) {
      sums.mixedUnits += sign
      return
    }
    unit = added
    const values = metrics.map((definition) => unitValue(definition, totalsOf, preTotalsOf))
    const reached = funnels.map((steps) => reachedAt(steps, times).length)
    for (const group of groupsOf(added)) {
      const variation = group[exposure.variation] as Mutable<VariationSums> | undefined
      if (!variation) continue
      variation.units += sign
      for (const [index, count] of reached.entries()) {
        const counts = variation.funnels?.[index] as number[]
        for (let step = 0; step < count; step++) counts[step] = (counts[step] ?? 0) + sign
      }
      for (const [index, value] of values.entries())
        if (value) addValue(variation.metrics[index] as Mutable<MetricSums>, value, sign)
    }
  }

  return {
    replaceUnit(before, after) {
      add(before, -1)
      add(after, 1)
    },
    result: () => sums,
  }
}

function attributesOf(count: number): Pick<SumsOfUnits, 'attributes'> {
  return count === 0 ? {} : { attributes: Array.from({ length: count }, () => ({})) }
}

/**
 * Returns the descriptor of a property. Properties are defined and not assigned, because a context can have the value
 * `__proto__`.
 */
function ownProperty<T>(value: T) {
  return { value, enumerable: true, configurable: true, writable: true }
}

function emptySums({ denominator, percentile }: MetricDefinition): MetricSums {
  return {
    units: 0,
    sum: 0,
    sumOfSquares: 0,
    ...(denominator ? { denominatorSum: 0, denominatorSumOfSquares: 0, ratioCrossSum: 0 } : {}),
    ...(percentile === undefined ? {} : { bins: {} }),
  }
}

function addValue(sums: Mutable<MetricSums>, unit: UnitValue, sign: 1 | -1): void {
  addUnit(sums, unit, sign)
  if (sums.bins) countValue(sums.bins, unit.value, sign)
}
