import { noAIEvaluation, noBackUps, noBranches, noEvaluators, noOAuth } from './engine/absent-parts.ts'
import { BackgroundWork } from './engine/background-work.ts'
import { calls } from './engine/calls.ts'
import type { EngineParts } from './engine/engine-parts.ts'
import { oauthPartsOf } from './engine/oauth-parts.ts'
import { pastStates } from './engine/past-states.ts'
import { callerParts, rateLimiterOf } from './engine/pipeline-on-storage.ts'
import type { EngineDesign, UnbranchedEngine } from './engine-design.ts'
import type { Engine, EnvironmentRef } from './engine-interface.ts'
import { LogOrder } from './operation/change-log/change-log.ts'
import { type EngineInput, type EngineOptions, normalizeOptions } from './operation/engine-options.ts'
import { responseFormat } from './operation/link.ts'
import type { Operation } from './operation/operation.ts'
import type { AddressGuard } from './operation/request-origin.ts'
import { LazyResponseProfile } from './operation/response-profile.ts'
import type { CompactOptions } from './operation/tasks/maintenance.ts'
import type { AccessRules } from './pipeline/authorize.ts'
import { engineCaches } from './pipeline/caching/engine-caches.ts'
import { jsonWriter } from './pipeline/encode.ts'
import { writingOf } from './pipeline/execute.ts'
import { readiness } from './pipeline/health.ts'
import { OperationTable } from './pipeline/match.ts'
import type { RequestPipeline } from './pipeline/request-pipeline.ts'
import { dueTaskRunner, systemWrite } from './pipeline/tasks/run-due-tasks.ts'
import { UnservedRoutes } from './pipeline/unserved-routes.ts'
import { isWriting } from './pipeline/writing.ts'
import { callLater, pause, pauses, platform, withTimeout } from './platform.ts'
import { bootstrap } from './resources/account/bootstrap.ts'
import { trimChangeLog } from './resources/change-log/trim-change-log.ts'
import { exportConsumer } from './resources/destinations/export-consumer.ts'
import type { Evaluator } from './resources/evaluation/evaluator.ts'
import { policy } from './resources/policy.ts'
import { identifier } from './resources/tokens/identify-token.ts'
import type { AIConfigMode } from './rules/ai-configs/ai-config-value.ts'
import { noSdkEndpoints, sdkService } from './sdk-service.ts'

/**
 * Defines an engine of selected operations. Operations that are not selected are not imported, and bundlers leave them
 * out. The parts that keep an account safe are always included: authentication and authorization, and with the first
 * operation or worker that writes the change log, approvals, references, and the notification of webhooks.
 *
 * @param design operations, and the parts that the engine runs for them in the background.
 * @returns a function that makes such an engine over a storage, as `createEngine` does.
 * @throws Error, in the first call of the returned function, when two operations have the same id, or the same method
 *   and path.
 */
export function createEngineOf<O extends Operation>(design: EngineDesign<O>): (input: EngineInput) => Engine<O> {
  let shared: SharedParts | undefined
  return (input) => assembleEngine(normalizeOptions(input, platform), design, (shared ??= sharedParts(design)))
}

/** Parts that all engines of one design share, because they depend on the operations alone. */
interface SharedParts {
  readonly table: OperationTable
  readonly accessRules: AccessRules
  readonly makeWriting: RequestPipeline['makeWriting']
  /** Refuses requests by their addresses. Default: by the IP allowlist of the account. */
  readonly guard?: AddressGuard
}

function sharedParts({ operations, workers = [] }: EngineDesign<Operation>): SharedParts {
  const writing = [...operations, ...workers].find(isWriting)
  const incomplete = operations.find((operation) => operation.method !== 'GET' && !isWriting(operation))
  if (incomplete) throw new Error(`${incomplete.id}: must be the operation that @halyard/core/operations exports`)
  return {
    table: new OperationTable(operations),
    accessRules: new Map(),
    makeWriting(options) {
      if (!writing) throw new Error('workers: this engine was made without operations and workers that write')
      return writing.makeWriting(operations, options)
    },
  }
}

