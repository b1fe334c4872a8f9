import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketStats } from './bucketed-durations.ts'
import { durationPool } from './duration-pool.ts'
import { exactCount, summarizeDurations } from './duration-summary.ts'

const tenYears = 10 * 365.25 * 86_400_000
const percentiles = { p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99 }

/** Distributions of durations, as functions of a number between 0 and 1; all whole milliseconds up to ten years. */
const shapes: Readonly<Record<string, (roll: number) => number>> = {
  even: (roll) => roll * tenYears,
  'of all sizes': (roll) => tenYears ** roll,
  'heavy-tailed': (roll) => Math.min(60_000 * (1 - roll) ** -1.1, tenYears),
  tiny: (roll) => roll * 12,
  'mostly equal': (roll) => (roll < 0.97 ? 3_600_000 : roll * tenYears),
  'two distant values': (roll) => (roll < 0.5 ? 1 : tenYears),
  alike: () => 86_400_001,
}

/** Linear congruential generator: fast-check cannot shrink arrays of this size. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const durations = fc
  .record({ shape: fc.constantFrom(...Object.keys(shapes)), size: fc.integer({ min: 1, max: 4_000 }), seed: fc.nat() })
  .map(({ shape, size, seed }) => {
    const roll = randomOf(seed)
    return Float64Array.from({ length: size }, () => Math.round(shapes[shape]!(roll())))
  })

/** Positions at which durations are divided, as fractions of the whole, and which parts are summarized. */
const division = fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), summarised: fc.boolean() }), {
  maxLength: 12,
})

/** Statistics by sorting, with an exact sum. */
function sortedStats(values: Float64Array) {
  const sorted = [...values].sort((a, b) => a - b)
  const sum = sorted.reduce((total, duration) => total + BigInt(duration), 0n)
  const percentileAt = (share: number) => {
    const position = (sorted.length - 1) * share
    const below = sorted[Math.floor(position)]!
    return below + (position % 1) * (sorted[Math.ceil(position)]! - below)
  }
  return {
    count: sorted.length,
    mean: Number(sum) / sorted.length,
    percentiles: Object.values(percentiles).map(percentileAt),
  }
}

function partsOf(values: Float64Array, cuts: readonly { at: number; summarised: boolean }[]) {
  const ends = [...cuts.toSorted((a, b) => a.at - b.at), { at: 1, summarised: true }]
  let first = 0
  return ends.map(({ at, summarised }) => {
    const part = values.slice(first, (first = Math.round(at * values.length)))
    // The summary is serialized and parsed, as if it had been stored.
    return {
      part,
      summary: summarised
        ? (JSON.parse(JSON.stringify(summarizeDurations(part))) as ReturnType<typeof summarizeDurations>)
        : undefined,
    }
  })
}

function poolStats(parts: ReturnType<typeof partsOf>) {
  const pool = durationPool()
  for (const { part, summary } of parts) {
    if (summary) pool.addSummary(summary)
    else pool.add(part)
  }
  return pool.stats(true)
}

describe('durationPool', () => {
  it('returns the exact count and mean of all parts, and percentiles within 1 percent', () => {
    fc.assert(
      fc.property(durations, division, (values, cuts) => {
        const parts = partsOf(values, cuts)
        const actual = poolStats(parts)
        const reference = sortedStats(values)
        expect(actual.count).toBe(reference.count)
        expect(actual.mean).toBe(reference.mean)
        const isExact = parts.every(({ part, summary }) => !summary || part.length <= exactCount)
        for (const [i, name] of (Object.keys(percentiles) as (keyof typeof percentiles)[]).entries()) {
          const expected = reference.percentiles[i]!
          const allowed = isExact ? expected * 1e-12 : expected * 0.01
          expect(Math.abs(actual[name]! - expected), `${name} of ${expected}`).toBeLessThanOrEqual(allowed)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('returns the same statistics for any order of the parts', () => {
    const shuffled = division.chain((cuts) =>
      fc.record({
        cuts: fc.constant(cuts),
        order: fc.shuffledSubarray([...cuts.keys(), cuts.length], { minLength: cuts.length + 1 }),
      }),
    )
    fc.assert(
      fc.property(durations, shuffled, (values, { cuts, order }) => {
        const parts = partsOf(values, cuts)
        expect(poolStats(order.map((at) => parts[at]!))).toEqual(poolStats(parts))
      }),
      { numRuns: 100 },
    )
  })
})

describe('buckets', () => {
  it('have exact statistics, separately and together', () => {
    const ends = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 })
    fc.assert(
      fc.property(durations, ends, fc.boolean(), (values, cuts, withPercentiles) => {
        const indexes = [...cuts.map((at) => Math.round(at * values.length)).sort((a, b) => a - b), values.length]
        const { buckets, all } = bucketStats({ durations: values, ends: Uint32Array.from(indexes) }, withPercentiles)
        const ranges = indexes.map((end, i) => values.subarray(indexes[i - 1] ?? 0, end))
        for (const [actual, range] of [
          ...buckets.map((value, i) => [value, ranges[i]!] as const),
          [all, values] as const,
        ]) {
          const reference = range.length > 0 ? sortedStats(range) : { count: 0, mean: 0, percentiles: [0, 0, 0, 0, 0] }
          expect([actual.count, actual.mean]).toEqual([reference.count, reference.mean])
          const { p50, p75, p90, p95, p99 } = actual
          if (!withPercentiles) expect(p50).toBeUndefined()
          else
            expect([p50, p75, p90, p95, p99]).toEqual(
              reference.percentiles.map((value) =>
                value === 0 ? 0 : expect.closeTo(value, 12 - Math.ceil(Math.log10(value))),
              ),
            )
        }
      }),
      { numRuns: 200 },
    )
  })
})
