import { roles } from '../../models/roles/role.ts'
import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import { requireValidPolicy } from './policy-schema.ts'
import { roleResponse, roleSettings, serializeRole } from './role-schema.ts'

export const patchRole = patchOperation(roles, {
  id: 'patchRole',
  summary: 'Update a custom role; the update applies to its members immediately',
  path: '/api/v2/roles/{roleKey}',
  shows: { action: 'viewRole', resource: 'role/{roleKey}' },
  settings: roleSettings,
  change(_, patched, __, before) {
    requireValidPolicy('policy', before.policy, patched.policy)
    return patched
  },
  response: roleResponse,
  serialize: serializeRole,
})
