import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keptInOrder } from './kept-in-order.ts'

const inOrder = (list: readonly string[], items: readonly string[]) => {
  let at = -1
  return items.every((item) => (at = list.indexOf(item, at + 1)) >= 0)
}

/** All sublists, by brute force. */
function sublists(list: readonly string[]): string[][] {
  return Array.from({ length: 2 ** list.length }, (_, bits) => list.filter((_, at) => (bits >> at) & 1))
}

describe('keptInOrder', () => {
  it.each([
    ['nothing changes', 'abc', 'abc', 'abc'],
    ['one is put in front', 'abc', 'cab', 'ab'],
    ['one is put behind', 'abc', 'bca', 'bc'],
    ['two change places', 'ab', 'ba', 'b'],
    ['one comes and one goes', 'abc', 'axc', 'ac'],
    ['nothing is left', 'ab', 'xy', ''],
  ])('where %s', (_, before, after, kept) => {
    expect([...keptInOrder([...before], [...after])].sort().join('')).toBe(kept)
  })

  it('keeps as many as can be', () => {
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
