export { type CompareImportOptions, compareImport, type ImportComparison } from './comparison/compare-import.ts'
export type { Comparison, ComparisonOptions, Difference, Verdict } from './comparison/differential.ts'
export type {
  ExportFault,
  FlagFormat,
  OldAnswer,
  OldEvaluator,
  OldEvaluatorMaker,
  OldQuestion,
  ReadExport,
  ReadOptions,
} from './flag-format.ts'
export { presetEnvironment } from './flag-format.ts'
export { flagFormats } from './flag-formats.ts'
export { flagdFormat } from './flagd/flagd-format.ts'
export { flagsmithFormat } from './flagsmith/flagsmith-format.ts'
export { growthbookFormat } from './growthbook/growthbook-format.ts'
export { type Interruption, isInterruption } from './interruption.ts'
export { type ImportReport, reportJson, reportText } from './loss-report.ts'
export type {
  AttributeExample,
  Clause,
  ClauseOperator,
  ClauseValue,
  Loss,
  LossEffect,
  MovedConfig,
  MovedEnvironment,
  MovedFlag,
  MovedKeys,
  MovedProject,
  MovedRollout,
  MovedRule,
  MovedSegment,
  MovedSegmentRule,
  MovedServe,
  MovedTarget,
  MovedVariation,
} from './moved-project.ts'
export { ownerApi } from './owner-api.ts'
export { referenceFormat } from './reference/reference-format.ts'
export type { Refusal } from './refusal.ts'
export { unleashFormat } from './unleash/unleash-format.ts'
export {
  stepsOf,
  type WriteWatch,
  type Written,
  type WrittenCounts,
  type WrittenSegments,
  writeMoved,
} from './write-moved.ts'
export type { WritePlace } from './write-place.ts'
