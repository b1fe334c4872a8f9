import type { Caller } from '../../operation/caller.ts'
import type { Resource, ResourceLevel } from '../../rules/address.ts'
import { deepFreeze } from '../../rules/deep-freeze.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import type { AccessDetails } from '../../rules/policy/access-details.ts'
import { type CompiledPolicy, type Decision, decidesByKinds } from '../../rules/policy/policy.ts'
import type { PolicyRules } from '../../rules/policy/policy-rules.ts'

/** Cached access details that were computed with one set of policies. */
interface CachedDetails {
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

/** Maximum number of resources whose access details are cached for one set of policies. */
const maxCachedAccess = 2000

/** The access details of callers, cached for each set of policies. They are shared, so they are frozen. */
export class AccessCache {
  readonly #policy: PolicyRules
  readonly #byLayers = new WeakMap<readonly CompiledPolicy[], CachedDetails>()

  constructor(policy: PolicyRules) {
    this.#policy = policy
  }

  /** Returns the access details of a resource that has all attributes which policies of the caller test. */
  accessOf(caller: Caller, resource: Resource): AccessDetails {
    const cache = this.#byLayers.get(caller.layers) ?? this.#newCache(caller)
    return this.#accessByKinds(cache, caller, resource) ?? this.#accessByAddress(cache, caller, resource)
  }

  #newCache({ layers }: Caller): CachedDetails {
    const cache: CachedDetails = {
      byKinds: new Map(),
      byAddress: new Map(),
      byDecisions: new Map(),
      numbers: new Map(),
    }
    this.#byLayers.set(layers, cache)
    return cache
  }

  #accessByKinds({ byKinds }: CachedDetails, caller: Caller, resource: Resource): AccessDetails | undefined {
    const policy = this.#policy
    const kinds = kindsOf(resource)
    const known = byKinds.get(kinds)
    if (known || byKinds.has(kinds)) return known
    const actions = policy.vocabulary.actionsOf(resource.at(-1)?.kind ?? '')
    const areAlike = caller.layers.every((layer) => actions.every((action) => decidesByKinds(layer, action, resource)))
    const access = areAlike ? deepFreeze(accessInLayers(policy, caller, resource)) : undefined
    byKinds.set(kinds, access)
    return access
  }

  #accessByAddress(present: CachedDetails, caller: Caller, resource: Resource): AccessDetails {
    const key = cacheKeyOf(resource)
    const cached = present.byAddress.get(key)
    if (cached && haveSameAttributes(cached.resource, resource)) return cached.access
    const cache = present.byAddress.size >= maxCachedAccess ? this.#newCache(caller) : present
    const access = sharedAccess(cache, this.#policy, caller, resource)
    cache.byAddress.set(key, { resource, access })
    return access
  }
}

/** Returns the access details of a resource, as one object for all resources of a kind with the same decisions. */
function sharedAccess(
  { byDecisions, numbers }: Pick<CachedDetails, 'byDecisions' | 'numbers'>,
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
