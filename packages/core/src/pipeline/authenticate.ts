import { LRUCache } from 'lru-cache'
import type { Caller, Grant } from '../operation/caller.ts'
import type { Host } from '../operation/context.ts'
import { fail } from '../operation/errors.ts'
import type { Identify } from '../operation/identity.ts'
import type { WireRequest } from '../operation/wire.ts'
import { type BaseRole, baseRoles } from '../rules/policy/base-roles.ts'
import { compilePolicy, compileRole, type CompiledPolicy } from '../rules/policy/policy.ts'
import { type Statement, statementFaults } from '../rules/policy/statement.ts'
import type { AccountStorage } from '../storage/port.ts'

/**
 * Who makes a call in process: a token's value, as over a transport, or a role or policy that the host vouches for.
 */
export type As =
  | string
  | { readonly token: string }
  | { readonly role: BaseRole; readonly memberId?: string }
  | { readonly policy: readonly Statement[]; readonly name?: string; readonly memberId?: string }

export interface Authenticator {
  /** Door 3 over a transport: the Authorization header holds the token, bare or after `Bearer` (D6). */
  fromHeader(request: WireRequest): Promise<Caller>
  /** Door 3 in process. */
  fromHost(as: As | undefined): Promise<Caller> | Caller
}

const longestToken = 512

export function authenticator(storage: AccountStorage, host: Host, identify: Identify): Authenticator {
  const byRole = new Map<BaseRole, readonly CompiledPolicy[]>()
  // By what they say and not by which array they are: a host may change its array, or write a new one at every call.
  const byPolicy = new LRUCache<string, readonly CompiledPolicy[]>({ max: 100 })

  async function fromToken(token: string): Promise<Caller> {
    if (token === '' || token.length > longestToken) fail('unauthorized')
    return (await identify(storage, host, token)) ?? fail('unauthorized')
  }

  function roleLayers(role: BaseRole): readonly CompiledPolicy[] {
    let layers = byRole.get(role)
    if (!layers) {
      const statements = baseRoles[role] ?? fail('unauthorized', { explanation: `there is no base role ${role}` })
      byRole.set(role, (layers = [compilePolicy([compileRole({ name: role, statements })])]))
    }
    return layers
  }

  function policyLayers(name: string, policy: readonly Statement[]): readonly CompiledPolicy[] {
    const text = JSON.stringify([name, policy])
    let layers = byPolicy.get(text)
    if (!layers) {
      const faults = statementFaults(policy)
      if (faults.length > 0) return fail('invalid_request', { errors: faults })
      const statements = JSON.parse(text)[1] as Statement[]
      byPolicy.set(text, (layers = [compilePolicy([compileRole({ name, statements })])]))
    }
    return layers
  }

  return {
    async fromHeader(request) {
      const header = request.header('authorization')
      if (header === undefined) return fail('unauthorized')
      return fromToken(header.replace(/^Bearer +/i, '').trim())
    },
    fromHost(as) {
      if (as === undefined) return fail('unauthorized', { explanation: 'the call names no caller: pass { as }' })
      if (typeof as === 'string') return fromToken(as)
      if ('token' in as) return fromToken(as.token)
      if ('role' in as) {
        return hostCaller(`role/${as.role}`, as.memberId, roleLayers(as.role), { role: as.role })
      }
      const { policy, name = 'policy', memberId } = as
      return hostCaller(`policy/${name}`, memberId, policyLayers(name, policy), { statements: policy })
    },
  }
}

function hostCaller(
  id: string,
  memberId: string | undefined,
  layers: readonly CompiledPolicy[],
  grant: Grant,
): Caller {
  return { id, memberId, tokenId: undefined, layers, grants: [grant], standing: undefined }
}
