import type { BranchInfo, BranchOptions } from './engine/branches/branch-accounts.ts'
import type { BranchSdkKeys } from './engine/branches/branch-sdk-keys.ts'
import type { BranchDiff } from './engine/branches/diff-branch.ts'
import type { MergeOptions, MergeResult } from './engine/branches/merge-branch.ts'
import type {
  AIConfigToSimulate,
  FlagToSimulate,
  RequestToSimulate,
  SegmentToSimulate,
} from './engine/change-to-simulate.ts'
import type { ApiOf, BoundApiOf } from './engine-api.ts'
import type { EngineRequest, EngineResponse } from './operation/engine-request.ts'
import type { Operation } from './operation/operation.ts'
import type { CompactionResult, CompactOptions } from './operation/tasks/maintenance.ts'
import type { AccessQuery } from './pipeline/access/explain-access.ts'
import type { As } from './pipeline/authenticate.ts'
import type { EngineCacheStats } from './pipeline/caching/engine-caches.ts'
import type { CallOptions } from './pipeline/call-in-process.ts'
import type { Readiness } from './pipeline/health.ts'
import type { RunTasksOptions, TaskReport } from './pipeline/tasks/run-due-tasks.ts'
import type { BootstrapInput, BootstrapResult } from './resources/account/bootstrap.ts'
import type { OptimizationOutcome, OptimizationRunInput } from './resources/agent-optimizations/run/run-optimization.ts'
import type { OperationOfEngine } from './resources/all-resources.ts'
import type { ExportOptions } from './resources/back-ups/export-account.ts'
import type { ImportOptions, ImportResult } from './resources/back-ups/import-account.ts'
import type { BackUpPieces } from './resources/back-ups/read-back-up.ts'
import type { ChangesOptions, PositionedChange } from './resources/change-log/follow-changes.ts'
import type { Evaluator } from './resources/evaluation/evaluator.ts'
import type { SnapshotOptions, SnapshotResult } from './resources/evaluation/snapshots.ts'
import type { OAuthService } from './resources/oauth-grants/oauth-service.ts'
import type { MomentInput } from './resources/past/moment.ts'
import type { TrackedEvent } from './resources/sdk-events/tracked-event.ts'
import type { SimulatedMembership, SimulatedVariation, Simulation } from './resources/simulation/simulation.ts'
import type { AIConfigFallback, EvaluatedAIConfig } from './rules/ai-configs/ai-config-value.ts'
import type { EvaluatedAgentGraph } from './rules/ai-configs/evaluate-agent-graph.ts'
import type { Evaluate, EvaluationContext, EvaluationResult, FlagTypes } from './rules/evaluation/index.ts'
import type { Explanation } from './rules/policy/explain.ts'
import type { SdkService } from './sdk-service.ts'

