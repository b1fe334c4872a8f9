import { isUnder } from '@halyard/core/storage'

/** What `ByScope` must know of the things it holds. */
export interface LeafKind<Leaf> {
  create(): Leaf
  copy(leaf: Leaf): Leaf
  /** What `clear` counts. */
  size(leaf: Leaf): number
}

/**
 * Where all kinds live: leaves (a shelf of documents, a set, a series, a queue) by name and scope.
 *
 * Names come first, because a deep list of one collection then walks only the scopes in which it has anything.
 */
export interface ByScope<Leaf> {
  find(name: string, scope: string): Leaf | undefined
  /** The leaf to change in place: made when missing, copied first when a fork shares it. */
  edit(name: string, scope: string): Leaf
  /** The leaves of a name at and under a scope, in no particular order. */
  under(name: string, scope: string): Leaf[]
  /** All leaves of a name with their scopes, in no particular order. */
  entriesOf(name: string): [scope: string, leaf: Leaf][]
  /** All leaves, in no particular order. */
  all(): { readonly name: string; readonly scope: string; readonly leaf: Leaf }[]
  /** Drops all leaves at and under a scope and says how much was in them. */
  clear(scope: string): number
  /** A second store with the same content; whichever of the two changes a leaf first pays for its copy. */
  fork(): ByScope<Leaf>
}

/**
 * Makes an empty store of leaves.
 *
 * @param kind how leaves are made, copied and counted.
 * @param names content to start with; the store changes the maps, but no leaf in them before it is copied.
 */
export function createByScope<Leaf extends object>(
  kind: LeafKind<Leaf>,
  names: Map<string, Map<string, Leaf>> = new Map(),
): ByScope<Leaf> {
  // The leaves that nobody else holds: only these may be changed in place.
  let own = new WeakSet<Leaf>()

  const find = (name: string, scope: string) => names.get(name)?.get(scope)

  return {
    find,

    edit(name, scope) {
      const found = find(name, scope)
      if (found && own.has(found)) return found
      const leaf = found ? kind.copy(found) : kind.create()
      own.add(leaf)
      const scopes = names.get(name)
      if (scopes) scopes.set(scope, leaf)
      else names.set(name, new Map([[scope, leaf]]))
      return leaf
    },

    under(name, ancestor) {
      const leaves: Leaf[] = []
      for (const [scope, leaf] of names.get(name) ?? []) {
        if (isUnder(scope, ancestor)) leaves.push(leaf)
      }
      return leaves
    },

    entriesOf: (name) => [...(names.get(name) ?? [])],

    all: () => [...names].flatMap(([name, scopes]) => [...scopes].map(([scope, leaf]) => ({ name, scope, leaf }))),

    clear(ancestor) {
      let count = 0
      for (const scopes of names.values()) {
        for (const [scope, leaf] of scopes) {
          if (!isUnder(scope, ancestor)) continue
          count += kind.size(leaf)
          scopes.delete(scope)
        }
      }
      return count
    },

    fork() {
      own = new WeakSet()
      return createByScope(kind, new Map([...names].map(([name, scopes]) => [name, new Map(scopes)])))
    },
  }
}
