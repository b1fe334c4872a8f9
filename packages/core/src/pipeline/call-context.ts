import type { Caller } from '../operation/caller.ts'
import type { Demanded, LoggedChange } from '../operation/change-log-entry.ts'
import type { Context, HandlerOptions, Host, Wire } from '../operation/context.ts'
import { type ErrorCode, fail } from '../operation/errors.ts'
import { addressOf } from '../rules/address.ts'
import type { CompiledPolicy } from '../rules/policy/policy.ts'
import type { Documents, Keys, Versioned } from '../storage/collection.ts'
import type { Reader } from '../storage/reader.ts'
import type { Writer } from '../storage/writer.ts'
import type { AdmittedCall } from './admitted-call.ts'
import { type Authority, resourceOf } from './authority.ts'
import type { RunParts } from './run-parts.ts'
import type { Selection } from './selection.ts'

/** A time without its end; integer ms, UTC, and infinite where it has none. */
export interface Period {
  readonly from: number
  readonly until: number
}

// Made once: `allowed` answers thousands of times in one call.
const yes = Promise.resolve(true)
const no = Promise.resolve(false)

/**
 * The context of one call. A class, as one is made for every call: its methods are shared, while closures would be
 * made anew and cost a read a tenth of its time.
 */
export class CallContext implements Context<Reader | Writer, ErrorCode> {
  readonly fail = fail
  readonly tx: Reader | Writer
  readonly caller: Caller
  readonly wire: Wire
  readonly options: HandlerOptions
  etag: string | undefined = undefined
  remarked: string | undefined = undefined
  /** What the handler asked besides, and the caller may. */
  readonly demanded: Demanded[] = []
  more = false
  location: string | undefined = undefined
  readonly #authority: Authority
  readonly #selection: Selection
  readonly #call: AdmittedCall
  readonly #host: Host
  #from = Number.NEGATIVE_INFINITY
  #until = Number.POSITIVE_INFINITY

  constructor(parts: RunParts, call: AdmittedCall, tx: Reader | Writer) {
    this.tx = tx
    this.caller = call.caller
    this.wire = parts.wire
    this.#host = parts.options.host
    this.options = parts.options.handlers
    this.#authority = parts.authority
    this.#selection = parts.selection
    this.#call = call
  }

  get url(): string {
    return this.#call.url()
  }

  // Whoever looks at the time, or at chance, makes an answer that is of this call alone.

  get now(): number {
    this.#until = Number.NEGATIVE_INFINITY
    return this.#call.now
  }

  get host(): Host {
    this.#until = Number.NEGATIVE_INFINITY
    return this.#host
  }

  hasCome(at: number): boolean {
    const come = at <= this.#call.now
    if (come) this.#from = Math.max(this.#from, at)
    else this.#until = Math.min(this.#until, at)
    return come
  }

  /** When the answer is right; undefined for an answer that is of this call alone. */
  get holds(): Period | undefined {
    return this.#until === Number.NEGATIVE_INFINITY ? undefined : { from: this.#from, until: this.#until }
  }

  allowed<T extends Versioned, A extends string>(
    action: string,
    collection: Documents<T, A>,
    keys: Keys<A>,
    document?: T,
  ): Promise<boolean> {
    const resource = resourceOf(this.caller, collection, keys, document)
    const decision = this.#authority.decide(this.caller, action, resource)
    // Lists ask this of thousands of things: what is known at once costs no further promise.
    if ('allowed' in decision) return decision.allowed ? yes : no
    return decision.then(({ allowed }) => allowed)
  }

  async demand<T extends Versioned, A extends string>(
    action: string,
    collection: Documents<T, A>,
    keys: Keys<A>,
    document?: T,
  ): Promise<void> {
    if (await this.allowed(action, collection, keys, document)) {
      this.demanded.push({ action, resource: addressOf(collection.resource(keys, document)) })
      return
    }
    fail('forbidden', { explanation: await this.whyNot(action, collection, keys, document) })
  }

  async whyNot<T extends Versioned, A extends string>(
    action: string,
    collection: Documents<T, A>,
    keys: Keys<A>,
    document?: T,
  ): Promise<string> {
    const resource = resourceOf(this.caller, collection, keys, document)
    return (await this.#authority.explain(this.caller, action, resource)).text
  }

  access<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>, document: T) {
    return this.#authority.accessOf(this.caller, resourceOf(this.caller, collection, keys, document))
  }

  selects(policy: CompiledPolicy, change: LoggedChange): Promise<boolean> {
    return this.#selection([])(policy, change)
  }

  remark(text: string): void {
    this.remarked = text
  }

  revision(value: string | number, more = false): void {
    this.etag = quoted(value)
    this.more = more
  }

  located(path: string): void {
    this.location = path
  }

  requireRevision(value: string | number): void {
    const { ifMatch } = this.#call
    if (ifMatch === undefined || ifMatch === '*') return
    const wanted = ifMatch.split(',').map((one) => one.trim().replace(/^W\//, ''))
    if (!wanted.includes(quoted(value))) fail('optimistic_locking_error')
  }
}

function quoted(value: string | number): string {
  return `"${value}"`
}
