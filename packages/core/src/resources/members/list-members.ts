import * as v from 'valibot'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page, sort } from '../../operation/schema.ts'
import { visiblePage } from '../../operation/visible-page.ts'
import type { Condition, Order } from '../../storage/port.ts'
import { listFilter } from './list-filter-wire.ts'
import { members } from './member.ts'
import { memberWire, presentMember } from './member-wire.ts'

/** Where the things that a list can be sorted by are stored. */
const sortable = {
  email: { field: 'email', type: 'text' },
  firstName: { field: 'firstName', type: 'text' },
  lastName: { field: 'lastName', type: 'text' },
  creationDate: { field: 'createdAt', type: 'number' },
} as const satisfies Record<string, Order>

const filter = listFilter('query', 'role', 'team')

export const listMembers = operation({
  id: 'listMembers',
  summary: 'List the members that the caller may see',
  method: 'GET',
  path: '/api/v2/members',
  query: v.object({ ...page(), filter, sort: sort(['email', 'firstName', 'lastName', 'creationDate'], 'email') }),
  success: { status: 200, body: collection(memberWire) },
  errors: ['invalid_request'],
  access: { open: true, why: 'what the caller may not view is left out' },
  async handle(context, { query }) {
    const found = await visiblePage(
      context,
      {
        collection: members,
        scope: {},
        action: 'viewMember',
        where: conditions(query.filter),
        order: [{ ...sortable[query.sort.field], descending: query.sort.descending }],
      },
      query,
    )
    return {
      items: await Promise.all(found.items.map((member) => presentMember(context, member))),
      totalCount: found.total,
      _links: pageLinks(context.url, query, found.total),
    }
  },
})

function conditions({ query, role, team }: v.InferOutput<typeof filter>): Condition[] {
  const where: Condition[] = []
  if (query) where.push({ op: 'contains', in: ['email', 'firstName', 'lastName'], text: query })
  if (role) where.push({ op: 'equals', field: 'role', value: role })
  if (team) where.push({ op: 'equals', field: 'teamKeys', value: team })
  return where
}
