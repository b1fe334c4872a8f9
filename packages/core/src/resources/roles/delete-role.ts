import { roles } from '../../models/roles/role.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteRole = deleteOperation(roles, {
  id: 'deleteRole',
  summary: 'Delete a custom role; its members lose what it allowed',
  path: '/api/v2/roles/{roleKey}',
  access: { action: 'deleteRole', resource: 'role/{roleKey}' },
})
