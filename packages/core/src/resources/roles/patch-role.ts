import { patchBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { patchDocument } from '../../operation/patch-document.ts'
import { roles } from './role.ts'
import { presentRole, roleSettings, roleWire } from './role-wire.ts'

export const patchRole = operation({
  id: 'patchRole',
  summary: 'Change a custom role; who holds it is held to the change at once',
  method: 'PATCH',
  path: '/api/v2/roles/{roleKey}',
  body: patchBody(['/name', '/description', '/policy/**']),
  success: { status: 200, body: roleWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: roles.changeActions,
    resource: 'role/{roleKey}',
    shows: { action: 'viewRole', resource: 'role/{roleKey}' },
  },
  async handle(context, { params, body }) {
    const before = (await context.tx.get(roles, params)) ?? context.fail('not_found')
    context.requireRevision(before.version)
    const after = context.tx.replace(roles, params, before, patchDocument(before, body, roleSettings))
    context.revision(after.version)
    return presentRole(context, after)
  },
})
