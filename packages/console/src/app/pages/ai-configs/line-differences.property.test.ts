import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lineDifferences } from './line-differences.ts'

const texts = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 9 }).map((lines) => lines.join('\n'))

it('the compared lines contain both texts, and as many common lines as possible', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const lines = lineDifferences(before, after)
      const without = (kind: string) => lines.filter((line) => line.kind !== kind).map(({ text }) => text)
      expect(without('added').join('\n')).toBe(before)
      expect(without('removed').join('\n')).toBe(after)
      const same = lines.filter(({ kind }) => kind === 'same').length
      expect(same).toBe(longestCommon(before.split('\n'), after.split('\n')))
    }),
  )
})

/** Returns the length of the longest common subsequence by trying to use and to skip each line. */
function longestCommon(one: readonly string[], other: readonly string[]): number {
  const [first, ...rest] = one
  if (first === undefined || other.length === 0) return 0
  const at = other.indexOf(first)
  const without = longestCommon(rest, other)
  return at < 0 ? without : Math.max(without, 1 + longestCommon(rest, other.slice(at + 1)))
}
