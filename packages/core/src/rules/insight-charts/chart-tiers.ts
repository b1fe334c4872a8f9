import { type Indicator, insightScoreTable } from '../insight-score/score-table.ts'

/**
 * Metrics for which charts show an indicator. Each has the limit of every indicator as text, the best indicator first.
 * The numbers are anchors of decision D26 (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores).
 */
export const chartTiers = {
  deploymentFrequency: {
    excellent: 'at least 1 per day',
    good: 'at least 1 per week',
    fair: 'at least 1 per 30 days',
    needsAttention: 'less than 1 per 30 days',
  },
  flagHealth: {
    excellent: 'at most 10 % of temporary flags are stale',
    good: 'at most 30 % of temporary flags are stale',
    fair: 'at most 60 % of temporary flags are stale',
    needsAttention: 'more than 60 % of temporary flags are stale',
  },
} as const

/**
 * Rates an input. A score is rounded before it is rated, so near a limit it can be one tier better than the chart,
 * which applies the limits to the exact input.
 *
 * @param input successful deployments per day, or stale flags as a share of temporary ones.
 */
export function chartTier(metric: keyof typeof chartTiers, input: number): Indicator {
  const { tiers, metrics } = insightScoreTable
  const { anchors } = metrics[metric]
  const sign = Math.sign(anchors[0] - anchors[4])
  // The first anchor is the best value, and lies within the best tier.
  return tiers.find((_, i) => (input - anchors[i + 1]!) * sign >= 0)!.indicator
}
