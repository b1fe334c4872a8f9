import { compilePolicy } from '../rules/policy/policy.ts'
import type { Caller } from './caller.ts'

/** The caller of operations that need no token. It has no rights. */
export const anonymousCaller: Caller = /* @__PURE__ */ makeAnonymousCaller()

function makeAnonymousCaller(): Caller {
  return {
    id: 'anonymous',
    memberId: undefined,
    tokenId: undefined,
    layers: [compilePolicy([])],
    grants: [{ statements: [] }],
    standing: undefined,
    roleAttributes: {},
  }
}
