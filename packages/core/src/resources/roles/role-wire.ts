import * as v from 'valibot'
import { type Role, roles } from '../../models/roles/role.ts'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, links, name, text } from '../../operation/schema.ts'
import { policyRequest, policyWire } from './policy-wire.ts'

/** Properties of a role that a caller can set. */
export const roleSettings = v.object({ name: name(), description: text(), policy: policyRequest })

export const roleWire = v.object({
  _links: links(),
  _id: v.string(),
  key: v.string(),
  name: v.string(),
  description: v.string(),
  policy: policyWire,
  _access: v.optional(accessDetails()),
})

export async function presentRole(context: ReadContext, role: Role): Promise<v.InferOutput<typeof roleWire>> {
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
