export type { FlagToSimulate, RequestToSimulate, SegmentToSimulate } from './change-to-simulate.ts'
export { createEngineOf } from './engine.ts'
export type { Api, ApiOf, Callable, Calls, Engine, EngineDesign, EvaluationPlace } from './engine-interface.ts'
export { type FetchSenderOptions, fetchSender } from './fetch-sender.ts'
export type { Around, BegunCall } from './operation/around.ts'
export type { Caller } from './operation/caller.ts'
export type { Host, LogEntry } from './operation/context.ts'
export type { EngineInput, RateLimitInput, RememberInput, SdkInput } from './operation/engine-options.ts'
export { ApiError, type ErrorBody, type ErrorCode, errorTable, type Fault, gateCodes } from './operation/errors.ts'
export type { LiveAnswer, StreamSink } from './operation/live-answer.ts'
export type { CallInput, CallResponse, Operation, TypedOperation } from './operation/operation.ts'
export { parameterDescriptions } from './operation/parameter-descriptions.ts'
export type { ResourceDescriptor } from './operation/resource.ts'
export type { Send, SendOutcome, WebhookMessage } from './operation/sender.ts'
export type { Compacted, CompactOptions, Upkeep } from './operation/upkeep.ts'
export type { UploadInput } from './operation/upload.ts'
export type { WireAnswer, WireBody, WireRequest } from './operation/wire.ts'
export type { Worker, WorkerMaker } from './operation/worker.ts'
export type { As } from './pipeline/authenticate.ts'
export { type CorsOptions, withCors } from './pipeline/cors.ts'
export type { Delivered, DeliverOptions } from './pipeline/deliver.ts'
export type { AccessQuestion } from './pipeline/explain-access.ts'
export { type HealthAnswers, healthAnswers, type Readiness } from './pipeline/health.ts'
export type { Remembered } from './pipeline/remembering.ts'
export type { CallOptions } from './pipeline/walk.ts'
export type { BootstrapInput, Bootstrapped } from './resources/account/bootstrap.ts'
export { resources } from './resources/all-resources.ts'
// What engines are designed of, and the one that has everything.
export { dueRequestWorker } from './resources/approval-requests/steps/due-request-worker.ts'
export type { RecordCounts } from './resources/back-ups/back-up-format.ts'
export { type BackUps, backUps } from './resources/back-ups/back-ups.ts'
export type { ExportOptions } from './resources/back-ups/export-account.ts'
export type { Imported, ImportOptions } from './resources/back-ups/import-account.ts'
export type { BackUpPieces } from './resources/back-ups/read-back-up.ts'
export type { Evaluator, FlagDescription } from './resources/evaluation/evaluator.ts'
export { type EvaluatorOptions, type Evaluators, evaluators } from './resources/evaluation/evaluators.ts'
export type { CountedEvaluations, EvaluationsQuestion } from './resources/flag-evaluations/read-evaluations.ts'
export { trimEvaluations } from './resources/flag-evaluations/trim-evaluations.ts'
export * from './resources/generated/operations.ts'
export * from './resources/index.ts'
export { compactLeadTimes } from './resources/lead-time/compact-lead-times.ts'
export {
  actionsOf,
  baseRoles,
  compileRole,
  explain,
  isResourceKind,
  parseSpecifier,
  type ResourceKind,
  type ResourceShape,
  resourceShapes,
  statementFaults,
} from './resources/policy.ts'
export { scheduledChangeWorker } from './resources/scheduled-changes/scheduled-change-worker.ts'
export { type SdkEndpoints, sdkEndpoints } from './resources/sdk-endpoints/sdk-endpoints.ts'
export type {
  SimulatedContext,
  SimulatedEntry,
  SimulatedFlag,
  SimulatedMembership,
  SimulatedReasons,
  SimulatedSegment,
  SimulatedVariation,
  SimulatedWebhook,
  Simulation,
} from './resources/simulation/simulation.ts'
export { trimWebhookAttempts } from './resources/webhooks/trim-webhook-attempts.ts'
export { webhookWorker } from './resources/webhooks/webhook-worker.ts'
export { addressOf, parseAddress, type Resource, type ResourceLevel } from './rules/address.ts'
export { type ApprovalRule, type ReviewRule, requiresApproval } from './rules/approval/guard.ts'
export { type ApprovalStatus, type ApprovalStep, approvalRefusal, type RequestState } from './rules/approval/life.ts'
export { type Review, type ReviewKind, type ReviewStatus, reviewStatusOf } from './rules/approval/reviews.ts'
export * from './rules/evaluation/index.ts'
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
export {
  type FlagActivity,
  type FlagStatus,
  flagStatus,
  flagStatuses,
  statusPeriod,
} from './rules/flag-status/flag-status.ts'
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
  type ScoreReasons,
  type ScoreStep,
  scoreOf,
} from './rules/insight-score/index.ts'
export { joinedBytes } from './rules/joined-bytes.ts'
export { applyPatch, type PatchOptions, type PatchOutcome } from './rules/json-patch/apply-patch.ts'
export { type ParsedPatch, parsePatch } from './rules/json-patch/parse-patch.ts'
export type { MigrationRule, MigrationTargeting } from './rules/migration-safety/cohorts.ts'
export { type MigrationSafetyIssue, migrationSafetyIssues } from './rules/migration-safety/migration-safety-issues.ts'
export { type MigrationStage, migrationStages, type StageCount } from './rules/migration-safety/stages.ts'
export type { BaseRole } from './rules/policy/base-roles.ts'
export type { Explanation } from './rules/policy/explain.ts'
export { type CompiledPolicy, compilePolicy, type Decision, decide } from './rules/policy/policy.ts'
export type { Specifier, SpecifierLevel } from './rules/policy/specifier.ts'
export type { Statement, StatementFault } from './rules/policy/statement.ts'
export type { TextPattern } from './rules/policy/text-pattern.ts'
export { isPrivateHost } from './rules/private-address.ts'
export { isPublicAddress } from './rules/public-address.ts'
export {
  type Advance,
  advancePhase,
  completePhase,
  initialStatuses,
  type PhaseStatus,
  phaseStatuses,
} from './rules/release/progression.ts'
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
export type { SdkService } from './sdk-service.ts'
export { type SimulatedEngine, type Simulator, simulator } from './simulator.ts'
export { compareCodePoints } from './storage/code-point-order.ts'
export type { CacheFigures } from './storage/fresh-cache.ts'
export * from './storage/port.ts'
export { type TaskChange, type TasksAhead, taskAddress, tasksAhead } from './storage/tasks-ahead.ts'
export { touchedBy } from './storage/touched.ts'
export { createEngine } from './whole-engine.ts'
