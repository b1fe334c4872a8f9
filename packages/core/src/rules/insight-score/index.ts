export { countByIndicator, type IndicatorCounts } from './count-by-indicator.ts'
export {
  type ApplicationFilter,
  type DeploymentOutcomes,
  deploymentInputs,
  leadTimeInput,
} from './deployment-inputs.ts'
export {
  experimentationCoverageInput,
  type FlagReleases,
  impactSizeInput,
  type ScoredIteration,
} from './experiment-inputs.ts'
export { explainScore, type ScoreExplanation } from './explain-score.ts'
export { creationRatioInput, flagHealthInput, type ScoredFlag } from './flag-inputs.ts'
export {
  type InsightScore,
  type InsightScores,
  insightScores,
  type RatingsByName,
  type ScoreInputs,
} from './insight-scores.ts'
export type { MissingScore, Rating } from './rating.ts'
export { scoreOf } from './score-of.ts'
export { type ScorePeriod, scorePeriods } from './score-period.ts'
export type { InputExplanation, ScoreReasons, ScoreStep } from './score-reasons.ts'
export {
  type Indicator,
  insightScoreTable,
  type ScoreAggregate,
  type ScoreMetric,
  type ScoreName,
} from './score-table.ts'
