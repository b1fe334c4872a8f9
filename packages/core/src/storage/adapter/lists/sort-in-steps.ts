/** Length of the parts that are sorted at a time: about a millisecond of work. */
const partLength = 2048

/**
 * Returns the items in order, as `toSorted` does, and lets other work of the process run between its steps.
 *
 * @param pause is awaited between the steps.
 */
export async function sortInSteps<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
  pause: () => Promise<void> | undefined,
): Promise<Item[]> {
  let parts: Item[][] = []
  for (let start = 0; start < items.length; start += partLength) {
    parts.push(items.slice(start, start + partLength).sort(compare))
    await pause()
  }
  while (parts.length > 1) {
    const merged: Item[][] = []
    for (let i = 0; i < parts.length; i += 2) merged.push(await merge(parts[i]!, parts[i + 1] ?? [], compare, pause))
    parts = merged
  }
  return parts[0] ?? []
}

async function merge<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (a: Item, b: Item) => number,
  pause: () => Promise<void> | undefined,
): Promise<Item[]> {
  const result: Item[] = []
  let [i, j] = [0, 0]
  while (i < left.length && j < right.length) {
    result.push(compare(left[i]!, right[j]!) <= 0 ? left[i++]! : right[j++]!)
    if (result.length % partLength === 0) await pause()
  }
  while (i < left.length) result.push(left[i++]!)
  while (j < right.length) result.push(right[j++]!)
  return result
}
