/** A map that is never changed: `with` and `without` make another one. */
export interface LayeredMap<V> {
  get(key: string): V | undefined
  with(key: string, value: V): LayeredMap<V>
  without(key: string): LayeredMap<V>
  entries(): IterableIterator<[string, V]>
}

/** How many changes are kept beside the large map; each change copies as many entries at most. */
const mostChanges = 128

/**
 * Makes a map whose other states cost little: changes stand in a small map before the large one, and become one with it
 * when they are many.
 *
 * @param base belongs to the map from then on.
 */
export function layeredMap<V>(base: ReadonlyMap<string, V>): LayeredMap<V> {
  return layer(base, new Map())
}

/** Undefined in `changed` stands for what is no longer there. */
function layer<V>(base: ReadonlyMap<string, V>, changed: ReadonlyMap<string, V | undefined>): LayeredMap<V> {
  function change(key: string, value: V | undefined): LayeredMap<V> {
    const next = new Map(changed).set(key, value)
    return next.size > mostChanges ? layeredMap(new Map(entriesOf(base, next))) : layer(base, next)
  }
  return {
    get(key) {
      if (changed.size === 0) return base.get(key)
      const found = changed.get(key)
      return found === undefined && !changed.has(key) ? base.get(key) : found
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
