export type { FlagToSimulate, RequestToSimulate, SegmentToSimulate } from './change-to-simulate.ts'
export { createEngineOf } from './engine.ts'
export type { Api, ApiOf, Callable, Calls, Engine, EngineDesign, EnvironmentRef } from './engine-interface.ts'
export { type FetchSenderOptions, fetchSender } from './fetch-sender.ts'
export type { Caller } from './operation/caller.ts'
export type { Host, LogEntry } from './operation/context.ts'
export type { CacheInput, EngineInput, RateLimitInput, SdkInput } from './operation/engine-options.ts'
export type { EngineRequest, EngineRequestBody, EngineResponse } from './operation/engine-request.ts'
export { ApiError, type ErrorBody, type ErrorCode, errorTable, type Fault, gateCodes } from './operation/errors.ts'
export type { InterceptedCall, Interceptor } from './operation/interceptor.ts'
export type { LiveResponse, StreamSink } from './operation/live-response.ts'
export type { CallAnswer, CallInput, Card, Operation } from './operation/operation.ts'
export type { Send, SendOutcome, WebhookMessage } from './operation/sender.ts'
export type { CompactionResult, CompactOptions, Maintenance } from './operation/tasks/maintenance.ts'
export type { TaskWorker, TaskWorkerFactory } from './operation/tasks/task-worker.ts'
export type { UploadInput } from './operation/upload.ts'
export type { AccessQuery } from './pipeline/access/explain-access.ts'
export type { As } from './pipeline/authenticate.ts'
export type { EngineCacheStats } from './pipeline/caching/engine-caches.ts'
export type { CallOptions } from './pipeline/call-in-process.ts'
export { type CorsOptions, withCors } from './pipeline/cors.ts'
export { type HealthEndpoints, healthEndpoints, type Readiness } from './pipeline/health.ts'
export type { RunTasksOptions, TaskReport } from './pipeline/tasks/run-due-tasks.ts'
export type { BootstrapInput, Bootstrapped } from './resources/account/bootstrap.ts'
// What engines are designed of, and the one that has everything.
export { dueRequestWorker } from './resources/approval-requests/due-request-worker.ts'
export type { RecordCounts } from './resources/back-ups/back-up-format.ts'
export { type BackUps, backUps } from './resources/back-ups/back-ups.ts'
export type { ExportOptions } from './resources/back-ups/export-account.ts'
export type { Imported, ImportOptions } from './resources/back-ups/import-account.ts'
export type { BackUpPieces } from './resources/back-ups/read-back-up.ts'
export * from './resources/cards.ts'
export type { Evaluator, FlagDescription } from './resources/evaluation/evaluator.ts'
export { type EvaluatorOptions, type Evaluators, evaluators } from './resources/evaluation/evaluators.ts'
export type { CountedEvaluations, EvaluationsQuestion } from './resources/flag-evaluations/read-evaluations.ts'
export { trimEvaluations } from './resources/flag-evaluations/trim-evaluations.ts'
export { compactLeadTimes } from './resources/lead-time/compact-lead-times.ts'
export * from './resources/operation-lists.ts'
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
export { actionsOf } from './rules/policy/actions.ts'
export { type BaseRole, baseRoles } from './rules/policy/base-roles.ts'
export { type Explanation, explain } from './rules/policy/explain.ts'
export { type CompiledPolicy, compilePolicy, compileRole, type Decision, decide } from './rules/policy/policy.ts'
export { isResourceKind, type ResourceKind, type ResourceShape, resourceShapes } from './rules/policy/resource-kinds.ts'
export { parseSpecifier, type Specifier, type SpecifierLevel } from './rules/policy/specifier.ts'
export { type Statement, type StatementFault, statementFaults } from './rules/policy/statement.ts'
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
export type { CacheStats } from './storage/dependency-cache.ts'
export * from './storage/port.ts'
export { type TaskBatch, type TaskChange, taskAddress, taskBatch } from './storage/task-batch.ts'
export { touchedBy } from './storage/touched-records.ts'
export { createEngine } from './whole-engine.ts'
