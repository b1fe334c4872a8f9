import { baseRoles } from '../rules/policy/base-roles.ts'
import { compilePolicy, compileRole } from '../rules/policy/policy.ts'
import type { Caller } from './caller.ts'

const layers = [compilePolicy([compileRole({ name: 'system', statements: baseRoles.admin })])]

/**
 * The caller of what the engine does by itself. It may do everything, and the change log names it.
 *
 * @param id e.g. `system/webhooks`.
 */
export function systemCaller(id: string): Caller {
  return { id, memberId: undefined, tokenId: undefined, layers, grants: [], standing: undefined, roleAttributes: {} }
}

/** Whether a caller is the engine itself. */
export function isSystem({ layers: given }: Caller): boolean {
  return given === layers
}
