import type { ChangeSelector } from '../../operation/audience.ts'
import type { Caller } from '../../operation/caller.ts'
import { addressOf, ByKinds, parseAddress, type Resource, type ResourceLevel } from '../../rules/address.ts'
import { deepFreeze } from '../../rules/deep-freeze.ts'
import type { AccessDetails } from '../../rules/policy/access-details.ts'
import type { Explanation } from '../../rules/policy/explain.ts'
import {
  type CompiledPolicy,
  type Decision,
  decide,
  decidesByKinds,
  lacksAttributes,
} from '../../rules/policy/policy.ts'
import type { PolicyRules } from '../../rules/policy/policy-rules.ts'
import type { WrittenDocument } from '../../storage/changed-document.ts'
import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { JoinedLists } from '../../storage/lists/joined-lists.ts'
import { type Reader, StorageReader } from '../../storage/reader.ts'
import type { StorageReads } from '../../storage/reads.ts'
import { AccessByAddress, accessInLayers } from './access-by-address.ts'
import { explainInLayers } from './explain-layers.ts'
import { type AttributeSources, readAttributes, withAttributesOf } from './read-attributes.ts'

/** Cached access details that were computed with one set of policies. */
interface AccessCache {
  /**
   * Access details by the kinds of the resource, for kinds whose keys and attributes do not matter, as for an
   * administrator; null for other kinds.
   */
  readonly byKinds: ByKinds<AccessDetails | null>
  readonly byAddress: AccessByAddress
}

/** Values that all authorities of one account share; each authority has reads of its own. */
interface AuthorityParts {
  readonly policy: PolicyRules
  readonly sources: AttributeSources
  readonly cache: WeakMap<readonly CompiledPolicy[], AccessCache>
  readonly onDecision: ((decision: Decision) => void) | undefined
}

/**
 * Creates the authority over an account.
 *
 * @param collections those whose documents have attributes that policies test.
 * @param onDecision receives every decision, one for each layer that was evaluated.
 */
export function createAuthority(
  reads: StorageReads,
  policy: PolicyRules,
  collections: readonly Documents<Versioned>[],
  onDecision?: (decision: Decision) => void,
): Authority {
  const sources = new Map<string, Documents<Versioned>>()
  for (const collection of collections) {
    if (collection.attributes) sources.set(collection.address.kinds.at(-1) as string, collection)
  }
  return new Authority(reads, { policy, sources, cache: new WeakMap(), onDecision })
}

/**
 * Decides what callers may do; no other part of the pipeline evaluates a policy. It decides synchronously unless a
 * policy tests attributes that have to be read first, because a promise for every decision would cost more than the
 * decision.
 */
export class Authority {
  readonly #reads: StorageReads
  readonly #parts: AuthorityParts

  constructor(reads: StorageReads, parts: AuthorityParts) {
    this.#reads = reads
    this.#parts = parts
  }

  /** Returns the same authority with `reads` as its source of attributes. */
  over(reads: StorageReads): Authority {
    return reads === this.#reads ? this : new Authority(reads, this.#parts)
  }

  decide(caller: Caller, action: string, resource: Resource): Decision | Promise<Decision> {
    const { onDecision } = this.#parts
    if (!lacksAny(caller, resource)) return decideInLayers(caller, action, resource, onDecision)
    return this.#withAttributes(caller, resource).then((full) => decideInLayers(caller, action, full, onDecision))
  }

  /** Returns the same decision with its reasons, which takes many times as long. */
  async explain(caller: Caller, action: string, resource: Resource): Promise<Explanation> {
    const full = lacksAny(caller, resource) ? await this.#withAttributes(caller, resource) : resource
    return explainInLayers(this.#parts.policy, caller, action, full)
  }

  /** Returns the access details of a resource. They are cached and shared, so they are frozen. */
  accessOf(caller: Caller, resource: Resource): AccessDetails | Promise<AccessDetails> {
    if (!lacksAny(caller, resource)) return this.#cachedAccess(caller, resource)
    return this.#withAttributes(caller, resource).then((full) => this.#cachedAccess(caller, full))
  }

  #withAttributes(caller: Caller, resource: Resource): Promise<Resource> {
    return readAttributes(this.#reads, this.#parts.sources, caller, resource)
  }

  #cachedAccess(caller: Caller, resource: Resource): AccessDetails {
    const cache = this.#parts.cache.get(caller.layers) ?? this.#newCache(caller)
    return this.#accessByKinds(cache, caller, resource) ?? cache.byAddress.accessOf(caller, resource)
  }

