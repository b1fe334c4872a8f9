import { roles } from '../../models/roles/role.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { roleResponse, serializeRole } from './role-schema.ts'

export const listRoles = listOperation(roles, {
  id: 'listRoles',
  summary: 'List the custom roles that the caller may view',
  path: '/api/v2/roles',
  access: { open: true, why: 'the list omits what the caller may not view' },
  visible: 'viewRole',
  response: roleResponse,
  serialize: serializeRole,
})
