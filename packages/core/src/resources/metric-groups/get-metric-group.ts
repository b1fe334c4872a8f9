import { metricGroups } from '../../models/metric-groups/metric-group.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { metricGroupResponse } from './metric-group-schema.ts'
import { serializeMetricGroup } from './serialize-metric-group.ts'

export const getMetricGroup = getOperation(metricGroups, {
  id: 'getMetricGroup',
  summary: 'Get a metric group',
  path: '/api/v2/projects/{projectKey}/metric-groups/{metricGroupKey}',
  beta: 'tagged',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: metricGroupResponse,
  serialize: serializeMetricGroup,
})
