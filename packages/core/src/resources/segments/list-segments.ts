import * as v from 'valibot'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page, sort } from '../../operation/schema.ts'
import { parseSegmentFilter, type SegmentTerm } from '../../rules/segment-filter.ts'
import type { Condition, Order } from '../../storage/port.ts'
import { environments } from '../environments/environment.ts'
import { segments } from './segment.ts'
import { presentSegment, segmentWire } from './segment-wire.ts'

/** Where the things that a list can be sorted by are stored. */
const sortable = {
  name: { field: 'name', type: 'text' },
  creationDate: { field: 'createdAt', type: 'number' },
  lastModifiedDate: { field: 'lastModified', type: 'number' },
} as const satisfies Record<string, Order>

export const listSegments = operation({
  id: 'listSegments',
  summary: "List an environment's segments",
  method: 'GET',
  path: '/api/v2/segments/{projectKey}/{environmentKey}',
  query: v.object({
    ...page(),
    sort: sort(['name', 'creationDate', 'lastModifiedDate'], 'name'),
    filter: v.optional(v.string()),
  }),
  success: { status: 200, body: collection(segmentWire) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { tx, fail } = context
    const filter = query.filter ? parseSegmentFilter(query.filter) : noFilter
    if (!filter.ok) return fail('invalid_request', { errors: [filter.fault] })
    if (!(await tx.get(environments, params))) fail('not_found')
    const found = await tx.list(segments, params, {
      where: filter.terms.map(conditionOf),
      order: [{ ...sortable[query.sort.field], descending: query.sort.descending }],
      limit: query.limit,
      offset: query.offset,
    })
    const present = (one: (typeof found.items)[number]) =>
      presentSegment(context, { ...params, segmentKey: one.key }, one)
    return {
      items: await Promise.all(found.items.map(present)),
      totalCount: found.total,
      _links: pageLinks(context.url, query, found.total),
    }
  },
})

const noFilter = { ok: true, terms: [] } as const

function conditionOf(term: SegmentTerm): Condition {
  switch (term.field) {
    case 'query':
      return { op: 'contains', in: ['key', 'name', 'description'], text: term.value }
    case 'tags':
      return { op: 'anyOf', field: 'tags', values: term.values }
    case 'unbounded':
      return { op: 'equals', field: 'unbounded', value: term.value }
    case 'external':
      return { op: 'exists', field: 'external', value: term.value }
  }
}
