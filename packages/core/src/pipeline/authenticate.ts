import { LRUCache } from 'lru-cache'
import type { Caller, Grant } from '../operation/caller.ts'
import type { Host } from '../operation/context.ts'
import { fail } from '../operation/errors.ts'
import type { Identified, Identifier } from '../operation/identity.ts'
import type { WireRequest } from '../operation/wire.ts'
import { jsonEqual } from '../rules/json-equal.ts'
import type { BaseRole } from '../rules/policy/base-roles.ts'
import { type CompiledPolicy, compilePolicy } from '../rules/policy/policy.ts'
import type { PolicyRules } from '../rules/policy/policy-rules.ts'
import type { Statement } from '../rules/policy/statement.ts'
import { followedReads } from '../storage/followed-reads.ts'
import type { FreshCache } from '../storage/fresh-cache.ts'
import type { Freshness } from '../storage/freshness.ts'
import type { AccountStorage } from '../storage/port.ts'
import type { StorageReads } from '../storage/reads.ts'

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
  fromHeader(request: WireRequest): Promise<Caller> | Caller
  /** Door 3 in process. */
  fromHost(as: As | undefined): Promise<Caller> | Caller
}

export interface AuthenticatorParts {
  readonly storage: AccountStorage
  /** What callers are looked up by. */
  readonly reads: StorageReads
  readonly host: Host
  readonly policy: PolicyRules
  readonly identifier: Identifier
  readonly fresh: Freshness
  /** By token. */
  readonly callers: FreshCache<Identified>
}

const longestToken = 512

export function authenticator(parts: AuthenticatorParts): Authenticator {
  const { storage, reads, host, policy: rules, identifier, fresh, callers } = parts
  const byRole = new Map<BaseRole, readonly CompiledPolicy[]>()
  const policyLayers = hostPolicies(rules)

  /** At once where the caller is remembered: a promise would cost more than the look. */
  function fromToken(token: string): Promise<Caller> | Caller {
    if (token === '' || token.length > longestToken) fail('unauthorized')
    const known = callers.get(token)
    return known ? admitted(known) : find(token).then(admitted)
  }

  async function find(token: string): Promise<Identified> {
    const trail = fresh.begin()
    try {
      const found = await identifier.find(trail ? followedReads(reads, trail) : reads, host, token)
      if (found && trail) callers.keep(token, found, 1, trail)
      else trail?.end()
      return found ?? fail('unauthorized')
    } catch (error) {
      trail?.end()
      throw error
    }
  }

  function admitted({ caller, expiresAt }: Identified): Promise<Caller> | Caller {
    const now = host.now()
    if (expiresAt !== undefined && expiresAt <= now) fail('unauthorized')
    return identifier.noteUse(storage, caller, now)?.then(() => caller) ?? caller
  }

  function roleLayers(role: BaseRole): readonly CompiledPolicy[] {
    let layers = byRole.get(role)
    if (!layers) {
      const statements = rules.baseRoles[role] ?? fail('unauthorized', { explanation: `there is no base role ${role}` })
      byRole.set(role, (layers = [compilePolicy([rules.compileRole({ name: role, statements })])]))
    }
    return layers
  }

  return {
    fromHeader(request) {
      const header = request.header('authorization')
      if (header === undefined) return fail('unauthorized')
      return fromToken(tokenIn(header))
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

function tokenIn(header: string): string {
  return header.replace(/^Bearer +/i, '').trim()
}

/** A policy of the host, ready to decide, and what it said when it was made ready. */
interface HostPolicy {
  readonly name: string
  readonly statements: readonly Statement[]
  readonly layers: readonly CompiledPolicy[]
}

/**
 * Compiles the policies of the host, each once: that costs thirty times a call.
 *
 * They are known by what they say, as a host may write a new array for every call, or change the one it has. Reading an
 * array that was seen before is only the shorter way to find that out.
 *
 * @throws ApiError `invalid_request` naming the parts that are no policy.
 */
function hostPolicies(rules: PolicyRules): (name: string, policy: readonly Statement[]) => readonly CompiledPolicy[] {
  const byArray = new WeakMap<readonly Statement[], HostPolicy>()
  const byText = new LRUCache<string, HostPolicy>({ max: 100 })

  return (name, policy) => {
    const seen = byArray.get(policy)
    if (seen?.name === name && jsonEqual(seen.statements, policy)) return seen.layers
    const text = JSON.stringify([name, policy])
    let known = byText.get(text)
    if (!known) {
      const faults = rules.statementFaults(policy)
      if (faults.length > 0) return fail('invalid_request', { errors: faults })
      const statements = JSON.parse(text)[1] as Statement[]
      known = { name, statements, layers: [compilePolicy([rules.compileRole({ name, statements })])] }
      byText.set(text, known)
    }
    byArray.set(policy, known)
    return known.layers
  }
}

function hostCaller(id: string, memberId: string | undefined, layers: readonly CompiledPolicy[], grant: Grant): Caller {
  return { id, memberId, tokenId: undefined, layers, grants: [grant], standing: undefined, roleAttributes: {} }
}
