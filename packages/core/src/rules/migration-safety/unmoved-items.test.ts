import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unmovedItems } from './unmoved-items.ts'

const isSubsequence = (list: readonly string[], items: readonly string[]) => {
  let index = -1
  return items.every((item) => (index = list.indexOf(item, index + 1)) >= 0)
}

/** Returns all sublists, by brute force. */
function sublists(list: readonly string[]): string[][] {
  return Array.from({ length: 2 ** list.length }, (_, bits) => list.filter((_, index) => (bits >> index) & 1))
}

describe('unmovedItems', () => {
  it.each([
    ['nothing changes', 'abc', 'abc', 'abc'],
    ['one item is moved to the front', 'abc', 'cab', 'ab'],
    ['one item is moved to the end', 'abc', 'bca', 'bc'],
    ['two items are swapped', 'ab', 'ba', 'b'],
    ['one item is added and one removed', 'abc', 'axc', 'ac'],
    ['no item remains', 'ab', 'xy', ''],
  ])('returns the items that keep their order when %s', (_, before, after, unmoved) => {
    expect([...unmovedItems([...before], [...after])].sort().join('')).toBe(unmoved)
  })

  it('returns as many items as possible', () => {
    const list = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    fc.assert(
      fc.property(list, list, (before, after) => {
        const unmoved = [...unmovedItems(before, after)]
        expect(isSubsequence(before, unmoved) && isSubsequence(after, unmoved)).toBe(true)
        const best = Math.max(
          ...sublists(before).map((sublist) => (isSubsequence(after, sublist) ? sublist.length : 0)),
        )
        expect(unmoved).toHaveLength(best)
      }),
    )
  })
})
