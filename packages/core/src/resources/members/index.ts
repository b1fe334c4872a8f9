import { members as memberDocuments, memberEmails } from '../../models/members/member.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

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
  operations: Object.values(operations),
  parameters: {
    filter: 'Terms `field:value` joined by commas, all of which must match: `query`, `role`, `team`.',
  },
})
