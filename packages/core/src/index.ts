// The engine.
export type { Api, Callable, Engine, EvaluationPlace } from './engine-interface.ts'
export type { Around, BegunCall } from './operation/around.ts'
export type { Caller } from './operation/caller.ts'
export type { Host, LogEntry } from './operation/context.ts'
export type { EngineInput, RateLimitInput, RememberInput, SdkInput } from './operation/engine-options.ts'
// Errors of calls.
export { ApiError, type ErrorBody, type ErrorCode, type Fault } from './operation/errors.ts'
// Transports.
export type { LiveAnswer, StreamSink } from './operation/live-answer.ts'

// Input and results of the engine's methods.
export type { Compacted, CompactOptions } from './operation/upkeep.ts'
export type { WireAnswer, WireBody, WireRequest } from './operation/wire.ts'
export type { As } from './pipeline/authenticate.ts'
export { type CorsOptions, withCors } from './pipeline/cors.ts'
export type { Delivered, DeliverOptions } from './pipeline/deliver.ts'
export type { AccessQuestion } from './pipeline/explain-access.ts'
export { type HealthAnswers, healthAnswers, type Readiness } from './pipeline/health.ts'
export type { Remembered } from './pipeline/remembering.ts'
export type { CallOptions } from './pipeline/walk.ts'
export type { BootstrapInput, Bootstrapped } from './resources/account/bootstrap.ts'
export type { ExportOptions } from './resources/back-ups/export-account.ts'
export type { Imported, ImportOptions } from './resources/back-ups/import-account.ts'
export type { BackUpPieces } from './resources/back-ups/read-back-up.ts'
// Evaluation of flags, and SDKs.
export type { Evaluator, FlagDescription } from './resources/evaluation/evaluator.ts'
export type { CountedEvaluations, EvaluationsQuestion } from './resources/flag-evaluations/read-evaluations.ts'
export type { FlagTypes } from './rules/evaluation/index.ts'
export type { SdkService } from './sdk-service.ts'
export type { CacheFigures } from './storage/fresh-cache.ts'
export { createEngine } from './whole-engine.ts'
