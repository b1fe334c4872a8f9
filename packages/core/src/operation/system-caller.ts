import { baseRoles } from '../rules/policy/base-roles.ts'
import { compilePolicy, compileRole } from '../rules/policy/policy.ts'
import type { Caller } from './caller.ts'

let layers: Caller['layers'] | undefined

/** Compiled when it is first asked for: engines that are only read never do. */
function layersOfSystem(): Caller['layers'] {
  layers ??= [compilePolicy([compileRole({ name: 'system', statements: baseRoles.admin })])]
  return layers
}

/**
 * The caller of what the engine does by itself. It may do everything, and the change log names it.
 *
 * @param id e.g. `system/webhooks`.
 */
export function systemCaller(id: string): Caller {
  return {
    id,
    memberId: undefined,
    tokenId: undefined,
    get layers() {
      return layersOfSystem()
    },
    grants: [],
    standing: undefined,
    roleAttributes: {},
  }
}

/** Whether a caller is the engine itself. */
export function isSystem({ layers: given }: Caller): boolean {
  return given === layers
}
