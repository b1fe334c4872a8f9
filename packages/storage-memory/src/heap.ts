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
  function moveUp(from: number): void {
    const item = items[from]!
    let index = from
    while (index > 0) {
      const parent = (index - 1) >>> 1
      if (compare(item, items[parent]!) >= 0) break
      items[index] = items[parent]!
      index = parent
    }
    items[index] = item
  }

  function moveDown(from: number): void {
    const item = items[from]!
    let index = from
    for (let child = 2 * index + 1; child < items.length; child = 2 * index + 1) {
      if (child + 1 < items.length && compare(items[child + 1]!, items[child]!) < 0) child++
      if (compare(items[child]!, item) >= 0) break
      items[index] = items[child]!
      index = child
    }
    items[index] = item
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
        moveDown(0)
      }
      return first
    },
    push(item) {
      items.push(item)
      moveUp(items.length - 1)
    },
    keep(test) {
      items = items.filter(test)
      for (let index = (items.length >>> 1) - 1; index >= 0; index--) moveDown(index)
    },
    copy: () => createHeap(compare, [...items]),
  }
}
