import { describe, expect, it } from 'vitest'
import { chartTier, chartTiers } from '../insight-charts/index.ts'
import { leadTimeTier } from '../lead-time/index.ts'
import {
  insightScores,
  insightScoreTable,
  type MissingScore,
  type ScoreInputs,
  type ScoreName,
  scoreOf,
} from './index.ts'
import { rate } from './rating.ts'
import { inputFor } from './score-of.ts'
import { childrenOf, metricsOf, type ScoreMetric, scoreAggregates, scoreMetrics } from './score-table.ts'

/** Best input of each metric, so that a score from a single metric would be the best one. */
const best = (metric: ScoreMetric) => insightScoreTable.metrics[metric].anchors[0]

/**
 * Returns all combinations of inputs in which each metric has its best input or no input, for every reason for a
 * missing input.
 */
function everySubset(): ScoreInputs[] {
  const states = [undefined, 'unknown', 'notCalculated'] as const
  return Array.from({ length: states.length ** scoreMetrics.length }, (_, subset) => {
    const inputs = scoreMetrics.map((metric, index) => {
      const missing: MissingScore | undefined = states[Math.floor(subset / states.length ** index) % states.length]
      // The inputs differ, so that the scores do.
      return [metric, missing ?? (index % 2 === 0 ? best(metric) : insightScoreTable.metrics[metric].anchors[2])]
    })
    return Object.fromEntries(inputs) as ScoreInputs
  })
}

/** Returns the weight of each metric in a score: a child has an equal part of the weight of its parent. */
function weightsOf(name: ScoreName, weight = 1): readonly (readonly [ScoreMetric, number])[] {
  const children = childrenOf(name)
  return children?.flatMap((child) => weightsOf(child, weight / children.length)) ?? [[name as ScoreMetric, weight]]
}

describe.each(scoreAggregates)('%s, for every subset of known scores', (name) => {
  it('is calculated exactly when at least half of its weight is known, and never better than its best child', () => {
    for (const inputs of everySubset()) {
      const scores = insightScores(inputs, inputs)
      const known = weightsOf(name).reduce(
        (sum, [metric, weight]) => sum + (typeof inputs[metric] === 'number' ? weight : 0),
        0,
      )
      const label = JSON.stringify({ name, inputs })
      if (known >= 0.5 - 1e-9) {
        const children = childrenOf(name)!.map((child) => scores[child].score)
        expect(scores[name].score, label).toBeLessThanOrEqual(Math.max(...children))
        expect(scores[name].indicator, label).toBe(rate(scores[name].score).indicator)
      } else {
        const onlyLacksInput = metricsOf(name).every((metric) => inputs[metric] === 'notCalculated')
        expect(scores[name], label).toMatchObject({ score: 0, indicator: onlyLacksInput ? 'notCalculated' : 'unknown' })
      }
    }
  })
})

describe.each([...Object.keys(chartTiers), 'leadTime'] as (keyof typeof chartTiers | 'leadTime')[])(
  'the tiers of the chart of %s',
  (metric) => {
    const tierOf = (input: number) =>
      metric === 'leadTime' ? leadTimeTier({ count: 1, mean: input }) : chartTier(metric, input)

    it.each(insightScoreTable.tiers.slice(0, -1))(
      'agree with those of the score on both sides of $min',
      ({ min, indicator }) => {
        const anchor = insightScoreTable.metrics[metric].anchors[insightScoreTable.anchorScores.indexOf(min)]!
        expect([tierOf(anchor), rate(scoreOf(metric, anchor)).indicator]).toEqual([indicator, indicator])
        // The worst input whose score is one point lower. Scores of inputs between the two are rounded up.
        const worse = inputFor(metric, min - 1)
        expect(tierOf(worse)).toBe(rate(scoreOf(metric, worse)).indicator)
        expect(tierOf(worse)).not.toBe(indicator)
      },
    )
  },
)
