import { metricKinds, metrics, unitAggregationTypes } from '../../models/metrics/metric.ts'
import { projects } from '../../models/projects/project.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { oneOfWords, type QueryFields, trueOrFalse } from '../../operation/filters/query-conditions.ts'
import { metricListQuery } from './metric-list-query.ts'
import { listedMetricResponse } from './metric-schema.ts'
import { serializeListedMetric } from './serialize-metric.ts'

const fields: QueryFields = {
  eventKind: { equals: oneOfWords('kind', metricKinds) },
  isNumeric: { equals: trueOrFalse((value) => ({ op: 'equals', field: 'isNumeric', value })) },
  unitAggregationType: { equals: oneOfWords('unitAggregationType', unitAggregationTypes) },
}

export const getMetrics = listOperation(metrics, {
  id: 'getMetrics',
  summary: 'List the metrics of a project',
  path: '/api/v2/metrics/{projectKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  query: metricListQuery(fields),
  select: ({ filter: where, sort }) => ({ where, order: [sort] }),
  response: listedMetricResponse,
  serialize: serializeListedMetric,
})
