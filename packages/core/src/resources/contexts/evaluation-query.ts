import * as v from 'valibot'
import { filter } from '../../operation/filters/filter.ts'
import { hasWords, type QueryFields, queryConditions } from '../../operation/filters/query-conditions.ts'
import { integer, sort } from '../../operation/schema.ts'

const flagFields: QueryFields = {
  query: { equals: hasWords('key', 'name') },
  tags: {
    contains: (values) => ({ op: 'and', all: values.map((value) => ({ op: 'equals', field: 'tags', value })) }),
  },
}

/** Schema of the query of an evaluation of all flags: -1 as `limit` means all. */
export const evaluationQuery = () =>
  v.object({
    limit: v.optional(
      v.pipe(
        integer(-1, 10_000),
        v.check((limit) => limit !== 0, 'must be -1 or at least 1'),
      ),
      -1,
    ),
    offset: v.optional(integer(0, Number.MAX_SAFE_INTEGER), 0),
    sort: sort({ name: 'text', key: 'text', creationDate: { field: 'createdAt', type: 'number' } }, 'name'),
    filter: v.optional(
      filter((text) => queryConditions(text, flagFields)),
      '',
    ),
  })
