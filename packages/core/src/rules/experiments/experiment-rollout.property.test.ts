import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wholeWeight } from '../targeting/serve.ts'
import { experimentRollout } from './experiment-rollout.ts'
import { allBuckets, reserveBuckets } from './reserve-buckets.ts'

const thousandths = fc.array(fc.integer({ min: 0, max: 50_000 }), { minLength: 2, maxLength: 5 })
const allocations = thousandths
  .filter((parts) => parts.some((part) => part > 0))
  .map((parts) => {
    const total = Math.max(
      100_000,
      parts.reduce((sum, part) => sum + part, 0),
    )
    return parts.map((part, variation) => ({ variation, percent: Math.floor((part / total) * 100_000) / 1000 }))
  })
const buckets = fc.subarray([...allBuckets], { minLength: 1 })

const rolloutOf = (parts: readonly { variation: number; percent: number }[], reserved: readonly number[]) =>
  experimentRollout({ allocations: parts, otherVariation: 0, buckets: reserved, seed: 7, contextKind: 'user' })

/** Returns the variation of each thousandth of a percent that the experiment counts. */
function countedPositions(rollout: ReturnType<typeof rolloutOf>): Map<number, number> {
  const counted = new Map<number, number>()
  let start = 0
  for (const { variation, weight, untracked } of rollout.variations) {
    if (!untracked) for (let position = start; position < start + weight; position++) counted.set(position, variation)
    start += weight
  }
  return counted
}

describe('the rollout of an experiment', () => {
  it('contains all contexts, and counts the allocated share of the reserved contexts', () => {
    fc.assert(
      fc.property(allocations, buckets, (parts, reserved) => {
        const rollout = rolloutOf(parts, reserved)
        expect(rollout.variations.reduce((sum, { weight }) => sum + weight, 0)).toBe(wholeWeight)
        for (const { variation, percent } of parts) {
          const counted = rollout.variations.filter((share) => !share.untracked && share.variation === variation)
          const weight = counted.reduce((sum, share) => sum + share.weight, 0)
          expect(Math.abs(weight - reserved.length * percent * 10)).toBeLessThanOrEqual(2)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('counts no context in two experiments of a layer', () => {
    fc.assert(
      fc.property(allocations, allocations, fc.nat(100), fc.nat(100), (first, second, a, b) => {
        const ownBuckets = reserveBuckets([], [], a) as readonly number[]
        const other = reserveBuckets([], ownBuckets, Math.min(b, 100 - a)) as readonly number[]
        fc.pre(ownBuckets.length > 0 && other.length > 0)
        const counted = countedPositions(rolloutOf(first, ownBuckets))
        for (const position of countedPositions(rolloutOf(second, other)).keys()) {
          if (counted.has(position)) throw new Error(`two experiments count ${position}`)
        }
      }),
      { numRuns: 10 },
    )
  })

  it('keeps each context in its treatment when all allocations grow by one factor', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 }), (percent, growth) => {
        const at = (each: number) =>
          countedPositions(
            rolloutOf(
              [0, 1].map((variation) => ({ variation, percent: each })),
              allBuckets,
            ),
          )
        const small = at(percent / 2)
        const large = at(Math.min(50, (percent + growth) / 2))
        for (const [position, variation] of small) {
          if (large.get(position) !== variation) throw new Error(`${position} changed its treatment`)
        }
      }),
      { numRuns: 8 },
    )
  })
})

describe('a reservation', () => {
  it('keeps its buckets when it grows, and takes no bucket of another reservation', () => {
    fc.assert(
      fc.property(buckets, fc.nat(100), (ownBuckets, percent) => {
        const others = allBuckets.filter((bucket) => !ownBuckets.includes(bucket)).slice(0, 20)
        const reserved = reserveBuckets(ownBuckets, others, percent)
        if (percent > 100 - others.length) {
          expect(reserved).toBeUndefined()
          return
        }
        expect(reserved).toHaveLength(percent)
        expect(new Set(reserved).size).toBe(percent)
        expect(reserved?.some((bucket) => others.includes(bucket))).toBe(false)
        if (percent >= ownBuckets.length) expect(reserved).toEqual(expect.arrayContaining([...ownBuckets]))
      }),
    )
  })
})
