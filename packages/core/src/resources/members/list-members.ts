import * as v from 'valibot'
import { listCard } from '../../operation/cards/list-card.ts'
import { page, sort } from '../../operation/schema.ts'
import type { Condition } from '../../storage/port.ts'
import { listFilter } from './list-filter-wire.ts'
import { members } from './member.ts'
import { memberWire, presentMember } from './member-wire.ts'

const order = sort(
  {
    email: 'text',
    firstName: 'text',
    lastName: 'text',
    creationDate: { field: 'createdAt', type: 'number' },
  },
  'email',
)

const filter = listFilter('query', 'role', 'team')

export const listMembers = listCard(members, {
  id: 'listMembers',
  summary: 'List the members that the caller may see',
  path: '/api/v2/members',
  access: { open: true, why: 'what the caller may not view is left out' },
  query: v.object({ ...page(), filter, sort: order }),
  select: ({ filter, sort }) => ({ where: conditions(filter), order: [sort] }),
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
