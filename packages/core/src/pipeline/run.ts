import type { Audience, Telling } from '../operation/audience.ts'
import type { Caller } from '../operation/caller.ts'
import { changeLog, changeLogEntry, type Demanded, type LoggedChange } from '../operation/change-log.ts'
import type { Context, HandlerOptions, Host, Wire, WriteContext } from '../operation/context.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import { ApiError, type ErrorCode, fail } from '../operation/errors.ts'
import type { LogOrder } from '../operation/log-order.ts'
import type { Operation } from '../operation/operation.ts'
import { isSystem } from '../operation/system-caller.ts'
import { writes } from '../operation/table.ts'
import { addressOf } from '../rules/address.ts'
import type { CompiledPolicy } from '../rules/policy/policy.ts'
import type { Documents, Keys, Versioned } from '../storage/collection.ts'
import type { AccountStorage, Sample } from '../storage/port.ts'
import { type Reader, reader } from '../storage/reader.ts'
import type { StorageReads } from '../storage/reads.ts'
import type { RememberedReads, Sight } from '../storage/remembered-reads.ts'
import { type UnitOfWork, unitOfWork } from '../storage/unit-of-work.ts'
import type { Writer } from '../storage/writer.ts'
import { type Authority, resourceOf } from './authority.ts'
import { authorizeChange } from './authorize.ts'
import type { Decoded } from './decode.ts'
import type { Selection } from './selection.ts'

/** A call that has passed every door before the last. */
export interface AdmittedCall {
  readonly operation: Operation
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  /** Path and query, made only when a handler asks. */
  readonly url: () => string
  readonly now: number
  readonly ifMatch: string | undefined
  /** The action that let the caller in at the door; undefined where that is open. */
  readonly granted: string | undefined
}

export interface Outcome {
  readonly body: unknown
  /** The revision that the answer shows, quoted as an ETag is. */
  readonly etag: string | undefined
  /** The ETag does not tell one answer from the next. */
  readonly more: boolean
  readonly location: string | undefined
  /** When the answer is right as long as nothing changes; undefined for one that is of this call alone. */
  readonly holds: Period | undefined
}

/** A time without its end; integer ms, UTC, and infinite where it has none. */
export interface Period {
  readonly from: number
  readonly until: number
}

export interface RunParts {
  readonly options: EngineOptions
  readonly storage: AccountStorage
  /** What was read from `storage` before, as long as it is still so. */
  readonly documents: RememberedReads
  /** The reading half of it, which keeps nothing of a call and so serves all. */
  readonly reader: Reader
  readonly authority: Authority
  readonly selection: Selection
  readonly audience: Audience
  readonly wire: Wire
  /** The places of entries in the change log. */
  readonly order: LogOrder
}

/** The same, looking at storage in another way. */
export function seeing<Parts extends RunParts>(parts: Parts, reads: StorageReads): Parts {
  return { ...parts, reader: reader(reads), authority: parts.authority.seeing(reads) }
}

/** Door 7: calls the handler and commits what it wrote, the whole of it or nothing. */
export async function run(parts: RunParts, call: AdmittedCall, decoded: Decoded): Promise<Outcome> {
  if (!writes(call.operation.method)) return read(parts, call, decoded)
  let left = call.operation.attempts ?? 1
  // A body that comes as it is read can be read only once.
  if (parts.documents.remembers && call.operation.body?.kind !== 'upload') {
    const sight: Sight = { remembered: false, checked: false }
    const outcome = await tryFromMemory(parts, call, decoded, sight)
    if (outcome) return outcome
    if (!sight.remembered) left--
  }
  const fresh = parts.documents.remembers ? seeing(parts, parts.storage) : parts
  for (; left > 0; left--) {
    const outcome = await attempt(fresh, call, decoded, parts.storage)
    if (outcome) return outcome
  }
  // A thing that changed, vanished or appeared meanwhile: the caller may look again and decide anew (D11).
  return fail('optimistic_locking_error')
}

export interface SystemWork {
  /** What the change log calls it. */
  readonly id: string
  /** Who does it: the engine itself, or whoever left it to be done. */
  readonly caller: Caller
  handle(context: WriteContext): Promise<void>
}

/**
 * Commits what the engine does by itself, the way of every write. A commit that loses a race is tried again: there is
 * nobody who could decide anew.
 *
 * @throws ApiError `optimistic_locking_error` when it keeps losing.
 */
export async function runAsSystem(parts: RunParts, { id, caller, handle }: SystemWork): Promise<void> {
  const operation: Operation = {
    id,
    summary: inWords(id),
    method: 'POST',
    path: '',
    success: { status: 204 },
    errors: [],
    access: { open: true, why: 'nobody calls it' },
    attempts: 3,
    handle,
  }
  const now = parts.options.host.now()
  const call = { operation, caller, params: {}, granted: undefined, url: () => '', now, ifMatch: undefined }
  await run(parts, call, { query: {}, body: undefined })
}