function assembleEngine<O extends Operation>(
  input: EngineOptions,
  design: EngineDesign<O>,
  shared: SharedParts,
): Engine<O> {
  if (input.countEvaluations && !(design.evaluators && design.sdkEndpoints)) {
    throw new Error('countEvaluations: this engine was made without evaluators or sdkEndpoints')
  }
  if (input.hasReferenceProfile && !design.responseProfile) {
    throw new Error('wire: this engine was made without responseProfile')
  }
  const storage = input.storage.account(input.handlers.account)
  const backgroundWork = storage.immediate && new BackgroundWork(storage, input.host, callLater)
  const options = backgroundWork ? withBackgroundWork(input, backgroundWork) : input
  const caches = engineCaches(storage, options, pauses)
  const served = design.aiEvaluation?.content
  const evaluators = design.evaluators?.(storage, options.host, { ...options, served }) ?? noEvaluators
  const order = new LogOrder(options.host)
  const sdk =
    design.sdkEndpoints?.(storage, options.host, evaluators, options.sdk, [
      ...(design.eventConsumers ?? []),
      ...(options.exporters ? [exportConsumer(order)] : []),
    ]) ?? noSdkEndpoints
  const pipeline: RequestPipeline = {
    ...shared,
    ...callerParts(options, storage, caches, { tokens: identifier(), guard: shared.guard }),
    writing: writingOf(() => shared.makeWriting(options)),
    limiter: rateLimiterOf(options, storage),
    policy,
    options,
    accountStorage: storage,
    storage: caches.storage,
    format: responseFormat(options.timestamps),
    commitMode: 'committed',
    order,
    queues: undefined,
    writeJson: jsonWriter(),
    profile:
      options.hasReferenceProfile && design.responseProfile
        ? new LazyResponseProfile(design.responseProfile)
        : undefined,
    unserved: design.unserved && new UnservedRoutes(design.unserved),
    settled: evaluators.settled,
    recentContexts: evaluators.recentContexts,
  }
  const past = pastStates(design.pastStorages, storage, options)
  const parts: EngineParts<O> = { design, options, storage, caches, pipeline, evaluators, past, sdk, backgroundWork }
  const oauth = design.oauth?.(oauthPartsOf(pipeline)) ?? noOAuth
  return withBranches(parts, shared, {
    ...calls(parts),
    ...evaluation(parts),
    ...evaluationOfAI(parts),
    oauth,
    ...maintenanceOf(parts),
    ...lifecycle(parts),
  })
}

function withBackgroundWork(options: EngineOptions, backgroundWork: BackgroundWork): EngineOptions {
  return {
    ...options,
    handlers: { ...options.handlers, runInBackground: (work, records) => backgroundWork.request(work, records) },
  }
}

/** Adds the functions of branches to an engine. */
function withBranches<O extends Operation>(
  { design, options, pipeline, sdk }: EngineParts<O>,
  shared: SharedParts,
  engine: UnbranchedEngine<O>,
): Engine<O> {
  if (!design.branches) return { ...engine, ...noBranches }
  return design.branches(engine, {
    design,
    options,
    pipeline,
    isSdkRequest: (request) => sdk.find(request) !== undefined,
    assemble: (branchOptions, branchDesign, writing) =>
      assembleEngine(branchOptions, branchDesign, {
        ...shared,
        // The allowlist of the account also applies to its branches, because a branch contains the data of the account.
        guard: pipeline.guard,
        makeWriting: async (writingOptions) => writing(await shared.makeWriting(writingOptions)),
      }),
  })
}

/** Returns the functions that evaluate flags, in process and for SDKs. */
function evaluation<O extends Operation>({ evaluators, sdk, options }: EngineParts<O>) {
  return {
    // Cast: the types of the flags exist only at compile time.
    evaluator: <Flags extends object>(environment: EnvironmentRef) =>
      evaluators.of(environment) as Evaluator<never> as Evaluator<Flags>,
    evaluate: ((flagKey, context, fallback, environment) =>
      evaluators.of(environment).evaluate(flagKey, context, fallback)) as Engine['evaluate'],
    evaluateAll: ((context, environment) => evaluators.of(environment).evaluateAll(context)) as Engine['evaluateAll'],
    track: ((key, context, options, environment) =>
      sdk.track(environment, { ...options, key, context })) satisfies Engine['track'],
    sdk: sdkService(options.host, sdk),
    snapshot: evaluators.snapshot,
  }
}

