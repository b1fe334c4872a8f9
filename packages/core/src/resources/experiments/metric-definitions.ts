import type { ExperimentMetric } from '../../models/experiments/iteration.ts'
import { metricGroups } from '../../models/metric-groups/metric-group.ts'
import { metrics } from '../../models/metrics/metric.ts'
import type { ValidationError } from '../../operation/errors.ts'
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
