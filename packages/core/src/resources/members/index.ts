import { createMembers } from './create-members.ts'
import { deleteMember } from './delete-member.ts'
import { getMember } from './get-member.ts'
import { listMembers } from './list-members.ts'
import { patchMember } from './patch-member.ts'

export const memberOperations = [listMembers, createMembers, getMember, patchMember, deleteMember] as const
