import { members } from '../../models/members/member.ts'
import { operation } from '../../operation/operation.ts'
import { memberResponse, serializeMember } from './member-schema.ts'

export const getMember = operation({
  id: 'getMember',
  summary: 'Get a member',
  method: 'GET',
  path: '/api/v2/members/{id}',
  success: { status: 200, body: memberResponse },
  errors: ['not_found'],
  access: { action: 'viewMember', resource: 'member/{id}' },
  async handle(context, { params }) {
    const member = (await context.tx.get(members, { memberId: params.id })) ?? context.fail('not_found')
    context.setRevision(member.version)
    return serializeMember(context, member)
  },
})
