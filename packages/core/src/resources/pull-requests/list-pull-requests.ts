import * as v from 'valibot'
import { projects } from '../../models/projects/project.ts'
import {
  arrivalKey,
  leadTimeField,
  leadTimeTo,
  type PullRequest,
  pullRequestStates,
  pullRequests,
} from '../../models/pull-requests/pull-request.ts'
import { operation } from '../../operation/operation.ts'
import { cursorLinks, cursorPage, cursorQuery, requireOneDirection } from '../../operation/pages/cursor-page.ts'
import { collection, commaList, expand, key, moment, text } from '../../operation/schema.ts'
import type { Condition } from '../../storage/port.ts'
import { pullRequestResponse, selectArrivals, serializePullRequest } from './change-schema.ts'

const statuses = [...pullRequestStates, 'deployed'] as const

const sorts = ['leadTime', '-leadTime'] as const

const listQuery = v.object({
  projectKey: key(),
  environmentKey: v.optional(key()),
  applicationKey: v.optional(commaList()),
  repositoryKey: v.optional(v.string()),
  status: v.optional(v.picklist(statuses, `must be one of ${statuses.join(', ')}`)),
  query: v.optional(text()),
  from: v.optional(moment()),
  to: v.optional(moment()),
  sort: v.optional(v.picklist(sorts, `must be one of ${sorts.join(', ')}`)),
  expand: expand('deployments'),
  ...cursorQuery,
})

type ListQuery = v.InferOutput<typeof listQuery>

/** Returns the order of the list, and the position of a pull request in it. */
function orderOf({ sort, environmentKey = '', applicationKey = [] }: ListQuery) {
  if (sort === undefined) {
    const cursorOf = ({ externalId, content }: PullRequest) => ({ at: content?.openedAt ?? 0, key: externalId })
    return { field: 'openedAt', ascending: false, cursorOf }
  }
  const cursorOf = ({ externalId, content, firstCommitAt, arrivals }: PullRequest) => {
    const selected = content ? selectArrivals(arrivals, { environmentKey, applicationKey }) : []
    const leadTimes = selected.map((arrival) => (content ? leadTimeTo({ content, firstCommitAt }, arrival) : 0))
    return { at: Math.max(0, ...leadTimes), key: externalId }
  }
  return { field: leadTimeField(environmentKey, applicationKey[0]), ascending: sort === 'leadTime', cursorOf }
}

export const listPullRequests = operation({
  id: 'listPullRequests',
  summary: 'List the pull requests of a project, newest first or by their lead time to an environment',
  method: 'GET',
  path: '/api/v2/engineering-insights/pull-requests',
  beta: 'tagged',
  query: v.pipe(
    listQuery,
    requireOneDirection<ListQuery>(),
    v.forward(
      v.check(
        ({ sort, environmentKey }) => !sort || environmentKey !== undefined,
        'must be present to sort by leadTime',
      ),
      ['environmentKey'],
    ),
    v.forward(
      v.check(
        ({ sort, applicationKey = [] }) => !sort || applicationKey.length <= 1,
        'must contain at most 1 application to sort by leadTime',
      ),
      ['applicationKey'],
    ),
  ),
  success: { status: 200, body: collection(pullRequestResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{query.projectKey}' },
  async handle(context, { query }) {
    const { tx } = context
    const queryConditions = conditionsOf(query)
    const { projectKey } = query
    const order = orderOf(query)
    const [project, page, { total }] = await Promise.all([
      tx.get(projects, query),
      cursorPage(tx, { collection: pullRequests, scope: { projectKey }, where: queryConditions, ...order }, query),
      tx.listRows(pullRequests, query, { where: queryConditions, limit: 0 }),
    ])
    if (!project) context.fail('not_found')
    return {
      items: page.items.map((pullRequest) => serializePullRequest(context, pullRequest, query)),
      totalCount: total,
      _links: cursorLinks(context.url, query, page, order.cursorOf),
    }
  },
})

/** Omits pull requests that were never reported, and that only deployments or commits refer to. */
function conditionsOf(query: ListQuery): Condition[] {
  const { environmentKey, applicationKey = [], repositoryKey, status, sort, query: searchText, from, to } = query
  const arrivedCondition = arrivalCondition(environmentKey, applicationKey)
  return [
    { op: 'exists', field: 'openedAt', value: true },
    // A list that is sorted by lead time includes only pull requests with a lead time.
    ...(sort === undefined ? [] : [{ op: 'exists', field: orderOf(query).field, value: true } as const]),
    ...(repositoryKey === undefined ? [] : [{ op: 'equals', field: 'repositoryKey', value: repositoryKey } as const]),
    ...(searchText ? [{ op: 'contains', in: ['title', 'author'], text: searchText } as const] : []),
    ...(from === undefined && to === undefined ? [] : [{ op: 'range', field: 'openedAt', from, to } as const]),
    ...(status === undefined ? [] : statusConditions(status, arrivedCondition)),
    // The application of a change is known from its arrivals.
    ...(applicationKey.length > 0 && status === undefined ? [arrivedCondition] : []),
  ]
}

function statusConditions(status: (typeof statuses)[number], arrivedCondition: Condition): Condition[] {
  if (status !== 'merged' && status !== 'deployed') return [{ op: 'equals', field: 'state', value: status }]
  const merged: Condition = { op: 'equals', field: 'state', value: 'merged' }
  return [merged, status === 'deployed' ? arrivedCondition : { op: 'not', condition: arrivedCondition }]
}

/** Returns the condition for arrivals, limited to an environment and to applications if the query has them. */
function arrivalCondition(environmentKey: string | undefined, applicationKeys: readonly string[]): Condition {
  if (environmentKey !== undefined && applicationKeys.length > 0) {
    const values = applicationKeys.map((applicationKey) => arrivalKey({ environmentKey, applicationKey }))
    return { op: 'anyOf', field: 'places', values }
  }
  if (environmentKey !== undefined) return { op: 'equals', field: 'environmentKeys', value: environmentKey }
  if (applicationKeys.length > 0) return { op: 'anyOf', field: 'applicationKeys', values: applicationKeys }
  return { op: 'equals', field: 'arrived', value: true }
}
