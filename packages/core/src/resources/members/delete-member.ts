import { emailKey, memberEmails, members } from '../../models/members/member.ts'
import { leaveTeams } from '../../models/teams/leave-teams.ts'
import { operation } from '../../operation/operation.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { requireGrantableBaseRoles } from './grantable-roles.ts'
import { requireAnotherOwner } from './require-another-owner.ts'
import { undoMembers } from './undo-members.ts'

export const deleteMember = operation({
  id: 'deleteMember',
  undo: [undoOf(members, undoMembers)],
  summary: 'Delete a member from the account and its teams; their personal tokens become invalid immediately',
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
    requireGrantableBaseRoles(context, [member.role])
    await requireAnotherOwner(context, member)
    await leaveTeams(context, member)
    const emailKeys = { email: emailKey(member.email) }
    const reservation = await tx.get(memberEmails, emailKeys)
    if (reservation) tx.remove(memberEmails, emailKeys, reservation)
    tx.remove(members, keys, member)
  },
})
