import { memberRemovalFollowUps } from '../../models/follow-ups.ts'
import { emailKey, memberEmails, members } from '../../models/members/member.ts'
import { operation } from '../../operation/operation.ts'
import { requireBaseRoles } from './give-roles.ts'
import { keepAnOwner } from './keep-an-owner.ts'

export const deleteMember = operation({
  id: 'deleteMember',
  summary: 'Delete a member from the account and its teams; their personal tokens become invalid at once',
  method: 'DELETE',
  path: '/api/v2/members/{id}',
  success: { status: 204 },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: { action: 'deleteMember', resource: 'member/{id}' },
  async handle(context, { params }) {
    const { tx } = context
    const keys = { memberId: params.id }
    const member = (await tx.get(members, keys)) ?? context.fail('not_found')
    context.requireRevision(member.version)
    requireBaseRoles(context, [member.role])
    await keepAnOwner(context, member)
    for (const followUp of memberRemovalFollowUps) await followUp(context, member)
    const place = { email: emailKey(member.email) }
    const held = await tx.get(memberEmails, place)
    if (held) tx.remove(memberEmails, place, held)
    tx.remove(members, keys, member)
  },
})
