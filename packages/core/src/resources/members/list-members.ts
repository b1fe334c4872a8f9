import * as v from 'valibot'
import { listCard } from '../../operation/cards/list-card.ts'
import { page, sort } from '../../operation/schema.ts'
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

export const listMembers = listCard(members, {
  id: 'listMembers',
  summary: 'List the members that the caller may see',
  path: '/api/v2/members',
  access: { open: true, why: 'what the caller may not view is left out' },
  query: v.object({ ...page(), filter, sort: sort(['email', 'firstName', 'lastName', 'creationDate'], 'email') }),
  select: (query) => ({
    where: conditions(query.filter),
    order: [{ ...sortable[query.sort.field], descending: query.sort.descending }],
  }),
  visible: 'viewMember',
  answer: memberWire,
  present: presentMember,
})

function conditions({ query, role, team }: v.InferOutput<typeof filter>): Condition[] {
  const where: Condition[] = []
  if (query) where.push({ op: 'contains', in: ['email', 'firstName', 'lastName'], text: query })
  if (role) where.push({ op: 'equals', field: 'role', value: role })
  if (team) where.push({ op: 'equals', field: 'teamKeys', value: team })
  return where
}
