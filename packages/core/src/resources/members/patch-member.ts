import { members } from '../../models/members/member.ts'
import { patchBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { actionsByPath } from '../../operation/patch-actions.ts'
import { patchDocument } from '../../operation/patch-document.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { requireGrantableBaseRoles, requireGrantableRoles } from './grantable-roles.ts'
import { memberResponse, memberSettings, serializeMember } from './member-schema.ts'
import { requireAnotherOwner } from './require-another-owner.ts'
import { undoMembers } from './undo-members.ts'

export const patchMember = operation({
  id: 'patchMember',
  undo: [undoOf(members, undoMembers)],
  summary: 'Update a member; the update applies to their personal tokens immediately',
  method: 'PATCH',
  path: '/api/v2/members/{id}',
  body: patchBody(
    actionsByPath(['/role', '/customRoles/**', '/firstName', '/lastName', '/roleAttributes/**'], members),
  ),
  success: { status: 200, body: memberResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    action: members.changeActions,
    resource: 'member/{id}',
    shows: { action: 'viewMember', resource: 'member/{id}' },
  },
  async handle(context, { params, body }) {
    const keys = { memberId: params.id }
    const before = (await context.tx.get(members, keys)) ?? context.fail('not_found')
    context.requireRevision(before.version)
    const patched = await patchDocument(before, body, memberSettings, { shown: () => serializeMember(context, before) })
    if (patched.role !== before.role) {
      requireGrantableBaseRoles(context, [before.role, patched.role])
      await requireAnotherOwner(context, before)
    }
    const added = patched.customRoles.flatMap((roleKey, index) =>
      before.customRoles.includes(roleKey) ? [] : [{ attribute: `customRoles.${index}`, roleKey }],
    )
    await requireGrantableRoles(context, added)
    const after = context.tx.replace(members, keys, before, patched)
    context.setRevision(after.version)
    return serializeMember(context, after)
  },
})
