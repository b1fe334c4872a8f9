import { operation } from '../../operation/operation.ts'
import { roles } from './role.ts'
import { presentRole, roleWire } from './role-wire.ts'

export const getRole = operation({
  id: 'getRole',
  summary: 'Fetch a custom role',
  method: 'GET',
  path: '/api/v2/roles/{roleKey}',
  success: { status: 200, body: roleWire },
  errors: ['not_found'],
  access: { action: 'viewRole', resource: 'role/{roleKey}' },
  async handle(context, { params }) {
    const role = (await context.tx.get(roles, params)) ?? context.fail('not_found')
    context.revision(role.version)
    return presentRole(context, role)
  },
})
