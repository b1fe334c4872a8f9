// Scores.
export {
  type ExplainedInput,
  explainScore,
  type Indicator,
  type InsightScore,
  type InsightScores,
  insightScores,
  insightScoreTable,
  type Missing,
  type Rated,
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
  type BucketQuestion,
  type Figures,
  type LeadTimeChart,
  type LeadTimePoint,
  type LeadTimeQuestion,
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
  type DeploymentQuestion,
  deploymentColumns,
  deploymentFrequencyChart,
  type EventColumns,
  type FlagHistory,
  flagStatusChart,
  type ReleaseKind,
  type ReleaseQuestion,
  releaseFrequencyChart,
  type StaleFlagsQuestion,
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
