import type { FlagToSimulate, RequestToSimulate, SegmentToSimulate } from './change-to-simulate.ts'
import type { Host } from './operation/context.ts'
import type { EngineRequest, EngineResponse } from './operation/engine-request.ts'
import type { CompactionResult, CompactOptions, Maintenance } from './operation/maintenance.ts'
import type { CallAnswer, CallInput, Operation } from './operation/operation.ts'
import type { TaskWorkerFactory } from './operation/task-worker.ts'
import type { CallOptions } from './pipeline/call-in-process.ts'
import type { EngineCacheStats } from './pipeline/engine-caches.ts'
import type { AccessQuery } from './pipeline/explain-access.ts'
import type { Readiness } from './pipeline/health.ts'
import type { RunTasksOptions, TaskReport } from './pipeline/run-due-tasks.ts'
import type { BootstrapInput, Bootstrapped } from './resources/account/bootstrap.ts'
import type { BackUps } from './resources/back-ups/back-ups.ts'
import type { ExportOptions } from './resources/back-ups/export-account.ts'
import type { Imported, ImportOptions } from './resources/back-ups/import-account.ts'
import type { BackUpPieces } from './resources/back-ups/read-back-up.ts'
import type { Evaluator } from './resources/evaluation/evaluator.ts'
import type { EvaluatorOptions, Evaluators } from './resources/evaluation/evaluators.ts'
import type { OperationOfEngine } from './resources/index.ts'
import type { SdkEndpoints, SdkOptions } from './resources/sdk-endpoints/sdk-endpoints.ts'
import type { SimulatedMembership, SimulatedVariation, Simulation } from './resources/simulation/simulation.ts'
import type { Evaluate, Evaluated, EvaluationContext, FlagTypes } from './rules/evaluation/index.ts'
import type { Explanation } from './rules/policy/explain.ts'
import type { SdkService } from './sdk-service.ts'
import type { Simulator } from './simulator.ts'
import type { AccountStorage } from './storage/port.ts'

/** Every operation as a function that takes its input, and options of the given type. */
export type Calls<Options, O extends Operation = OperationOfEngine> = {
  readonly [One in O as One['id']]: Record<never, never> extends CallInput<One>
    ? (input?: CallInput<One>, options?: Options) => Promise<CallAnswer<One>>
    : (input: CallInput<One>, options?: Options) => Promise<CallAnswer<One>>
}

/** Every operation as a function: `api.getTeam({ teamKey }, { as })`. */
export type ApiOf<O extends Operation> = Calls<CallOptions, O>

/** The functions of an engine that has every operation. */
export type Api = ApiOf<OperationOfEngine>

/** What an engine is made of, where it is not made of everything (docs/decisions/0043-build-engines-from-selected-operations.md). */
export interface EngineDesign<O extends Operation> {
  /** The operations that it answers: cards, and the lists of whole resources, e.g. `[...teamOperations, getFlag]`. */
  readonly operations: readonly O[]
  /** What `deliver` does. Default: nothing, and others on the same storage have to. */
  readonly workers?: readonly TaskWorkerFactory[]
  /** What `compact` does besides trimming the change log. Default: nothing. */
  readonly maintenance?: readonly Maintenance[]
  /** What `export` and `import` need. They know every stored collection, whatever operations are chosen. Default: none. */
  readonly backUps?: BackUps
  /** What `evaluate` needs. Default: nothing. */
  readonly evaluators?: (storage: AccountStorage, host: Host, options: EvaluatorOptions) => Evaluators
  /** What `simulate` needs, besides the operations whose changes are simulated. Default: nothing. */
  readonly simulator?: Simulator
  /** What `sdk` needs, besides evaluators. Default: nothing. */
  readonly sdkEndpoints?: (
    storage: AccountStorage,
    host: Host,
    evaluating: Evaluators,
    options: SdkOptions,
  ) => SdkEndpoints
}

