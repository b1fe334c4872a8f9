import type { ApiOf, Callable, Engine, EngineDesign, EvaluationPlace } from './engine-interface.ts'
import { noBackUps, noEvaluators } from './left-out-parts.ts'
import type { BegunCall } from './operation/around.ts'
import { type EngineInput, type EngineOptions, normaliseOptions } from './operation/engine-options.ts'
import type { Identifier } from './operation/identity.ts'
import { wireFormat } from './operation/link.ts'
import { logOrder } from './operation/log-order.ts'
import type { Operation } from './operation/operation.ts'
import { type OperationTable, operationTable } from './operation/table.ts'
import { authenticator } from './pipeline/authenticate.ts'
import { authority } from './pipeline/authority.ts'
import type { DoorRules } from './pipeline/authorize.ts'
import { delivery } from './pipeline/deliver.ts'
import { explainAccess } from './pipeline/explain-access.ts'
import { readiness } from './pipeline/health.ts'
import { jsonWriter } from './pipeline/json-writer.ts'
import { meant } from './pipeline/match.ts'
import { rateLimiter } from './pipeline/rate-limit.ts'
import { type Remembering, remembering } from './pipeline/remembering.ts'
import { selectionOver } from './pipeline/selection.ts'
import { type CallOptions, callInProcess, type WalkParts, walk } from './pipeline/walk.ts'
import { platform, withinTime } from './platform.ts'
import { bootstrap } from './resources/account/bootstrap.ts'
import { trimChangeLog } from './resources/change-log/trim-change-log.ts'
import type { Evaluator } from './resources/evaluation/evaluator.ts'
import { describedCollections } from './resources/generated/described-collections.ts'
import { policy } from './resources/policy.ts'
import type { Simulation } from './resources/simulation/simulation.ts'
import { identifier } from './resources/tokens/identify-token.ts'
import { webhookAudience } from './resources/webhooks/webhook-audience.ts'
import { noSdkEndpoints, sdkService } from './sdk-service.ts'
import type { AccountStorage, Storage } from './storage/port.ts'
import { reader } from './storage/reader.ts'

/**
 * Designs an engine of chosen operations: what is not named is not imported, and bundlers leave it out. What keeps an
 * account safe is always in: who calls, what they may do, the change log, and the webhooks that are to be told.
 *
 * @param design operations, and what is done later for them.
 * @returns the function that makes such an engine over a storage; it works as `createEngine` does.
 * @throws Error when two operations share an id or a method and path: once the first engine is made.
 */
export function createEngineOf<O extends Operation>(design: EngineDesign<O>): (input: EngineInput) => Engine<O> {
  let made: Made | undefined
  return (input) => assembled(input, design, (made ??= madeOf(design.operations)))
}

/** What engines of one design share, as it follows from the cards alone. */
interface Made {
  readonly table: OperationTable
  readonly doorRules: DoorRules
}

const madeOf = (operations: readonly Operation[]): Made => ({
  table: operationTable(operations),
  doorRules: new Map(),
})

