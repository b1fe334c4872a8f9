import type { ChangeSelector } from '../../operation/audience.ts'
import type { Caller } from '../../operation/caller.ts'
import { addressOf, parseAddress, type Resource, type ResourceLevel } from '../../rules/address.ts'
import { deepFreeze } from '../../rules/deep-freeze.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import type { AccessDetails } from '../../rules/policy/access-details.ts'
import type { Explanation } from '../../rules/policy/explain.ts'
import { type CompiledPolicy, type Decision, decide, decidesByKinds } from '../../rules/policy/policy.ts'
import type { PolicyRules } from '../../rules/policy/policy-rules.ts'
import type { WrittenDocument } from '../../storage/changed-document.ts'
import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { DocumentId } from '../../storage/port.ts'
import { type Reader, StorageReader } from '../../storage/reader.ts'
import type { StorageReads } from '../../storage/reads.ts'
import { explainInLayers } from './explain-layers.ts'

/** Cached access details that were computed with one set of policies. */
interface AccessCache {
  /**
   * By the kinds of the resource, where its keys and attributes do not matter, as for an administrator; undefined where
   * they do.
   */
  readonly byKinds: Map<string, AccessDetails | undefined>
  /** The details by the address of the resource. */
  readonly byAddress: Map<string, CachedAccess>
  /**
   * By the decisions that they consist of: most resources of a kind have the same details, which are ten times as large
   * as the resource itself and take ten times as long to make as the decisions.
   */
  readonly byDecisions: Map<string, AccessDetails>
  /** A number for each decision, by which details are found. */
  readonly numbers: Map<Decision, number>
}

/** Access details, and the resource that they were computed from. */
interface CachedAccess {
  readonly resource: Resource
  readonly access: AccessDetails
}

/** Maximum number of views of one resource that decisions consider. */
const maxViews = 1000

/** Maximum number of resources whose access details are cached for one set of policies. */
const maxCachedAccess = 2000

/** Values that the authorities over different reads of one account have in common. */
interface AuthorityParts {
  readonly policy: PolicyRules
  /** The collections whose documents have attributes that policies test, by the last kind of their address. */
  readonly sources: ReadonlyMap<string, Documents<Versioned>>
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
 * policy tests attributes that have to be read first: a promise for every decision would cost more than the decision.
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

  /** Adds the attributes that policies test and the levels lack: one request to the storage for all levels. */
  async #withAttributes(caller: Caller, resource: Resource): Promise<Resource> {
    const lacking: { readonly depth: number; readonly source: Documents<Versioned> }[] = []
    const ids: DocumentId[] = []
    for (let depth = 0; depth < resource.length; depth++) {
      const level = resource[depth] as ResourceLevel
      const source = isLacking(caller, level) ? this.#parts.sources.get(level.kind) : undefined
      const id = source && documentIdOf(source, resource, depth)
      if (!id) continue
      lacking.push({ depth, source })
      ids.push(id)
    }
    if (ids.length === 0) return resource
    const [documents, views] = await Promise.all([
      this.#reads.getMany(ids),
      Promise.all(lacking.map(({ depth, source }) => this.#viewsOf(caller, resource, depth, source))),
    ])
    const full = resource.slice()
    for (const [i, { depth, source }] of lacking.entries()) {
      const document = documents[i]
      if (!document) continue
      const level = withAttributesOf(resource[depth] as ResourceLevel, source, document.body as Versioned)
      full[depth] = views[i] ? { ...level, views: views[i] } : level
    }
    return full
  }

  /** Reads the keys of the views that a resource is linked to, if policies of the caller test them. */
  async #viewsOf(
    caller: Caller,
    resource: Resource,
    depth: number,
    { views, address }: Documents<Versioned>,
  ): Promise<readonly string[] | undefined> {
    const { kind } = resource[depth] as ResourceLevel
    if (!views || !caller.layers.some((layer) => layer.needs.get(kind)?.views)) return undefined
    const scope = address.address(keysOf(address, resource, depth))
    const { items } = await this.#reads.list({ collection: views.name, scope, limit: maxViews, select: 'fields' })
    return items.map(({ key }) => key)
  }

  #cachedAccess(caller: Caller, resource: Resource): AccessDetails {
    const cache = this.#parts.cache.get(caller.layers) ?? this.#newCache(caller)
    return this.#accessByKinds(cache, caller, resource) ?? this.#accessByAddress(cache, caller, resource)
  }

  #newCache({ layers }: Caller): AccessCache {
    const cache: AccessCache = { byKinds: new Map(), byAddress: new Map(), byDecisions: new Map(), numbers: new Map() }
    this.#parts.cache.set(layers, cache)
    return cache
  }

  #accessByKinds({ byKinds }: AccessCache, caller: Caller, resource: Resource): AccessDetails | undefined {
    const { policy } = this.#parts
    const kinds = kindsOf(resource)
    const known = byKinds.get(kinds)
    if (known || byKinds.has(kinds)) return known
    const actions = policy.vocabulary.actionsOf(resource.at(-1)?.kind ?? '')
    const areAlike = caller.layers.every((layer) => actions.every((action) => decidesByKinds(layer, action, resource)))
    const access = areAlike ? deepFreeze(accessInLayers(policy, caller, resource)) : undefined
    byKinds.set(kinds, access)
    return access
  }

  #accessByAddress(present: AccessCache, caller: Caller, resource: Resource): AccessDetails {
    const key = cacheKeyOf(resource)
    const cached = present.byAddress.get(key)
    if (cached && haveSameAttributes(cached.resource, resource)) return cached.access
    const cache = present.byAddress.size >= maxCachedAccess ? this.#newCache(caller) : present
    const access = sharedAccess(cache, this.#parts.policy, caller, resource)
    cache.byAddress.set(key, { resource, access })
    return access
  }
}