/** An object with operations to call: an engine, or an engine inside a transaction of the host. */
export interface Callable<O extends Operation = OperationOfEngine> {
  /** The operations in process. Each resolves with the body of the response, or rejects with `ApiError`. */
  readonly api: ApiOf<O>
  /**
   * Returns the operations of `api` bound to one caller, so that the calls need no option `as`.
   *
   * @param caller the `as` of each call: a token, or a role or policy that the host asserts. It is checked by each
   *   call.
   * @example await engine.as({ role: 'admin' }).createProject({ body: { key: 'web', name: 'Web shop' } })
   */
  as(caller: As): BoundApiOf<O>
  /** Handles a transport-neutral request. Never rejects: failures become error responses. */
  handle(request: EngineRequest): Promise<EngineResponse>
  /**
   * Explains whether a caller may do something: which statement of which role decided it, and which statements come
   * closest to allowing it. For a token, the explanation also names the layer that decided: the token's own roles, the
   * limits of its creator, or the rights of its member (docs/decisions/0002-decide-access-by-policy.md#d16-tokens).
   * Tags and properties are those that are stored now. For consoles and tests; no transport serves it.
   *
   * @param query `{ as, action, resource }`, e.g. `{ as: token, action: 'updateOn', resource:
   *   'proj/web:env/production:flag/checkout' }`.
   * @throws ApiError `invalid_request` when `resource` is not the address of a resource
   *   (docs/decisions/0002-decide-access-by-policy.md#d14-resource-specifiers) or `action` is not an action of its kind
   *   (docs/decisions/0002-decide-access-by-policy.md#d17-actions); `unauthorized` when `as` is not a caller.
   */
  explain(query: AccessQuery): Promise<Explanation>
  /**
   * Simulates a change of a flag, a segment or an AI config without storing it. The result names the contexts whose
   * variation changes, with the reasons, and the segments, other flags and AI configs that are involved. It also
   * contains the risks for a migration, the approval that the change needs, the webhooks that would be notified, and
   * the change log entry. The operation of the change runs with the caller's rights, and is never committed.
   *
   * @param change a flag or a segment of an environment with `instructions` or a JSON `patch`; an AI config with
   *   `instructions`, or with new properties of the config or of one of its variations as `patch`; the id of a
   *   scheduled change of a flag; or only the id of an approval request. `contexts`: at most 1,000.
   * @param options `as`: the caller who would make the change, and who needs the right to make it.
   * @throws ApiError as the operation does, except for a missing approval, which `approvals` reports; `invalid_request`
   *   naming the invalid input; `optimistic_locking_error` while other calls keep changing the same resource;
   *   `internal_error` when the engine was made without the operation. Error when it was made without a simulator.
   */
  simulate(change: FlagToSimulate, options: Pick<CallOptions, 'as'>): Promise<Simulation<SimulatedVariation>>
  simulate(change: AIConfigToSimulate, options: Pick<CallOptions, 'as'>): Promise<Simulation<SimulatedVariation>>
  simulate(change: SegmentToSimulate, options: Pick<CallOptions, 'as'>): Promise<Simulation<SimulatedMembership>>
  simulate(change: RequestToSimulate, options: Pick<CallOptions, 'as'>): Promise<Simulation>
}

/**
 * Evaluates flags as they are at one moment or inside one transaction. Await `evaluator(…).ready()` before evaluations.
 */
export type StateEvaluation = Pick<Engine, 'evaluator' | 'evaluate' | 'evaluateAll'>

/** The engine inside a transaction of the host. Its evaluation includes what its calls have changed. */
export interface TransactionEngine<O extends Operation = OperationOfEngine> extends Callable<O>, StateEvaluation {}

/** The engine as it was at a moment. It only reads, and need not be closed. */
export interface PastEngine<O extends Operation = Operation>
  extends Omit<Callable<O>, 'simulate'>,
    StateEvaluation,
    Pick<Engine<O>, 'export'> {
  /** The moment, integer milliseconds, UTC. */
  readonly time: number
}

/**
 * Operations, evaluation of flags, and functions that the host calls at intervals. Made by `createEngine` or
 * `createEngineOf`.
 */
