import * as v from 'valibot'
import { listCard } from '../../operation/cards/list-card.ts'
import { page, sort } from '../../operation/schema.ts'
import { anyText, type TermFields, termFilter, words } from '../../operation/term-conditions.ts'
import type { Order } from '../../storage/port.ts'
import { members } from './member.ts'
import { memberWire, presentMember } from './member-wire.ts'

/** Where the things that a list can be sorted by are stored. */
const sortable = {
  email: { field: 'email', type: 'text' },
  firstName: { field: 'firstName', type: 'text' },
  lastName: { field: 'lastName', type: 'text' },
  creationDate: { field: 'createdAt', type: 'number' },
} as const satisfies Record<string, Order>

const fields: TermFields = {
  query: words('email', 'firstName', 'lastName'),
  role: anyText('role'),
  team: anyText('teamKeys'),
}

export const listMembers = listCard(members, {
  id: 'listMembers',
  summary: 'List the members that the caller may see',
  path: '/api/v2/members',
  access: { open: true, why: 'what the caller may not view is left out' },
  query: v.object({
    ...page(),
    filter: termFilter(fields),
    sort: sort(['email', 'firstName', 'lastName', 'creationDate'], 'email'),
  }),
  select: (query) => ({
    where: query.filter,
    order: [{ ...sortable[query.sort.field], descending: query.sort.descending }],
  }),
  visible: 'viewMember',
  answer: memberWire,
  present: presentMember,
})
