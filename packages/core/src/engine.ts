import { wireFormat } from './operation/link.ts'
import { type EngineInput, normaliseOptions } from './operation/engine-options.ts'
import type { CallAnswer, CallInput, Operation } from './operation/operation.ts'
import { operationTable } from './operation/table.ts'
import type { WireAnswer, WireRequest } from './operation/wire.ts'
import { authenticator } from './pipeline/authenticate.ts'
import { authority } from './pipeline/authority.ts'
import { doorRules } from './pipeline/authorize.ts'
import { type AccessQuestion, explainAccess } from './pipeline/explain-access.ts'
import { jsonWriter } from './pipeline/json-writer.ts'
import { memoryRateLimiter } from './pipeline/rate-limit.ts'
import { type Remembered, remembering } from './pipeline/remembering.ts'
import { type CallOptions, callInProcess, walk } from './pipeline/walk.ts'
import { platform } from './platform.ts'
import { type Bootstrapped, type BootstrapInput, bootstrap } from './resources/account/bootstrap.ts'
import { collections, type Operations, operations } from './resources/index.ts'
import { type Compacted, type CompactOptions, compactLeadTimes } from './resources/lead-time/compact-lead-times.ts'
import { identifier } from './resources/tokens/identify-token.ts'
import type { Explanation } from './rules/policy/explain.ts'
import { reader } from './storage/reader.ts'

/** Every operation as a function: `api.getTeam({ teamKey }, { as })`. */
export type Api = {
  readonly [O in Operations[number] as O['id']]: Record<never, never> extends CallInput<O>
    ? (input?: CallInput<O>, options?: CallOptions) => Promise<CallAnswer<O>>
    : (input: CallInput<O>, options?: CallOptions) => Promise<CallAnswer<O>>
}

export interface Engine extends AsyncDisposable {
  /** The operations in process. Each resolves with the answer's body and rejects with `ApiError`. */
  readonly api: Api
  /** The operations' cards, for whoever derives something from them. */
  readonly operations: readonly Operation[]
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
   * Summarises past days of lead times, so that charts of them cost little however many samples they have. To be called
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
   * Drops what is remembered between calls: callers, their rights, answers, what was read, and rate limits. What is remembered is known by the
   * versions of documents, so it must go when the storage is put back to an earlier moment under a running engine.
   */
  forget(): void
  /** Closes the storage. Also by `await using`. */
  close(): Promise<void>
}

/**
 * Makes an engine over a storage. Nothing is read, written, started or timed until it is asked.
 *
 * @param input options; only `storage` is required.
 * @throws RangeError naming an option that makes no sense.
 */
export function createEngine(input: EngineInput): Engine {
  const options = normaliseOptions(input, platform)
  const storage = options.storage.account(options.handlers.account)
  const table = operationTable(operations)
  const { fresh, documents, callers, answers } = remembering(storage, options)
  const { reads } = documents
  const memory = () => ({
    authenticator: authenticator({ storage, reads, host: options.host, identifier: identifier(), fresh, callers }),
    authority: authority(reads, collections, options.decided),
    limiter: options.rateLimit && memoryRateLimiter(options.rateLimit),
  })
  const parts = {
    options,
    table,
    storage,
    fresh,
    documents,
    answers,
    reader: reader(reads),
    ...memory(),
    doorRules: doorRules(operations),
    wire: wireFormat(options.timestamps),
    write: jsonWriter(),
  }
  const calls = table.operations.map((operation) => [
    operation.id,
    (given: object = {}, call: CallOptions = {}) =>
      callInProcess(parts, operation, given as Readonly<Record<string, unknown>>, call),
  ])
  async function close(): Promise<void> {
    await fresh.stop()
    await options.storage.close()
  }
  return {
    api: Object.fromEntries(calls) as Api,
    operations: table.operations,
    handle: (request) => walk(parts, request),
    explain: (question) => explainAccess(parts, question),
    migrate: () => options.storage.migrate(),
    ready: () => options.storage.ping(),
    bootstrap: (given) => bootstrap(storage, options.host, given),
    compact: (given) => compactLeadTimes(storage, options.host.now, given),
    remembered: () => ({ callers: callers.figures(), answers: answers.figures(), documents: documents.figures() }),
    forget() {
      fresh.forget()
      Object.assign(parts, memory())
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