/** The reads of a call, and the decisions that are made on them. */
export interface StorageView {
  readonly reader: Reader
  readonly authority: Authority
}

/** Returns a view over other reads. */
export function viewOver({ authority }: Pick<StorageView, 'authority'>, reads: StorageReads): StorageView {
  return { reader: new StorageReader(reads), authority: authority.over(reads) }
}

/**
 * Decides whether a policy selects a change of a unit of work, from the documents that it writes and those that are
 * stored.
 */
export type PolicySelection = (written: readonly WrittenDocument[]) => ChangeSelector

/**
 * Creates the selection for an account: a policy without a caller is decided as the only layer of a caller would be.
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

/** Returns the access details of a resource, as one object for all resources of a kind with the same decisions. */
function sharedAccess(
  { byDecisions, numbers }: Pick<AccessCache, 'byDecisions' | 'numbers'>,
  policy: PolicyRules,
  caller: Caller,
  resource: Resource,
): AccessDetails {
  let key = resource.at(-1)?.kind ?? ''
  for (const layer of caller.layers) {
    for (const decision of policy.decisionsOf(layer, resource)) {
      let number = numbers.get(decision)
      if (number === undefined) numbers.set(decision, (number = numbers.size))
      key += ` ${number}`
    }
  }
  let access = byDecisions.get(key)
  if (!access) byDecisions.set(key, (access = deepFreeze(accessInLayers(policy, caller, resource))))
  return access
}

function lacksAny(caller: Caller, resource: Resource): boolean {
  for (const level of resource) if (isLacking(caller, level)) return true
  return false
}

/** Returns true when a decision for the caller may need an attribute that the level lacks. */
function isLacking(caller: Caller, level: ResourceLevel): boolean {
  for (const layer of caller.layers) if (lacks(layer, level)) return true
  return false
}

function lacks(policy: CompiledPolicy, level: ResourceLevel): boolean {
  const needs = policy.needs.get(level.kind)
  if (!needs) return false
  return (needs.tags && !level.tags) || (needs.properties && !level.properties) || (needs.views && !level.views)
}

/** Returns the id of the document of a level; undefined when the level stands for many. */
function documentIdOf(source: Documents<Versioned>, resource: Resource, depth: number): DocumentId | undefined {
  const keys = keysOf(source.address, resource, depth)
  return Object.values(keys).includes('*') ? undefined : source.id(keys)
}

/** Returns the values of an address's parameters in the levels of a resource, up to `depth`. */
function keysOf({ kinds, parameters }: Documents<Versioned>['address'], resource: Resource, depth: number) {
  const keys: Record<string, string> = {}
  for (let i = 0; i <= depth; i++) {
    const { kind, key } = resource[i] as ResourceLevel
    const parameter = parameters[kinds.indexOf(kind)]
    if (parameter !== undefined) keys[parameter] = key
  }
  return keys
}

function kindsOf(resource: Resource): string {
  let text = ''
  for (const { kind } of resource) text += `${kind}:`
  return text
}

/**
 * Returns a text that identifies an address, faster than `addressOf`: it is only compared, and no key contains a
 * newline.
 */
function cacheKeyOf(resource: Resource): string {
  let text = ''
  for (const { kind, key } of resource) text += `${kind}/${key}\n`
  return text
}

/** Returns true when policies cannot distinguish two resources at one address. */
function haveSameAttributes(a: Resource, b: Resource): boolean {
  for (let i = 0; i < a.length; i++) {
    const { tags, properties, views } = a[i] as ResourceLevel
    const other = b[i] as ResourceLevel
    if (!isSame(tags, other.tags) || !isSame(properties, other.properties) || !isSame(views, other.views)) return false
  }
  return true
}

/** Usually both are undefined, or the same object. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || jsonEqual(a, b)
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
 * Combines the layers: an action is allowed when every layer allows it; a denial has the reason of the first layer that
 * denies it.
 */
function accessInLayers({ accessOf }: PolicyRules, caller: Caller, resource: Resource): AccessDetails {
  const [first, ...others] = caller.layers.map((layer) => accessOf(layer, resource))
  if (!first) return { allowed: [], denied: [] }
  return others.reduce((sum, next) => {
    const refused = next.denied.filter((entry) => sum.allowed.some(({ action }) => action === entry.action))
    const refusedActions = new Set(refused.map((entry) => entry.action))
    return {
      allowed: sum.allowed.filter((entry) => !refusedActions.has(entry.action)),
      denied: [...sum.denied, ...refused],
    }
  }, first)
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

/**
 * Returns a level with the attributes of its document. Every property is written out so that all levels have one object
 * shape.
 */
function withAttributesOf<T extends Versioned>(
  { kind, key }: ResourceLevel,
  collection: Pick<Documents<T>, 'attributes'>,
  document: T,
): ResourceLevel {
  const { tags, properties, views } = collection.attributes?.(document) ?? {}
  return { kind, key, tags, properties, views }
}
