import { compilePolicy } from '../rules/policy/policy.ts'
import type { PolicyRules } from '../rules/policy/policy-rules.ts'
import type { Caller } from './caller.ts'

let layers: Caller['layers'] | undefined

/**
 * Returns the policy of system callers. It is compiled at the first use, because engines without tasks never need it.
 */
function layersOfSystem({ baseRoles, compileRole }: PolicyRules): Caller['layers'] {
  layers ??= [compilePolicy([compileRole({ name: 'system', statements: baseRoles.admin })])]
  return layers
}

/**
 * Returns the caller of changes that the engine makes by itself. This caller may do everything, and the change log
 * names it.
 *
 * @param id e.g. `system/webhooks`.
 */
export function systemCaller(id: string, policy: PolicyRules): Caller {
  return {
    id,
    memberId: undefined,
    tokenId: undefined,
    get layers() {
      return layersOfSystem(policy)
    },
    grants: [],
    standing: undefined,
    roleAttributes: {},
  }
}

/** Returns true when a caller is the engine itself. */
export function isSystem({ layers: callerLayers }: Caller): boolean {
  return callerLayers === layers
}
