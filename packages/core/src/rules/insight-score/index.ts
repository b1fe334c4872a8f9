export { countByIndicator, type IndicatorCounts } from './count-by-indicator.ts'
export { type Applications, type DeploymentEnds, deploymentInputs, leadTimeInput } from './deployment-inputs.ts'
export { explainScore, type ScoreExplanation } from './explain-score.ts'
export { creationRatioInput, flagHealthInput, type ScoredFlag } from './flag-inputs.ts'
export {
  type InsightScore,
  type InsightScores,
  insightScores,
  type RatedScores,
  type ScoreInputs,
} from './insight-scores.ts'
export type { Missing, Rated } from './rated.ts'
export { scoreOf } from './score-of.ts'
export { type ScorePeriod, scorePeriods } from './score-period.ts'
export type { ExplainedInput, ScoreReasons, ScoreStep } from './score-reasons.ts'
export {
  type Indicator,
  insightScoreTable,
  type ScoreAggregate,
  type ScoreMetric,
  type ScoreName,
} from './score-table.ts'
