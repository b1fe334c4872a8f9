import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, expand, page, sort } from '../../operation/schema.ts'
import { countByIndicator } from '../../rules/insight-score/index.ts'
import type { Condition } from '../../storage/port.ts'
import { visibleProjectKeys } from '../projects/visible-projects.ts'
import { expandInsightGroups } from './expand-insight-groups.ts'
import { insightGroups } from './insight-group.ts'
import { insightGroupResponse } from './insight-group-schema.ts'
import { readScores } from './read-scores.ts'
import { indicators, scoreMetadataResponse, serializeScoreMetadata } from './score-response.ts'

const listQuery = v.object({
  ...page({ limit: 20, maxLimit: 20 }),
  sort: sort({ name: 'text' }, 'name'),
  query: v.optional(v.string()),
  expand: expand('scores', 'environment', 'metadata'),
})

type ListQuery = v.InferOutput<typeof listQuery>

const counts = Object.fromEntries([...indicators, 'total' as const].map((name) => [name, v.number()])) as Record<
  (typeof indicators)[number] | 'total',
  ReturnType<typeof v.number>
>

// Not defined by `listOperation`, because the groups are in many environments.
export const listInsightGroups = operation({
  id: 'listInsightGroups',
  summary: 'List the insight groups of all projects that the caller may view, by name',
  method: 'GET',
  path: '/api/v2/engineering-insights/insights/groups',
  beta: 'tagged',
  query: listQuery,
  success: {
    status: 200,
    body: v.object({
      ...collection(insightGroupResponse).entries,
      metadata: v.optional(v.object({ countByIndicator: v.object(counts) })),
      scoreMetadata: v.optional(scoreMetadataResponse),
    }),
  },
  errors: ['invalid_request'],
  access: { open: true, why: 'groups of projects that the caller may not view are omitted' },
  async handle(context, { query }) {
    const { total, page, noLimit } = await findGroups(context, query)
    const scores = noLimit && (await readScores(context, noLimit))
    const scoresOfPage = scores?.slice(query.offset, query.offset + query.limit)
    return {
      items: await expandInsightGroups(context, page, query.expand, scoresOfPage),
      totalCount: total,
      _links: pageLinks(context.url, query, total),
      ...(scores ? { metadata: { countByIndicator: countByIndicator(scores.map(({ overall }) => overall)) } } : {}),
      ...(query.expand.includes('scores') ? { scoreMetadata: serializeScoreMetadata(context) } : {}),
    }
  },
})

/** Returns the page, and all groups when their scores are to be counted. */
async function findGroups(context: ReadContext, query: ListQuery) {
  const conditions: Condition[] = [{ op: 'anyOf', field: 'projectKey', values: await visibleProjectKeys(context) }]
  if (query.query) conditions.push({ op: 'contains', in: ['name'], text: query.query })
  const order = [query.sort]
  const { limit, offset } = query
  if (!query.expand.includes('metadata')) {
    const { items, total } = await context.tx.list(
      insightGroups,
      {},
      { deep: true, where: conditions, order, limit, offset },
    )
    return { page: items, total, noLimit: undefined }
  }
  const noLimit = { limit: Number.MAX_SAFE_INTEGER, offset: 0 }
  const { items, total } = await context.tx.list(
    insightGroups,
    {},
    { deep: true, where: conditions, order, ...noLimit },
  )
  return { page: items.slice(offset, offset + limit), total, noLimit: items }
}
