import * as v from 'valibot'
import { metrics } from '../../models/metrics/metric.ts'
import { detachQuery } from '../../operation/detach-query.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteMetric = deleteOperation(metrics, {
  id: 'deleteMetric',
  summary: 'Delete a metric that nothing uses',
  path: '/api/v2/metrics/{projectKey}/{metricKey}',
  access: { action: 'deleteMetric', resource: 'proj/{projectKey}:metric/{metricKey}' },
  query: v.object(detachQuery),
})
