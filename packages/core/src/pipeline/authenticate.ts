import { LRUCache } from 'lru-cache'
import { anonymousCaller } from '../operation/anonymous-caller.ts'
import type { Caller, Grant } from '../operation/caller.ts'
import type { Host } from '../operation/context.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import type { EngineRequest } from '../operation/engine-request.ts'
import { fail } from '../operation/errors.ts'
import type { HostIdentity, IdentifyCaller } from '../operation/host-identity.ts'
import type { Identifier, TokenIdentity } from '../operation/identity.ts'
import type { AddressGuard, CredentialKind, RequestOrigin } from '../operation/request-origin.ts'
import { jsonEqual } from '../rules/json-equal.ts'
import type { BaseRole } from '../rules/policy/base-roles.ts'
import { type CompiledPolicy, compilePolicy } from '../rules/policy/policy.ts'
import type { PolicyRules } from '../rules/policy/policy-rules.ts'
import type { Statement } from '../rules/policy/statement.ts'
import { type DependencyCache, type Invalidator, trackedReads } from '../storage/dependency-cache.ts'
import type { AccountStorage } from '../storage/port.ts'
import type { StorageReads } from '../storage/reads.ts'
import type { AuthenticatedCall, MatchedCall, ReceivedRequest } from './call-state.ts'
import { loadDefinition, type OperationTable } from './match.ts'
import { requireSameOrigin } from './require-same-origin.ts'

/**
 * The caller of a call in process: the value of a token, which a policy can limit further; an identity that the host
 * names, as `identify` of a transport returns it; or a role or policy that the host asserts without authentication.
 */
export type As =
  | string
  | { readonly token: string; readonly policy?: readonly Statement[] }
  | { readonly identity: HostIdentity }
  | { readonly role: BaseRole; readonly memberId?: string }
  | { readonly policy: readonly Statement[]; readonly name?: string; readonly memberId?: string }

export interface AuthenticatorParts {
  readonly storage: AccountStorage
  /** Reads with which callers are looked up. */
  readonly reads: StorageReads
  readonly host: Host
  readonly policy: PolicyRules
  readonly identifier: Identifier
  readonly invalidator: Invalidator
  /** Callers by token. */
  readonly callers: DependencyCache<TokenIdentity>
  /** Callers by the identity that the host names. */
  readonly identities: DependencyCache<Caller>
  /** Refuses requests by the address of the client. */
  readonly guard: AddressGuard
}

/** The caller of a request, and where the request comes from. */
interface IdentifiedRequest {
  readonly caller: Caller
  readonly origin: RequestOrigin
}

const maxTokenCharacters = 512

/** Stage 2: finds the caller that the host names, otherwise the owner of the access token of a request. */
export function authenticate<C extends ReceivedRequest & MatchedCall>(
  pipeline: AuthenticateParts,
  call: C,
): (C & AuthenticatedCall) | Promise<C & AuthenticatedCall> {
  const { authenticator, options } = pipeline
  const { host } = options
  const accept = (caller: Caller, origin: RequestOrigin | undefined) =>
    Object.assign(call, { caller, origin, now: host.now() })
  if ('anonymous' in call.operation.access) {
    const identified = callerWithoutToken(pipeline, call)
    return identified instanceof Promise
      ? identified.then((caller) => accept(caller, undefined))
      : accept(identified, undefined)
  }
  const identified = authenticator.fromRequest(call.request)
  return identified instanceof Promise
    ? identified.then(({ caller, origin }) => accept(caller, origin))
    : accept(identified.caller, identified.origin)
}

export interface AuthenticateParts {
  readonly authenticator: Authenticator
  readonly table: OperationTable
  readonly options: EngineOptions
}

/**
 * Returns the caller of an operation that requires no token: the caller whom the secret in the path identifies, for
 * operations with such a secret.
 *
 * @throws ApiError `not_found` for an unknown secret.
 */
export function callerWithoutToken(
  { authenticator, table }: Pick<AuthenticateParts, 'authenticator' | 'table'>,
  call: MatchedCall,
): Promise<Caller> | Caller {
  const { access } = call.operation
  if (!('anonymous' in access && access.identifies)) return anonymousCaller
  const loading = loadDefinition({ table }, call)
  return loading instanceof Promise
    ? loading.then((loaded) => authenticator.fromPath(loaded))
    : authenticator.fromPath(loading)
}

