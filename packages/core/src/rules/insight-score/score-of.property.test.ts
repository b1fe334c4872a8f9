import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { insightScoreTable, type ScoreMetric, scoreOf } from './index.ts'
import { inputFor } from './score-of.ts'

const hour = 3_600_000

/**
 * A second copy of the table in decision D26 (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores): the
 * inputs of each metric at the scores 0, 40, 70, 90 and 100.
 */
const worstToBest: Readonly<Record<ScoreMetric, readonly number[]>> = {
  deploymentFrequency: [0, 1 / 30, 1 / 7, 1, 3],
  leadTime: [4320 * hour, 720 * hour, 168 * hour, 24 * hour, hour],
  deploymentFailureRate: [0.45, 0.15, 0.1, 0.05, 0],
  impactSize: [1, 0.8, 0.2, 0.05, 0],
  flagHealth: [1, 0.6, 0.3, 0.1, 0],
  experimentationCoverage: [0, 0.05, 0.15, 0.3, 0.5],
  creationRatio: [0, 0.4, 0.7, 0.9, 1],
}
const marks = [0, 40, 70, 90, 100]
const metrics = Object.keys(worstToBest) as ScoreMetric[]

/** Returns the score before rounding: the weighted mean of the two nearest anchor scores. */
function plainScore(metric: ScoreMetric, input: number): number {
  const inputs = worstToBest[metric]
  for (let i = 0; i + 1 < marks.length; i++) {
    const [from, to] = [inputs[i]!, inputs[i + 1]!]
    const fraction = (input - from) / (to - from)
    if (fraction >= 0 && fraction <= 1) return marks[i]! * (1 - fraction) + marks[i + 1]! * fraction
  }
  return Math.abs(input - inputs[0]!) < Math.abs(input - inputs[4]!) ? 0 : 100
}

const span = (metric: ScoreMetric) => Math.abs(worstToBest[metric][0]! - worstToBest[metric][4]!)

describe.each(metrics)('%s', (metric) => {
  it.each([0, 1, 2, 3, 4])('has at each anchor the score of the table (%d)', (i) => {
    expect(scoreOf(metric, worstToBest[metric][i]!)).toBe(marks[i])
  })

  it('stays at 0 and 100 beyond the outermost anchors', () => {
    const [worst, best] = [worstToBest[metric][0]!, worstToBest[metric][4]!]
    const better = Math.sign(best - worst)
    for (const distance of [span(metric) / 1000, span(metric), Infinity]) {
      expect(scoreOf(metric, worst - better * distance)).toBe(0)
      expect(scoreOf(metric, best + better * distance)).toBe(100)
    }
  })

  it.each([0.5, 39.5, 40.5, 69.5, 70.5, 89.5, 90.5, 99.5])(
    'is rounded up from %d on, and down just below',
    (midpoint) => {
      const above = marks.findIndex((mark) => mark > midpoint)
      const [low, high] = [marks[above - 1]!, marks[above]!]
      const [worse, better] = [worstToBest[metric][above - 1]!, worstToBest[metric][above]!]
      const input = worse + ((midpoint - low) / (high - low)) * (better - worse)
      const smallStep = ((better - worse) / (high - low)) * 0.001
      expect(scoreOf(metric, input)).toBe(Math.ceil(midpoint))
      expect(scoreOf(metric, input + smallStep)).toBe(Math.ceil(midpoint))
      expect(scoreOf(metric, input - smallStep)).toBe(Math.floor(midpoint))
    },
  )

  it('is the rounded weighted mean of the two nearest anchors', () => {
    const inputs = fc.double({ min: 0, max: 1.2, noNaN: true }).map((fraction) => fraction * span(metric))
    fc.assert(
      fc.property(inputs, (input) => {
        const plain = plainScore(metric, input)
        fc.pre(Math.abs(plain - Math.floor(plain) - 0.5) > 1e-6)
        expect(scoreOf(metric, input)).toBe(Math.round(plain))
      }),
    )
  })

  it.each(Array.from({ length: 100 }, (_, i) => i + 1))(
    'has the score %d at the input that inputFor returns, and a lower score just below',
    (score) => {
      const input = inputFor(metric, score)
      const worse = Math.sign(worstToBest[metric][0]! - worstToBest[metric][4]!)
      expect(scoreOf(metric, input)).toBe(score)
      expect(scoreOf(metric, input + worse * span(metric) * 1e-6)).toBe(score - 1)
    },
  )

  it('throws a RangeError if the input is not a number', () => {
    expect(() => scoreOf(metric, Number.NaN)).toThrow(RangeError)
  })
})

it('scoreOf rates lead times by days as decision D26 requires', () => {
  expect(scoreOf('leadTime', 27.6 * hour)).toBe(90)
  expect(scoreOf('leadTime', 27.6 * hour + 1)).toBe(89)
})

it('insightScoreTable has anchors for all metrics and a version', () => {
  expect(Object.keys(insightScoreTable.metrics).sort()).toEqual([...metrics].sort())
  expect(insightScoreTable.version).toBe(2)
})
