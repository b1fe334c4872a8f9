import { members as memberDocuments, memberEmails } from '../../models/members/member.ts'
import { resource } from '../../operation/resource.ts'
import { createMembers } from './create-members.ts'
import { deleteMember } from './delete-member.ts'
import { getMember } from './get-member.ts'
import { listMembers } from './list-members.ts'
import { patchMember } from './patch-member.ts'

export const members = resource({
  title: 'Members',
  description: 'The people of the account.',
  kinds: [
    {
      shape: 'member',
      accountLevel: true,
      actions: [
        'viewMember',
        'createMember',
        'updateMember',
        'updateRole',
        'updateCustomRole',
        'updateRoleAttributes',
        'deleteMember',
      ],
    },
  ],
  collections: [memberEmails, memberDocuments],
  operations: [listMembers, createMembers, getMember, patchMember, deleteMember],
  parameters: {
    filter: 'Terms `field:value` joined by commas, all of which must match: `query`, `role`, `team`.',
  },
})
