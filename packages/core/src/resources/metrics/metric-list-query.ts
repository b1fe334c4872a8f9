import * as v from 'valibot'
import { filter } from '../../operation/filters/filter.ts'
import { hasWords, oneOf, type QueryFields, queryConditions } from '../../operation/filters/query-conditions.ts'
import { page, sort } from '../../operation/schema.ts'

const commonFields: QueryFields = {
  query: { equals: hasWords('key', 'name') },
  tags: { anyOf: oneOf('tags'), equals: oneOf('tags') },
  maintainerIds: { anyOf: oneOf('maintainerId') },
  maintainerTeamKey: { equals: oneOf('maintainerTeamKey') },
}

/** Makes the schema of the query of a list of metrics or metric groups, with further fields to filter by. */
export function metricListQuery(fields: QueryFields) {
  return v.object({
    ...page(),
    sort: sort({ name: 'text', createdAt: 'number', key: 'text' }, 'name'),
    filter: v.optional(
      filter((text) => queryConditions(text, { ...commonFields, ...fields })),
      '',
    ),
  })
}
