/**
 * Groups items by the key of the flag that they are about. The groups are in order of first appearance.
 *
 * @param entries flag keys with items. In each group the items keep their order.
 */
export function byFlag<T>(entries: Iterable<readonly [flagKey: string, thing: T]>): Record<string, T[]> {
  // A map, because a flag key can be `constructor`.
  const lists = new Map<string, T[]>()
  for (const [flagKey, item] of entries) {
    const list = lists.get(flagKey)
    if (list) list.push(item)
    else lists.set(flagKey, [item])
  }
  return Object.fromEntries(lists)
}
