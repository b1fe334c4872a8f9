import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keptInOrder } from './kept-in-order.ts'

const inOrder = (list: readonly string[], items: readonly string[]) => {
  let at = -1
  return items.every((item) => (at = list.indexOf(item, at + 1)) >= 0)
}

/** Returns all sublists, by brute force. */
function sublists(list: readonly string[]): string[][] {
  return Array.from({ length: 2 ** list.length }, (_, bits) => list.filter((_, at) => (bits >> at) & 1))
}

describe('unmovedItems', () => {
  it.each([
    ['nothing changes', 'abc', 'abc', 'abc'],
    ['one item is moved to the front', 'abc', 'cab', 'ab'],
    ['one item is moved to the end', 'abc', 'bca', 'bc'],
    ['two items are swapped', 'ab', 'ba', 'b'],
    ['one item is added and one removed', 'abc', 'axc', 'ac'],
    ['no item remains', 'ab', 'xy', ''],
  ])('returns the items that keep their order when %s', (_, before, after, kept) => {
    expect([...keptInOrder([...before], [...after])].sort().join('')).toBe(kept)
  })

  it('returns as many items as possible', () => {
    const list = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    fc.assert(
      fc.property(list, list, (before, after) => {
        const kept = [...keptInOrder(before, after)]
        expect(inOrder(before, kept) && inOrder(after, kept)).toBe(true)
        const best = Math.max(...sublists(before).map((some) => (inOrder(after, some) ? some.length : 0)))
        expect(kept).toHaveLength(best)
      }),
    )
  })
})
