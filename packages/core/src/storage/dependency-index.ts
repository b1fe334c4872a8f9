import { type DocumentId, isUnder, type ListQuery, type SeriesId, type SetId, type TouchedRecords } from './port.ts'

/**
 * A record or list from which a cached value was made, as one text: a kind, a name, a scope and, for a document, its
 * key. A newline separates the parts, because names and scopes do not contain newlines.
 */
export type Dependency = string

export function documentDependency({ collection, scope, key }: DocumentId): Dependency {
  return `document\n${collection}\n${scope}\n${key}`
}

/** Returns the dependency on the documents of a list: on which documents exist, and on their content. */
export function listDependency({
  collection,
  scope,
  deep,
}: Pick<ListQuery, 'collection' | 'scope' | 'deep'>): Dependency {
  return `${deep ? 'deep' : 'list'}\n${collection}\n${scope}`
}

export function keySetDependency({ name, scope }: SetId): Dependency {
  return `keys\n${name}\n${scope}`
}

export function samplesDependency({ name, scope }: SeriesId): Dependency {
  return `samples\n${name}\n${scope}`
}

/** A change of a whole scope, or of one collection in it, that does not list each document. */
export type TouchedScope = Extract<TouchedRecords, { readonly kind: 'collection' | 'scope' }>

/** Returns the dependencies that a change of one record invalidates. */
export function affectedBy(touched: Exclude<TouchedRecords, TouchedScope>): readonly Dependency[] {
  switch (touched.kind) {
    case 'document': {
      const { collection, scope } = touched.id
      const deep = scopesAbove(scope).map((above) => listDependency({ collection, scope: above, deep: true }))
      return [documentDependency(touched.id), listDependency({ collection, scope }), ...deep]
    }
    case 'keys':
      return [keySetDependency(touched.set)]
    case 'samples':
      return [samplesDependency(touched.series)]
    case 'tasks':
      // A reader cannot depend on tasks.
      return []
  }
}

/** A value, or a tracker of its dependencies, that is notified of changes. */
export interface Dependent {
  /**
   * Called when a dependency changes.
   *
   * @param changed the changed document; undefined for a change of several documents, or of other records.
   */
  invalidate(changed?: DocumentId): void
}

/** Decides how long a cache keeps a value. */
export interface CacheTracker {
  /** True when the value must no longer be used. */
  readonly stale: boolean
  /** Sets the function that is called once, synchronously, when the value becomes stale. */
  onStale(drop: () => void): void
  /** Stops tracking. Safe to call twice. */
  stop(): void
}

/** Collects the dependencies of a value from its first read on. */
export interface DependencyTracker extends Dependent, CacheTracker {
  /**
   * Adds a dependency. Called before the dependency is read, so that a change that arrives during the read is not
   * missed.
   */
  add(dependency: Dependency): void
  /** Marks the value as stale: it is valid for the current call only. */
  invalidate(): void
}

/** The dependents of each dependency. A dependency nearly always has one dependent; then no set is allocated. */
type Bucket = Map<Dependency, Dependent | Set<Dependent>>

/** A scope of a dependency, or an ancestor of such a scope. */
interface ScopeNode {
  readonly scope: string
  readonly parent: ScopeNode | undefined
  readonly children: Set<ScopeNode>
  /** Buckets by collection; deep lists, sets and series have bucket names of their own. */
  readonly buckets: Map<string, Bucket>
}

/**
 * Finds the dependents that a change invalidates.
 *
 * It is a tree of scopes, with a second index by collection, so that a change of a scope, or of one collection in it,
 * visits only the nodes under that scope. For example, the deletion of one flag clears three scopes, while tens of
 * thousands of flags may be cached.
 */
export class DependencyIndex {
  readonly #nodes = new Map<string, ScopeNode>()
  /** The nodes that have a bucket of a name. */
  readonly #nodesByName = new Map<string, Set<ScopeNode>>()

  isEmpty(): boolean {
    return this.#nodes.size === 0
  }

  add(dependency: Dependency, dependent: Dependent): void {
    const { name, scope } = locationOf(dependency)
    const bucket = this.#bucketOf(name, this.#nodeAt(scope))
    const existing = bucket.get(dependency)
    if (existing instanceof Set) existing.add(dependent)
    else bucket.set(dependency, existing ? new Set([existing, dependent]) : dependent)
  }

  remove(dependency: Dependency, dependent: Dependent): void {
    const { name, scope } = locationOf(dependency)
    const node = this.#nodes.get(scope)
    const bucket = node?.buckets.get(name)
    const existing = bucket?.get(dependency)
    if (!node || !bucket || !existing) return
    if (existing instanceof Set) {
      existing.delete(dependent)
      if (existing.size > 0) return
    } else if (existing !== dependent) return
    bucket.delete(dependency)
    if (bucket.size === 0) this.#removeBucket(name, node)
  }

