import { concerns, type Dependency, reachOf, type WideTouch } from './dependencies.ts'
import type { Trail } from './freshness.ts'
import { isUnder } from './port.ts'

/** Which trails a change concerns. */
export interface TrailIndex {
  /** Whether there are none. */
  isEmpty(): boolean
  add(dependency: Dependency, trail: Trail): void
  remove(dependency: Dependency, trail: Trail): void
  /** Spoils the trails that one dependency is on. */
  spoil(dependency: Dependency): void
  /** Spoils those that are concerned by a change of a whole scope, or of one collection in it. */
  spoilWithin(touched: WideTouch): void
  spoilAll(): void
}

/** The trails that a dependency is on: nearly always one, and then it needs no set. */
type Shelf = Map<Dependency, Trail | Set<Trail>>

/**
 * Makes an index without trails. It is by scope, so that a change of a scope looks only at what lies there: a flag that is
 * deleted takes three scopes with it, and may be one of tens of thousands that are remembered.
 */
export function trailIndex(): TrailIndex {
  const near = new Map<string, Shelf>()
  /** What also stands on all that lies under its scope. */
  const deep = new Map<string, Shelf>()

  function placeOf(dependency: Dependency): { readonly shelves: Map<string, Shelf>; readonly scope: string } {
    const reach = reachOf(dependency)
    return { shelves: reach.deep ? deep : near, scope: reach.scope }
  }

  function spoilConcerned(shelf: Shelf, touched: WideTouch): void {
    for (const [dependency, trails] of shelf) if (concerns(touched, dependency)) spoilThese(trails)
  }

  return {
    isEmpty: () => near.size === 0 && deep.size === 0,
    add(dependency, trail) {
      const { shelves, scope } = placeOf(dependency)
      let shelf = shelves.get(scope)
      if (!shelf) shelves.set(scope, (shelf = new Map()))
      const others = shelf.get(dependency)
      if (others instanceof Set) others.add(trail)
      else shelf.set(dependency, others ? new Set([others, trail]) : trail)
    },
    remove(dependency, trail) {
      const { shelves, scope } = placeOf(dependency)
      const shelf = shelves.get(scope)
      const others = shelf?.get(dependency)
      if (!shelf || !others) return
      if (others instanceof Set) {
        others.delete(trail)
        if (others.size > 0) return
      } else if (others !== trail) return
      shelf.delete(dependency)
      if (shelf.size === 0) shelves.delete(scope)
    },
    spoil(dependency) {
      const { shelves, scope } = placeOf(dependency)
      spoilThese(shelves.get(scope)?.get(dependency))
    },
    spoilWithin(touched) {
      for (const [scope, shelf] of near) if (isUnder(scope, touched.scope)) spoilConcerned(shelf, touched)
      for (const [scope, shelf] of deep) {
        if (isUnder(scope, touched.scope) || isUnder(touched.scope, scope)) spoilConcerned(shelf, touched)
      }
    },
    spoilAll() {
      for (const shelves of [near, deep]) {
        for (const shelf of shelves.values()) for (const trails of shelf.values()) spoilThese(trails)
      }
    },
  }
}

function spoilThese(trails: Trail | Set<Trail> | undefined): void {
  if (trails instanceof Set) for (const trail of trails) trail.spoil()
  else trails?.spoil()
}
