import { newInvitation } from '../../models/members/invite.ts'
import { members } from '../../models/members/member.ts'
import { operation } from '../../operation/operation.ts'
import { invitedMemberResponse, serializeInvitedMember } from '../members/member-schema.ts'
import { requireRightsOf } from './require-rights-of.ts'

export const inviteMember = operation({
  id: 'inviteMember',
  summary: 'Renew the invitation of a member; only this response contains its link, and earlier links stop working',
  method: 'POST',
  path: '/api/v2/members/{id}/invitation',
  success: { status: 201, body: invitedMemberResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'createMember',
    resource: 'member/{id}',
    shows: { action: 'viewMember', resource: 'member/{id}' },
  },
  async handle(context, { params }) {
    const { tx } = context
    const keys = { memberId: params.id }
    const before = (await tx.get(members, keys)) ?? context.fail('not_found')
    context.requireRevision(before.version)
    if (!before.invitation) {
      context.fail('invalid_request', { message: 'The member has no open invitation, because they have a token' })
    }
    await requireRightsOf(context, before)
    const expiresAt = context.readClock() + context.options.invitationMs
    const invitation = await newInvitation(context.useHost(), before, expiresAt)
    tx.describe(members, keys, [({ it }) => `invited ${it} again`])
    const after = tx.follow(members, keys, before, { ...before, ...invitation.stored })
    context.setRevision(after.version)
    return serializeInvitedMember(context, after, invitation)
  },
})