export interface Engine<O extends Operation = OperationOfEngine> extends Callable<O>, AsyncDisposable {
  /**
   * The operations: id, method, path, access and errors of each. `createEngine` imports their schemas and handlers when
   * they are first called; `definitions` imports all, and so does an import of `@halyard/core/operations`.
   */
  readonly operations: readonly Operation[]
  /**
   * Resolves with `operations` when all of their schemas can be read, e.g. to generate documentation from them. Rejects
   * when a schema cannot be imported.
   *
   * @example
   * const document = openApiDocument(await engine.definitions(), { version: '1.0.0' })
   */
  definitions(): Promise<readonly Operation[]>
  /**
   * Returns the same engine inside an open transaction of the host. Its changes, change log entries and tasks are
   * committed with the host's own writes in that transaction, or not at all. A refused call leaves the transaction as
   * it was before. The returned object is valid until the transaction ends, and need not be closed. It does not record
   * when a token was last used. Its evaluation, after `await evaluator(…).ready()`, includes what its own calls change.
   *
   * @param input.transaction a transaction of the host's driver: a `pg` client after `begin`, or the argument of
   *   PGlite's `transaction` callback. The host must await each call before it sends its next statement.
   * @throws TypeError when the value is not a transaction, and when the storage does not support transactions of the
   *   host, like storage in memory.
   */
  with(input: { readonly transaction: unknown }): TransactionEngine<O>
  /**
   * Returns the engine as it was at a moment. It only reads, with operations of the method GET, evaluation and
   * `export`. Callers have the rights that they have now. The moment is checked against the change log by each call,
   * which rejects with `invalid_request` naming `time` when the change log does not reach back to it.
   *
   * @param time a `Date`, integer ms, ISO 8601 text with a time zone, or `{ entry }` with the id of an entry of the
   *   change log, for the state immediately after that entry.
   * @returns functions that are valid until the engine is closed or `clearCaches` is called. `evaluate` needs `await
   *   evaluator(…).ready()` first.
   * @throws ApiError `invalid_request` when `time` is not a moment, or is in the future. Error when the engine was made
   *   without `pastStorages`.
   * @example const before = await engine.at('2026-11-01T12:00Z').api.getFlag({ projectKey, flagKey }, { as })
   */
  at(time: MomentInput): PastEngine<O>
  /**
   * Returns the evaluator of one environment, which evaluates its flags for contexts synchronously, in memory. There is
   * one evaluator for each environment until the engine is closed. It reads nothing before `ready()` or the first
   * evaluation.
   *
   * @typeParam Flags the flags of the project by key, each with the type of its values, as `halyard types` writes them.
   *   Default: the flags that the program has declared as `FlagTypes`; any flag when it has declared none.
   * @param environment `{ projectKey, environmentKey }`.
   * @throws Error when the engine was made without evaluators.
   */
  evaluator<Flags extends object = FlagTypes>(environment: EnvironmentRef): Evaluator<Flags>
  /**
   * Evaluates a flag for a context, with the reason: `evaluator(environment).evaluate(…)`.
   *
   * @param fallback the value to return when the flag has no value, or a value of another type.
   */
  readonly evaluate: Evaluate<FlagTypes, [environment: EnvironmentRef]>
  /**
   * Evaluates all flags and AI configs of an environment for a context, by key:
   * `evaluator(environment).evaluateAll(…)`.
   */
  evaluateAll(context: EvaluationContext, environment: EnvironmentRef): Readonly<Record<string, EvaluationResult>>
  /**
   * Runs an agent optimization, or continues a run that was interrupted, with a model provider of the host: generates a
   * response with the current instructions, has judges score it, and requests better instructions until a response
   * reaches all thresholds for all user inputs. `listAgentOptimizationResults` shows each step while the run goes on.
   *
   * @param input `model`: calls a language model and resolves with `{ text, tokens, cost }`; `limits`: `{ tokens, cost,
   *   ms }` of all model calls of the run; `runId`: a UUID, where the id of an interrupted run continues that run;
   *   `signal` interrupts the run.
   * @param options `as`: the caller, who needs the rights to write results, and to create a variation if the
   *   optimization creates one.
   * @returns the status of the run. A failure of the model provider is the status `ERRORED`.
   * @throws ApiError `not_found` and `invalid_request` when the optimization cannot run; the reason of the signal when
   *   it is aborted. Error when the engine was made without an optimizer.
   */
  runOptimization(input: OptimizationRunInput, options: Pick<CallOptions, 'as'>): Promise<OptimizationOutcome>
  /**
   * Tracks an event for a context, as the function `track` of SDKs does. The events of the tracker for AI configs
   * become their metrics, and all events go to the destinations of data export. Synchronous: `sdk.beat()`,
   * `runDueTasks()`, `sdk.flush()` and `close()` later write the results.
   *
   * @param key key of the event: 1 to 1,000 characters.
   * @param options `value`: a finite number, for numeric metrics; `data`: JSON that belongs to the event.
   * @param environment `{ projectKey, environmentKey }`. Events of an environment that does not exist have no effect.
   * @throws ApiError `invalid_request` naming `key`, `context` or `value`; Error when the engine was made without
   *   `sdkEndpoints`.
   *
   * @example
   * ```ts
   * const ann = { kind: 'user', key: 'ann' }
   * engine.track('$ld:ai:generation:success', ann, { value: 1, data: trackData }, environment)
   * ```
   */
  track(
    key: string,
    context: EvaluationContext,
    options: Pick<TrackedEvent, 'value' | 'data'>,
    environment: EnvironmentRef,
  ): void
  /**
   * Returns the variation of an AI config of mode `completion` for a context, with its prompts interpolated.
   * Synchronous, like `evaluate`. Prompts are Mustache templates, which can use the variables and the context as
   * `ldctx`: `Answer {{ldctx.name}} in {{language}}.`
   *
   * @param fallback the config to return when the environment has no config with the key. Default: a disabled config.
   * @param variables values by name, for the prompts. Default: no values.
   * @returns the model, provider, messages, tools, skills and judges, with the reason. `enabled` is false when the
   *   targeting is off, the variation is archived, or the config has another mode; the reason is then `OFF`, the reason
   *   for which the variation was chosen, or an `ERROR` of kind `WRONG_TYPE`.
   * @throws Error only when the engine was made without AI evaluation.
   *
   * @example
   * ```ts
   * const config = engine.aiConfig('chat', { kind: 'user', key: 'ann' }, {}, { language: 'French' }, environment)
   * if (config.enabled) await complete(config.model?.name, config.messages)
   * ```
   */
  readonly aiConfig: EvaluateAIConfig
  /** Returns the variation of an AI config of mode `agent`, as `aiConfig` does, with `instructions`. */
  readonly agentConfig: EvaluateAIConfig
  /** Returns the variation of an AI config of mode `judge`, as `aiConfig` does, with `evaluationMetricKey`. */
  readonly judgeConfig: EvaluateAIConfig
  /**
   * Returns a graph of agents for a context, with the AI config of each agent as `agentConfig` returns it. A graph is
   * enabled only if each of its agents is.
   *
   * @throws Error when the engine was made without AI evaluation.
   */
  agentGraph(
    graphKey: string,
    context: EvaluationContext,
    variables: Readonly<Record<string, unknown>> | undefined,
    environment: EnvironmentRef,
  ): EvaluatedAgentGraph
  /**
   * Serves flags and AI configs to SDKs that are written for the reference API, and counts their evaluations.
   * Transports call it: `createExpressSdk(engine)`, `withSdk(handler, engine)`.
   */
  readonly sdk: SdkService
  /**
   * Writes the flags and segments of an environment as one signed file, from which `snapshotReader` of
   * `@halyard/core/evaluation` evaluates without engine and storage. The host calls it after changes, e.g. from
   * `evaluator.onChange`, or from a timer.
   *
   * @param options `signingKey`: private key of ECDSA on P-256; `target`: receives the file by `put(name, bytes)`.
   *   Without it, the bytes are only returned.
   * @throws ApiError `not_found` when the environment does not exist; the error of the storage or of the target; Error
   *   when the engine was made without evaluators.
   * @example
   * await engine.snapshot({ projectKey: 'web', environmentKey: 'production' }, { signingKey, target: env.SNAPSHOTS })
   */
  snapshot(environment: EnvironmentRef, options: SnapshotOptions): Promise<SnapshotResult>
  /**
   * Exchanges and revokes the codes and tokens of OAuth clients. An authorization server calls it: `oauthServer` of
   * `@halyard/oauth-server`. Every function rejects when the engine was made without OAuth.
   */
  readonly oauth: OAuthService
  /** Creates or upgrades the schema of the storage. */
  migrate(): Promise<void>
  /** Resolves when the storage responds; rejects otherwise. For readiness probes. */
  ready(): Promise<void>
  /**
   * Resolves within 2 seconds with the readiness of the engine, and with the reason when it is not ready. Never
   * rejects.
   */
  readiness(): Promise<Readiness>
  /**
   * Creates the account with its first administrator; changes nothing when the account exists.
   *
   * @returns the administrator's token, or undefined when the account existed already.
   * @throws ApiError `invalid_request` when `token` is shorter than 16 characters.
   */
  bootstrap(input?: BootstrapInput): Promise<BootstrapResult | undefined>
  /**
   * Summarizes past days of lead times, so that their charts are fast even with many samples, and removes change log
   * entries that are older than `changeLogDays`. It also removes counts of evaluations after 90 days and metrics of AI
   * configs after 100 days. The host calls it at intervals, from a timer or a cron trigger; results do not depend on
   * these calls, only speed and size do. It can be stopped at any time, and run in several processes at the same time.
   *
   * @param options `limit`: maximum number of days; `deadline`: no day is begun after it (integer ms, UTC); `signal`:
   *   no day is begun once it is aborted; `progress` receives the number of days after each day. The next call
   *   continues.
   * @returns the number of days that were summarized, and whether more are waiting.
   */
  compact(options?: CompactOptions): Promise<CompactionResult>
  /**
   * Returns the engine of a branch, and creates the branch if it does not exist. The branch reads the current data of
   * this engine, and its changes are stored separately until `merge`. Rights apply as in this engine. The branch has a
   * change log of its own. It sends no webhooks and exports, calls no hooks and runs no tasks. Closing this engine also
   * closes the engine of the branch.
   *
   * @param name 1 to 100 letters, digits, `.`, `_` and `-`, e.g. `pr-123`.
   * @param options `expiresIn`: time after which a new branch is deleted, in ms. Default: 14 days.
   * @throws ApiError `invalid_request` naming `name` or `expiresIn`, and when the account has 1,000 branches; Error
   *   when the engine was made without branches.
   *
   * @example
   * ```ts
   * const preview = await engine.branch('pr-123')
   * await preview.api.createFlag({ projectKey: 'web', body: { key: 'new', name: 'New' } }, { as })
   * ```
   */
  branch(name: string, options?: BranchOptions): Promise<BranchEngine<O>>
  /** The branches of the account. */
  readonly branches: {
    /** Lists the branches by name. */
    list(): Promise<BranchInfo[]>
    /** Deletes a branch with all of its rows; resolves with false when the branch does not exist or has expired. */
    delete(name: string): Promise<boolean>
  }
  /** Returns hits, misses and sizes of the caches. */
  cacheStats(): EngineCacheStats
  /**
   * Runs due tasks: sends webhook messages (docs/decisions/0004-deliver-one-signed-message-per-change.md#d32-webhooks),
   * applies scheduled changes and approval requests whose time has come
   * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals), and writes counts of evaluations. The host
   * calls it often, from a timer, a cron trigger or after a change; the engine sends nothing by itself. It can be
   * stopped at any time, and run in several processes at the same time.
   *
   * @param options `limit`: maximum number of tasks; `deadline`: no task is begun after it (integer ms, UTC).
   * @returns how many tasks succeeded, how many attempts failed, whether more may be due, and the queues that this
   *   engine cannot run: without `webhooks.send`, deliveries wait, and all other tasks are run.
   * @throws Error when the engine was made without workers.
   */
  runDueTasks(options?: RunTasksOptions): Promise<TaskReport>
  /**
   * Exports the whole account as it is when the first piece is read: NDJSON, in pieces of whole lines. The same content
   * has the same bytes on every storage. Reading to the end, or leaving a `for await` early, releases the resources of
   * the storage.
   *
   * @param options `secrets`: true to include stored secrets (default: false); `signal` ends the export early.
   * @throws ApiError `optimistic_locking_error` while a back-up is being imported into the account; Error when the
   *   engine was made without back-ups.
   */
  export(options?: ExportOptions): AsyncIterable<string>
  /**
   * Imports an export into this account, which must be empty: the whole export, or nothing when the import fails.
   * Requests are refused until the import is complete.
   *
   * @param pieces text or UTF-8 bytes in pieces of any size, e.g. the stream of a file.
   * @param options `token`: value of the administrator's token if the back-up contains none; `signal` ends it early.
   * @returns the numbers of imported records, the secrets that the back-up lacks, and the administrator's token if one
   *   was made.
   * @throws ApiError `invalid_request` naming the first invalid line, also when lines are missing or were altered;
   *   `optimistic_locking_error` when the account is not empty or another import is running.
   */
  import(pieces: BackUpPieces, options?: ImportOptions): Promise<ImportResult>
  /**
   * Yields the changes that all processes on the storage have made, and waits for further ones: each change at least
   * once, and those of a document in their order. Entries of the change log are read when the caller is ready for
   * them, so a slow caller needs no more memory. `break` and the signal end it.
   *
   * @param options `after`: the `position` of the last processed change, or a time in integer ms, UTC (default: the
   *   oldest change in the change log); `signal` ends it; `pollMs`: interval between reads while the storage does not
   *   notify (default 1,000); `overlapMs`: maximum delay from the date of a change until it can be read (default
   *   60,000).
   * @returns the changes. The iteration rejects with the error of the storage when the storage does not respond.
   * @throws ApiError `invalid_request` naming an option that is invalid; Error when the engine was made without
   *   `followChanges`.
   * @example
   * for await (const change of engine.changes({ after: saved, signal })) await save(change.position)
   */
  changes(options?: ChangesOptions): AsyncIterableIterator<PositionedChange>
  /**
   * Empties all caches: callers, their rights, responses, documents, and the counts of rate limits. Cached values are
   * identified by the versions of documents, so the host must call this when it restores the storage to an earlier
   * state while the engine runs.
   */
  clearCaches(): void
  /** Closes the storage. `await using` calls it, too. */
  close(): Promise<void>
}