function assembled<O extends Operation>(input: EngineInput, design: EngineDesign<O>, made: Made): Engine<O> {
  const options = normaliseOptions(input, platform)
  const account = (storage: Storage) => storage.account(options.handlers.account)
  const storage = account(options.storage)
  const remembered = { storage, ...remembering(storage, options) }
  const { fresh, documents, callers, answers } = remembered
  const memory = () => ({
    ...memoryOf(options, remembered, identifier()),
    limiter:
      options.rateLimit &&
      rateLimiter(
        options.rateLimit,
        options.host,
        options.rateLimit.shared ? storage.reserve?.bind(storage) : undefined,
      ),
  })
  const parts = {
    ...made,
    policy,
    options,
    storage,
    fresh,
    documents,
    answers,
    reader: reader(documents.reads),
    ...memory(),
    wire: wireFormat(options.timestamps),
    order: logOrder(options.host),
    write: jsonWriter(),
  }
  const deliver = delivery(parts, design.workers ?? [])
  const { backUps = noBackUps, upkeep = [] } = design
  if (options.countEvaluations && !(design.evaluators && design.sdkEndpoints)) {
    throw new Error('countEvaluations: this engine was made without evaluators or sdkEndpoints')
  }
  const evaluating = design.evaluators?.(storage, options.host, options) ?? noEvaluators
  const sdk = design.sdkEndpoints?.(storage, options.host, evaluating, options.sdk) ?? noSdkEndpoints
  const forget = () => {
    fresh.forget()
    evaluating.forget()
    sdk.forget()
    Object.assign(parts, memory())
    parts.order.forget()
  }
  // What is remembered of a transaction that is not committed must not be believed outside, nor the other way round.
  // Requests count all the same, wherever they are answered.
  function partsOn(inner: AccountStorage, asked = options): WalkParts {
    const nothing = { storage: inner, ...remembering(inner, { ...options, remember: undefined }) }
    const memory = memoryOf(asked, nothing, identifier({ noteUses: false }))
    return { ...parts, ...nothing, reader: reader(inner), ...memory }
  }
  const simulating =
    (seen: AccountStorage) =>
    async (change: unknown, { as }: Pick<CallOptions, 'as'> = {}): Promise<Simulation<never>> => {
      if (!design.simulator) throw new Error('simulator: this engine was made without one')
      return (await design.simulator({ options, storage: seen, partsOn }, change, as)) as Simulation<never>
    }
  const within = (transaction: unknown): Callable<O> => {
    const inner = account(storageWithin(options.storage, transaction))
    return { ...callable<O>(partsOn(inner), () => undefined), simulate: simulating(inner) }
  }
  async function close(): Promise<void> {
    await sdk.stop()
    await fresh.stop()
    await evaluating.stop()
    await options.storage.close()
  }
  return {
    ...callable<O>(parts, evaluating.settled),
    operations: made.table.operations,
    with: ({ transaction }) => within(transaction),
    simulate: simulating(storage),
    // Which flags there are is known to compilers alone.
    evaluator: <Flags extends object>(place: EvaluationPlace) =>
      evaluating.of(place) as Evaluator<never> as Evaluator<Flags>,
    evaluate: (flagKey, context, fallback, place) => evaluating.of(place).evaluate(flagKey, context, fallback),
    evaluateAll: (context, place) => evaluating.of(place).evaluateAll(context),
    sdk: sdkService(options.host, sdk),
    migrate: () => options.storage.migrate(),
    ready: () => options.storage.ping(),
    readiness: () => readiness(options.storage, fresh, withinTime),
    bootstrap: (given) => bootstrap(storage, options.host, given),
    async compact(given) {
      const { host, changeLogDays } = options
      if (changeLogDays !== undefined) await trimChangeLog(storage, host.now(), changeLogDays)
      const sum = { days: 0, more: false }
      for (const keep of upkeep) {
        const { days, more } = await keep(storage, host, given)
        sum.days += days
        sum.more ||= more
      }
      return sum
    },
    async deliver(given) {
      const delivered = await deliver(given)
      await evaluating.settled()
      await sdk.writeCounts()
      return delivered
    },
    export: (given) => backUps.export(storage, given),
    // What was remembered is about documents that may now be others.
    import: (pieces, given) => backUps.import(storage, options.host, pieces, given).finally(forget),
    forget,
    remembered: () => ({ callers: callers.figures(), answers: answers.figures(), documents: documents.figures() }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** What an engine remembers of callers and their rights. */
function memoryOf(
  { host, decided }: EngineOptions,
  { storage, fresh, callers, documents: { reads } }: Remembering & { readonly storage: AccountStorage },
  tokens: Identifier,
) {
  return {
    authenticator: authenticator({ storage, reads, host, policy, identifier: tokens, fresh, callers }),
    authority: authority(reads, policy, describedCollections, decided),
    // Nobody is told of these decisions: they are about what webhooks select, not about what callers may do.
    selection: selectionOver(authority(reads, policy, describedCollections)),
    audience: webhookAudience(),
  }
}

/** @param settled what a call that may have changed something waits for before it is answered. */
function callable<O extends Operation>(
  parts: WalkParts,
  settled: () => Promise<void> | undefined,
): Omit<Callable<O>, 'simulate'> {
  const afterwards = async <T>(answer: Promise<T>): Promise<T> => {
    const answered = await answer
    await settled()
    return answered
  }
  const given = parts.options.around
  const around = <T>(call: () => BegunCall, run: () => Promise<T>) => (given ? given(call(), run) : run())
  const calls = parts.table.operations.map((operation) => {
    const call = (input: object = {}, options: CallOptions = {}) =>
      around(
        () => ({ operation, request: undefined }),
        () => callInProcess(parts, operation, input as Readonly<Record<string, unknown>>, options),
      )
    const reads = operation.method === 'GET'
    return [operation.id, reads ? call : (...input: Parameters<typeof call>) => afterwards(call(...input))]
  })
  return {
    api: Object.fromEntries(calls) as ApiOf<O>,
    handle: (request) =>
      around(
        () => ({ operation: meant(parts.table, request), request }),
        () => (request.method === 'GET' ? walk(parts, request) : afterwards(walk(parts, request))),
      ),
    explain: (question) => explainAccess(parts, question),
  }
}

function storageWithin(storage: Storage, transaction: unknown): Storage {
  const within = storage.within?.(transaction)
  if (!within) throw new TypeError(`transaction: the ${storage.name} storage has no transactions of the host`)
  return within
}
