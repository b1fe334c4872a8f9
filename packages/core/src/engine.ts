import { wireFormat } from './operation/link.ts'
import { type EngineInput, type EngineOptions, normaliseOptions } from './operation/engine-options.ts'
import type { Identifier } from './operation/identity.ts'
import { logOrder } from './operation/log-order.ts'
import type { CallAnswer, CallInput, Operation } from './operation/operation.ts'
import { operationTable } from './operation/table.ts'
import type { WireAnswer, WireRequest } from './operation/wire.ts'
import { authenticator } from './pipeline/authenticate.ts'
import { authority } from './pipeline/authority.ts'
import { type Delivered, type DeliverOptions, delivery } from './pipeline/deliver.ts'
import { doorRules } from './pipeline/authorize.ts'
import { type AccessQuestion, explainAccess } from './pipeline/explain-access.ts'
import { jsonWriter } from './pipeline/json-writer.ts'
import { rateLimiter } from './pipeline/rate-limit.ts'
import { type Remembered, type Remembering, remembering } from './pipeline/remembering.ts'
import { selectionOver } from './pipeline/selection.ts'
import { type CallOptions, callInProcess, type WalkParts, walk } from './pipeline/walk.ts'
import { platform } from './platform.ts'
import { type Bootstrapped, type BootstrapInput, bootstrap } from './resources/account/bootstrap.ts'
import { dueRequestWorker } from './resources/approval-requests/due-request-worker.ts'
import { trimChangeLog } from './resources/change-log/trim-change-log.ts'
import { collections, type Operations, operations } from './resources/index.ts'
import { type Compacted, type CompactOptions, compactLeadTimes } from './resources/lead-time/compact-lead-times.ts'
import type { Evaluator } from './resources/evaluation/evaluator.ts'
import { evaluators } from './resources/evaluation/evaluators.ts'
import { scheduledChangeWorker } from './resources/scheduled-changes/scheduled-change-worker.ts'
import { collectionFinder } from './resources/back-ups/collection-of.ts'
import { type ExportOptions, exportAccount } from './resources/back-ups/export-account.ts'
import { type Imported, type ImportOptions, importAccount } from './resources/back-ups/import-account.ts'
import type { BackUpPieces } from './resources/back-ups/read-back-up.ts'
import { storedCollections } from './resources/stored-collections.ts'
import { identifier } from './resources/tokens/identify-token.ts'
import { trimWebhookAttempts } from './resources/webhooks/trim-webhook-attempts.ts'
import { webhookAudience } from './resources/webhooks/webhook-audience.ts'
import { webhookWorker } from './resources/webhooks/webhook-worker.ts'
import type { Evaluated, EvaluationContext, Widened } from './rules/evaluation/index.ts'
import type { Explanation } from './rules/policy/explain.ts'
import type { AccountStorage, Storage } from './storage/port.ts'
import { reader } from './storage/reader.ts'

/** Every operation as a function: `api.getTeam({ teamKey }, { as })`. */
export type Api = {
  readonly [O in Operations[number] as O['id']]: Record<never, never> extends CallInput<O>
    ? (input?: CallInput<O>, options?: CallOptions) => Promise<CallAnswer<O>>
    : (input: CallInput<O>, options?: CallOptions) => Promise<CallAnswer<O>>
}

/** What answers calls: an engine, or one inside a transaction of the host. */
export interface Callable {
  /** The operations in process. Each resolves with the answer's body and rejects with `ApiError`. */
  readonly api: Api
  /** Answers a request that a transport took the clothes off; never rejects. */
  handle(request: WireRequest): Promise<WireAnswer>
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
  explain(question: AccessQuestion): Promise<Explanation>
}

export interface Engine extends Callable, AsyncDisposable {
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
  with(input: { readonly transaction: unknown }): Callable
  /**
   * What evaluates the flags of one environment for contexts, synchronously and in memory. It is made once for each
   * environment and held until the engine is closed; nothing is read before `ready()` or the first evaluation.
   *
   * @param place `{ projectKey, environmentKey }`.
   */
  evaluator(place: EvaluationPlace): Evaluator
  /**
   * The value of a flag for a context, and why: `evaluator(place).evaluate(…)`.
   *
   * @param fallback what `value` is where the flag has none, or one of another type.
   */
  evaluate<T>(flagKey: string, context: EvaluationContext, fallback: T, place: EvaluationPlace): Evaluated<Widened<T>>
  /** The values of all flags of an environment for a context, by flag key: `evaluator(place).evaluateAll(…)`. */
  evaluateAll(context: EvaluationContext, place: EvaluationPlace): Readonly<Record<string, Evaluated>>
  /** Creates or upgrades what the storage needs. */
  migrate(): Promise<void>
  /** Resolves when storage answers; rejects otherwise. For readiness probes. */
  ready(): Promise<void>
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
   * @param options `limit` days at most, `deadline` after which no day is begun (integer ms, UTC).
   * @returns how many days were summarised, and whether more are waiting.
   */
  compact(options?: CompactOptions): Promise<Compacted>
  /** How often calls were helped by what is remembered between them, and how much that is. */
  remembered(): Remembered
  /**
   * Does what is due: sends what webhooks are to be told of (D32), makes scheduled changes, and applies approval requests
   * whose time has come (D31). To be called often, by a timer of the host, a cron
   * trigger or after a change; nothing is sent otherwise. It can be stopped and run in several processes at once.
   *
   * @param options `limit` tasks at most, `deadline` after which none is begun (integer ms, UTC).
   * @returns how many were delivered or made, how many attempts failed, and whether more may be due.
   * @throws Error where the engine was made without `webhooks.send` and without `webhooks: false`.
   */
  deliver(options?: DeliverOptions): Promise<Delivered>
  /**
   * Everything that the account has, as it is when the first piece is asked for: NDJSON, in pieces of text that are
   * whole lines. The same content makes the same bytes, on every storage. Reading it to its end, or leaving a `for await`
   * early, gives back what the storage holds for it.
   *
   * @param options `secrets` (default false): whether those are in it that are stored; `signal` ends it early.
   * @throws ApiError `optimistic_locking_error` while a back-up is being put into the account.
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
  forget(): void
  /** Closes the storage. Also by `await using`. */
  close(): Promise<void>
}

