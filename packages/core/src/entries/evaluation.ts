// Rulesets.
export {
  type CompilePattern,
  changedFlags,
  compileRuleset,
  type Ruleset,
  re2Pattern,
  removeFlag,
  removeSegment,
  replaceFlag,
  replaceSegment,
} from '../rules/evaluation/index.ts'

// Checks of clauses before they are stored.
export { unmatchableReason } from '../rules/evaluation/index.ts'

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

// Evaluation of flags for a context.
export {
  type Evaluate,
  type EvaluateAllOptions,
  type EvaluationResult,
  type MigrationStageResult,
  type EvaluateOptions,
  type EvaluationContext,
  type EvaluationError,
  type EvaluationReason,
  evaluate,
  evaluateAll,
  type FlagKeyOf,
  failedEvaluation,
  migrationStageOf,
  orDefault,
  type Widen,
} from '../rules/evaluation/index.ts'

// Big segments.
export {
  type BigSegmentMembership,
  type BigSegmentLookup,
  type BigSegmentsStatus,
  bigSegmentName,
} from '../rules/evaluation/index.ts'

// Explanations of evaluations.
export {
  type BucketExplanation,
  type ClauseExplanation,
  type EvaluationExplanation,
  explainEvaluation,
  type FlagExplanation,
  type PrerequisiteExplanation,
  type RuleExplanation,
  type SegmentExplanation,
  type SegmentRuleExplanation,
  type ServeExplanation,
} from '../rules/evaluation/index.ts'

// Checks of changes to the targeting of a migration flag.
export type { MigrationRule, MigrationTargeting } from '../rules/migration-safety/cohorts.ts'
export { type MigrationSafetyIssue, migrationSafetyIssues } from '../rules/migration-safety/migration-safety-issues.ts'
export { type MigrationStage, migrationStages, type StageCount } from '../rules/migration-safety/stages.ts'

// Evaluation of the snapshots that `engine.snapshot` writes.
export {
  type Snapshot,
  type SnapshotBytes,
  type SnapshotHeader,
  readSnapshot,
} from '../rules/snapshots/snapshot-format.ts'
export { type SnapshotReader, type SnapshotReaderOptions, snapshotReader } from '../rules/snapshots/snapshot-reader.ts'
export { snapshotFrom } from '../snapshot-from.ts'
