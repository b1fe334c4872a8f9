import * as v from 'valibot'
import { metricKinds, metrics, unitAggregationTypes } from '../../models/metrics/metric.ts'
import { projects } from '../../models/projects/project.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { filter } from '../../operation/filters/filter.ts'
import {
  hasWords,
  oneOf,
  oneOfWords,
  type QueryFields,
  queryConditions,
  trueOrFalse,
} from '../../operation/filters/query-conditions.ts'
import { page, sort } from '../../operation/schema.ts'
import { listedMetricResponse } from './metric-schema.ts'
import { serializeListedMetric } from './serialize-metric.ts'

const fields: QueryFields = {
  query: { equals: hasWords('key', 'name') },
  tags: { anyOf: oneOf('tags'), equals: oneOf('tags') },
  eventKind: { equals: oneOfWords('kind', metricKinds) },
  isNumeric: { equals: trueOrFalse((value) => ({ op: 'equals', field: 'isNumeric', value })) },
  unitAggregationType: { equals: oneOfWords('unitAggregationType', unitAggregationTypes) },
  maintainerIds: { anyOf: oneOf('maintainerId') },
  maintainerTeamKey: { equals: oneOf('maintainerTeamKey') },
}

export const getMetrics = listOperation(metrics, {
  id: 'getMetrics',
  summary: 'List the metrics of a project',
  path: '/api/v2/metrics/{projectKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  query: v.object({
    ...page(),
    sort: sort({ name: 'text', createdAt: 'number', key: 'text' }, 'name'),
    filter: v.optional(
      filter((text) => queryConditions(text, fields)),
      '',
    ),
  }),
  select: ({ filter: where, sort }) => ({ where, order: [sort] }),
  response: listedMetricResponse,
  serialize: serializeListedMetric,
})
