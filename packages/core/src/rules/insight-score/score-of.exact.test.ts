import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { insightScores, type ScoreInputs, scoreOf } from './index.ts'
import {
  type Fraction,
  type PlainInput,
  type PlainMetric,
  plainAnchors,
  plainComparison,
  plainMetrics,
  plainScore,
  plainScores,
} from './plain-scores.fixture.ts'

const hour = 3_600_000

/** Returns an input as the rules expect it: lead times in milliseconds. */
function inputOf(metric: PlainMetric, [numerator, denominator]: Fraction): number {
  return metric === 'leadTime' ? (numerator * hour) / denominator : numerator / denominator
}

describe.each(plainMetrics)('%s, compared with exact arithmetic', (metric) => {
  it('has the exact score for every fraction with a denominator up to sixty', () => {
    for (let total = 1; total <= 60; total++) {
      // Up to four times the denominator, which is beyond all anchors; a lead time is in hours.
      for (let count = 0; count <= 4 * total; count++) {
        const input: Fraction = metric === 'leadTime' ? [count * 19, 1] : [count, total]
        expect([input, scoreOf(metric, inputOf(metric, input))]).toEqual([input, plainScore(metric, input)])
      }
    }
  })

  it.each([0, 1, 2, 3, 4])('has the exact score at anchor %d and one small step to either side', (anchor) => {
    const [numerator, denominator] = plainAnchors(metric)[anchor]!
    // The step is a millisecond, or a millionth.
    const fine = metric === 'leadTime' ? hour : 1_000_000
    for (const step of [-1000, -1, 0, 1, 1000]) {
      const input: Fraction = [numerator * fine + step * denominator, denominator * fine]
      expect([input, scoreOf(metric, inputOf(metric, input))]).toEqual([input, plainScore(metric, input)])
    }
  })
})

it('a lead time has its score to the millisecond', () => {
  // Points halfway between two scores: from 100 to 90 a point is 2.3 h, from 90 to 70 7.2 h, from 70 to 40 18.4 h, from
  // 40 to 0 90 h.
  const halves = [
    [1 + 2.3 / 2, 100],
    [24 - 2.3 / 2, 91],
    [24 + 7.2 / 2, 90],
    [168 - 7.2 / 2, 71],
    [168 + 18.4 / 2, 70],
    [720 - 18.4 / 2, 41],
    [720 + 90 / 2, 40],
    [4320 - 90 / 2, 1],
  ] as const
  for (const [hours, score] of halves) {
    const ms = Math.round(hours * hour)
    expect([ms - 1, ms, ms + 1].map((time) => scoreOf('leadTime', time))).toEqual([score, score, score - 1])
  }
})

it('insightScores agrees with decision D26 for two periods with any missing inputs', () => {
  const missing = fc.constantFrom('notCalculated' as const, 'unknown' as const)
  const share = fc
    .integer({ min: 0, max: 40 })
    .chain((total) => fc.tuple(fc.integer({ min: 0, max: total }), fc.constant(total)))
  const value = (metric: PlainMetric): fc.Arbitrary<PlainInput> => {
    if (metric === 'leadTime') return fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.constant(1))
    if (metric === 'deploymentFrequency') return fc.tuple(fc.integer({ min: 0, max: 100 }), fc.constant(30))
    return share.map(([count, total]) => (total === 0 ? 'notCalculated' : [count, total]))
  }
  const inputs = fc.record(
    Object.fromEntries(plainMetrics.map((metric) => [metric, fc.oneof(missing, value(metric))])) as Record<
      PlainMetric,
      fc.Arbitrary<PlainInput>
    >,
  )
  const toScoreInputs = (plain: Readonly<Record<PlainMetric, PlainInput>>) =>
    Object.fromEntries(
      plainMetrics.map((metric) => {
        const input = plain[metric]
        return [metric, typeof input === 'string' ? input : inputOf(metric, input)]
      }),
    ) as ScoreInputs
  fc.assert(
    fc.property(inputs, inputs, (current, last) => {
      const scores = insightScores(toScoreInputs(current), toScoreInputs(last))
      const [now, previous] = [plainScores(current), plainScores(last)]
      for (const name of Object.keys(now) as (keyof typeof now)[]) {
        const { aggregateOf, ...score } = scores[name]
        expect([name, score]).toEqual([name, plainComparison(now[name], previous[name])])
      }
      expect(Object.keys(scores).sort()).toEqual(Object.keys(now).sort())
    }),
    { numRuns: 300 },
  )
})
