/** An immutable map: `with` and `without` return another map. */
export interface LayeredMap<V> {
  get(key: string): V | undefined
  with(key: string, value: V): LayeredMap<V>
  without(key: string): LayeredMap<V>
  entries(): IterableIterator<[string, V]>
}

/** Maximum number of changes stored next to the base map; each change copies at most this many entries. */
const maxChanges = 128

/**
 * Creates an immutable map with cheap changes: changes are stored in a small map in front of the base map, and are
 * merged into it when there are too many of them.
 *
 * @param base owned by the new map; the caller must not change it afterwards.
 */
export function layeredMap<V>(base: ReadonlyMap<string, V>): LayeredMap<V> {
  return layer(base, new Map())
}

/** Creates one state of a map. The value undefined in `changed` marks a deleted key. */
function layer<V>(base: ReadonlyMap<string, V>, changed: ReadonlyMap<string, V | undefined>): LayeredMap<V> {
  function change(key: string, value: V | undefined): LayeredMap<V> {
    const next = new Map(changed).set(key, value)
    return next.size > maxChanges ? layeredMap(new Map(entriesOf(base, next))) : layer(base, next)
  }
  return {
    get(key) {
      if (changed.size === 0) return base.get(key)
      const value = changed.get(key)
      return value === undefined && !changed.has(key) ? base.get(key) : value
    },
    with: change,
    without: (key) => change(key, undefined),
    entries: () => entriesOf(base, changed),
  }
}

function* entriesOf<V>(
  base: ReadonlyMap<string, V>,
  changed: ReadonlyMap<string, V | undefined>,
): IterableIterator<[string, V]> {
  for (const entry of base) if (!changed.has(entry[0])) yield entry
  for (const [key, value] of changed) if (value !== undefined) yield [key, value]
}
