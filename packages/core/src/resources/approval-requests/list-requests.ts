import * as v from 'valibot'
import type { Context, ReadContext } from '../../operation/context.ts'
import { pageLinks } from '../../operation/link.ts'
import { page } from '../../operation/schema.ts'
import { visiblePage } from '../../operation/visible-page.ts'
import { type ApprovalTerm, parseApprovalFilter } from '../../rules/approval/approval-filter.ts'
import type { Condition, Order } from '../../storage/port.ts'
import type { ListedDocuments, Reader } from '../../storage/unit-of-work.ts'
import { projects } from '../projects/project.ts'
import { type ApprovalRequest, approvalRequests, requestsOfAccount, requestsOfProject } from './approval-request.ts'
import { expandQuery } from './approval-request-wire.ts'
import { type FlagRequestParams, flagPlace } from './find-request.ts'
import { presentRequests } from './present-requests.ts'
import { conditionOfReviewStatus } from './review-status-condition.ts'
import { resourceId } from './resource-id-wire.ts'

export const listQuery = v.object({ ...page({ most: 200 }), ...expandQuery, filter: v.optional(v.string()) })

type ListQuery = v.InferOutput<typeof listQuery>

type ListContext = Context<Reader, 'invalid_request'>

const newestFirst: readonly Order[] = [{ field: 'createdAt', type: 'number', descending: true }]

/** The requests of all projects that the caller may view, or of the one that the filter names. */
export async function listAllRequests(context: ListContext, query: ListQuery) {
  const { tx } = context
  const terms = termsOf(context, query)
  const where = await conditionsOf(context, terms)
  const options = { where, order: newestFirst, limit: query.limit, offset: query.offset, deep: true }
  const [projectKey] = terms.flatMap((term) => (term.field === 'projectKey' ? [term.value] : []))
  if (projectKey !== undefined) {
    const visible = await context.allowed('viewProject', projects, { projectKey })
    return answerPage(context, query, visible ? await tx.list(requestsOfProject, { projectKey }, options) : nothing)
  }
  const shown = { collection: projects, scope: {}, action: 'viewProject' }
  const { items } = await visiblePage(context, shown, { limit: Number.MAX_SAFE_INTEGER, offset: 0 })
  const visible: Condition = { op: 'anyOf', field: 'projectKey', values: items.map(({ key }) => key) }
  const found = await tx.list(requestsOfAccount, {}, { ...options, where: [...where, visible] })
  return answerPage(context, query, found)
}

/** The requests about one flag in one environment. */
export async function listFlagRequests(context: ListContext, params: FlagRequestParams, query: ListQuery) {
  const where = await conditionsOf(context, termsOf(context, query))
  const { limit, offset } = query
  const found = await context.tx.list(approvalRequests.flag, flagPlace(params), {
    where,
    order: newestFirst,
    limit,
    offset,
  })
  return answerPage(context, query, found)
}

const nothing: ListedDocuments<ApprovalRequest> = { items: [], keys: [], total: 0 }

async function answerPage(context: ListContext, query: ListQuery, { items, total }: ListedDocuments<ApprovalRequest>) {
  return {
    items: await presentRequests(context as unknown as ReadContext, items, query.expand),
    totalCount: total,
    _links: pageLinks(context.url, query, total),
  }
}

function termsOf({ fail }: ListContext, { filter }: ListQuery): readonly ApprovalTerm[] {
  if (!filter) return []
  const parsed = parseApprovalFilter(filter)
  return parsed.ok ? parsed.terms : fail('invalid_request', { errors: [parsed.fault] })
}

async function conditionsOf({ tx }: ListContext, terms: readonly ApprovalTerm[]): Promise<Condition[]> {
  const conditions = await Promise.all(terms.map((term) => conditionOf(tx, term)))
  return conditions.flat()
}

async function conditionOf(tx: Reader, term: ApprovalTerm): Promise<readonly Condition[]> {
  switch (term.field) {
    case 'notifyMemberIds':
    case 'status':
      return [{ op: 'anyOf', field: term.field, values: term.values }]
    case 'reviewStatus':
      return [await conditionOfReviewStatus(tx, term.values)]
    case 'resourceId':
      return placeConditions(term.value)
    default:
      return [{ op: 'equals', field: term.field, value: term.value }]
  }
}

/** What cannot be the address of anything finds nothing. */
function placeConditions(text: string): readonly Condition[] {
  const place = v.safeParse(resourceId(), text)
  if (!place.success) return [{ op: 'or', any: [] }]
  const { kind, projectKey, environmentKey, resourceKey } = place.output
  return [
    { op: 'equals', field: 'resourceKind', value: kind },
    { op: 'equals', field: 'environment', value: `proj/${projectKey}:env/${environmentKey}` },
    { op: 'equals', field: 'resourceKey', value: resourceKey },
  ]
}
