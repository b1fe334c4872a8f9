// The engine.
export { createEngine } from './whole-engine.ts'
export type { Api, Callable, Engine, EvaluationPlace } from './engine-interface.ts'
export type { EngineInput, RateLimitInput, RememberInput, SdkInput } from './operation/engine-options.ts'
export type { Host, LogEntry } from './operation/context.ts'
export type { Around, BegunCall } from './operation/around.ts'
export type { Caller } from './operation/caller.ts'

// Options and errors of calls.
export { ApiError, type ErrorBody, type ErrorCode, type Fault } from './operation/errors.ts'
export type { As } from './pipeline/authenticate.ts'
export type { CallOptions } from './pipeline/walk.ts'
export type { AccessQuestion } from './pipeline/explain-access.ts'

// Options and results of what a host calls.
export type { BootstrapInput, Bootstrapped } from './resources/account/bootstrap.ts'
export type { Delivered, DeliverOptions } from './pipeline/deliver.ts'
export type { Compacted, CompactOptions } from './operation/upkeep.ts'
export type { ExportOptions } from './resources/back-ups/export-account.ts'
export type { Imported, ImportOptions } from './resources/back-ups/import-account.ts'
export type { BackUpPieces } from './resources/back-ups/read-back-up.ts'
export type { Remembered } from './pipeline/remembering.ts'
export type { CacheFigures } from './storage/fresh-cache.ts'

// Evaluation of flags, and SDKs.
export type { Evaluator, FlagDescription } from './resources/evaluation/evaluator.ts'
export type { FlagTypes } from './rules/evaluation/index.ts'
export type { SdkService } from './sdk-service.ts'
export type { CountedEvaluations, EvaluationsQuestion } from './resources/flag-evaluations/read-evaluations.ts'

// Transports.
export type { WireAnswer, WireBody, WireRequest } from './operation/wire.ts'
export type { LiveAnswer, StreamSink } from './operation/live-answer.ts'
export { type CorsOptions, withCors } from './pipeline/cors.ts'
export { type HealthAnswers, healthAnswers, type Readiness } from './pipeline/health.ts'
