import { roles as roleDocuments } from '../../models/roles/role.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const roles = resource({
  title: 'Roles',
  description: 'Custom roles: policies that allow or deny actions on resources.',
  kinds: [
    {
      shape: 'role',
      accountLevel: true,
      actions: ['viewRole', 'createRole', 'updateName', 'updateDescription', 'updatePolicy', 'deleteRole'],
    },
  ],
  collections: [roleDocuments],
  operations: Object.values(operations),
  parameters: {
    roleKey: 'Key of the custom role.',
  },
})
