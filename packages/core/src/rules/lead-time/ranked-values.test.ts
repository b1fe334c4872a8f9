import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { valuesAtRanks } from './ranked-values.ts'

/**
 * Many random values, in the distributions of durations and in others. Few of the values, or all of them, may be equal.
 */
const values = fc
  .tuple(
    fc.constantFrom(0, 1, 300_000, 2 ** 33, 2 ** 52),
    fc.constantFrom(0, 1, 3, 1_000, 2 ** 20, 2 ** 40),
    fc.integer({ min: 1, max: 1_500 }),
    fc.array(fc.oneof(fc.nat(), fc.constantFrom(0, 0.5, Number.MIN_VALUE, Number.MAX_VALUE, Infinity)), {
      maxLength: 3,
    }),
    fc.integer(),
  )
  .map(([base, spread, size, outliers, seed]) => {
    const random = randomOf(seed)
    return [...Array.from({ length: size }, () => base + Math.floor(random() * spread)), ...outliers]
  })

/** Linear congruential generator: fast-check cannot shrink arrays of this size. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('valuesAtRanks', () => {
  it('returns the values that sorting puts at the ranks', () => {
    fc.assert(
      fc.property(
        values,
        fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        (list, fractions) => {
          const ranks = fractions.map((fraction) => Math.floor(fraction * list.length)).sort((a, b) => a - b)
          const sorted = [...list].sort((a, b) => a - b)
          expect(valuesAtRanks(Float64Array.from(list), ranks)).toEqual(ranks.map((rank) => sorted[rank]))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('does not modify the values', () => {
    const list = Float64Array.from({ length: 1_000 }, (_, i) => (i * 7_919) % 1_009)
    const before = [...list]
    valuesAtRanks(list, [0, 500, 999])
    expect([...list]).toEqual(before)
  })

  it('reads only its own part of a shared buffer', () => {
    const list = Float64Array.from({ length: 3_000 }, (_, i) => i)
    expect(valuesAtRanks(list.subarray(1_000, 2_000), [0, 999])).toEqual([1_000, 1_999])
  })
})
