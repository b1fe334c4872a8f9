import * as v from 'valibot'
import { filter } from '../../operation/filter.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page, sort } from '../../operation/schema.ts'
import type { Order } from '../../storage/port.ts'
import { environments } from '../environments/environment.ts'
import { segmentsInViews } from '../views/in-views.ts'
import { segments } from './segment.ts'
import { segmentConditions } from './segment-conditions.ts'
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
    filter: v.optional(filter(segmentConditions), ''),
  }),
  success: { status: 200, body: collection(segmentWire) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { tx, fail } = context
    if (!(await tx.get(environments, params))) fail('not_found')
    const found = await tx.list(segments, params, {
      where: await segmentsInViews(context, params, query.filter),
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
