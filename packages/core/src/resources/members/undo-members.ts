import { emailKey, type Member, memberEmails, members } from '../../models/members/member.ts'
import type { UndoContext, UndoneDocument, UndoRules } from '../../operation/undo/undo-rules.ts'
import { requireGrantableBaseRoles, requireGrantableRoles } from './grantable-roles.ts'
import { requireAnotherOwner } from './require-another-owner.ts'

/** Rules for undoing changes of members. Their teams are restored with them. */
export const undoMembers: UndoRules<Member, typeof members.template> = {
  create: 'createMember',
  restores: ['teamKeys', 'managedTeamKeys'],
  async update(context, { keys, current, wanted }, { documents }) {
    if (wanted.role !== current.role) {
      requireGrantableBaseRoles(context, [current.role, wanted.role])
      if (!restoresOwner(documents)) await requireAnotherOwner(context, current)
    }
    await requireRoles(context, wanted, current.customRoles)
    context.tx.replace(members, keys, current, wanted)
  },
  async remove(context, keys, current, { documents }) {
    const { tx } = context
    await context.demand('deleteMember', members, keys, current)
    requireGrantableBaseRoles(context, [current.role])
    if (!restoresOwner(documents)) await requireAnotherOwner(context, current)
    const emailKeys = { email: emailKey(current.email) }
    const reservation = await tx.get(memberEmails, emailKeys)
    if (reservation) tx.remove(memberEmails, emailKeys, reservation)
    tx.remove(members, keys, current)
  },
  async prepare(context, _, member) {
    requireGrantableBaseRoles(context, [member.role])
    await requireRoles(context, member, [])
    return member
  },
}

/** Returns true if a revert leaves an owner among the members that it writes. */
function restoresOwner(documents: readonly UndoneDocument[]): boolean {
  return documents.some(
    ({ collection, wanted }) => collection.name === members.name && (wanted as Member | undefined)?.role === 'owner',
  )
}

async function requireRoles(context: UndoContext, { customRoles }: Member, known: readonly string[]): Promise<void> {
  const added = customRoles.flatMap((roleKey, index) =>
    known.includes(roleKey) ? [] : [{ attribute: `customRoles.${index}`, roleKey }],
  )
  await requireGrantableRoles(context, added)
}
