// The engine.
export { createEngine } from './whole-engine.ts'
export type { Api, BoundApi } from './engine-api.ts'
export type { Callable, Engine, EnvironmentRef, PastEngine } from './engine-interface.ts'
export { createCache, type CacheInput, type SharedCache } from './operation/cache-limits.ts'
export type { EngineInput, RateLimitInput, SdkInput } from './operation/engine-options.ts'
export type { Host, LogEntry } from './operation/context.ts'
export type { Integration, IntegrationManifest } from './operation/integration.ts'
export type { ExportBatch, ExportOutcome, Exporter } from './operation/exporter.ts'
export type {
  ExportedChange,
  ExportedCustomEvent,
  ExportedEvaluation,
  ExportedEvent,
} from './operation/exported-event.ts'
export type { ChangedResource, CommittedChange, Hooks, PendingChange } from './operation/hooks.ts'
export type { SnapshotOptions, SnapshotResult, SnapshotTarget } from './resources/evaluation/snapshots.ts'
export type { MomentInput } from './resources/past/moment.ts'
export type { ChangesOptions, PositionedChange } from './resources/change-log/follow-changes.ts'
export type { ReadableChange, ReadableResourceChange } from './operation/change-log/readable-change.ts'
export type { JsonChange } from './rules/json-delta.ts'
export type { Interceptor, InterceptedCall } from './operation/interceptor.ts'
export type { Caller } from './operation/caller.ts'
export type { HostIdentity, MemberIdentity, ServiceIdentity } from './operation/host-identity.ts'

// Options and errors of calls.
export {
  ApiError,
  type ChangeConflict,
  type ErrorBody,
  type ErrorCode,
  type Referrer,
  type ValidationError,
} from './operation/errors.ts'
export type { As } from './pipeline/authenticate.ts'
export type { CallOptions } from './pipeline/call-in-process.ts'
export type { AccessQuery } from './pipeline/access/explain-access.ts'

// Options and results of the functions that the host calls.
export type { BootstrapInput, BootstrapResult } from './resources/account/bootstrap.ts'
export type { TaskReport, RunTasksOptions } from './pipeline/tasks/run-due-tasks.ts'
export type { CompactionResult, CompactOptions } from './operation/tasks/maintenance.ts'
export type { ExportOptions } from './resources/back-ups/export-account.ts'
export type { ImportResult, ImportOptions } from './resources/back-ups/import-account.ts'
export type { BackUpPieces } from './resources/back-ups/read-back-up.ts'
export type { EngineCacheStats } from './pipeline/caching/engine-caches.ts'
export type { CacheStats } from './storage/dependency-cache.ts'

// Evaluation of flags, and SDKs.
export type { Evaluator, FlagDescription } from './resources/evaluation/evaluator.ts'
export type { FlagTypes } from './rules/evaluation/index.ts'
export type {
  AIConfigContents,
  AIConfigFallback,
  AIJudges,
  AIMessage,
  AIModel,
  AISkill,
  AIToolDefinition,
  EvaluatedAIConfig,
} from './rules/ai-configs/ai-config-value.ts'
export type { EvaluatedAgentGraph } from './rules/ai-configs/evaluate-agent-graph.ts'
export type {
  ModelCall,
  ModelMessage,
  ModelProvider,
  ModelReply,
  RunCosts,
} from './resources/agent-optimizations/run/model-call.ts'
export type { OptimizationOutcome, OptimizationRunInput } from './resources/agent-optimizations/run/run-optimization.ts'
export type { SdkService } from './sdk-service.ts'
export type { TrackedEvent } from './resources/sdk-events/tracked-event.ts'
export type { EvaluationCount, EvaluationsQuery } from './resources/flag-evaluations/read-evaluations.ts'

// OAuth 2.0.
export type { OAuthService } from './resources/oauth-grants/oauth-service.ts'
export type {
  OAuthClientDescription,
  OAuthClientProof,
  OAuthErrorCode,
  OAuthIssuedTokens,
  OAuthRefusal,
  OAuthTokenDescription,
  OAuthTokenRequest,
} from './resources/oauth-grants/oauth-protocol.ts'

// Transports.
export type { EngineResponse, EngineRequestBody, EngineRequest, MountedEndpoints } from './operation/engine-request.ts'
export type { LiveResponse, StreamSink } from './operation/live-response.ts'
export { clientAddressBehind, type FindClientAddress } from './rules/ip-addresses/client-address-behind.ts'
export { type CorsOptions, withCors } from './pipeline/cors.ts'
export { type HealthEndpoints, healthEndpoints, type Readiness } from './pipeline/health.ts'
