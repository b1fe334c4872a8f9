import type { Caller } from '../operation/caller.ts'
import type { Resource, ResourceLevel } from '../rules/address.ts'
import { deepFreeze } from '../rules/deep-freeze.ts'
import { jsonEqual } from '../rules/json-equal.ts'
import type { AccessDetails } from '../rules/policy/access-details.ts'
import type { Explanation } from '../rules/policy/explain.ts'
import { type CompiledPolicy, type Decision, decide } from '../rules/policy/policy.ts'
import type { PolicyRules } from '../rules/policy/policy-rules.ts'
import type { Documents, Keys, Versioned } from '../storage/collection.ts'
import type { DocumentId } from '../storage/port.ts'
import type { StorageReads } from '../storage/reads.ts'
import { explainInLayers } from './explain-layers.ts'

/**
 * Decides what callers may do; the only place that asks a policy. Answers at once unless a policy asks for attributes
 * that have to be looked up first: a promise for every question would cost more than the question.
 */
export interface Authority {
  decide(caller: Caller, action: string, resource: Resource): Decision | Promise<Decision>
  /** The same decision with its reasons: for whoever asks why, since it costs many times as much. */
  explain(caller: Caller, action: string, resource: Resource): Promise<Explanation>
  /** The answer is kept and handed out again, so it is frozen. */
  accessOf(caller: Caller, resource: Resource): AccessDetails | Promise<AccessDetails>
  /** The same authority, which looks things up by these reads. */
  seeing(reads: StorageReads): Authority
}

/** Answers about `_access` under one set of policies. */
interface Details {
  /** By what they are about. */
  readonly places: Map<string, Remembered>
  /** By their text: most things of a kind have the same, which is ten times as large as the things themselves. */
  readonly texts: Map<string, AccessDetails>
}

/** An answer about `_access`, and what it was made from. */
interface Remembered {
  readonly resource: Resource
  readonly access: AccessDetails
}

/** Views of one thing that policies are told of. */
const mostViews = 1000

/** Things whose `_access` is remembered for one set of policies. */
const mostRemembered = 2000

/**
 * Makes the authority over an account.
 *
 * @param collections those whose documents have attributes that policies ask for, found by the last kind of their
 *   address.
 * @param decided told of every decision, one for each layer that was asked.
 */
export function authority(
  reads: StorageReads,
  policy: PolicyRules,
  collections: readonly Documents<Versioned>[],
  decided?: (decision: Decision) => void,
): Authority {
  const sources = new Map<string, Documents<Versioned>>()
  for (const one of collections) if (one.attributes) sources.set(one.address.kinds.at(-1) as string, one)
  const details = new WeakMap<readonly CompiledPolicy[], Details>()
  return seeing(reads)

  /** Fills in what policies ask for and the levels do not carry yet: one question to storage, however many levels. */
  async function withAttributes(reads: StorageReads, caller: Caller, resource: Resource): Promise<Resource> {
    const asked: { readonly depth: number; readonly source: Documents<Versioned> }[] = []
    const ids: DocumentId[] = []
    for (let depth = 0; depth < resource.length; depth++) {
      const level = resource[depth] as ResourceLevel
      const source = isLacking(caller, level) ? sources.get(level.kind) : undefined
      const id = source && documentIdOf(source, resource, depth)
      if (!id) continue
      asked.push({ depth, source })
      ids.push(id)
    }
    if (ids.length === 0) return resource
    const [found, views] = await Promise.all([
      reads.getMany(ids),
      Promise.all(asked.map(({ depth, source }) => viewsOf(reads, caller, resource, depth, source))),
    ])
    const full = resource.slice()
    for (let i = 0; i < asked.length; i++) {
      const { depth, source } = asked[i] as (typeof asked)[number]
      const document = found[i]
      if (!document) continue
      const level = described(resource[depth] as ResourceLevel, source, document.body as Versioned)
      full[depth] = views[i] ? { ...level, views: views[i] } : level
    }
    return full
  }

  /** Keys of the views that a thing is linked to, where policies of the caller ask for them. */
  async function viewsOf(
    reads: StorageReads,
    caller: Caller,
    resource: Resource,
    depth: number,
    { views, address }: Documents<Versioned>,
  ): Promise<readonly string[] | undefined> {
    const { kind } = resource[depth] as ResourceLevel
    if (!views || !caller.layers.some((layer) => layer.needs.get(kind)?.views)) return undefined
    const scope = address.address(keysOf(address, resource, depth))
    const { items } = await reads.list({ collection: views.name, scope, limit: mostViews, select: 'fields' })
    return items.map(({ key }) => key)
  }

  function rememberedAccess(caller: Caller, resource: Resource): AccessDetails {
    const place = placeOf(resource)
    let known = details.get(caller.layers)
    const remembered = known?.places.get(place)
    if (remembered && haveSameAttributes(remembered.resource, resource)) return remembered.access
    if (!known || known.places.size >= mostRemembered) {
      details.set(caller.layers, (known = { places: new Map(), texts: new Map() }))
    }
    const access = shared(known.texts, accessInLayers(policy, caller, resource))
    known.places.set(place, { resource, access })
    return access
  }

  function seeing(reads: StorageReads): Authority {
    return {
      decide(caller, action, resource) {
        if (!lacksAny(caller, resource)) return decideInLayers(caller, action, resource, decided)
        return withAttributes(reads, caller, resource).then((full) => decideInLayers(caller, action, full, decided))
      },
      async explain(caller, action, resource) {
        const full = lacksAny(caller, resource) ? await withAttributes(reads, caller, resource) : resource
        return explainInLayers(policy, caller, action, full)
      },
      accessOf(caller, resource) {
        if (!lacksAny(caller, resource)) return rememberedAccess(caller, resource)
        return withAttributes(reads, caller, resource).then((full) => rememberedAccess(caller, full))
      },
      seeing,
    }
  }
}

