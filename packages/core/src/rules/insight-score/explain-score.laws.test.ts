import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainScore, insightScores, type ScoreInputs, type ScoreMetric, type ScoreName } from './index.ts'

const hour = 3_600_000

/** The best and the worst input of each metric; beyond them the score does not change (D26). */
const ends: Readonly<Record<ScoreMetric, readonly [best: number, worst: number]>> = {
  deploymentFrequency: [3, 0],
  leadTime: [hour, 4320 * hour],
  deploymentFailureRate: [0, 0.45],
  impactSize: [0, 1],
  flagHealth: [0, 1],
  experimentationCoverage: [0.5, 0],
  creationRatio: [1, 0],
}

const below: Readonly<Record<string, readonly ScoreMetric[]>> = {
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
const names = [...metrics, ...Object.keys(below)] as ScoreName[]

const inputs = fc.record(
  Object.fromEntries(
    metrics.map((metric) => [
      metric,
      fc.oneof(
        { weight: 1, arbitrary: fc.constantFrom('notCalculated', 'unknown') },
        // Includes inputs worse than the worst and better than the best.
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
      fc.property(inputs, fc.constantFrom(...names), (given, name) => {
        const told = explainScore(name, given)
        const { score, indicator, indicatorRange } = insightScores(given, given)[name]
        expect(told).toMatchObject({ name, score, indicator, indicatorRange })
        const tier = tiers.findIndex(([one]) => one === indicator)
        const next = tier < 0 ? undefined : tiers[tier + 1]
        expect(told.next && [told.next.indicator, told.next.score]).toEqual(next && [...next])
      }),
    )
  })

  it('returns all inputs of the score, with their values and scores', () => {
    fc.assert(
      fc.property(inputs, fc.constantFrom(...names), (given, name) => {
        const scores = insightScores(given, given)
        const told = explainScore(name, given).inputs
        expect(told.map(({ metric }) => metric)).toEqual(below[name] ?? [name])
        for (const { metric, unit, value, ...rated } of told) {
          const { score, indicator, indicatorRange } = scores[metric]
          expect(rated).toEqual({ score, indicator, indicatorRange })
          expect(value ?? indicator).toBe(given[metric])
          expect(unit).toBe(metric === 'leadTime' ? 'ms' : metric === 'deploymentFrequency' ? 'perDay' : 'share')
        }
      }),
    )
  })
})

describe('the step of an explanation', () => {
  const after = (given: ScoreInputs, name: ScoreName, metric: ScoreMetric, value: number) =>
    insightScores({ ...given, [metric]: value }, given)[name].score

  it('reaches the next tier, and no smaller step of the metric does', () => {
    fc.assert(
      fc.property(inputs, fc.constantFrom(...names), (given, name) => {
        const { next } = explainScore(name, given)
        if (!next?.step) return
        const { metric, from, to, points } = next.step
        expect(from).toBe(given[metric])
        expect(after(given, name, metric, to)).toBeGreaterThanOrEqual(next.score)
        expect(after(given, metric, metric, to) - after(given, metric, metric, from)).toBe(points)
        const [best, worst] = ends[metric]
        expect(Math.sign(to - from)).toBe(Math.sign(best - worst))
        const hair = (worst - best) * 1e-6
        for (const less of [to + hair, (from + to) / 2]) {
          // This close to the target, a smaller step does not change the score measurably.
          if (Math.abs(less - to) < Math.abs(hair) / 2) continue
          expect(after(given, name, metric, less)).toBeLessThan(next.score)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is the step of the metric that needs the fewest points, and of several the first in the table', () => {
    fc.assert(
      fc.property(inputs, fc.constantFrom(...names), (given, name) => {
        const { next, inputs: told } = explainScore(name, given)
        if (!next) return
        // Raises each metric alone, one point of its score at a time, because the score of a metric is an input of the
        // mean.
        const needs = told.flatMap(({ metric, value, score }) => {
          if (value === undefined) return []
          const points = Array.from({ length: 100 - score }, (_, i) => i + 1).find(
            (more) => after(given, name, metric, inputWith(metric, score + more)) >= next.score,
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

const found = new Map<string, number>()

/** Returns the worst input that has a score. */
function inputWith(metric: ScoreMetric, score: number): number {
  const name = `${metric} ${score}`
  const input = found.get(name) ?? halve(metric, score)
  found.set(name, input)
  return input
}

function halve(metric: ScoreMetric, score: number): number {
  const unknown = Object.fromEntries(metrics.map((one) => [one, 'unknown'])) as unknown as ScoreInputs
  const scoreAt = (value: number) => insightScores({ ...unknown, [metric]: value }, unknown)[metric].score
  let [enough, tooBad] = ends[metric]
  for (let i = 0; i < 60; i++) {
    const middle = (enough + tooBad) / 2
    if (scoreAt(middle) >= score) enough = middle
    else tooBad = middle
  }
  return enough
}
