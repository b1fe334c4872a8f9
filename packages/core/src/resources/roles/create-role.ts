import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { key } from '../../operation/schema.ts'
import { roles } from './role.ts'
import { presentRole, roleSettings, roleWire } from './role-wire.ts'

export const createRole = operation({
  id: 'createRole',
  summary: 'Create a custom role',
  method: 'POST',
  path: '/api/v2/roles',
  body: jsonBody(
    v.strictObject({
      key: key(),
      name: roleSettings.entries.name,
      description: v.optional(roleSettings.entries.description, ''),
      policy: roleSettings.entries.policy,
    }),
  ),
  success: { status: 201, body: roleWire },
  errors: ['invalid_request', 'optimistic_locking_error'],
  access: { action: 'createRole', resource: 'role/{body.key}' },
  async handle(context, { body }) {
    const role = context.tx.insert(roles, { roleKey: body.key }, { ...body, createdAt: context.now }, () =>
      context.fail('optimistic_locking_error', { message: `There is a role ${body.key} already` }),
    )
    context.revision(role.version)
    return presentRole(context, role)
  },
})