function shared(texts: Details['texts'], made: AccessDetails): AccessDetails {
  const text = JSON.stringify(made)
  let access = texts.get(text)
  if (!access) texts.set(text, (access = deepFreeze(made)))
  return access
}

function lacksAny(caller: Caller, resource: Resource): boolean {
  for (const level of resource) if (isLacking(caller, level)) return true
  return false
}

/** Whether decisions for the caller may look at an attribute that the level does not carry yet. */
function isLacking(caller: Caller, level: ResourceLevel): boolean {
  for (const layer of caller.layers) if (lacks(layer, level)) return true
  return false
}

function lacks(policy: CompiledPolicy, level: ResourceLevel): boolean {
  const needs = policy.needs.get(level.kind)
  if (!needs) return false
  return (needs.tags && !level.tags) || (needs.properties && !level.properties) || (needs.views && !level.views)
}

/** Where the document of a level is, unless the level stands for many things. */
function documentIdOf(source: Documents<Versioned>, resource: Resource, depth: number): DocumentId | undefined {
  const keys = keysOf(source.address, resource, depth)
  return Object.values(keys).includes('*') ? undefined : source.id(keys)
}

/** The values of an address's parameters in the levels of a resource, as far as `depth`. */
function keysOf({ kinds, parameters }: Documents<Versioned>['address'], resource: Resource, depth: number) {
  const keys: Record<string, string> = {}
  for (let i = 0; i <= depth; i++) {
    const { kind, key } = resource[i] as ResourceLevel
    const parameter = parameters[kinds.indexOf(kind)]
    if (parameter !== undefined) keys[parameter] = key
  }
  return keys
}

/** An address, quicker than `addressOf`: it is compared and never read, and a newline stands in no key. */
function placeOf(resource: Resource): string {
  let place = ''
  for (const { kind, key } of resource) place += `${kind}/${key}\n`
  return place
}

/** Whether two resources at one place are the same to a policy. */
function haveSameAttributes(a: Resource, b: Resource): boolean {
  for (let i = 0; i < a.length; i++) {
    const { tags, properties, views } = a[i] as ResourceLevel
    const other = b[i] as ResourceLevel
    if (!jsonEqual(tags, other.tags) || !jsonEqual(properties, other.properties)) return false
    if (!jsonEqual(views, other.views)) return false
  }
  return true
}

/** Whether decisions for the caller look at attributes of a kind. */
function asksAbout(caller: Caller, kind: string): boolean {
  for (const layer of caller.layers) if (layer.needs.has(kind)) return true
  return false
}

function decideInLayers(
  caller: Caller,
  action: string,
  resource: Resource,
  decided: ((decision: Decision) => void) | undefined,
): Decision {
  let last: Decision = { allowed: false }
  for (const layer of caller.layers) {
    last = decide(layer, action, resource)
    decided?.(last)
    if (!last.allowed) return last
  }
  return last
}

/** An action is allowed when every layer allows it; a denial gives the reason of the first layer that denies. */
function accessInLayers({ accessOf }: PolicyRules, caller: Caller, resource: Resource): AccessDetails {
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

/**
 * What policies call a stored thing, with what the document at hand already says about it.
 *
 * @param document left out when there is none, or none yet.
 */
export function resourceOf<T extends Versioned, A extends string>(
  caller: Caller,
  collection: Documents<T, A>,
  keys: Keys<A>,
  document: T | undefined,
): Resource {
  const resource = collection.resource(keys, document)
  const last = resource[resource.length - 1] as ResourceLevel
  // A document of version 0 is a default that nobody stored: it says nothing about the thing.
  if (!document || document.version === 0 || !collection.attributes || !asksAbout(caller, last.kind)) return resource
  const full = resource.slice()
  full[full.length - 1] = described(last, collection, document)
  return full
}

/** A level with what its document says of it. Written out, as all levels then have one shape and are quick to read. */
function described<T extends Versioned>(
  { kind, key }: ResourceLevel,
  collection: Pick<Documents<T>, 'attributes'>,
  document: T,
): ResourceLevel {
  const { tags, properties, views } = collection.attributes?.(document) ?? {}
  return { kind, key, tags, properties, views }
}
