// Rulesets.

// Flags and segments as server-side SDKs receive them.
export type {
  ClauseData,
  FlagData,
  FlagRuleData,
  PrerequisiteData,
  RolloutData,
  SegmentData,
  SegmentRuleData,
  SegmentTargetData,
  ServeData,
  TargetData,
  WeightedVariation,
} from '../rules/evaluation/index.ts'
export {
  type BigSegmentMembership,
  type BigSegments,
  type BigSegmentsStatus,
  type BucketExplanation,
  bigSegmentName,
  type ClauseExplanation,
  changedFlags,
  compileRuleset,
  type Evaluate,
  type EvaluateAllOptions,
  type Evaluated,
  type EvaluatedStage,
  type EvaluateOptions,
  type EvaluationContext,
  type EvaluationError,
  type EvaluationExplanation,
  type EvaluationReason,
  evaluate,
  evaluateAll,
  explainEvaluation,
  type FlagExplanation,
  type FlagKeyOf,
  failedEvaluation,
  migrationStageOf,
  orDefault,
  type PrerequisiteExplanation,
  type RuleExplanation,
  type Ruleset,
  removeFlag,
  removeSegment,
  replaceFlag,
  replaceSegment,
  type SegmentExplanation,
  type SegmentRuleExplanation,
  type ServeExplanation,
  type Widened,
} from '../rules/evaluation/index.ts'

// Checks of changes of the targeting of a migration flag.
export type { MigrationRule, MigrationTargeting } from '../rules/migration-safety/cohorts.ts'
export { type MigrationSafetyIssue, migrationSafetyIssues } from '../rules/migration-safety/migration-safety-issues.ts'
export { type MigrationStage, migrationStages, type StageCount } from '../rules/migration-safety/stages.ts'
