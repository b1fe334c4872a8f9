import { metrics } from '../../models/metrics/metric.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { metricResponse } from './metric-schema.ts'
import { serializeMetric } from './serialize-metric.ts'

export const getMetric = getOperation(metrics, {
  id: 'getMetric',
  summary: 'Get a metric, with the groups that contain it',
  path: '/api/v2/metrics/{projectKey}/{metricKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: metricResponse,
  serialize: serializeMetric,
})
