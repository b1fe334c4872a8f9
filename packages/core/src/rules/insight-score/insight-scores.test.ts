import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countByIndicator, insightScores, type ScoreInputs, scoreOf, scorePeriods } from './index.ts'
import { rate } from './rating.ts'
import { scoreMetrics } from './score-table.ts'

const hour = 3_600_000
const unknown: ScoreInputs = {
  deploymentFrequency: 'unknown',
  leadTime: 'unknown',
  deploymentFailureRate: 'unknown',
  impactSize: 'unknown',
  flagHealth: 'unknown',
  experimentationCoverage: 'unknown',
  creationRatio: 'unknown',
}

describe('the tier', () => {
  it.each([
    [100, 'excellent', 90, 100],
    [90, 'excellent', 90, 100],
    [89, 'good', 70, 89],
    [70, 'good', 70, 89],
    [69, 'fair', 40, 69],
    [40, 'fair', 40, 69],
    [39, 'needsAttention', 0, 39],
    [0, 'needsAttention', 0, 39],
  ] as const)('of a score of %d is %s, from %d to %d', (score, indicator, min, max) => {
    expect(rate(score)).toEqual({ score, indicator, indicatorRange: { min, max } })
  })

  it.each(['notCalculated', 'unknown'] as const)('without a score is %s, with the whole range', (indicator) => {
    expect(rate(indicator)).toEqual({ score: 0, indicator, indicatorRange: { min: 0, max: 100 } })
  })
})

describe('an aggregate', () => {
  it('is the mean of its children, level by level, rounded half up', () => {
    const inputs: ScoreInputs = {
      ...unknown,
      deploymentFrequency: 3,
      leadTime: 27.7 * hour,
      deploymentFailureRate: 0.15,
      impactSize: 'notCalculated',
      flagHealth: 1,
      experimentationCoverage: 0.5,
    }
    const scores = insightScores(inputs, inputs)
    expect([scores.deploymentFrequency.score, scores.leadTime.score]).toEqual([100, 89])
    expect(scores.velocity).toMatchObject({ score: 95, indicator: 'excellent' })
    expect(scores.risk).toMatchObject({ score: 40, indicator: 'fair' })
    expect(scores.efficiency).toMatchObject({ score: 50, indicator: 'fair' })
    // (95 + 40 + 50) / 3 = 61.67
    expect(scores.overall).toMatchObject({ score: 62, indicator: 'fair', diffVsLastPeriod: 0 })
  })

  it('contains the names of its children; other scores do not', () => {
    const scores = insightScores(unknown, unknown)
    expect(scores.overall.aggregateOf).toEqual(['velocity', 'risk', 'efficiency'])
    expect(scores.velocity.aggregateOf).toEqual(['deploymentFrequency', 'leadTime'])
    expect(scores.risk.aggregateOf).toEqual(['deploymentFailureRate', 'impactSize'])
    expect(scores.efficiency.aggregateOf).toEqual(['flagHealth', 'experimentationCoverage'])
    expect('aggregateOf' in scores.leadTime || 'aggregateOf' in scores.creationRatio).toBe(false)
  })

  it('is notCalculated, and not unknown, if each of its metrics is notCalculated', () => {
    const velocity = { deploymentFrequency: 'notCalculated', leadTime: 'notCalculated' } as const
    const scores = insightScores({ ...unknown, ...velocity }, unknown)
    expect(scores.velocity.indicator).toBe('notCalculated')
    expect(scores.overall.indicator).toBe('unknown')
  })

  it('lies between its smallest and greatest child, and does not depend on the creation ratio', () => {
    const value = (metric: (typeof scoreMetrics)[number]) =>
      fc.oneof(
        fc.constantFrom('unknown' as const, 'notCalculated' as const),
        fc.double({ min: 0, max: metric === 'leadTime' ? 5000 * hour : 4, noNaN: true }),
      )
    const inputs = fc.record(Object.fromEntries(scoreMetrics.map((metric) => [metric, value(metric)])) as never)
    fc.assert(
      fc.property(inputs, fc.double({ min: 0, max: 2, noNaN: true }), (randomInputs, creationRatio) => {
        const all = randomInputs as unknown as ScoreInputs
        const scores = insightScores(all, unknown)
        const calculated = scoreMetrics.filter(
          (metric) => metric !== 'creationRatio' && typeof all[metric] === 'number',
        )
        const points = calculated.map((metric) => scoreOf(metric, all[metric] as number))
        if (points.length >= 3) {
          expect(scores.overall.score).toBeGreaterThanOrEqual(Math.min(...points))
          expect(scores.overall.score).toBeLessThanOrEqual(Math.max(...points))
        } else expect(['unknown', 'notCalculated']).toContain(scores.overall.indicator)
        expect(insightScores({ ...all, creationRatio }, unknown).overall).toEqual(scores.overall)
      }),
    )
  })
})

describe('the previous period', () => {
  it('is included with the difference', () => {
    const { leadTime } = insightScores({ ...unknown, leadTime: 24 * hour }, { ...unknown, leadTime: 168 * hour })
    expect(leadTime).toEqual({
      score: 90,
      indicator: 'excellent',
      indicatorRange: { min: 90, max: 100 },
      diffVsLastPeriod: 20,
      lastPeriod: { score: 70, indicator: 'good', indicatorRange: { min: 70, max: 89 } },
    })
  })

  it('has no difference if one of the two scores is not calculated', () => {
    const calculatedInputs = { ...unknown, leadTime: hour }
    expect('diffVsLastPeriod' in insightScores(calculatedInputs, unknown).leadTime).toBe(false)
    expect('diffVsLastPeriod' in insightScores(unknown, calculatedInputs).leadTime).toBe(false)
  })

  it('has the same length of thirty days, and ends where the period starts', () => {
    const now = Date.UTC(2028, 2, 1)
    const day = 86_400_000
    expect(scorePeriods(now)).toEqual({
      period: { startTime: now - 30 * day, endTime: now },
      lastPeriod: { startTime: now - 60 * day, endTime: now - 30 * day },
    })
  })
})

it('countByIndicator counts scores by indicator', () => {
  const scores = [rate(95), rate(90), rate(70), rate(40), rate(0), rate('unknown'), rate('notCalculated')]
  expect(countByIndicator(scores)).toEqual({
    excellent: 2,
    good: 1,
    fair: 1,
    needsAttention: 1,
    notCalculated: 1,
    unknown: 1,
    total: 7,
  })
})
