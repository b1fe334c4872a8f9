import { LRUCache } from 'lru-cache'
import type { Caller } from '../operation/caller.ts'
import type { Resource, ResourceLevel } from '../rules/address.ts'
import { type AccessDetails, accessOf } from '../rules/policy/access-details.ts'
import { type CompiledPolicy, type Decision, decide } from '../rules/policy/policy.ts'
import type { Attributes, Documents, Versioned } from '../storage/collection.ts'
import type { AccountStorage } from '../storage/port.ts'

/** Decides what callers may do; the only place that asks a policy. */
export interface Authority {
  decide(caller: Caller, action: string, resource: Resource): Promise<Decision>
  accessOf(caller: Caller, resource: Resource): Promise<AccessDetails>
}

/**
 * Makes the authority over an account.
 *
 * @param collections those whose documents have attributes that policies ask for, found by the last kind of their address.
 */
export function authority(storage: AccountStorage, collections: readonly Documents<Versioned>[]): Authority {
  const sources = new Map<string, Documents<Versioned>>()
  for (const one of collections) if (one.attributes) sources.set(one.address.kinds.at(-1) as string, one)
  const details = new WeakMap<readonly CompiledPolicy[], LRUCache<string, AccessDetails>>()

  async function withAttributes(caller: Caller, resource: Resource): Promise<Resource> {
    if (!caller.layers.some((layer) => resource.some((level) => lacks(layer, level)))) return resource
    return Promise.all(
      resource.map(async (level, depth) => {
        if (!caller.layers.some((layer) => lacks(layer, level))) return level
        const source = sources.get(level.kind)
        const id = source && documentIdOf(source, resource.slice(0, depth + 1))
        const found = id && (await storage.get(id))
        return found ? { ...level, ...source.attributes?.(found.body as Versioned) } : level
      }),
    )
  }

  return {
    async decide(caller, action, resource) {
      return decideInLayers(caller, action, await withAttributes(caller, resource))
    },
    async accessOf(caller, resource) {
      const full = await withAttributes(caller, resource)
      let cache = details.get(caller.layers)
      if (!cache) details.set(caller.layers, (cache = new LRUCache({ max: 2000 })))
      const place = full.map(describeLevel).join(':')
      let known = cache.get(place)
      if (!known) cache.set(place, (known = accessInLayers(caller, full)))
      return known
    },
  }
}

/** Whether a policy may look at an attribute that the level does not carry yet. */
function lacks(policy: CompiledPolicy, level: ResourceLevel): boolean {
  const needs = policy.needs.get(level.kind)
  if (!needs) return false
  return (needs.tags && !level.tags) || (needs.properties && !level.properties) || (needs.views && !level.views)
}

function documentIdOf(source: Documents<Versioned>, resource: Resource) {
  const keys: Record<string, string> = {}
  source.address.kinds.forEach((kind, i) => {
    const parameter = source.address.parameters[i]
    const level = resource.find((one) => one.kind === kind)
    if (parameter && level) keys[parameter] = level.key
  })
  return Object.values(keys).includes('*') ? undefined : source.id(keys)
}

/** Everything a decision can depend on, so that equal texts have equal answers. */
function describeLevel(level: ResourceLevel): string {
  const { kind, key, tags, properties, views } = level
  if (!tags && !properties && !views) return `${kind}/${key}`
  return `${kind}/${key};${JSON.stringify([tags, properties, views])}`
}

function decideInLayers(caller: Caller, action: string, resource: Resource): Decision {
  let last: Decision = { allowed: false }
  for (const layer of caller.layers) {
    last = decide(layer, action, resource)
    if (!last.allowed) return last
  }
  return last
}

/** An action is allowed when every layer allows it; a denial gives the reason of the first layer that denies. */
function accessInLayers(caller: Caller, resource: Resource): AccessDetails {
  const [first, ...others] = caller.layers.map((layer) => accessOf(layer, resource))
  if (!first) return { allowed: [], denied: [] }
  return others.reduce((sum, next) => {
    const refused = next.denied.filter((entry) => sum.allowed.some((one) => one.action === entry.action))
    const lost = new Set(refused.map((entry) => entry.action))
    return {
      allowed: sum.allowed.filter((entry) => !lost.has(entry.action)),
      denied: [...sum.denied, ...refused],
    }
  }, first)
}

/** The levels of a thing with what a document at hand already says about the last of them. */
export function described(resource: Resource, attributes: Attributes | undefined): Resource {
  if (!attributes) return resource
  const last = resource.at(-1) as ResourceLevel
  return [...resource.slice(0, -1), { ...last, ...attributes }]
}
