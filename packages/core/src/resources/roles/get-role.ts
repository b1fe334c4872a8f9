import { roles } from '../../models/roles/role.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { roleResponse, serializeRole } from './role-schema.ts'

export const getRole = getOperation(roles, {
  id: 'getRole',
  summary: 'Get a custom role',
  path: '/api/v2/roles/{roleKey}',
  access: { action: 'viewRole', resource: 'role/{roleKey}' },
  response: roleResponse,
  serialize: serializeRole,
})
