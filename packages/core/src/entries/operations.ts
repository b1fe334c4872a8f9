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
export type { AgentGraphResponse } from '../resources/agent-graphs/agent-graph-schema.ts'
export type { AgentOptimizationResponse } from '../resources/agent-optimizations/agent-optimization-schema.ts'
export type { AgentOptimizationResultResponse } from '../resources/agent-optimizations/optimization-result-schema.ts'
export type { AIConfigResponse } from '../resources/ai-configs/ai-config-schema.ts'
export type { AIConfigVariationResponse } from '../resources/ai-configs/variations/ai-config-variation-schema.ts'
export type { AIModelConfigResponse } from '../resources/ai-model-configs/ai-model-config-schema.ts'
export type { AIToolResponse } from '../resources/ai-tools/ai-tool-schema.ts'
export type { ApplicationResponse } from '../resources/applications/application-response.ts'
export type { ApprovalRequestResponse } from '../resources/approval-requests/approval-request-response.ts'
export type { BranchResponse } from '../resources/code-references/branch-schema.ts'
export type { RepositoryResponse } from '../resources/code-references/repository-schema.ts'
export type { DeploymentResponse } from '../resources/deployments/deployment-schema.ts'
export type { DestinationResponse } from '../resources/destinations/destination-response.ts'
export type { EnvironmentResponse } from '../resources/environments/environment-schema.ts'
export type { ExperimentResponse } from '../resources/experiments/experiment-schema.ts'
export type { FlagTriggerResponse } from '../resources/flag-triggers/flag-trigger-schema.ts'
export type { FlagResponse } from '../resources/flags/flag-schema.ts'
export type { InsightGroupResponse } from '../resources/insight-groups/insight-group-schema.ts'
export type { LayerResponse } from '../resources/layers/layer-schema.ts'
export type { MemberResponse } from '../resources/members/member-schema.ts'
export type { MetricGroupResponse } from '../resources/metric-groups/metric-group-schema.ts'
export type { MetricResponse } from '../resources/metrics/metric-schema.ts'
export type { OAuthClientResponse } from '../resources/oauth-clients/oauth-client-response.ts'
export type { OAuthGrantResponse } from '../resources/oauth-grants/oauth-grant-response.ts'
export type { ProjectResponse } from '../resources/projects/project-schema.ts'
export type { RelayConfigResponse } from '../resources/relay-configs/relay-config-response.ts'
export type { ReleasePipelineResponse } from '../resources/release-pipelines/release-pipeline-schema.ts'
export type { ReleasePolicyResponse } from '../resources/release-policies/release-policy-schema.ts'
export type { ReleaseResponse } from '../resources/releases/release-schema.ts'
export type { RoleResponse } from '../resources/roles/role-schema.ts'
export type { ScheduledChangeResponse } from '../resources/scheduled-changes/scheduled-change-schema.ts'
export type { SdkKeyResponse } from '../resources/sdk-keys/sdk-key-schema.ts'
export type { SegmentResponse } from '../resources/segments/segment-schema.ts'
export type { TeamResponse } from '../resources/teams/team-schema.ts'
export type { TokenResponse } from '../resources/tokens/token-response.ts'
export type { ViewResponse } from '../resources/views/view-schema.ts'
export type { WebhookResponse } from '../resources/webhooks/webhook-response.ts'
export type { WorkflowResponse } from '../resources/workflows/workflow-response.ts'
export type {
  FlagInstructionListSchema,
  FlagInstructionSchema,
} from '../resources/flags/instructions/flag-instruction.ts'
export type { StagesSchema } from '../resources/workflows/stage-body.ts'
export type { AIConfigInstructionSchema } from '../resources/ai-configs/targeting/targeting-instructions.ts'
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
