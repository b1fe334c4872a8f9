import type { MetricDefinition } from '../../rules/measurement/metric-definition.ts'
import type { MetricSums, VariationSums } from '../../rules/measurement/variation-sums.ts'
import type { Reader } from '../../storage/reader.ts'
import {
  type MeasuredAttribute,
  type MeasuredVariation,
  type Measurement,
  type MeasurementSums,
  measurementSums,
  measurements,
} from './measurement.ts'

/** The sums that a measurement has so far. */
export interface MeasuredResults {
  readonly measurement: Measurement
  readonly variations: readonly VariationResults[]
  /** Number of units that got more than one variation. They are left out of all sums. */
  readonly mixedUnits: number
  /** Time of the last write: integer ms, UTC. Undefined before the first one. */
  readonly updatedAt: number | undefined
  /** Time of the last event of each metric, in the order of the metrics: integer ms, UTC; 0 when there was none. */
  readonly lastEventAt: readonly number[]
  /** The sums as they were known at the end of each UTC day with events, ascending; the last one may be today. */
  readonly days: readonly DayResults[]
  /** The sums by values of attributes. Empty when the measurement has no attributes. */
  readonly attributes: readonly AttributeResults[]
}

/** The sums of one variation. */
export interface VariationResults extends MeasuredVariation {
  /** Number of units that got only this variation. */
  readonly units: number
  /** In the order of the metrics of the measurement. */
  readonly metrics: readonly MetricResults[]
  /** For each funnel of the measurement, the number of units that reached each step. */
  readonly funnels: readonly (readonly number[])[]
}

/** The sums of one variation for one metric. */
export interface MetricResults {
  readonly definition: MetricDefinition
  readonly sums: MetricSums
}

/** The sums from the start of the measurement to the end of a day. */
export interface DayResults {
  /** UTC day, e.g. `2026-11-23`. */
  readonly day: string
  readonly variations: readonly VariationResults[]
  readonly mixedUnits: number
}

/** The sums of the units with each value of an attribute. */
export interface AttributeResults extends MeasuredAttribute {
  readonly values: readonly { readonly value: string; readonly variations: readonly VariationResults[] }[]
}

const totalPart = 'total'

/**
 * Limit of the list of a measurement's sums: one document for each day, and the total. No measurement has so many days.
 */
const maxParts = 10_000

/**
 * Reads the results of a measurement, in two queries whose cost does not depend on the number of units or events.
 *
 * @param keys the keys of the environment, and `measurementId`.
 * @returns undefined when the measurement does not exist.
 */
export async function measuredResults(
  tx: Pick<Reader, 'get' | 'list'>,
  keys: { readonly projectKey: string; readonly environmentKey: string; readonly measurementId: string },
): Promise<MeasuredResults | undefined> {
  const [measurement, { items, keys: parts }] = await Promise.all([
    tx.get(measurements, keys),
    tx.list(measurementSums, keys, { limit: maxParts }),
  ])
  if (!measurement) return undefined
  const byPart = new Map(parts.map((part, index) => [part, items[index] as MeasurementSums]))
  const total = byPart.get(totalPart)
  byPart.delete(totalPart)
  return {
    measurement,
    variations: withDefinitions(measurement, total?.variations),
    mixedUnits: total?.mixedUnits ?? 0,
    updatedAt: total?.at,
    lastEventAt: total?.lastEventAt ?? measurement.metrics.map(() => 0),
    days: [...byPart].map(([day, { variations, mixedUnits }]) => ({
      day,
      variations: withDefinitions(measurement, variations),
      mixedUnits,
    })),
    attributes: (measurement.attributes ?? []).map((attribute, index) => ({
      ...attribute,
      values: Object.entries(total?.attributes?.[index] ?? {}).map(([value, variations]) => ({
        value,
        variations: withDefinitions(measurement, variations),
      })),
    })),
  }
}

function withDefinitions(
  { variations, metrics, groups = [] }: Measurement,
  sums: readonly VariationSums[] | undefined,
): VariationResults[] {
  return variations.map((variation, index) => {
    const { units = 0, metrics: metricSums = [], funnels } = sums?.[index] ?? {}
    const noUnits = () => groups.filter(({ kind }) => kind === 'funnel').map((group) => group.metrics.map(() => 0))
    return {
      ...variation,
      units,
      metrics: metrics.map((definition, at) => ({
        definition,
        sums: metricSums[at] ?? { units: 0, sum: 0, sumOfSquares: 0 },
      })),
      funnels: funnels ?? noUnits(),
    }
  })
}
