import type { MeasuredGroup, MetricDefinition } from '../../rules/measurement/metric-definition.ts'
import type { Reader } from '../../storage/reader.ts'
import { metricGroups } from '../metric-groups/metric-group.ts'
import { metrics } from '../metrics/metric.ts'
import { metricDefinition } from '../metrics/metric-definition.ts'
import type { ExperimentMetric } from './iteration.ts'

/** The definitions of metrics and metric groups that a measurement stores when it starts. */
export interface FrozenMetrics {
  /** The single metrics and the metrics of the groups, without duplicates. */
  readonly metrics: readonly MetricDefinition[]
  /** The metric groups. Undefined when the measurement has no metric groups. */
  readonly groups?: readonly MeasuredGroup[]
}

/** Returns the metrics of an iteration and its metric groups, as they are defined now. */
export async function frozenMetrics(
  tx: Pick<Reader, 'getMany'>,
  projectKey: string,
  measured: readonly ExperimentMetric[],
): Promise<FrozenMetrics> {
  const groupKeys = measured.filter(({ isGroup }) => isGroup).map(({ key }) => ({ projectKey, metricGroupKey: key }))
  const storedGroups = (await tx.getMany(metricGroups, groupKeys)).filter((group) => group !== undefined)
  const groupByKey = new Map(storedGroups.map((group) => [group.key, group]))
  const keys = measured.flatMap(({ key, isGroup }) =>
    isGroup ? (groupByKey.get(key)?.metrics ?? []).map((metric) => metric.key) : [key],
  )
  const distinct = [...new Set(keys)]
  const documents = await tx.getMany(
    metrics,
    distinct.map((metricKey) => ({ projectKey, metricKey })),
  )
  const definitions = documents.filter((metric) => metric !== undefined).map(metricDefinition)
  const known = new Set(definitions.map(({ key }) => key))
  const groups = storedGroups.map(({ key, name, kind, metrics: grouped }): MeasuredGroup => {
    return { key, name, kind, metrics: grouped.filter((metric) => known.has(metric.key)) }
  })
  return { metrics: definitions, ...(groups.length === 0 ? {} : { groups }) }
}
