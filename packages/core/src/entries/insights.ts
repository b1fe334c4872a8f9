// Scores.
export {
  type InputExplanation,
  explainScore,
  type Indicator,
  type InsightScore,
  type InsightScores,
  insightScores,
  insightScoreTable,
  type MissingScore,
  type Rating,
  type ScoreAggregate,
  type ScoreExplanation,
  type ScoreInputs,
  type ScoreMetric,
  type ScoreName,
  type ScoreReasons,
  type ScoreStep,
  scoreOf,
} from '../rules/insight-score/index.ts'

// Lead time.
export {
  type BucketQuery,
  type DurationStats,
  type LeadTimeChart,
  type LeadTimePoint,
  type LeadTimeQuery,
  type LeadTimeSamples,
  type LeadTimeSeries,
  type LeadTimeTier,
  leadTimeChart,
  leadTimeColumns,
  leadTimeTier,
  leadTimeTiers,
  type Percentiles,
  type Stage,
  stages,
} from '../rules/lead-time/index.ts'

// Charts of deployments, releases and flags.
export {
  type ConfigState,
  type CountChart,
  type CountPoint,
  type CountSeries,
  chartTier,
  chartTiers,
  type DeploymentQuery,
  deploymentColumns,
  deploymentFrequencyChart,
  type EventColumns,
  type FlagHistory,
  flagStatusChart,
  type ReleaseKind,
  type ReleaseQuery,
  releaseFrequencyChart,
  type StaleFlagsQuery,
  staleFlagsChart,
} from '../rules/insight-charts/index.ts'

// Status of flags.
export {
  type FlagActivity,
  type FlagStatus,
  flagStatus,
  flagStatuses,
  statusPeriod,
} from '../rules/flag-status/flag-status.ts'
