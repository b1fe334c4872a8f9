export { type CompareImportOptions, compareImport, type ImportComparison } from './comparison/compare-import.ts'
export type { Comparison, ComparisonOptions, Difference, Verdict } from './comparison/differential.ts'
export type {
  EvaluationOutcome,
  ExportError,
  FlagFormat,
  OldEvaluationQuery,
  OldEvaluator,
  OldEvaluatorFactory,
  ReadExport,
  ReadOptions,
} from './flag-format.ts'
export { defaultEnvironmentKey } from './flag-format.ts'
export { flagFormats } from './flag-formats.ts'
export { flagdFormat } from './flagd/flagd-format.ts'
export {
  type AppliedPlan,
  type ApplyOptions,
  applyPlan,
  FlagsConflict,
  type FlagsPlan,
  type FlagsTarget,
  type PlanEffect,
  type PlanEffectContext,
  type PlanEffectResult,
  type PlanOptions,
  type PlanStep,
  planFlags,
  pullFlags,
} from './flags-as-code/plan.ts'
export { planText } from './flags-as-code/plan-text.ts'
export type { ChangeOptions, PlannedChange } from './flags-as-code/planned-changes.ts'
export {
  checkProjectFile,
  type OwnedParts,
  type ProjectFile,
  ProjectFileError,
  parseProjectFile,
} from './flags-as-code/project-file.ts'
export { flagsmithFormat } from './flagsmith/flagsmith-format.ts'
export { growthbookFormat } from './growthbook/growthbook-format.ts'
export type {
  AttributeExample,
  Clause,
  ClauseOperator,
  ClauseValue,
  ImportedConfig,
  ImportedEnvironment,
  ImportedFlag,
  ImportedKeys,
  ImportedProject,
  ImportedRollout,
  ImportedRule,
  ImportedSegment,
  ImportedSegmentRule,
  ImportedServe,
  ImportedTarget,
  ImportedVariation,
  Loss,
  LossEffect,
} from './imported-project.ts'
export { type Interruption, isInterruption } from './interruption.ts'
export { type ImportReport, reportJson, reportText } from './loss-report.ts'
export { referenceFormat } from './reference/reference-format.ts'
export type { Refusal } from './refusal.ts'
export { unleashFormat } from './unleash/unleash-format.ts'
export {
  stepsOf,
  type WriteOptions,
  type WriteResult,
  type WrittenCounts,
  type WrittenSegments,
  writeProject,
} from './write-project.ts'
export type { WriteTarget } from './write-target.ts'
