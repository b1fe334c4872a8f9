import * as v from 'valibot'
import { metricGroups } from '../../models/metric-groups/metric-group.ts'
import { detachQuery } from '../../operation/detach-query.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteMetricGroup = deleteOperation(metricGroups, {
  id: 'deleteMetricGroup',
  summary: 'Delete a metric group, without its metrics',
  path: '/api/v2/projects/{projectKey}/metric-groups/{metricGroupKey}',
  beta: 'tagged',
  access: { action: 'deleteMetricGroup', resource: 'proj/{projectKey}:metric-group/{metricGroupKey}' },
  query: v.object(detachQuery),
})