/** What answers calls: an engine, or one inside a transaction of the host. */
export interface Callable<O extends Operation = OperationOfEngine> {
  /** The operations in process. Each resolves with the answer's body and rejects with `ApiError`. */
  readonly api: ApiOf<O>
  /** Answers a request that a transport took the clothes off; never rejects. */
  handle(request: EngineRequest): Promise<EngineResponse>
  /**
   * Says whether a caller may do something, and why: which statement of which role decided, of a token also in which
   * of its layers (its own roles, the limits of its creator, the member behind it; D16), and what comes closest to
   * being allowed. Tags and properties are those that are stored now. For consoles and tests; it is not on the wire.
   *
   * @param question `{ as, action, resource }`, e.g. `{ as: token, action: 'updateOn', resource:
   *   'proj/web:env/production:flag/checkout' }`.
   * @throws ApiError `invalid_request` for what is no address of a resource (D14) or no action of its kind (D17);
   *   `unauthorized` when `as` is nobody.
   */
  explain(question: AccessQuery): Promise<Explanation>
  /**
   * Tells what a change of a flag or a segment would do, and writes nothing: for which contexts the variation changes and
   * why, which segments and other flags have to do with it, whether it is safe for a migration, whether it needs approval,
   * which webhooks would be told, and what the change log would say. The change is made by the very operation that makes
   * it, with the rights that takes, and is never committed.
   *
   * @param change a flag or a segment of an environment with `instructions` or a JSON `patch`; the id of a scheduled change
   *   of a flag; or that of an approval request alone. `contexts`: at most 1,000.
   * @param options `as`: who would make the change, and must have the right to.
   * @throws ApiError as the operation would, but for the approval that it needs (`approvals` tells); `invalid_request`
   *   naming what is at fault; `optimistic_locking_error` while others keep changing the same thing; `internal_error` where
   *   the engine was made without the operation. Error where it was made without a simulator.
   */
  simulate(change: FlagToSimulate, options?: Pick<CallOptions, 'as'>): Promise<Simulation<SimulatedVariation>>
  simulate(change: SegmentToSimulate, options?: Pick<CallOptions, 'as'>): Promise<Simulation<SimulatedMembership>>
  simulate(change: RequestToSimulate, options?: Pick<CallOptions, 'as'>): Promise<Simulation>
}

/**
 * What answers: the operations, evaluation, and what a host does now and then. Made by `createEngine` or
 * `createEngineOf`.
 */
