import type { Optimizer } from './engine/optimizer.ts'
import type { Simulator } from './engine/simulator.ts'
import type { Engine } from './engine-interface.ts'
import type { Host } from './operation/context.ts'
import type { EngineOptions } from './operation/engine-options.ts'
import type { EngineRequest } from './operation/engine-request.ts'
import type { Operation } from './operation/operation.ts'
import type { ResponseProfile } from './operation/response-profile.ts'
import type { Maintenance } from './operation/tasks/maintenance.ts'
import type { TaskWorkerFactory } from './operation/tasks/task-worker.ts'
import type { UnservedOperation } from './operation/unserved-operation.ts'
import type { Writing } from './pipeline/execute-parts.ts'
import type { RequestPipeline } from './pipeline/request-pipeline.ts'
import type { AIEvaluation } from './resources/ai-evaluation/ai-evaluation.ts'
import type { BackUps } from './resources/back-ups/back-ups.ts'
import type { FollowChanges } from './resources/change-log/follow-changes.ts'
import type { EvaluatorOptions, Evaluators } from './resources/evaluation/evaluators.ts'
import type { OAuthParts } from './resources/oauth-grants/oauth-parts.ts'
import type { OAuthService } from './resources/oauth-grants/oauth-service.ts'
import type { PastStorages } from './resources/past/past-storages.ts'
import type { SdkEndpoints, SdkOptions } from './resources/sdk-endpoints/sdk-endpoints.ts'
import type { EventConsumer } from './resources/sdk-events/event-consumer.ts'
import type { AccountStorage } from './storage/port.ts'

/** The parts of an engine of selected operations (docs/decisions/0043-build-engines-from-selected-operations.md). */
export interface EngineDesign<O extends Operation> {
  /**
   * The operations of the engine: single ones, and the lists of whole resources, e.g. `[...teams.operations, getFlag]`.
   */
  readonly operations: readonly O[]
  /**
   * The workers of `runDueTasks`. Default: no workers, so that another engine on the same storage has to run the tasks.
   */
  readonly workers?: readonly TaskWorkerFactory[]
  /** Maintenance that `compact` runs in addition to trimming the change log. Default: no further maintenance. */
  readonly maintenance?: readonly Maintenance[]
  /**
   * The implementation of `export` and `import`. It covers all stored collections, including those of operations that
   * are not selected. Default: no implementation.
   */
  readonly backUps?: BackUps
  /** Makes the evaluators of `evaluate`. Default: no evaluators. */
  readonly evaluators?: (storage: AccountStorage, host: Host, options: EvaluatorOptions) => Evaluators
  /**
   * The implementation of `aiConfig`, `agentConfig`, `judgeConfig` and `agentGraph`; SDKs then also receive AI configs.
   * It needs evaluators. Default: no implementation.
   */
  readonly aiEvaluation?: AIEvaluation
  /**
   * The implementation of `simulate`; it needs the operations whose changes are simulated. Default: no implementation.
   */
  readonly simulator?: Simulator
  /**
   * The implementation of `runOptimization`; it needs the operations of agent optimizations and AI configs. Default: no
   * implementation.
   */
  readonly optimizer?: Optimizer
  /** Makes the endpoints of `sdk`; they need evaluators. Default: no endpoints. */
  readonly sdkEndpoints?: (
    storage: AccountStorage,
    host: Host,
    evaluators: Evaluators,
    options: SdkOptions,
    eventConsumers: readonly EventConsumer[],
  ) => SdkEndpoints
  /** The implementation of `changes`. Default: no implementation. */
  readonly followChanges?: FollowChanges
  /** Adds branches to an engine. Without it, the engine ignores the header `Halyard-Branch`. */
  readonly branches?:
    | (<Each extends Operation>(engine: UnbranchedEngine<Each>, trunk: TrunkParts<Each>) => Engine<Each>)
    | undefined
  /**
   * The implementation of `at`. It covers all stored collections, including those of operations that are not selected.
   * Default: no implementation.
   */
  readonly pastStorages?: PastStorages
  /** Makes `oauth`; it needs the operation `createOAuthGrant`. Default: no implementation. */
  readonly oauth?: (parts: OAuthParts) => OAuthService
  /**
   * Consumers of the events of SDKs and of `track`, in addition to the consumer that counts evaluations. They need
   * `sdkEndpoints`. Default: none.
   */
  readonly eventConsumers?: readonly EventConsumer[]
  /** Imports the response profile of `wire: 'reference'`. Without it, an engine with that option cannot be made. */
  readonly responseProfile?: () => Promise<ResponseProfile>
  /**
   * Imports the operations of the reference API that this API lacks; requests to them are then refused with 501.
   * Default: none, and such requests are refused with 404 or 405.
   */
  readonly unserved?: () => Promise<readonly UnservedOperation[]>
}

/** An engine without the functions of branches. */
export type UnbranchedEngine<O extends Operation> = Omit<Engine<O>, 'branch' | 'branches'>

/** The parts of an engine from which its branches are made. */
export interface TrunkParts<O extends Operation> {
  readonly design: EngineDesign<O>
  readonly options: EngineOptions
  readonly pipeline: RequestPipeline
  /** Returns true for a request of an SDK. */
  isSdkRequest(request: EngineRequest): boolean
  /** Makes an engine of the same operations. */
  assemble(options: EngineOptions, design: EngineDesign<O>, writing: (writing: Writing) => Writing): Engine<O>
}
