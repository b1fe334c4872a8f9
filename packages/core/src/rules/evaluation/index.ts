export { changedFlags } from './changed-flags.ts'
export { bigSegmentName } from './compiled-segment.ts'
export type { Evaluate, FlagKeyOf, FlagTypes } from './declared-flags.ts'
export { type EvaluateAllOptions, type EvaluateOptions, evaluate, evaluateAll } from './evaluate.ts'
export type { BigSegmentLookup, BigSegmentMembership } from './evaluation.ts'
export type {
  BucketExplanation,
  ClauseExplanation,
  EvaluationExplanation,
  FlagExplanation,
  PrerequisiteExplanation,
  RuleExplanation,
  SegmentExplanation,
  SegmentRuleExplanation,
  ServeExplanation,
} from './evaluation-explanation.ts'
export type { BigSegmentsStatus, EvaluationError, EvaluationReason, EvaluationResult } from './evaluation-result.ts'
export { failedEvaluation } from './evaluation-result.ts'
export { explainEvaluation } from './explain-evaluation.ts'
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
} from './flag-data.ts'
export { type MigrationStageResult, migrationStageOf } from './migration-stage.ts'
export { orDefault, type Widen } from './or-default.ts'
export { re2Pattern } from './re2-pattern.ts'
export { compileRuleset, type Ruleset, removeFlag, removeSegment, replaceFlag, replaceSegment } from './ruleset.ts'
export type { CompilePattern } from './safe-pattern.ts'
export type { EvaluationContext } from './subject.ts'
export { unmatchableReason } from './unmatchable-clause.ts'