export interface Engine<O extends Operation = OperationOfEngine> extends Callable<O>, AsyncDisposable {
  /** The operations' cards, for whoever derives something from them. */
  readonly operations: readonly Operation[]
  /**
   * The same engine inside a transaction that the host has open. What it changes, its entries in the change log and what
   * it puts into queues happen when the host commits, together with what the host itself wrote there, or not at all. A
   * call that is refused leaves the transaction as it was before. It is as short-lived as the transaction, and there is
   * nothing to close; it does not note when a token was last used.
   *
   * @param input.transaction what the host's driver calls one: a `pg` client after `begin`, or what PGlite hands to the
   *   callback of `transaction`. Whoever uses it waits for each call before the next statement of their own.
   * @throws TypeError for what is no transaction, and where the storage has none, as in memory.
   */
  with(input: { readonly transaction: unknown }): Callable<O>
  /**
   * What evaluates the flags of one environment for contexts, synchronously and in memory. It is made once for each
   * environment and held until the engine is closed; nothing is read before `ready()` or the first evaluation.
   *
   * @typeParam Flags the flags of the project by key, each with the type of its values, as `halyard types` writes them.
   *   Default: those that the program has declared as `FlagTypes`; where it has declared none, any.
   * @param place `{ projectKey, environmentKey }`.
   * @throws Error where the engine was made without evaluators.
   */
  evaluator<Flags extends object = FlagTypes>(place: EnvironmentRef): Evaluator<Flags>
  /**
   * The value of a flag for a context, and why: `evaluator(place).evaluate(…)`.
   *
   * @param fallback what `value` is where the flag has none, or one of another type.
   */
  readonly evaluate: Evaluate<FlagTypes, [place: EnvironmentRef]>
  /** The values of all flags of an environment for a context, by flag key: `evaluator(place).evaluateAll(…)`. */
  evaluateAll(context: EvaluationContext, place: EnvironmentRef): Readonly<Record<string, Evaluated>>
  /**
   * Serves flags to SDKs that are written for the reference API, and counts what they evaluate. Transports ask it:
   * `createExpressSdk(engine)`, `withSdk(handler, engine)`.
   */
  readonly sdk: SdkService
  /** Creates or upgrades what the storage needs. */
  migrate(): Promise<void>
  /** Resolves when storage answers; rejects otherwise. For readiness probes. */
  ready(): Promise<void>
  /** The same as a value, within 2 seconds, with the reason why not. Never rejects. */
  readiness(): Promise<Readiness>
  /**
   * Creates the account with its first administrator, once; while an account exists it changes nothing.
   *
   * @returns the administrator's token, or undefined when there was an account already.
   * @throws ApiError `invalid_request` when the given token is shorter than 16 characters.
   */
  bootstrap(input?: BootstrapInput): Promise<Bootstrapped | undefined>
  /**
   * Summarises past days of lead times, so that charts of them cost little however many samples they have, and removes
   * entries of the change log that are older than `changeLogDays`. To be called
   * now and then, by a timer of the host or a cron trigger; nothing depends on it but speed, and it can be stopped and
   * run in several processes at once.
   *
   * @param options `limit` days at most, `deadline` after which no day is begun (integer ms, UTC), `signal` after whose
   *   abort none is; `progress` is told after each day how many there were. What was done stays, and the next call goes on.
   * @returns how many days were summarised, and whether more are waiting.
   */
  compact(options?: CompactOptions): Promise<CompactionResult>
  /** How often calls were helped by what is remembered between them, and how much that is. */
  cacheStats(): EngineCacheStats
  /**
   * Does what is due: sends what webhooks are to be told of (D32), makes scheduled changes, applies approval requests
   * whose time has come (D31), and writes counts of evaluations that have waited long enough. To be called often, by a
   * timer of the host, a cron trigger or after a change; nothing is sent otherwise. It can be stopped and run in several processes at once.
   *
   * @param options `limit` tasks at most, `deadline` after which none is begun (integer ms, UTC).
   * @returns how many were delivered or made, how many attempts failed, and whether more may be due.
   * @throws Error where the engine was made without `webhooks.send` and without `webhooks: false`, or without workers.
   */
  runDueTasks(options?: RunTasksOptions): Promise<TaskReport>
  /**
   * Everything that the account has, as it is when the first piece is asked for: NDJSON, in pieces of text that are
   * whole lines. The same content makes the same bytes, on every storage. Reading it to its end, or leaving a `for await`
   * early, gives back what the storage holds for it.
   *
   * @param options `secrets` (default false): whether those are in it that are stored; `signal` ends it early.
   * @throws ApiError `optimistic_locking_error` while a back-up is being put into the account; Error where the engine was
   *   made without back-ups.
   */
  export(options?: ExportOptions): AsyncIterable<string>
  /**
   * Puts what `export` gave into this account, which must have nothing: all of it, or nothing when it fails. Nobody gets
   * in before all is there.
   *
   * @param pieces text or UTF-8, cut anywhere: a stream of a file will do.
   * @param options `token`: value of the administrator's token where the back-up holds none; `signal` ends it early.
   * @returns how much came, what became of secrets that were not in it, and the administrator's token if one was made.
   * @throws ApiError `invalid_request` naming the first line that is wrong, also where lines are missing or were altered;
   *   `optimistic_locking_error` when the account has something or another import is under way.
   */
  import(pieces: BackUpPieces, options?: ImportOptions): Promise<Imported>
  /**
   * Drops what is remembered between calls: callers, their rights, answers, what was read, and rate limits. What is
   * remembered is known by the
   * versions of documents, so it must go when the storage is put back to an earlier moment under a running engine.
   */
  clearCaches(): void
  /** Closes the storage. Also by `await using`. */
  close(): Promise<void>
}

/** The environment whose flags are evaluated. */
export interface EnvironmentRef {
  readonly projectKey: string
  readonly environmentKey: string
}
