/**
 * Returns the largest set of items that have the same order in both lists: all others were moved, added or removed. If
 * several sets are equally large, it returns the set whose items are further back in `before`. So when a rule was moved
 * behind others, that rule counts as moved, and the others do not.
 *
 * @param before list without duplicates, like `after`.
 */
export function unmovedItems(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const indexes = new Map(before.map((item, index) => [item, index]))
  const items = after.filter((item) => indexes.has(item))
  // For each length, the chain of this length that begins furthest back. The loop searches from the back for the
  // longest decreasing subsequence, with a binary search in these chains.
  const heads: Link[] = []
  for (const item of items.toReversed()) {
    const index = indexes.get(item) as number
    let low = 0
    let high = heads.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((heads[middle] as Link).index > index) low = middle + 1
      else high = middle
    }
    heads[low] = { item, index, next: heads[low - 1] }
  }
  const unmoved = new Set<string>()
  for (let link = heads.at(-1); link; link = link.next) unmoved.add(link.item)
  return unmoved
}

interface Link {
  readonly item: string
  readonly index: number
  readonly next: Link | undefined
}
