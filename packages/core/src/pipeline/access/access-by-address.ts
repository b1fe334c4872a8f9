import type { Caller } from '../../operation/caller.ts'
import type { Resource, ResourceLevel } from '../../rules/address.ts'
import { deepFreeze } from '../../rules/deep-freeze.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import type { AccessDetails } from '../../rules/policy/access-details.ts'
import type { Decision } from '../../rules/policy/policy.ts'
import type { PolicyRules } from '../../rules/policy/policy-rules.ts'

/** Access details, and the resource from which they were computed. */
interface CachedAccess {
  readonly resource: Resource
  readonly access: AccessDetails
}

/** Maximum number of resources whose access details are cached for one set of policies. */
const maxCachedAccess = 2000

/** The access details of single resources, cached for one set of policies. */
export class AccessByAddress {
  readonly #policy: PolicyRules
  /** The details by the address of the resource. */
  readonly #byAddress = new Map<string, CachedAccess>()
  /**
   * Access details by the kind of a resource and its decisions. Most resources of a kind have the same access details.
   * The details are ten times as large as the resource, and making them takes ten times as long as making the
   * decisions.
   */
  readonly #byDecisions = new Map<string, AccessDetails>()
  /** A number for each decision. Access details are looked up by these numbers. */
  readonly #numbers = new Map<Decision, number>()

  constructor(policy: PolicyRules) {
    this.#policy = policy
  }

  /**
   * Returns the details of a resource. They are shared, so they are frozen.
   *
   * @param caller a caller. Its policies must be the same in each call.
   * @param resource has all attributes that the policies test.
   */
  accessOf(caller: Caller, resource: Resource): AccessDetails {
    const key = cacheKeyOf(resource)
    const cached = this.#byAddress.get(key)
    if (cached && haveSameAttributes(cached.resource, resource)) return cached.access
    if (this.#byAddress.size >= maxCachedAccess) this.#clear()
    const access = this.#sharedAccess(caller, resource)
    this.#byAddress.set(key, { resource, access })
    return access
  }

  /** Returns the same object for all resources of a kind with the same decisions. */
  #sharedAccess(caller: Caller, resource: Resource): AccessDetails {
    let key = resource.at(-1)?.kind ?? ''
    for (const layer of caller.layers) {
      for (const decision of this.#policy.decisionsOf(layer, resource)) {
        let number = this.#numbers.get(decision)
        if (number === undefined) this.#numbers.set(decision, (number = this.#numbers.size))
        key += ` ${number}`
      }
    }
    let access = this.#byDecisions.get(key)
    if (!access) this.#byDecisions.set(key, (access = deepFreeze(accessInLayers(this.#policy, caller, resource))))
    return access
  }

  #clear(): void {
    this.#byAddress.clear()
    this.#byDecisions.clear()
    this.#numbers.clear()
  }
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

/** Compares two JSON values. In most calls, both are undefined or the same object, so identity is checked first. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || jsonEqual(a, b)
}

/**
 * Computes the access details of a resource. An action is allowed when every layer allows it; a denial has the reason
 * of the first layer that denies it.
 */
export function accessInLayers({ accessOf }: PolicyRules, caller: Caller, resource: Resource): AccessDetails {
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
