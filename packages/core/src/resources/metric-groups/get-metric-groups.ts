import { metricGroupKinds, metricGroups } from '../../models/metric-groups/metric-group.ts'
import { projects } from '../../models/projects/project.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { oneOf, oneOfWords, type QueryFields } from '../../operation/filters/query-conditions.ts'
import { metricListQuery } from '../metrics/metric-list-query.ts'
import { metricGroupResponse } from './metric-group-schema.ts'
import { serializeMetricGroup } from './serialize-metric-group.ts'

const fields: QueryFields = {
  kind: { equals: oneOfWords('kind', metricGroupKinds) },
  metricKey: { equals: oneOf('metricKeys'), anyOf: oneOf('metricKeys') },
}

export const getMetricGroups = listOperation(metricGroups, {
  id: 'getMetricGroups',
  summary: 'List the metric groups of a project',
  path: '/api/v2/projects/{projectKey}/metric-groups',
  beta: 'tagged',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  query: metricListQuery(fields),
  select: ({ filter: where, sort }) => ({ where, order: [sort] }),
  response: metricGroupResponse,
  serialize: serializeMetricGroup,
})