/** The engine of a branch. */
export interface BranchEngine<O extends Operation = OperationOfEngine> extends Engine<O>, BranchInfo {
  /**
   * Returns the keys by which SDKs connect to an environment of the branch. The keys of the trunk are not valid in the
   * branch.
   *
   * @throws ApiError `not_found` when the branch has no such environment.
   */
  sdkKeys(environment: EnvironmentRef): Promise<BranchSdkKeys>
  /**
   * Returns the documents that the branch has changed, as they were in the trunk and as they are in the branch, without
   * secrets, and the entries of its change log. Rights are not checked: the host decides who may see it.
   */
  diff(): Promise<BranchDiff>
  /**
   * Makes the changes of the branch on the trunk as one commit, then deletes the branch. Every call that changed the
   * branch is repeated with the caller's rights. Rules, approvals, hooks and webhooks apply as to new calls, and each
   * call has its entry in the change log. Ids that were generated in the branch are kept.
   *
   * @param options `as`: the caller; `bypassRequiredApproval`: merges changes that need approval (default false).
   * @returns the repeated calls, in their order.
   * @throws ApiError `optimistic_locking_error` with `conflicts` when the trunk has changed a part that the branch has
   *   changed too; `invalid_request` when a call cannot be repeated, such as an upload; any error of a repeated call,
   *   with its index and operation in the message. After an error, nothing is merged.
   * @example await branch.merge({ as: token })
   */
  merge(options: MergeOptions): Promise<MergeResult>
}

/** Evaluates an AI config of one mode. */
type EvaluateAIConfig = (
  configKey: string,
  context: EvaluationContext,
  fallback: AIConfigFallback | undefined,
  variables: Readonly<Record<string, unknown>> | undefined,
  environment: EnvironmentRef,
) => EvaluatedAIConfig

/** Reference to an environment. */
export interface EnvironmentRef {
  readonly projectKey: string
  readonly environmentKey: string
}
