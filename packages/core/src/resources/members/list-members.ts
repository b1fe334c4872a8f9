import * as v from 'valibot'
import { members } from '../../models/members/member.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { anyText, type TermFields, termFilter, words } from '../../operation/filters/term-conditions.ts'
import { page, sort } from '../../operation/schema.ts'
import { memberResponse, serializeMember } from './member-schema.ts'

const order = sort(
  {
    email: 'text',
    firstName: 'text',
    lastName: 'text',
    creationDate: { field: 'createdAt', type: 'number' },
  },
  'email',
)

const fields: TermFields = {
  query: words('email', 'firstName', 'lastName'),
  role: anyText('role'),
  team: anyText('teamKeys'),
}

export const listMembers = listOperation(members, {
  id: 'listMembers',
  summary: 'List the members that the caller may view',
  path: '/api/v2/members',
  access: { open: true, why: 'the list omits what the caller may not view' },
  query: v.object({ ...page(), filter: termFilter(fields), sort: order }),
  select: ({ filter, sort }) => ({ where: filter, order: [sort] }),
  visible: 'viewMember',
  response: memberResponse,
  serialize: serializeMember,
})
