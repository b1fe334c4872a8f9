import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainScore, insightScores, type ScoreInputs, type ScoreMetric, type ScoreName } from './index.ts'

const hour = 3_600_000

/**
 * The best and the worst input of each metric. Better or worse inputs do not change the score
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores).
 */
const ends: Readonly<Record<ScoreMetric, readonly [best: number, worst: number]>> = {
  deploymentFrequency: [3, 0],
  leadTime: [hour, 4320 * hour],
  deploymentFailureRate: [0, 0.45],
  impactSize: [0, 1],
  flagHealth: [0, 1],
  experimentationCoverage: [0.5, 0],
  creationRatio: [1, 0],
}

const metricsOf: Readonly<Record<string, readonly ScoreMetric[]>> = {
  velocity: ['deploymentFrequency', 'leadTime'],
  risk: ['deploymentFailureRate', 'impactSize'],
  efficiency: ['flagHealth', 'experimentationCoverage'],
  overall: [
    'deploymentFrequency',
    'leadTime',
    'deploymentFailureRate',
    'impactSize',
    'flagHealth',
    'experimentationCoverage',
  ],
}

const metrics = Object.keys(ends) as ScoreMetric[]
const names = [...metrics, ...Object.keys(metricsOf)] as ScoreName[]

const inputs = fc.record(
  Object.fromEntries(
    metrics.map((metric) => [
      metric,
      fc.oneof(
        { weight: 1, arbitrary: fc.constantFrom('notCalculated', 'unknown') },
        // Includes inputs outside of the range that the table of scores distinguishes.
        { weight: 5, arbitrary: fc.double({ min: 0, max: Math.max(...ends[metric]) * 1.2, noNaN: true }) },
      ),
    ]),
  ),
) as unknown as fc.Arbitrary<ScoreInputs>

const tiers = [
  ['needsAttention', 0],
  ['fair', 40],
  ['good', 70],
  ['excellent', 90],
] as const

describe('explainScore', () => {
  it('returns the score, its tier and the next tier as insightScores does', () => {
    fc.assert(
      fc.property(inputs, fc.constantFrom(...names), (scoreInputs, name) => {
        const explained = explainScore(name, scoreInputs)
        const { score, indicator, indicatorRange } = insightScores(scoreInputs, scoreInputs)[name]
        expect(explained).toMatchObject({ name, score, indicator, indicatorRange })
        const tier = tiers.findIndex(([tierName]) => tierName === indicator)
        const next = tier < 0 ? undefined : tiers[tier + 1]
        expect(explained.next && [explained.next.indicator, explained.next.score]).toEqual(next && [...next])
      }),
    )
  })

  it('returns all inputs of the score, with their values and scores', () => {
    fc.assert(
      fc.property(inputs, fc.constantFrom(...names), (scoreInputs, name) => {
        const scores = insightScores(scoreInputs, scoreInputs)
        const explained = explainScore(name, scoreInputs).inputs
        expect(explained.map(({ metric }) => metric)).toEqual(metricsOf[name] ?? [name])
        for (const { metric, unit, value, ...rated } of explained) {
          const { score, indicator, indicatorRange } = scores[metric]
          expect(rated).toEqual({ score, indicator, indicatorRange })
          expect(value ?? indicator).toBe(scoreInputs[metric])
          expect(unit).toBe(metric === 'leadTime' ? 'ms' : metric === 'deploymentFrequency' ? 'perDay' : 'share')
        }
      }),
    )
  })
})

describe('the step of an explanation', () => {
  const scoreAfter = (scoreInputs: ScoreInputs, name: ScoreName, metric: ScoreMetric, value: number) =>
    insightScores({ ...scoreInputs, [metric]: value }, scoreInputs)[name].score

  it('reaches the next tier, and no smaller step of the metric does', () => {
    fc.assert(
      fc.property(inputs, fc.constantFrom(...names), (scoreInputs, name) => {
        const { next } = explainScore(name, scoreInputs)
        if (!next?.step) return
        const { metric, from, to, points } = next.step
        expect(from).toBe(scoreInputs[metric])
        expect(scoreAfter(scoreInputs, name, metric, to)).toBeGreaterThanOrEqual(next.score)
        expect(scoreAfter(scoreInputs, metric, metric, to) - scoreAfter(scoreInputs, metric, metric, from)).toBe(points)
        const [best, worst] = ends[metric]
        expect(Math.sign(to - from)).toBe(Math.sign(best - worst))
        const smallStep = (worst - best) * 1e-6
        for (const worseValue of [to + smallStep, (from + to) / 2]) {
          // When the two inputs are this close, a smaller step does not change the score measurably.
          if (Math.abs(worseValue - to) < Math.abs(smallStep) / 2) continue
          expect(scoreAfter(scoreInputs, name, metric, worseValue)).toBeLessThan(next.score)
        }
      }),
      { numRuns: process.env.HALYARD_LONG_TESTS ? 1_000 : 200 },
    )
  })

  it('is the step of the metric that needs the fewest points, and of the first in the table when several need as few', () => {
    fc.assert(
      fc.property(inputs, fc.constantFrom(...names), (scoreInputs, name) => {
        const { next, inputs: explained } = explainScore(name, scoreInputs)
        if (!next) return
        // Raises each metric alone, one point of its score at a time, because the score of a metric is an input of the
        // mean.
        const needs = explained.flatMap(({ metric, value, score }) => {
          if (value === undefined) return []
          const points = Array.from({ length: 100 - score }, (_, i) => i + 1).find(
            (addedPoints) =>
              scoreAfter(scoreInputs, name, metric, inputWith(metric, score + addedPoints)) >= next.score,
          )
          return points === undefined ? [] : [{ metric, points }]
        })
        const fewest = Math.min(...needs.map(({ points }) => points))
        const cheapest = needs.find(({ points }) => points === fewest)
        expect(next.step && { metric: next.step.metric, points: next.step.points }).toEqual(cheapest)
      }),
      { numRuns: 300 },
    )
  })
})

const worstInputs = new Map<string, number>()

/** Returns the worst input that has a score. */
function inputWith(metric: ScoreMetric, score: number): number {
  const name = `${metric} ${score}`
  const input = worstInputs.get(name) ?? bisect(metric, score)
  worstInputs.set(name, input)
  return input
}

function bisect(metric: ScoreMetric, score: number): number {
  const unknown = Object.fromEntries(metrics.map((key) => [key, 'unknown'])) as unknown as ScoreInputs
  const scoreAt = (value: number) => insightScores({ ...unknown, [metric]: value }, unknown)[metric].score
  let [sufficient, insufficient] = ends[metric]
  for (let i = 0; i < 60; i++) {
    const middle = (sufficient + insufficient) / 2
    if (scoreAt(middle) >= score) sufficient = middle
    else insufficient = middle
  }
  return sufficient
}
