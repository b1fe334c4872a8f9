import * as v from 'valibot'
import { type Role, roles } from '../../models/roles/role.ts'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, links, name, text } from '../../operation/schema.ts'
import { patchedPolicy, policyResponse } from './policy-schema.ts'

/** Properties of a role that a patch can set. */
export const roleSettings = v.object({ name: name(), description: text(), policy: patchedPolicy })

const roleObject = v.object({
  _links: links(),
  _id: v.string(),
  key: v.string(),
  name: v.string(),
  description: v.string(),
  policy: policyResponse,
  _access: v.optional(accessDetails()),
})

/** A role in a response. */
export interface RoleResponse extends v.InferOutput<typeof roleObject> {}

export const roleResponse: v.GenericSchema<RoleResponse> = roleObject

export async function serializeRole(context: ReadContext, role: Role): Promise<RoleResponse> {
  return {
    _links: selfAndParent(path`/api/v2/roles/${role.key}`, '/api/v2/roles'),
    _id: role.key,
    key: role.key,
    name: role.name,
    description: role.description,
    policy: role.policy,
    _access: await context.access(roles, { roleKey: role.key }, role),
  }
}
