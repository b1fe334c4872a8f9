import * as v from 'valibot'
import { roles } from '../../models/roles/role.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { key } from '../../operation/schema.ts'
import { policyRequest } from './policy-schema.ts'
import { roleResponse, roleSettings, serializeRole } from './role-schema.ts'

export const createRole = createOperation(roles, {
  id: 'createRole',
  summary: 'Create a custom role',
  path: '/api/v2/roles',
  access: { action: 'createRole', resource: 'role/{body.key}' },
  body: v.strictObject({
    key: key(),
    name: roleSettings.entries.name,
    description: v.optional(roleSettings.entries.description, ''),
    policy: policyRequest,
  }),
  make: (context, body) => ({ ...body, createdAt: context.readClock() }),
  response: roleResponse,
  serialize: serializeRole,
})
