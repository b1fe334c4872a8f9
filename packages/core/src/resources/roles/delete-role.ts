import * as v from 'valibot'
import { roles } from '../../models/roles/role.ts'
import { detachQuery } from '../../operation/detach-query.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteRole = deleteOperation(roles, {
  id: 'deleteRole',
  summary: 'Delete a custom role',
  path: '/api/v2/roles/{roleKey}',
  query: v.object(detachQuery),
  access: { action: 'deleteRole', resource: 'role/{roleKey}' },
})
