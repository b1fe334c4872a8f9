/** A binary heap: `peek` returns the smallest item, the others are in no particular order. */
export interface Heap<T> {
  readonly size: number
  /** Returns the smallest item, or undefined when the heap is empty. */
  peek(): T | undefined
  pop(): T | undefined
  push(item: T): void
  /** Removes the items for which the test is false. */
  keep(test: (item: T) => boolean): void
  copy(): Heap<T>
}

/**
 * Makes a heap.
 *
 * @param compare returns a negative number when the first item is smaller.
 * @param items initial content, already in heap order. The heap owns the array from then on.
 */
export function createHeap<T>(compare: (a: T, b: T) => number, items: T[] = []): Heap<T> {
  function rise(from: number): void {
    const item = items[from]!
    let at = from
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if (compare(item, items[parent]!) >= 0) break
      items[at] = items[parent]!
      at = parent
    }
    items[at] = item
  }

  function sink(from: number): void {
    const item = items[from]!
    let at = from
    for (let child = 2 * at + 1; child < items.length; child = 2 * at + 1) {
      if (child + 1 < items.length && compare(items[child + 1]!, items[child]!) < 0) child++
      if (compare(items[child]!, item) >= 0) break
      items[at] = items[child]!
      at = child
    }
    items[at] = item
  }

  return {
    get size() {
      return items.length
    },
    peek: () => items[0],
    pop() {
      const [first] = items
      const last = items.pop()
      if (last !== undefined && items.length > 0) {
        items[0] = last
        sink(0)
      }
      return first
    },
    push(item) {
      items.push(item)
      rise(items.length - 1)
    },
    keep(test) {
      items = items.filter(test)
      for (let at = (items.length >>> 1) - 1; at >= 0; at--) sink(at)
    },
    copy: () => createHeap(compare, [...items]),
  }
}
