import * as v from 'valibot'
import { metricGroupKinds, metricGroups } from '../../models/metric-groups/metric-group.ts'
import { projects } from '../../models/projects/project.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { filter } from '../../operation/filters/filter.ts'
import {
  hasWords,
  oneOf,
  oneOfWords,
  type QueryFields,
  queryConditions,
} from '../../operation/filters/query-conditions.ts'
import { page, sort } from '../../operation/schema.ts'
import { metricGroupResponse } from './metric-group-schema.ts'
import { serializeMetricGroup } from './serialize-metric-group.ts'

const fields: QueryFields = {
  query: { equals: hasWords('key', 'name') },
  tags: { anyOf: oneOf('tags'), equals: oneOf('tags') },
  kind: { equals: oneOfWords('kind', metricGroupKinds) },
  metricKey: { equals: oneOf('metricKeys'), anyOf: oneOf('metricKeys') },
  maintainerIds: { anyOf: oneOf('maintainerId') },
  maintainerTeamKey: { equals: oneOf('maintainerTeamKey') },
}

export const getMetricGroups = listOperation(metricGroups, {
  id: 'getMetricGroups',
  summary: 'List the metric groups of a project',
  path: '/api/v2/projects/{projectKey}/metric-groups',
  beta: 'tagged',
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
  response: metricGroupResponse,
  serialize: serializeMetricGroup,
})
