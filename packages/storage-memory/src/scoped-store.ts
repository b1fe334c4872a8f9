import { Scopes } from './scopes.ts'

/** The functions with which `ScopedStore` handles the values that it stores. */
export interface LeafKind<Leaf> {
  create(): Leaf
  copy(leaf: Leaf): Leaf
  /** Number of entries that `clear` counts. */
  size(leaf: Leaf): number
}

/**
 * Stores values (a bucket of documents, a set, a series, a queue) by name and scope.
 *
 * The name is the first level, so that a deep list of one collection visits only the scopes in which the collection has
 * documents.
 */
export interface ScopedStore<Leaf> {
  find(name: string, scope: string): Leaf | undefined
  /**
   * Returns a value that the caller may change in place. Creates the value when it is missing, and copies it when a
   * fork shares it.
   */
  edit(name: string, scope: string): Leaf
  /** Returns the values of a name at and under a scope, in no particular order. */
  under(name: string, scope: string): Leaf[]
  /** Returns all values of a name with their scopes, in no particular order. */
  entriesOf(name: string): [scope: string, leaf: Leaf][]
  /** Returns all values, in no particular order. */
  all(): { readonly name: string; readonly scope: string; readonly leaf: Leaf }[]
  /**
   * Deletes all values at and under a scope and returns the number of their entries.
   *
   * @param onDelete receives each deleted value with its name.
   */
  clear(scope: string, onDelete?: (name: string, leaf: Leaf) => void): number
  /** Makes a copy-on-write copy of the store: a value is copied when either store first changes it. */
  fork(): ScopedStore<Leaf>
}

/**
 * Makes an empty store.
 *
 * @param kind creates, copies and counts values.
 * @param names initial content. The store changes the maps, but copies a value before it changes it.
 */
export function createScopedStore<Leaf extends object>(
  kind: LeafKind<Leaf>,
  names: Map<string, Scopes<Leaf>> = new Map(),
): ScopedStore<Leaf> {
  // Values that no fork shares. Only these may be changed in place.
  let ownLeaves = new WeakSet<Leaf>()

  const find = (name: string, scope: string) => names.get(name)?.get(scope)

  return {
    find,

    edit(name, scope) {
      const existing = find(name, scope)
      if (existing && ownLeaves.has(existing)) return existing
      const leaf = existing ? kind.copy(existing) : kind.create()
      ownLeaves.add(leaf)
      const scopes = names.get(name) ?? new Scopes()
      names.set(name, scopes)
      scopes.set(scope, leaf)
      return leaf
    },

    under: (name, ancestor) => (names.get(name)?.under(ancestor) ?? []).map(([, leaf]) => leaf),

    entriesOf: (name) => names.get(name)?.entries() ?? [],

    all: () => [...names].flatMap(([name, scopes]) => scopes.entries().map(([scope, leaf]) => ({ name, scope, leaf }))),

    clear(ancestor, onDelete) {
      let count = 0
      for (const [name, scopes] of names) {
        for (const [scope, leaf] of scopes.under(ancestor)) {
          count += kind.size(leaf)
          scopes.delete(scope)
          onDelete?.(name, leaf)
        }
      }
      return count
    },

    fork() {
      ownLeaves = new WeakSet()
      return createScopedStore(kind, new Map([...names].map(([name, scopes]) => [name, scopes.copy()])))
    },
  }
}
