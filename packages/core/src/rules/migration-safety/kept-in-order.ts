/**
 * Returns the largest set of items that have the same order in both lists: all others were moved, added or removed. Of
 * several such sets, the one with items further back in `before` is returned: so a rule that was put after others
 * counts as moved, and not the rules that now come before it.
 *
 * @param before list without duplicates, like `after`.
 */
export function keptInOrder(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const places = new Map(before.map((item, place) => [item, place]))
  const items = after.filter((item) => places.has(item))
  // For each length, from the back, the chain that begins furthest back: the longest decreasing subsequence, found by
  // binary search.
  const heads: Link[] = []
  for (const item of items.toReversed()) {
    const place = places.get(item) as number
    let low = 0
    let high = heads.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((heads[middle] as Link).place > place) low = middle + 1
      else high = middle
    }
    heads[low] = { item, place, next: heads[low - 1] }
  }
  const kept = new Set<string>()
  for (let link = heads.at(-1); link; link = link.next) kept.add(link.item)
  return kept
}

interface Link {
  readonly item: string
  readonly place: number
  readonly next: Link | undefined
}
