import { metricGroups } from '../../models/metric-groups/metric-group.ts'
import { metrics } from '../../models/metrics/metric.ts'
import { type ReferenceRow, referenceRow } from '../../operation/reference-row.ts'

/** References of metric groups to their metrics. */
export const metricReferences: readonly ReferenceRow[] = [
  referenceRow({
    from: metricGroups,
    property: 'metrics.key',
    to: metrics,
    rule: 'refuse',
    targets: ({ metrics: grouped }, { projectKey }) => grouped.map(({ key: metricKey }) => ({ projectKey, metricKey })),
    where: ({ metricKey }) => [{ op: 'equals', field: 'metricKeys', value: metricKey }],
    withoutReference(group, { metricKey }) {
      const rest = group.metrics.filter(({ key }) => key !== metricKey)
      return rest.length > 0 ? { ...group, metrics: rest } : undefined
    },
    deleteAction: 'deleteMetricGroup',
  }),
]
