// The design of an engine of chosen operations.

// Simulation.
export type { FlagToSimulate, RequestToSimulate, SegmentToSimulate } from '../change-to-simulate.ts'
export { createEngineOf } from '../engine.ts'
export type { ApiOf, Calls, EngineDesign } from '../engine-interface.ts'
// Operations: each by itself, and the list of each resource.
export { errorTable, gateCodes } from '../operation/errors.ts'
export type { CallAnswer, CallInput, Card, Operation } from '../operation/operation.ts'
// Maintenance of stored data.
export type { Upkeep } from '../operation/upkeep.ts'
export type { UploadInput } from '../operation/upload.ts'

// Workers, which run due tasks.
export type { Worker, WorkerMaker } from '../operation/worker.ts'
export { dueRequestWorker } from '../resources/approval-requests/due-request-worker.ts'
// Back-ups.
export type { RecordCounts } from '../resources/back-ups/back-up-format.ts'
export { type BackUps, backUps } from '../resources/back-ups/back-ups.ts'
export * from '../resources/cards.ts'
// Evaluation and SDK endpoints.
export { type EvaluatorOptions, type Evaluators, evaluators } from '../resources/evaluation/evaluators.ts'
export { trimEvaluations } from '../resources/flag-evaluations/trim-evaluations.ts'
export { compactLeadTimes } from '../resources/lead-time/compact-lead-times.ts'
export * from '../resources/operation-lists.ts'
export { scheduledChangeWorker } from '../resources/scheduled-changes/scheduled-change-worker.ts'
export { type SdkEndpoints, sdkEndpoints } from '../resources/sdk-endpoints/sdk-endpoints.ts'
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
export { trimWebhookAttempts } from '../resources/webhooks/trim-webhook-attempts.ts'
export { webhookWorker } from '../resources/webhooks/webhook-worker.ts'
export { type SimulatedEngine, type Simulator, simulator } from '../simulator.ts'
