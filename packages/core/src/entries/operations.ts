// Engines of selected operations.
export { createEngineOf } from '../engine.ts'
export type { ApiOf, Calls } from '../engine-api.ts'
export type { EngineDesign } from '../engine-design.ts'

// One export for each operation, and one for the descriptor of each resource.
export * from '../generated/selectable-operations.ts'
export * from '../generated/selectable-resources.ts'
export type { AnonymousOperation, CallInput, CallResponse, Operation, TypedOperation } from '../operation/operation.ts'
export type { ResourceDescriptor } from '../operation/resource.ts'
export type { PolicyKind } from '../rules/policy/policy-kind.ts'
export { parameterDescriptions } from '../operation/parameter-descriptions.ts'
export type { UploadInput } from '../operation/upload.ts'
export { errorTable, pipelineErrorCodes } from '../operation/errors.ts'

// Types that declarations of operations name.
export type { Link, Links, ListSchema, ShownAccess, ShownDecision, Timestamp } from '../operation/schema.ts'
export type { AIConfigInstructionSchema } from '../resources/ai-configs/targeting/targeting-instructions.ts'
export type { FlagInstructionSchema } from '../resources/flags/instructions/flag-instruction.ts'
export type { SegmentInstructionSchema } from '../resources/segments/changes/segment-instruction.ts'

// Workers, which run due tasks.
export type { TaskWorker, TaskWorkerFactory } from '../operation/tasks/task-worker.ts'
export {
  automatedReleaseWorker,
  dueRequestWorker,
  scheduledChangeWorker,
  webhookWorker,
  workflowWorker,
} from '../engine/selectable-workers.ts'

// Maintenance of stored data.
export type { Maintenance } from '../operation/tasks/maintenance.ts'
export { trimAIMetrics } from '../resources/ai-config-metrics/trim-ai-metrics.ts'
export { trimEvaluations } from '../resources/flag-evaluations/trim-evaluations.ts'
export { compactLeadTimes } from '../resources/lead-time/compact-lead-times.ts'
export { oauthService } from '../resources/oauth-grants/oauth-service.ts'
export { trimOAuthTokens } from '../resources/oauth-grants/trim-oauth-tokens.ts'
export { trimWebhookAttempts } from '../resources/webhooks/trim-webhook-attempts.ts'

// Back-ups.
export { type BackUps, backUps } from '../resources/back-ups/back-ups.ts'
export type { RecordCounts } from '../resources/back-ups/back-up-format.ts'

// Evaluation, and endpoints for SDKs.
export { type EvaluatorOptions, type Evaluators, evaluators } from '../resources/evaluation/evaluators.ts'
export { type AIEvaluation, aiEvaluation } from '../resources/ai-evaluation/ai-evaluation.ts'
export { type SdkEndpoints, sdkEndpoints } from '../resources/sdk-endpoints/sdk-endpoints.ts'

// Response profiles.
export type { ReshapeBody, ReshapedCall, ResponseProfile } from '../operation/response-profile.ts'
export { referenceProfile } from '../resources/reference-profile/reference-profile.ts'

// Runs of agent optimizations.
export { type OptimizedEngine, type Optimizer, optimizer } from '../engine/optimizer.ts'

// The changes of all processes.
export {
  type FollowChanges,
  type FollowParts,
  followChanges,
  type Pause,
} from '../resources/change-log/follow-changes.ts'

// Consumers of the events of SDKs.
export { aiMetricConsumer } from '../resources/ai-config-metrics/ai-metric-consumer.ts'
export type { EventConsumer, EventReport, EventStorage } from '../resources/sdk-events/event-consumer.ts'
export type {
  ContextEvent,
  ContextKeys,
  CustomEvent,
  FeatureEvent,
  SdkEvent,
  SummarizedEvaluation,
  SummaryEvent,
} from '../rules/sdk-protocol/sdk-events.ts'

// Simulation of changes.
export { type SimulatedEngine, type Simulator, simulator } from '../engine/simulator.ts'
export type {
  AIConfigToSimulate,
  FlagToSimulate,
  RequestToSimulate,
  SegmentToSimulate,
} from '../engine/change-to-simulate.ts'
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
} from '../resources/simulation/simulation.ts'
