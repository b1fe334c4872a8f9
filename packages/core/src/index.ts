export { type Api, type Callable, createEngine, type Engine, type EvaluationPlace } from './engine.ts'
export { type FetchSenderOptions, fetchSender } from './fetch-sender.ts'
export type { Caller } from './operation/caller.ts'
export type { Host, LogEntry } from './operation/context.ts'
export type { EngineInput, RateLimitInput, RememberInput } from './operation/engine-options.ts'
export { ApiError, type ErrorBody, type ErrorCode, errorTable, type Fault, gateCodes } from './operation/errors.ts'
export type { CallAnswer, CallInput, Operation } from './operation/operation.ts'
export type { Send, SendOutcome, WebhookMessage } from './operation/sender.ts'
export type { UploadInput } from './operation/upload.ts'
export type { WireAnswer, WireBody, WireRequest } from './operation/wire.ts'
export type { As } from './pipeline/authenticate.ts'
export type { Delivered, DeliverOptions } from './pipeline/deliver.ts'
export type { AccessQuestion } from './pipeline/explain-access.ts'
export type { Remembered } from './pipeline/remembering.ts'
export type { CallOptions } from './pipeline/walk.ts'
export type { Bootstrapped, BootstrapInput } from './resources/account/bootstrap.ts'
export type { RecordCounts } from './resources/back-ups/back-up-format.ts'
export type { ExportOptions } from './resources/back-ups/export-account.ts'
export type { Imported, ImportOptions } from './resources/back-ups/import-account.ts'
export type { BackUpPieces } from './resources/back-ups/read-back-up.ts'
export type { Compacted, CompactOptions } from './resources/lead-time/compact-lead-times.ts'
export type { Evaluator } from './resources/evaluation/evaluator.ts'
export { addressOf, parseAddress, type Resource, type ResourceLevel } from './rules/address.ts'
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
  type ScoreExplanation,
  type ScoreInputs,
  type ScoreMetric,
  type ScoreName,
  scoreOf,
  type ScoreReasons,
  type ScoreStep,
} from './rules/insight-score/index.ts'
export * from './rules/evaluation/index.ts'
export {
  type FlagActivity,
  type FlagStatus,
  flagStatus,
  flagStatuses,
  statusPeriod,
} from './rules/flag-status/flag-status.ts'
export { type ApprovalRule, requiresApproval, type ReviewRule } from './rules/approval/guard.ts'
export { type ApprovalStatus, type ApprovalStep, approvalRefusal, type RequestState } from './rules/approval/life.ts'
export { type Review, type ReviewKind, type ReviewStatus, reviewStatusOf } from './rules/approval/reviews.ts'
export {
  type Comparison,
  describeFault,
  type FilterFault,
  type FilterTerm,
  type ParsedFilter,
  parseQueryFilter,
  parseTermFilter,
  printQueryFilter,
  printTermFilter,
  type QueryFilter,
  type TermFilter,
} from './rules/filter/index.ts'
export { applyPatch, type PatchOptions, type PatchOutcome } from './rules/json-patch/apply-patch.ts'
export { type ParsedPatch, parsePatch } from './rules/json-patch/parse-patch.ts'
export type { MigrationRule, MigrationTargeting } from './rules/migration-safety/cohorts.ts'
export { type MigrationSafetyIssue, migrationSafetyIssues } from './rules/migration-safety/migration-safety-issues.ts'
export { type MigrationStage, migrationStages, type StageCount } from './rules/migration-safety/stages.ts'
export { actionsOf } from './rules/policy/actions.ts'
export { type BaseRole, baseRoles } from './rules/policy/base-roles.ts'
export { type Explanation, explain } from './rules/policy/explain.ts'
export { type CompiledPolicy, compilePolicy, compileRole, type Decision, decide } from './rules/policy/policy.ts'
export { isResourceKind, type ResourceKind, type ResourceShape, resourceShapes } from './rules/policy/resource-kinds.ts'
export { parseSpecifier, type Specifier, type SpecifierLevel } from './rules/policy/specifier.ts'
export { type Statement, type StatementFault, statementFaults } from './rules/policy/statement.ts'
export type { TextPattern } from './rules/policy/text-pattern.ts'
export {
  type Advance,
  advancePhase,
  completePhase,
  initialStatuses,
  type PhaseStatus,
  phaseStatuses,
} from './rules/release/progression.ts'
export { isPrivateHost } from './rules/private-address.ts'
export { nextAttemptAt, retryAfterAt, retryDelays } from './rules/webhook-retry/retry-plan.ts'
export {
  type ReceivedHeaders,
  signWebhook,
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookRefusal,
  type WebhookToSign,
  type WebhookToVerify,
} from './rules/webhook-signature/index.ts'
export { compareCodePoints } from './storage/code-point-order.ts'
export type { CacheFigures } from './storage/fresh-cache.ts'
export * from './storage/port.ts'
export { type TaskChange, type TasksAhead, taskAddress, tasksAhead } from './storage/tasks-ahead.ts'
export { touchedBy } from './storage/touched.ts'
