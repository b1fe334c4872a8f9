import type { MetricDefinition } from '../../rules/measurement/metric-definition.ts'
import type { Reader } from '../../storage/reader.ts'
import { metricGroups } from '../metric-groups/metric-group.ts'
import { metrics } from '../metrics/metric.ts'
import { metricDefinition } from '../metrics/metric-definition.ts'
import type { ExperimentMetric } from './iteration.ts'

/** Returns the definitions of the metrics of an iteration, and of those in its metric groups, each once. */
export async function frozenMetrics(
  tx: Pick<Reader, 'get' | 'getMany'>,
  projectKey: string,
  measured: readonly ExperimentMetric[],
): Promise<readonly MetricDefinition[]> {
  const keys = await Promise.all(
    measured.map(async ({ key, isGroup }) => {
      if (!isGroup) return [key]
      const group = await tx.get(metricGroups, { projectKey, metricGroupKey: key })
      return (group?.metrics ?? []).map((metric) => metric.key)
    }),
  )
  const distinct = [...new Set(keys.flat())]
  const documents = await tx.getMany(
    metrics,
    distinct.map((metricKey) => ({ projectKey, metricKey })),
  )
  return documents.filter((metric) => metric !== undefined).map(metricDefinition)
}