/** Returns the functions that evaluate AI configs and agent graphs. */
function evaluationOfAI<O extends Operation>({ design, evaluators }: EngineParts<O>) {
  const { aiEvaluation = noAIEvaluation } = design
  const configOf =
    (mode: AIConfigMode): Engine['aiConfig'] =>
    (key, context, fallback = {}, variables = {}, environment) =>
      aiEvaluation.config(mode, evaluators.handleOf(environment).expose(key, context), {
        key,
        context,
        fallback,
        variables,
      })
  return {
    aiConfig: configOf('completion'),
    agentConfig: configOf('agent'),
    judgeConfig: configOf('judge'),
    agentGraph: ((key, context, variables = {}, environment) =>
      aiEvaluation.graph({ key, context, variables }, (flagKey) =>
        evaluators.handleOf(environment).expose(flagKey, context),
      )) satisfies Engine['agentGraph'],
  }
}

/** Returns the functions that the host calls at intervals or by hand: due tasks, compaction, export and import. */
function maintenanceOf<O extends Operation>(parts: EngineParts<O>) {
  const { design, options, storage, pipeline, evaluators, sdk } = parts
  const { backUps = noBackUps, maintenance = [] } = design
  const runDueTasks = dueTaskRunner(pipeline, design.workers ?? [])
  const write = systemWrite(pipeline, 'system/maintenance')
  return {
    changes: ((limits) => {
      if (!design.followChanges) throw new Error('followChanges: this engine was made without it')
      const { format } = pipeline
      return design.followChanges({ storage, format, now: () => options.host.now(), pause }, limits)
    }) satisfies Engine['changes'],
    async compact(limits?: CompactOptions) {
      const { host, changeLogDays } = options
      if (changeLogDays !== undefined) await trimChangeLog(storage, host.now(), changeLogDays)
      const total = { days: 0, more: false }
      for (const compact of maintenance) {
        const { days, more } = await compact(storage, host, limits, write)
        total.days += days
        total.more ||= more
      }
      return total
    },
    runDueTasks: (async (limits) => {
      // Writing events can enqueue tasks, such as tasks that judge releases, so the events are written first.
      await evaluators.settled()
      await sdk.writeCounts()
      return runDueTasks(limits)
    }) satisfies Engine['runDueTasks'],
    export: ((input) => backUps.export(storage, input)) satisfies Engine['export'],
    // An import replaces documents that may be cached.
    import: ((pieces, input) =>
      backUps
        .import(storage, options.host, pieces, input)
        .finally(() => clearCaches(parts))) satisfies Engine['import'],
  }
}

function lifecycle<O extends Operation>(parts: EngineParts<O>) {
  const { options, storage, caches, evaluators, sdk, backgroundWork } = parts
  async function close(): Promise<void> {
    backgroundWork?.stop()
    await sdk.stop()
    await caches.invalidator.stop()
    await evaluators.stop()
    await options.storage.close()
  }
  return {
    migrate: () => options.storage.migrate(),
    ready: () => options.storage.ping(),
    readiness: () => readiness(options.storage, caches.invalidator, withTimeout),
    bootstrap: ((input) => bootstrap(storage, options.host, input)) satisfies Engine['bootstrap'],
    clearCaches: () => clearCaches(parts),
    cacheStats: () => ({
      callers: caches.callers.stats(),
      responses: caches.responses.stats(),
      documents: caches.documentStats(),
    }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function clearCaches<O extends Operation>({
  options,
  storage,
  caches,
  pipeline,
  evaluators,
  past,
  sdk,
}: EngineParts<O>): void {
  past.clear()
  caches.invalidator.invalidateAll()
  evaluators.clear()
  sdk.clear()
  const limiter = rateLimiterOf(options, storage)
  Object.assign(pipeline, callerParts(options, storage, caches, { tokens: identifier(), guard: pipeline.guard }), {
    writing: writingOf(() => pipeline.makeWriting(options)),
    limiter,
  })
  pipeline.order.restart()
}