/** `applyScheduledChange` as `Apply scheduled change`. */
function inWords(id: string): string {
  const words = id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What the engine does by itself seldom changes what anybody is told of, and then it asks late. */
function tells({ operation, caller }: AdmittedCall): boolean {
  return !operation.dry && !isSystem(caller)
}

async function read(parts: RunParts, call: AdmittedCall, decoded: Decoded): Promise<Outcome> {
  const context = new CallContext(parts, call, parts.reader)
  return outcomeOf(context, await call.operation.handle(context, inputOf(call, decoded)))
}

/**
 * A call of a writing operation that looks at what is remembered: where all of it is still so, the commit is its only
 * question to storage.
 *
 * @returns undefined when it has to be done again with fresh eyes: the commit says that something is no longer so, or
 *   nothing has looked whether it is, since the call was refused or left everything as it was.
 */
async function tryFromMemory(
  parts: RunParts,
  call: AdmittedCall,
  decoded: Decoded,
  sight: Sight,
): Promise<Outcome | undefined> {
  const reads = parts.documents.seenBy(sight)
  try {
    const outcome = await attempt(seeing(parts, reads), call, decoded, reads, sight)
    return sight.remembered && !sight.checked ? undefined : outcome
  } catch (error) {
    if (sight.remembered && error instanceof ApiError) return undefined
    throw error
  }
}

const lost = Symbol('lost')

/**
 * @param reads what the handler looks at.
 * @param sight told whether storage has seen what the handler has.
 * @returns undefined when the commit lost a race; nothing was written then.
 */
async function attempt(
  parts: RunParts,
  call: AdmittedCall,
  decoded: Decoded,
  reads: StorageReads,
  sight?: Sight,
): Promise<Outcome | undefined> {
  const unit = unitOfWork(parts.storage, { reads, commit: parts.documents.commit })
  const telling = tells(call) ? parts.audience(reads) : undefined
  const context = new CallContext(parts, call, unit)
  const handled = await tryToHandle()
  return handled === lost ? undefined : outcomeOf(context, handled)

  async function tryToHandle(): Promise<unknown> {
    try {
      const result = await call.operation.handle(context, inputOf(call, decoded))
      if (call.operation.dry) return result
      const settled = await settle(parts, call, decoded, unit, context, telling)
      if (sight) sight.checked = !unit.isEmpty()
      if (settled) return result
      await takeBack(parts, call, unit)
      return lost
    } catch (error) {
      await takeBack(parts, call, unit)
      throw error
    }
  }
}

function inputOf({ params }: AdmittedCall, { query, body }: Decoded) {
  return { params, query, body }
}

function outcomeOf(context: CallContext, handled: unknown): Outcome {
  // Some answers tell what the commit did, so they are made after it.
  const body = typeof handled === 'function' ? handled() : handled
  const { etag, more, location, holds } = context
  return { body, etag, more, location, holds }
}

/** What the call had staged goes as well. Where storage does not let it, whoever comes next finds it abandoned. */
async function takeBack({ options }: RunParts, { operation }: AdmittedCall, unit: UnitOfWork): Promise<void> {
  try {
    await unit.takeBack()
  } catch (error) {
    options.host.log({ level: 'warn', event: 'staged-left-behind', operation: operation.id, error })
  }
}

/**
 * Every write of every operation passes here, and no other way leads to storage.
 *
 * @returns whether it was committed.
 */
async function settle(
  parts: RunParts,
  call: AdmittedCall,
  decoded: Decoded,
  unit: UnitOfWork,
  context: CallContext,
  telling: Telling | undefined,
): Promise<boolean> {
  for (const change of unit.changed) await authorizeChange(parts.authority, call.caller, change)
  const entry = await entryOf(parts, call, decoded, unit, context)
  if (entry) {
    unit.append(changeLog, {}, [entry])
    const tell = telling ?? parts.audience(parts.storage)
    await tell(unit, entry, parts.selection(unit.written()))
  }
  return (await unit.commit()) === undefined
}

/** What the call did, as the change log keeps it: written by the same commit, so that there is no change without it. */
function entryOf(
  parts: RunParts,
  call: AdmittedCall,
  decoded: Decoded,
  unit: UnitOfWork,
  { remarked, demanded }: CallContext,
): Promise<Sample | undefined> {
  const { id, summary } = call.operation
  const { comment } = (decoded.body ?? {}) as { readonly comment?: unknown }
  return changeLogEntry({
    operation: id,
    summary,
    granted: call.granted ?? id,
    demanded: demanded.filter(({ action }) => !action.startsWith('view')),
    caller: call.caller,
    comment: typeof comment === 'string' && comment !== '' ? comment : remarked,
    place: () => parts.order.next(call.now),
    written: unit.written(),
    noted: unit.noted,
    actionsOf: ({ collection, keys }) =>
      unit.changed.filter((one) => one.collection === collection && one.keys === keys).flatMap((one) => one.actions),
  })
}

// Made once: `allowed` answers thousands of times in one call.
const yes = Promise.resolve(true)
const no = Promise.resolve(false)

/**
 * The context of one call. A class, as one is made for every call: its methods are shared, while closures would be
 * made anew and cost a read a tenth of its time.
 */
class CallContext implements Context<Reader | Writer, ErrorCode> {
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
