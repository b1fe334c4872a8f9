import { roles as roleDocuments } from '../../models/roles/role.ts'
import { resource } from '../../operation/resource.ts'
import { createRole } from './create-role.ts'
import { deleteRole } from './delete-role.ts'
import { getRole } from './get-role.ts'
import { listRoles } from './list-roles.ts'
import { patchRole } from './patch-role.ts'

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
  operations: [listRoles, createRole, getRole, patchRole, deleteRole],
  parameters: {
    roleKey: 'Key of the custom role.',
  },
})
