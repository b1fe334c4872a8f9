import type { Audience, Telling } from '../operation/audience.ts'
import type { Caller } from '../operation/caller.ts'
import { changeLog, changeLogEntry, type LoggedChange } from '../operation/change-log.ts'
import type { Context, HandlerOptions, Host, Wire, WriteContext } from '../operation/context.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import { type ErrorCode, fail } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import { isSystem } from '../operation/system-caller.ts'
import { writes } from '../operation/table.ts'
import type { CompiledPolicy } from '../rules/policy/policy.ts'
import type { Documents, Keys, Versioned } from '../storage/collection.ts'
import type { AccountStorage, Sample } from '../storage/port.ts'
import type { Reader } from '../storage/reader.ts'
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
}

export interface Outcome {
  readonly body: unknown
  /** The revision that the answer shows, quoted as an ETag is. */
  readonly etag: string | undefined
  /** The ETag does not tell one answer from the next. */
  readonly more: boolean
  readonly location: string | undefined
}

export interface RunParts {
  readonly options: EngineOptions
  readonly storage: AccountStorage
  /** The reading half of `storage`, which keeps nothing of a call and so serves all. */
  readonly reader: Reader
  readonly authority: Authority
  readonly selection: Selection
  readonly audience: Audience
  readonly wire: Wire
}

/** Door 7: calls the handler and commits what it wrote, the whole of it or nothing. */
export async function run(parts: RunParts, call: AdmittedCall, decoded: Decoded): Promise<Outcome> {
  for (let left = call.operation.attempts ?? 1; left > 0; left--) {
    const outcome = await attempt(parts, call, decoded)
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
    summary: id,
    method: 'POST',
    path: '',
    success: { status: 204 },
    errors: [],
    access: { open: true, why: 'nobody calls it' },
    attempts: 3,
    handle,
  }
  const now = parts.options.host.now()
  const call = { operation, caller, params: {}, url: () => '', now, ifMatch: undefined }
  await run(parts, call, { query: {}, body: undefined })
}

/** What the engine does by itself seldom changes what anybody is told of, and then it asks late. */
function tells({ operation, caller }: AdmittedCall): boolean {
  return !operation.dry && !isSystem(caller)
}

const yes = Promise.resolve(true)
const no = Promise.resolve(false)

const lost = Symbol('lost')

/** Undefined when the commit lost a race; nothing was written then. */
async function attempt(parts: RunParts, call: AdmittedCall, decoded: Decoded): Promise<Outcome | undefined> {
  const unit = writes(call.operation.method) ? unitOfWork(parts.storage) : undefined
  const telling = unit && tells(call) ? parts.audience(parts.storage) : undefined
  const context = new CallContext(parts, call, unit ?? parts.reader)
  const input = { params: call.params, query: decoded.query, body: decoded.body }
  const handled = await tryToHandle()
  if (handled === lost) return undefined
  // Some answers tell what the commit did, so they are made after it.
  const body = typeof handled === 'function' ? handled() : handled
  return { body, etag: context.etag, more: context.more, location: context.location }

  async function tryToHandle(): Promise<unknown> {
    try {
      const result = await call.operation.handle(context, input)
      if (!unit || call.operation.dry || (await settle(parts, call, decoded, unit, context.remarked, telling)))
        return result
      await takeBack(parts, call, unit)
      return lost
    } catch (error) {
      if (unit) await takeBack(parts, call, unit)
      throw error
    }
  }
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
  remark: string | undefined,
  telling: Telling | undefined,
): Promise<boolean> {
  for (const change of unit.changed) await authorizeChange(parts.authority, call.caller, change)
  const entry = entryOf(parts, call, decoded, unit, remark)
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
  remark: string | undefined,
): Sample | undefined {
  const { id, access } = call.operation
  const { comment } = (decoded.body ?? {}) as { readonly comment?: unknown }
  return changeLogEntry({
    operation: id,
    action: 'action' in access ? ([access.action].flat()[0] as string) : id,
    caller: call.caller,
    comment: typeof comment === 'string' && comment !== '' ? comment : remark,
    now: call.now,
    newId: parts.options.host.newId,
    written: unit.written(),
    noted: unit.noted,
    actionsOf: ({ collection, keys }) =>
      unit.changed.filter((one) => one.collection === collection && one.keys === keys).flatMap((one) => one.actions),
  })
}

/**
 * The context of one call. A class, as one is made for every call: its methods are shared, while closures would be
 * made anew and cost a read a tenth of its time.
 */
class CallContext implements Context<Reader | Writer, ErrorCode> {
  readonly fail = fail
  readonly tx: Reader | Writer
  readonly caller: Caller
  readonly now: number
  readonly wire: Wire
  readonly host: Host
  readonly options: HandlerOptions
  etag: string | undefined = undefined
  remarked: string | undefined = undefined
  more = false
  location: string | undefined = undefined
  readonly #authority: Authority
  readonly #selection: Selection
  readonly #call: AdmittedCall

  constructor(parts: RunParts, call: AdmittedCall, tx: Reader | Writer) {
    this.tx = tx
    this.caller = call.caller
    this.now = call.now
    this.wire = parts.wire
    this.host = parts.options.host
    this.options = parts.options.handlers
    this.#authority = parts.authority
    this.#selection = parts.selection
    this.#call = call
  }

  get url(): string {
    return this.#call.url()
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
    if (await this.allowed(action, collection, keys, document)) return
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
