/**
 * Puts things on lists by the key of the flag they are about, the lists in order of first appearance.
 *
 * @param entries flag key and thing; on each list the things keep their order.
 */
export function byFlag<T>(entries: Iterable<readonly [flagKey: string, thing: T]>): Record<string, T[]> {
  // A map, since a flag may be called `constructor`.
  const lists = new Map<string, T[]>()
  for (const [flagKey, thing] of entries) {
    const list = lists.get(flagKey)
    if (list) list.push(thing)
    else lists.set(flagKey, [thing])
  }
  return Object.fromEntries(lists)
}
