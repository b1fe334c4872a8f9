import { type Dependency, deepName, isDeep, placeOf, scopeAbove, type WideTouch } from './dependencies.ts'
import { isUnder } from './port.ts'
import type { Trail } from './trail.ts'

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

/** A scope on which something stands, or under which something does. */
interface Place {
  readonly scope: string
  readonly above: Place | undefined
  readonly below: Set<Place>
  /** By collection; sets and series are apart from collections of their names. */
  readonly shelves: Map<string, Shelf>
}

/**
 * Makes an index without trails. It is a tree of scopes, and by collection beside that, so that a change of a scope, or of
 * one collection in it, looks only at what lies there: a flag that is deleted takes three scopes with it, and may be one
 * of tens of thousands that are remembered.
 */
export function trailIndex(): TrailIndex {
  const places = new Map<string, Place>()
  /** The places that have a shelf of a collection. */
  const placesOf = new Map<string, Set<Place>>()

  function placeAt(scope: string): Place {
    let place = places.get(scope)
    if (!place) {
      const above = scope === '' ? undefined : placeAt(scopeAbove(scope))
      places.set(scope, (place = { scope, above, below: new Set(), shelves: new Map() }))
      above?.below.add(place)
    }
    return place
  }

  function shelfOf(name: string, place: Place): Shelf {
    let shelf = place.shelves.get(name)
    if (!shelf) {
      place.shelves.set(name, (shelf = new Map()))
      const those = placesOf.get(name)
      if (those) those.add(place)
      else placesOf.set(name, new Set([place]))
    }
    return shelf
  }

  function removeShelf(name: string, place: Place): void {
    place.shelves.delete(name)
    const those = placesOf.get(name)
    those?.delete(place)
    if (those?.size === 0) placesOf.delete(name)
    for (let empty: Place | undefined = place; empty; empty = empty.above) {
      if (empty.shelves.size > 0 || empty.below.size > 0) return
      places.delete(empty.scope)
      empty.above?.below.delete(empty)
    }
  }

  /** What lies above a scope and also stands on all that is under it. */
  function spoilAbove(touched: WideTouch): void {
    for (let { scope } = touched; scope !== ''; ) {
      scope = scopeAbove(scope)
      const shelves = places.get(scope)?.shelves
      if (touched.what === 'collection') spoilShelf(shelves?.get(deepName(touched.collection)))
      else for (const [name, shelf] of shelves ?? []) if (isDeep(name)) spoilShelf(shelf)
    }
  }

  function spoilBelow(place: Place): void {
    for (const shelf of place.shelves.values()) spoilShelf(shelf)
    for (const one of place.below) spoilBelow(one)
  }

  return {
    isEmpty: () => places.size === 0,
    add(dependency, trail) {
      const { name, scope } = placeOf(dependency)
      const shelf = shelfOf(name, placeAt(scope))
      const others = shelf.get(dependency)
      if (others instanceof Set) others.add(trail)
      else shelf.set(dependency, others ? new Set([others, trail]) : trail)
    },
    remove(dependency, trail) {
      const { name, scope } = placeOf(dependency)
      const place = places.get(scope)
      const shelf = place?.shelves.get(name)
      const others = shelf?.get(dependency)
      if (!place || !shelf || !others) return
      if (others instanceof Set) {
        others.delete(trail)
        if (others.size > 0) return
      } else if (others !== trail) return
      shelf.delete(dependency)
      if (shelf.size === 0) removeShelf(name, place)
    },
    spoil(dependency) {
      const { name, scope } = placeOf(dependency)
      spoilThese(places.get(scope)?.shelves.get(name)?.get(dependency))
    },
    spoilWithin(touched) {
      spoilAbove(touched)
      if (touched.what === 'scope') {
        const place = places.get(touched.scope)
        if (place) spoilBelow(place)
        return
      }
      for (const name of [touched.collection, deepName(touched.collection)]) {
        for (const place of placesOf.get(name) ?? []) {
          if (isUnder(place.scope, touched.scope)) spoilShelf(place.shelves.get(name))
        }
      }
    },
    spoilAll() {
      const root = places.get('')
      if (root) spoilBelow(root)
    },
  }
}

function spoilShelf(shelf: Shelf | undefined): void {
  for (const trails of shelf?.values() ?? []) spoilThese(trails)
}

function spoilThese(trails: Trail | Set<Trail> | undefined): void {
  if (trails instanceof Set) for (const trail of trails) trail.spoil()
  else trails?.spoil()
}