/** Looks up callers by their access tokens, or accepts the caller that the host asserts. */
export class Authenticator {
  readonly #parts: AuthenticatorParts
  readonly #layersByRole = new Map<BaseRole, readonly CompiledPolicy[]>()
  readonly #hostPolicies: HostPolicies

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts
    this.#hostPolicies = new HostPolicies(parts.policy)
  }

  /**
   * Looks up the caller of a request. This is the caller whom the host names, or else the bearer of the token in the
   * header `Authorization`, with or without `Bearer` before it
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d6-credentials). Refuses the request when the IP
   * allowlist of the account does not contain the address of the client.
   */
  fromRequest(request: EngineRequest): Promise<IdentifiedRequest> | IdentifiedRequest {
    const { identify } = request
    return identify
      ? this.#fromIdentify(request, identify)
      : this.#admit(request, 'apiToken', this.#fromHeader(request))
  }

  async #fromIdentify(request: EngineRequest, identify: IdentifyCaller): Promise<IdentifiedRequest> {
    const identity = await identify()
    if (!identity) return this.#admit(request, 'apiToken', this.#fromHeader(request))
    const isSession = identity.session !== false
    if (isSession) requireSameOrigin(request)
    return this.#admit(request, isSession ? 'session' : 'apiToken', this.#fromIdentity(identity))
  }

  #admit(
    request: EngineRequest,
    credential: CredentialKind,
    caller: Promise<Caller> | Caller,
  ): Promise<IdentifiedRequest> | IdentifiedRequest {
    if (caller instanceof Promise) return caller.then((admitted) => this.#admit(request, credential, admitted))
    const origin = { credential, clientAddress: () => request.clientAddress?.() }
    const { guard } = this.#parts
    const isOpen = guard.known.get('')?.isEnabled[credential] === false
    const admitting = isOpen ? undefined : guard.admit(origin)
    return admitting instanceof Promise ? admitting.then(() => ({ caller, origin })) : { caller, origin }
  }

  #fromIdentity({ session: _, ...named }: HostIdentity): Promise<Caller> | Caller {
    const key = JSON.stringify(named)
    // The lookup uses the copy in the key, because the host may change its own object later.
    return this.#parts.identities.get(key) ?? this.#findIdentity(key, JSON.parse(key))
  }

  async #findIdentity(key: string, identity: HostIdentity): Promise<Caller> {
    const { identifier, invalidator, reads, identities } = this.#parts
    const find = async (tracked: StorageReads) =>
      (await identifier.findIdentity(tracked, identity)) ??
      fail('unauthorized', { explanation: 'the host named a caller who is not a member' })
    return cachedUnder(key, identities, invalidator, reads, find)
  }

  #fromHeader(request: EngineRequest): Promise<Caller> | Caller {
    const header = request.header('authorization')
    if (header === undefined) return fail('unauthorized')
    return this.#fromToken(tokenIn(header))
  }

  /** Looks up the caller that a secret in the path names, with the function `identify` of the operation. */
  async fromPath({ operation, params }: MatchedCall): Promise<Caller> {
    const { storage: reads, host } = this.#parts
    return (await operation.identify?.({ reads, host }, params)) ?? fail('not_found')
  }

  /** Looks up the caller that a call in process names. */
  fromHost(as: As | undefined): Promise<Caller> | Caller {
    if (as === undefined) return fail('unauthorized', { explanation: 'the call names no caller: pass { as }' })
    if (typeof as === 'string') return this.#fromToken(as)
    if ('token' in as) return this.#fromLimitedToken(as.token, as.policy)
    if ('identity' in as) return this.#fromIdentity(as.identity)
    if ('role' in as) {
      return hostCaller(`role/${as.role}`, as.memberId, this.#layersOf(as.role), { role: as.role })
    }
    const { policy, name = 'policy', memberId } = as
    return hostCaller(`policy/${name}`, memberId, this.#hostPolicies.layersOf(name, policy), { statements: policy })
  }

  /** Looks up the caller of a token, limited to the rights that the policy allows too. */
  #fromLimitedToken(token: string, policy: readonly Statement[] | undefined): Promise<Caller> | Caller {
    const caller = this.#fromToken(token)
    if (policy === undefined) return caller
    const limits = this.#hostPolicies.layersOf('policy', policy)
    // A token that this caller creates has the same limits.
    const limited = (each: Caller): Caller => ({
      ...each,
      // The layers of the grants come first, in the order of the grants.
      layers: each.layers.toSpliced(each.grants.length, 0, ...limits),
      grants: [...each.grants, { statements: policy }],
    })
    return caller instanceof Promise ? caller.then(limited) : limited(caller)
  }

  /** Synchronous where the caller is cached: a promise would cost more than the look-up. */
  #fromToken(token: string): Promise<Caller> | Caller {
    if (token === '' || token.length > maxTokenCharacters) fail('unauthorized')
    const cached = this.#parts.callers.get(token)
    return cached ? this.#accept(cached) : this.#find(token).then((identified) => this.#accept(identified))
  }

  async #find(token: string): Promise<TokenIdentity> {
    const { identifier, invalidator, reads, host, callers } = this.#parts
    const find = async (tracked: StorageReads) => (await identifier.find(tracked, host, token)) ?? fail('unauthorized')
    return cachedUnder(token, callers, invalidator, reads, find)
  }

  #accept({ caller, expiresAt }: TokenIdentity): Promise<Caller> | Caller {
    const { identifier, storage, host } = this.#parts
    const now = host.now()
    if (expiresAt !== undefined && expiresAt <= now) fail('unauthorized')
    return identifier.recordUse(storage, caller, now)?.then(() => caller) ?? caller
  }

  #layersOf(role: BaseRole): readonly CompiledPolicy[] {
    let layers = this.#layersByRole.get(role)
    if (!layers) {
      const { policy: rules } = this.#parts
      const statements = rules.baseRoles[role] ?? fail('unauthorized', { explanation: `there is no base role ${role}` })
      this.#layersByRole.set(role, (layers = [compilePolicy([rules.compileRole({ name: role, statements })])]))
    }
    return layers
  }
}

