import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainScore, insightScores, type ScoreInputs, scoreOf } from './index.ts'

const hour = 3_600_000
const inputs: ScoreInputs = {
  deploymentFrequency: 1 / 7,
  leadTime: 720 * hour,
  deploymentFailureRate: 0.05,
  impactSize: 'unknown',
  flagHealth: 0.8,
  experimentationCoverage: 'notCalculated',
  creationRatio: 0.5,
}

describe('explainScore', () => {
  it('returns input, tier and the step to the next tier for one metric', () => {
    const { text, next, ...explained } = explainScore('leadTime', inputs)
    expect(explained).toEqual({
      name: 'leadTime',
      score: 40,
      indicator: 'fair',
      indicatorRange: { min: 40, max: 69 },
      inputs: [
        {
          metric: 'leadTime',
          unit: 'ms',
          value: 720 * hour,
          score: 40,
          indicator: 'fair',
          indicatorRange: { min: 40, max: 69 },
        },
      ],
    })
    // 69.5 rounds to 70, and a point is 18.4 hours here.
    expect(next).toEqual({
      indicator: 'good',
      score: 70,
      step: { metric: 'leadTime', unit: 'ms', from: 720 * hour, to: 177.2 * hour, points: 30 },
    })
    expect(text).toBe(
      'leadTime is 40 (fair). median time from first commit to deployment: 720 h. ' +
        'For good (70): median time from first commit to deployment at most 177.2 h.',
    )
  })

  it('returns no next tier at the best tier', () => {
    const { next, text } = explainScore('risk', inputs)
    expect(next).toBeUndefined()
    expect(text).toBe(
      'risk is 90 (excellent). share of ended deployments that failed: 5 %; ' +
        'median share of contexts whose variation a flag change altered: unknown.',
    )
  })

  it('returns the reason if there is no score', () => {
    const { next, inputs: explained, text } = explainScore('experimentationCoverage', inputs)
    expect(next).toBeUndefined()
    expect(explained).toMatchObject([{ metric: 'experimentationCoverage', indicator: 'notCalculated' }])
    expect('value' in explained[0]!).toBe(false)
    expect(text).toContain('experimentationCoverage is notCalculated')
  })

  it('returns every metric of an aggregate', () => {
    const explained = explainScore('overall', inputs).inputs.map(({ metric }) => metric)
    expect(explained).toEqual([
      'deploymentFrequency',
      'leadTime',
      'deploymentFailureRate',
      'impactSize',
      'flagHealth',
      'experimentationCoverage',
    ])
  })

  it('returns the step of the metric that needs the fewest points', () => {
    // Velocity is the mean of 70 and 40, which is 55. With 29 more points of either metric, the mean is 69.5, which
    // rounds up to 70.
    expect(explainScore('velocity', inputs).next).toMatchObject({ indicator: 'good', step: { points: 29 } })
    // Overall is the mean of 55, 90 and 20. Efficiency depends on flag health alone: one point of flag health is a
    // third of a point of overall.
    expect(explainScore('overall', inputs)).toMatchObject({
      score: 55,
      next: { indicator: 'good', score: 70, step: { metric: 'flagHealth', points: 44 } },
    })
  })

  it('returns steps of a single point and steps up to the best score', () => {
    // The score is 68.5 at 0.1025, and a slightly better input already has 69.
    const nearlyGood = { ...inputs, deploymentFailureRate: 0.1024 }
    expect(scoreOf('deploymentFailureRate', 0.1024)).toBe(69)
    expect(explainScore('deploymentFailureRate', nearlyGood).next).toMatchObject({ score: 70, step: { points: 1 } })
    // The scores are 79 and 78. The mean reaches 90 only if the second score becomes 100 and the first stays 79.
    const unequal = { ...inputs, deploymentFrequency: 1 / 7 + (6 / 7) * 0.45, leadTime: (168 - 144 * 0.4) * hour }
    expect([
      scoreOf('deploymentFrequency', unequal.deploymentFrequency),
      scoreOf('leadTime', unequal.leadTime),
    ]).toEqual([79, 78])
    expect(explainScore('velocity', unequal).next?.step).toMatchObject({ metric: 'leadTime', points: 22 })
  })

  it('returns no step if no single metric is enough', () => {
    const lowScores = {
      ...inputs,
      deploymentFrequency: 0,
      leadTime: 5000 * hour,
      deploymentFailureRate: 1,
      flagHealth: 1,
    }
    const { next, text } = explainScore('overall', { ...lowScores, impactSize: 1, experimentationCoverage: 0 })
    expect(next).toEqual({ indicator: 'fair', score: 40 })
    expect(text).toContain('No single metric is enough for fair (40).')
  })

  it('returns a step that reaches the next tier, and no other metric reaches it with fewer points', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    const randomInputs = fc.record({
      deploymentFrequency: fc.double({ min: 0, max: 3, noNaN: true }),
      leadTime: fc.integer({ min: hour, max: 4320 * hour }),
      deploymentFailureRate: share,
      impactSize: fc.constant('unknown' as const),
      flagHealth: share,
      experimentationCoverage: fc.constant('unknown' as const),
      creationRatio: share,
    })
    fc.assert(
      fc.property(randomInputs, fc.constantFrom('overall', 'velocity', 'risk', 'efficiency'), (sample, name) => {
        const { next, inputs: explained } = explainScore(name, sample)
        const scoreAfter = (metric: string, value: number) =>
          insightScores({ ...sample, [metric]: value }, sample)[name].score
        if (!next?.step) return
        const { metric, to, points } = next.step
        expect(scoreAfter(metric, to)).toBeGreaterThanOrEqual(next.score)
        for (const otherMetric of explained) {
          if (otherMetric.value === undefined) continue
          // Moves the input towards the best in small steps until the tier is reached.
          const best = { deploymentFrequency: 3, leadTime: hour } as Partial<Record<string, number>>
          const goal = best[otherMetric.metric] ?? 0
          for (let i = 1; i <= 50; i++) {
            const value = otherMetric.value + ((goal - otherMetric.value) * i) / 50
            if (scoreAfter(otherMetric.metric, value) < next.score) continue
            expect(scoreOf(otherMetric.metric, value) - otherMetric.score).toBeGreaterThanOrEqual(points)
            break
          }
        }
      }),
      { numRuns: 50 },
    )
  })
})
