import { operation } from '../../operation/operation.ts'
import { roles } from './role.ts'

export const deleteRole = operation({
  id: 'deleteRole',
  summary: 'Delete a custom role; whoever held it loses what it allowed',
  method: 'DELETE',
  path: '/api/v2/roles/{roleKey}',
  success: { status: 204 },
  errors: ['not_found', 'optimistic_locking_error'],
  access: { action: 'deleteRole', resource: 'role/{roleKey}' },
  async handle(context, { params }) {
    const role = (await context.tx.get(roles, params)) ?? context.fail('not_found')
    context.requireRevision(role.version)
    context.tx.remove(roles, params, role)
  },
})