/**
 * Finds a value, and caches it until one of the documents that the search has read changes. A failure is not cached.
 */
async function cachedUnder<Found>(
  key: string,
  cache: DependencyCache<Found>,
  invalidator: Invalidator,
  reads: StorageReads,
  find: (reads: StorageReads) => Promise<Found>,
): Promise<Found> {
  const tracker = invalidator.track()
  try {
    const caller = await find(tracker ? trackedReads(reads, tracker) : reads)
    if (tracker) cache.set(key, caller, 1, tracker)
    return caller
  } catch (error) {
    tracker?.stop()
    throw error
  }
}

function tokenIn(header: string): string {
  return header.replace(/^Bearer +/i, '').trim()
}

/** A compiled policy of the host, and the statements from which it was compiled. */
interface HostPolicy {
  readonly name: string
  readonly statements: readonly Statement[]
  readonly layers: readonly CompiledPolicy[]
}

/**
 * Compiles the policies of the host, each once, because compiling takes thirty times as long as a call.
 *
 * They are compared by content, since a host may pass a new array with every call, or change an array that it has
 * passed. An array that was passed before is found faster, and its content is still compared.
 */
class HostPolicies {
  readonly #byArray = new WeakMap<readonly Statement[], HostPolicy>()
  readonly #byText = new LRUCache<string, HostPolicy>({ max: 100 })
  readonly #rules: PolicyRules

  constructor(rules: PolicyRules) {
    this.#rules = rules
  }

  /** @throws ApiError `invalid_request` naming the statements that are invalid. */
  layersOf(name: string, policy: readonly Statement[]): readonly CompiledPolicy[] {
    const entry = this.#byArray.get(policy)
    if (entry?.name === name && jsonEqual(entry.statements, policy)) return entry.layers
    const text = JSON.stringify([name, policy])
    let compiled = this.#byText.get(text)
    if (!compiled) {
      const errors = this.#rules.validateStatements(policy)
      if (errors.length > 0) return fail('invalid_request', { errors })
      const statements = JSON.parse(text)[1] as Statement[]
      compiled = { name, statements, layers: [compilePolicy([this.#rules.compileRole({ name, statements })])] }
      this.#byText.set(text, compiled)
    }
    this.#byArray.set(policy, compiled)
    return compiled.layers
  }
}

function hostCaller(id: string, memberId: string | undefined, layers: readonly CompiledPolicy[], grant: Grant): Caller {
  return { id, memberId, tokenId: undefined, layers, grants: [grant], standing: undefined, roleAttributes: {} }
}
