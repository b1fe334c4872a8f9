import * as v from 'valibot'
import { type Member, members } from '../../../models/members/member.ts'
import { semanticPatchBody } from '../../../operation/body.ts'
import type { Context } from '../../../operation/context.ts'
import { operation } from '../../../operation/operation.ts'
import { list } from '../../../operation/schema.ts'
import { undoOf } from '../../../operation/undo/undo-rules.ts'
import type { Writer } from '../../../storage/writer.ts'
import { requireGrantableBaseRoles, requireGrantableRoles } from '../grantable-roles.ts'
import { requireAnotherOwner } from '../require-another-owner.ts'
import { undoMembers } from '../undo-members.ts'
import { type MembersInstruction, membersInstruction } from './members-instruction.ts'
import { membersExcept, membersWithIds, requireMaxMembers } from './selected-members.ts'

type PatchContext = Context<Writer, 'invalid_request' | 'forbidden'>

export const patchMembers = operation({
  id: 'patchMembers',
  undo: [undoOf(members, undoMembers)],
  summary: 'Update several members, all of them or none; the update applies to their personal tokens immediately',
  method: 'PATCH',
  path: '/api/v2/members',
  body: semanticPatchBody(membersInstruction),
  success: {
    status: 200,
    body: v.object({ members: list(v.string()), errors: list(v.record(v.string(), v.string())) }),
  },
  errors: ['invalid_request', 'forbidden', 'optimistic_locking_error'],
  access: { action: ['updateRole', 'updateCustomRole', 'updateRoleAttributes'], resource: 'member/*' },
  async handle(context, { body }) {
    const before = new Map<string, Member>()
    const after = new Map<string, Member>()
    for (const [index, instruction] of body.instructions.entries()) {
      for (const member of await selected(context, instruction, index)) {
        if (!before.has(member.id)) before.set(member.id, member)
        after.set(member.id, changed(after.get(member.id) ?? member, instruction))
      }
    }
    requireMaxMembers(context, before.size)
    await requireRights(context, { before, after }, body.instructions)
    for (const [memberId, member] of before) {
      context.tx.replace(members, { memberId }, member, after.get(memberId) as Member)
    }
    return { members: [...after.keys()], errors: [] }
  },
})

function selected(context: PatchContext, instruction: MembersInstruction, index: number): Promise<readonly Member[]> {
  if (!('memberIDs' in instruction)) return membersExcept(context, instruction, `instructions.${index}.kind`)
  return membersWithIds(context, instruction.memberIDs, `instructions.${index}.memberIDs`)
}

function changed(member: Member, instruction: MembersInstruction): Member {
  switch (instruction.kind) {
    case 'replaceMembersRoles':
    case 'replaceAllMembersRoles':
      return { ...member, role: instruction.value, customRoles: [] }
    case 'replaceMembersCustomRoles':
    case 'replaceAllMembersCustomRoles':
      return { ...member, customRoles: instruction.values }
    default:
      return { ...member, roleAttributes: instruction.value }
  }
}

/** Members by id, before and after a change. */
interface MembersChange {
  readonly before: ReadonlyMap<string, Member>
  readonly after: ReadonlyMap<string, Member>
}

/** Applies the checks of `patchMember` on roles and owners to all members of the call. */
async function requireRights(
  context: PatchContext,
  { before, after }: MembersChange,
  instructions: readonly MembersInstruction[],
): Promise<void> {
  const ofNewRole = [...before.values()].filter(({ id, role }) => after.get(id)?.role !== role)
  requireGrantableBaseRoles(
    context,
    ofNewRole.flatMap(({ id, role }) => [role, after.get(id)?.role ?? role]),
  )
  // The commit writes each of these members, so an owner among them remains an owner until the commit.
  if (![...after.values()].some(({ role }) => role === 'owner')) await requireAnotherOwner(context, ...ofNewRole)
  await requireGrantableRoles(
    context,
    instructions.flatMap((instruction, index) =>
      'values' in instruction
        ? instruction.values.map((roleKey, i) => ({ attribute: `instructions.${index}.values.${i}`, roleKey }))
        : [],
    ),
  )
}