/** The environment whose flags are evaluated. */
export interface EvaluationPlace {
  readonly projectKey: string
  readonly environmentKey: string
}

/**
 * Makes an engine over a storage. Nothing is read, written, started or timed until it is asked.
 *
 * @param input options; only `storage` is required.
 * @throws RangeError naming an option that makes no sense.
 */
export function createEngine(input: EngineInput): Engine {
  const options = normaliseOptions(input, platform)
  const account = (storage: Storage) => storage.account(options.handlers.account)
  const storage = account(options.storage)
  const table = operationTable(operations)
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
    options,
    table,
    storage,
    fresh,
    documents,
    answers,
    reader: reader(documents.reads),
    ...memory(),
    doorRules: doorRules(operations),
    wire: wireFormat(options.timestamps),
    order: logOrder(options.host),
    write: jsonWriter(),
  }
  const deliver = delivery(parts, [
    scheduledChangeWorker(storage),
    dueRequestWorker(storage),
    ...(options.send ? [webhookWorker(options.send)] : []),
  ])
  const collectionOf = collectionFinder(storedCollections)
  const evaluating = evaluators(storage, options.host)
  const forget = () => {
    fresh.forget()
    evaluating.forget()
    Object.assign(parts, memory())
    parts.order.forget()
  }
  // What is remembered of a transaction that is not committed must not be believed outside, nor the other way round.
  // Requests count all the same, wherever they are answered.
  function partsWithin(transaction: unknown): WalkParts {
    const inner = account(storageWithin(options.storage, transaction))
    const nothing = { storage: inner, ...remembering(inner, { ...options, remember: undefined }) }
    const memory = memoryOf(options, nothing, identifier({ noteUses: false }))
    return { ...parts, ...nothing, reader: reader(inner), ...memory }
  }
  async function close(): Promise<void> {
    await fresh.stop()
    await evaluating.stop()
    await options.storage.close()
  }
  return {
    ...callable(parts, evaluating.settled),
    operations: table.operations,
    with: ({ transaction }) => callable(partsWithin(transaction), () => undefined),
    evaluator: (place) => evaluating.of(place),
    evaluate: (flagKey, context, fallback, place) => evaluating.of(place).evaluate(flagKey, context, fallback),
    evaluateAll: (context, place) => evaluating.of(place).evaluateAll(context),
    migrate: () => options.storage.migrate(),
    ready: () => options.storage.ping(),
    bootstrap: (given) => bootstrap(storage, options.host, given),
    async compact(given) {
      const { host, changeLogDays } = options
      await trimWebhookAttempts(storage, host.now())
      if (changeLogDays !== undefined) await trimChangeLog(storage, host.now(), changeLogDays)
      return compactLeadTimes(storage, host.now, given)
    },
    async deliver(given) {
      const delivered = await deliver(given)
      await evaluating.settled()
      return delivered
    },
    export: (given) => exportAccount(storage, collectionOf, given),
    // What was remembered is about documents that may now be others.
    import: (pieces, given) => importAccount(storage, options.host, collectionOf, pieces, given).finally(forget),
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
    authenticator: authenticator({ storage, reads, host, identifier: tokens, fresh, callers }),
    authority: authority(reads, collections, decided),
    // Nobody is told of these decisions: they are about what webhooks select, not about what callers may do.
    selection: selectionOver(authority(reads, collections)),
    audience: webhookAudience(),
  }
}

/** @param settled what a call that may have changed something waits for before it is answered. */
function callable(parts: WalkParts, settled: () => Promise<void> | undefined): Callable {
  const afterwards = async <T>(answer: Promise<T>): Promise<T> => {
    const answered = await answer
    await settled()
    return answered
  }
  const calls = parts.table.operations.map((operation) => {
    const call = (given: object = {}, options: CallOptions = {}) =>
      callInProcess(parts, operation, given as Readonly<Record<string, unknown>>, options)
    const reads = operation.method === 'GET'
    return [operation.id, reads ? call : (...given: Parameters<typeof call>) => afterwards(call(...given))]
  })
  return {
    api: Object.fromEntries(calls) as Api,
    handle: (request) => (request.method === 'GET' ? walk(parts, request) : afterwards(walk(parts, request))),
    explain: (question) => explainAccess(parts, question),
  }
}

function storageWithin(storage: Storage, transaction: unknown): Storage {
  const within = storage.within?.(transaction)
  if (!within) throw new TypeError(`transaction: the ${storage.name} storage has no transactions of the host`)
  return within
}
