import type { ExperimentMetric } from '../../models/experiments/iteration.ts'
import { metricGroups } from '../../models/metric-groups/metric-group.ts'
import { metrics } from '../../models/metrics/metric.ts'
import { metricDefinition } from '../../models/metrics/metric-definition.ts'
import type { ValidationError } from '../../operation/errors.ts'
import type { MetricDefinition } from '../../rules/measurement/metric-definition.ts'
import type { Reader } from '../../storage/reader.ts'

/** Validates that the metrics and metric groups of a request exist. */
export async function validateMetrics(
  tx: Reader,
  projectKey: string,
  requested: readonly ExperimentMetric[],
): Promise<ValidationError[]> {
  const documents = await Promise.all(
    requested.map(({ key, isGroup }) =>
      isGroup
        ? tx.get(metricGroups, { projectKey, metricGroupKey: key })
        : tx.get(metrics, { projectKey, metricKey: key }),
    ),
  )
  return requested.flatMap(({ isGroup }, index) =>
    documents[index]
      ? []
      : [
          {
            attribute: `metrics.${index}.key`,
            reason: `must be the key of a ${isGroup ? 'metric group' : 'metric'} of the project`,
          },
        ],
  )
}

/** Returns the definitions of the metrics of an iteration, and of those in its metric groups, each once. */
export async function frozenMetrics(
  tx: Reader,
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