  /**
   * Invalidates the dependents of one dependency.
   *
   * @param changed the changed document, when the change concerns one document.
   */
  invalidate(dependency: Dependency, changed?: DocumentId): void {
    const { name, scope } = locationOf(dependency)
    invalidateEach(this.#nodes.get(scope)?.buckets.get(name)?.get(dependency), changed)
  }

  /** Invalidates the dependents that a change of a whole scope, or of one collection in it, affects. */
  invalidateWithin(touched: TouchedScope): void {
    this.#invalidateDeepListsAbove(touched)
    if (touched.kind === 'scope') {
      const node = this.#nodes.get(touched.scope)
      if (node) invalidateNode(node)
      return
    }
    for (const name of [touched.collection, deepName(touched.collection)]) {
      for (const node of this.#nodesByName.get(name) ?? []) {
        if (isUnder(node.scope, touched.scope)) invalidateBucket(node.buckets.get(name))
      }
    }
  }

  invalidateAll(): void {
    const root = this.#nodes.get('')
    if (root) invalidateNode(root)
  }

  #nodeAt(scope: string): ScopeNode {
    let node = this.#nodes.get(scope)
    if (!node) {
      const parent = scope === '' ? undefined : this.#nodeAt(parentScope(scope))
      this.#nodes.set(scope, (node = { scope, parent, children: new Set(), buckets: new Map() }))
      parent?.children.add(node)
    }
    return node
  }

  #bucketOf(name: string, node: ScopeNode): Bucket {
    let bucket = node.buckets.get(name)
    if (!bucket) {
      node.buckets.set(name, (bucket = new Map()))
      const nodes = this.#nodesByName.get(name)
      if (nodes) nodes.add(node)
      else this.#nodesByName.set(name, new Set([node]))
    }
    return bucket
  }

  #removeBucket(name: string, node: ScopeNode): void {
    node.buckets.delete(name)
    const nodes = this.#nodesByName.get(name)
    nodes?.delete(node)
    if (nodes?.size === 0) this.#nodesByName.delete(name)
    for (let empty: ScopeNode | undefined = node; empty; empty = empty.parent) {
      if (empty.buckets.size > 0 || empty.children.size > 0) return
      this.#nodes.delete(empty.scope)
      empty.parent?.children.delete(empty)
    }
  }

  /** Invalidates the deep lists of all scopes above, because they depend on everything under them. */
  #invalidateDeepListsAbove(touched: TouchedScope): void {
    for (let { scope } = touched; scope !== ''; ) {
      scope = parentScope(scope)
      const buckets = this.#nodes.get(scope)?.buckets
      if (touched.kind === 'collection') invalidateBucket(buckets?.get(deepName(touched.collection)))
      else for (const [name, bucket] of buckets ?? []) if (isDeepName(name)) invalidateBucket(bucket)
    }
  }
}

function invalidateNode(node: ScopeNode): void {
  for (const bucket of node.buckets.values()) invalidateBucket(bucket)
  for (const child of node.children) invalidateNode(child)
}

function invalidateBucket(bucket: Bucket | undefined): void {
  for (const dependents of bucket?.values() ?? []) invalidateEach(dependents)
}

function invalidateEach(dependents: Dependent | Set<Dependent> | undefined, changed?: DocumentId): void {
  if (dependents instanceof Set) for (const dependent of dependents) dependent.invalidate(changed)
  else dependents?.invalidate(changed)
}

/** Returns the scope of a dependency, and the name of its bucket there. */
function locationOf(dependency: Dependency): { readonly name: string; readonly scope: string } {
  // Uses `indexOf` instead of `split` for speed, because this runs for every read.
  const nameStart = dependency.indexOf('\n') + 1
  const nameEnd = dependency.indexOf('\n', nameStart)
  const scopeEnd = dependency.indexOf('\n', nameEnd + 1)
  // Documents and lists of a collection share its bucket; all others keep their kind in the name.
  const isOfCollection = dependency.startsWith('document\n') || dependency.startsWith('list\n')
  return {
    name: dependency.slice(isOfCollection ? nameStart : 0, nameEnd),
    scope: dependency.slice(nameEnd + 1, scopeEnd < 0 ? undefined : scopeEnd),
  }
}

function deepName(collection: string): string {
  return `deep\n${collection}`
}

function isDeepName(name: string): boolean {
  return name.startsWith('deep\n')
}

function parentScope(scope: string): string {
  return scope.slice(0, Math.max(0, scope.lastIndexOf(':')))
}

/** Returns a scope and every scope above it, up to the scope of the account, which is the empty string. */
function scopesAbove(scope: string): string[] {
  const scopes = [scope]
  for (let above = scope; above !== ''; ) scopes.push((above = parentScope(above)))
  return scopes
}