  #newCache({ layers }: Caller): AccessCache {
    const cache: AccessCache = { byKinds: new ByKinds(), byAddress: new AccessByAddress(this.#parts.policy) }
    this.#parts.cache.set(layers, cache)
    return cache
  }

  #accessByKinds({ byKinds }: AccessCache, caller: Caller, resource: Resource): AccessDetails | null {
    const known = byKinds.get(resource)
    if (known !== undefined) return known
    const { policy } = this.#parts
    const actions = policy.vocabulary.actionsOf(resource.at(-1)?.kind ?? '')
    const areAlike = caller.layers.every((layer) => actions.every((action) => decidesByKinds(layer, action, resource)))
    const access = areAlike ? deepFreeze(accessInLayers(policy, caller, resource)) : null
    byKinds.set(resource, access)
    return access
  }
}

/** The reads of a call, and the authority that decides on the basis of these reads. */
export interface StorageView {
  readonly reader: Reader
  readonly authority: Authority
  /** Undefined, or without rows, where reads see more than what is stored, such as uncommitted changes. */
  readonly joined?: JoinedLists
}

/** Returns a view over other reads, without joined lists. */
export function viewOver({ authority }: Pick<StorageView, 'authority'>, reads: StorageReads): StorageView {
  return { reader: new StorageReader(reads), authority: authority.over(reads) }
}

/**
 * Decides whether a policy selects a change of a unit of work, from the documents that the unit writes and from stored
 * documents.
 */
export type PolicySelection = (written: readonly WrittenDocument[]) => ChangeSelector

/**
 * Creates the selection for an account. A policy without a caller is evaluated as if it were the only layer of a
 * caller.
 */
export function policySelection(authority: Authority): PolicySelection {
  return (written) => {
    const byAddress = new Map<string, WrittenDocument[]>()
    for (const document of written) {
      const address = addressOf(document.collection.resource(document.keys, document.after ?? document.before))
      byAddress.set(address, [...(byAddress.get(address) ?? []), document])
    }
    return async (policy, { actions, resource }) => {
      const caller = callerWith(policy)
      const documents = byAddress.get(resource)
      const states = documents?.flatMap((document) => statesOf(caller, document)) ?? [parseAddress(resource) ?? []]
      for (const action of actions) {
        for (const state of states) if ((await authority.decide(caller, action, state)).allowed) return true
      }
      return false
    }
  }
}

/** Returns a document as a resource before and after the change, omitting a state in which it did not exist. */
function statesOf(caller: Caller, { collection, keys, before, after }: WrittenDocument): Resource[] {
  return [before, after].flatMap((document) => (document ? [resourceOf(caller, collection, keys, document)] : []))
}

function callerWith(policy: CompiledPolicy): Caller {
  const anonymous = { memberId: undefined, tokenId: undefined, grants: [], standing: undefined, roleAttributes: {} }
  return { id: 'system/selection', layers: [policy], ...anonymous }
}

function lacksAny(caller: Caller, resource: Resource): boolean {
  for (const level of resource) if (lacksAttributes(caller.layers, level)) return true
  return false
}

/** Returns true when decisions for the caller need attributes of a kind. */
function needsAttributesOf(caller: Caller, kind: string): boolean {
  for (const layer of caller.layers) if (layer.needs.has(kind)) return true
  return false
}

function decideInLayers(
  caller: Caller,
  action: string,
  resource: Resource,
  onDecision: ((decision: Decision) => void) | undefined,
): Decision {
  let last: Decision = { allowed: false }
  for (const layer of caller.layers) {
    last = decide(layer, action, resource)
    onDecision?.(last)
    if (!last.allowed) return last
  }
  return last
}

/**
 * Returns a stored document as the resource that policies name, with the attributes that the document has.
 *
 * @param document undefined when it does not exist.
 */
export function resourceOf<T extends Versioned, A extends string>(
  caller: Caller,
  collection: Documents<T, A>,
  keys: Keys<A>,
  document: T | undefined,
): Resource {
  const resource = collection.resource(keys, document)
  const last = resource[resource.length - 1] as ResourceLevel
  // A document of version 0 is a default that is not stored: it has no attributes of its own.
  if (!document || document.version === 0 || !collection.attributes || !needsAttributesOf(caller, last.kind))
    return resource
  const full = resource.slice()
  full[full.length - 1] = withAttributesOf(last, collection, document)
  return full
}
