import * as v from 'valibot'
import {
  type ApprovalRequest,
  approvalRequests,
  requestsOfAccount,
  requestsOfProject,
} from '../../../models/approval-requests/approval-request.ts'
import { projects } from '../../../models/projects/project.ts'
import type { Context, ReadContext } from '../../../operation/context.ts'
import { filter } from '../../../operation/filters/filter.ts'
import { filteredValues, replaceFieldConditions } from '../../../operation/filters/filtered-values.ts'
import { pageLinks } from '../../../operation/link.ts'
import { visiblePage } from '../../../operation/pages/visible-page.ts'
import { page } from '../../../operation/schema.ts'
import type { ReviewStatus } from '../../../rules/approval/reviews.ts'
import type { Condition, Order } from '../../../storage/port.ts'
import type { ListedDocuments, Reader } from '../../../storage/reader.ts'
import { expandQuery } from '../approval-request-response.ts'
import { type FlagRequestParams, flagRef } from '../find-request.ts'
import { serializeRequests } from '../serialize-requests.ts'
import { approvalConditions } from './approval-conditions.ts'
import { conditionsOfReviewStatus } from './review-status-condition.ts'

export const listQuery = v.object({
  ...page({ maxLimit: 200 }),
  ...expandQuery,
  filter: v.optional(filter(approvalConditions), ''),
})

type ListQuery = v.InferOutput<typeof listQuery>

type ListContext = Context<Reader, 'invalid_request'>

const newestFirst: readonly Order[] = [{ field: 'createdAt', type: 'number', descending: true }]

/** Lists the requests of all projects that the caller may view, or of the project that the filter names. */
export async function listAllRequests(context: ListContext, query: ListQuery) {
  const { tx } = context
  const where = await conditionsOf(context, query)
  const options = { where, order: newestFirst, limit: query.limit, offset: query.offset, deep: true }
  const projectKey = projectOf(where)
  if (projectKey !== undefined) {
    const visible = await context.allowed('viewProject', projects, { projectKey })
    return respondWithPage(
      context,
      query,
      visible ? await tx.list(requestsOfProject, { projectKey }, options) : emptyPage,
    )
  }
  const projectScope = { collection: projects, scope: {}, action: 'viewProject' as const }
  const { items } = await visiblePage(context, projectScope, { limit: Number.MAX_SAFE_INTEGER, offset: 0 })
  const visible: Condition = { op: 'anyOf', field: 'projectKey', values: items.map(({ key }) => key) }
  const requestPage = await tx.list(requestsOfAccount, {}, { ...options, where: [...where, visible] })
  return respondWithPage(context, query, requestPage)
}

/** Lists the requests about one flag in one environment. */
export async function listFlagRequests(context: ListContext, params: FlagRequestParams, query: ListQuery) {
  const where = await conditionsOf(context, query)
  const { limit, offset } = query
  const requestPage = await context.tx.list(approvalRequests.flag, flagRef(params), {
    where,
    order: newestFirst,
    limit,
    offset,
  })
  return respondWithPage(context, query, requestPage)
}

const emptyPage: ListedDocuments<ApprovalRequest> = { items: [], keys: [], total: 0 }

async function respondWithPage(
  context: ListContext,
  query: ListQuery,
  { items, total }: ListedDocuments<ApprovalRequest>,
) {
  return {
    items: await serializeRequests(context as ReadContext, items, query.expand),
    totalCount: total,
    _links: pageLinks(context.url, query, total),
  }
}

/** Returns the only project that can match; undefined when the filter does not determine it. */
function projectOf(where: readonly Condition[]): string | undefined {
  const all = where.flatMap((item) => (item.op === 'and' ? item.all : [item]))
  const condition = all.find((item) => item.op === 'equals' && item.field === 'projectKey')
  return condition?.op === 'equals' ? String(condition.value) : undefined
}

/**
 * Returns the conditions of the query. Reviews are evaluated by the settings of each environment, which are read only
 * when the filter needs them.
 */
async function conditionsOf({ tx }: ListContext, { filter: where }: ListQuery): Promise<readonly Condition[]> {
  const statuses = filteredValues(where, 'reviewStatus')
  if (statuses.length === 0) return where
  const conditionOf = await conditionsOfReviewStatus(tx)
  return where.map((item) =>
    replaceFieldConditions(item, 'reviewStatus', (statuses) => ({
      op: 'or',
      any: (statuses as readonly ReviewStatus[]).map((status) => conditionOf[status]),
    })),
  )
}
