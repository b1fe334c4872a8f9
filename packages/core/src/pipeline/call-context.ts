import type { ApprovedChange } from '../operation/approval-pass.ts'
import type { Caller } from '../operation/caller.ts'
import type { ChangeListInput, ChangeResult, EnvironmentPath, SimulatedChangeList } from '../operation/change-list.ts'
import type { Author } from '../operation/change-log/change-log.ts'
import type { LoggedChange, RequiredAction } from '../operation/change-log/change-log-entry.ts'
import type { Context, HandlerOptions, Host, ResponseFormat } from '../operation/context.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import { type ErrorCode, fail } from '../operation/errors.ts'
import type { RequestOrigin } from '../operation/request-origin.ts'
import type { LocatedDocument, UndoTable } from '../operation/undo/undo-table.ts'
import { addressOf } from '../rules/address.ts'
import type { EvaluationContext } from '../rules/evaluation/index.ts'
import type { CompiledPolicy } from '../rules/policy/policy.ts'
import type { Documents, Keys, StoredCollection, Versioned } from '../storage/collection.ts'
import type { JoinedList, JoinedRows } from '../storage/lists/joined-lists.ts'
import type { Reader } from '../storage/reader.ts'
import type { Writer } from '../storage/writer.ts'
import { type Authority, type PolicySelection, resourceOf } from './access/authority.ts'
import type { AuthenticatedCall, Outcome, Period } from './call-state.ts'

// Shared, because one call may call `allowed` thousands of times.
const yes = Promise.resolve(true)
const no = Promise.resolve(false)

export interface ContextParts {
  readonly options: EngineOptions
  readonly format: ResponseFormat
  readonly selection: PolicySelection
  recentContexts(environment: EnvironmentPath): readonly EvaluationContext[]
}

/**
 * The context of one call. A class, because every call creates one: its methods are shared, while closures would be
 * allocated again and would increase the time of a read by a tenth.
 */
export class CallContext implements Context<Reader | Writer, ErrorCode> {
  readonly fail = fail
  readonly tx: Reader | Writer
  readonly caller: Caller
  readonly origin: RequestOrigin | undefined
  readonly format: ResponseFormat
  readonly options: HandlerOptions
  etag: string | undefined = undefined
  remarked: string | undefined = undefined
  approved: ApprovedChange | undefined = undefined
  /** The author of the change, if the author is not the caller. */
  author: Author | undefined = undefined
  /** The actions that the handler required and the caller has. */
  readonly demanded: RequiredAction[] = []
  /** Id of the entry of the change log that the call reverts. */
  reverted: string | undefined = undefined
  showsMore = false
  location: string | undefined = undefined
  /** Runs other operations within this call; undefined where the operation combines none. */
  runList: ((list: ChangeListInput) => Promise<readonly ChangeResult[]>) | undefined = undefined
  /** Runs other operations without committing them; undefined where the operation combines none. */
  simulateList: ((list: ChangeListInput) => Promise<SimulatedChangeList>) | undefined = undefined
  readonly #authority: Authority
  readonly #selection: PolicySelection
  readonly #undo: UndoTable | undefined
  readonly #call: AuthenticatedCall
  readonly #host: Host
  readonly #recentContexts: ContextParts['recentContexts']
  #validFrom = Number.NEGATIVE_INFINITY
  #validUntil = Number.POSITIVE_INFINITY

  constructor(
    { options, format, selection, recentContexts }: ContextParts,
    call: AuthenticatedCall,
    tx: Reader | Writer,
    authority: Authority,
    undo?: UndoTable,
  ) {
    this.tx = tx
    this.caller = call.caller
    this.origin = call.origin
    this.format = format
    this.#host = options.host
    this.options = options.handlers
    this.#authority = authority
    this.#selection = selection
    this.#undo = undo
    this.#call = call
    this.#recentContexts = recentContexts
  }

  get url(): string {
    return this.#call.url()
  }

  readClock(): number {
    this.#validUntil = Number.NEGATIVE_INFINITY
    return this.#call.now
  }

  useHost(): Host {
    this.#validUntil = Number.NEGATIVE_INFINITY
    return this.#host
  }

  hasCome(time: number): boolean {
    const come = time <= this.#call.now
    if (come) this.#validFrom = Math.max(this.#validFrom, time)
    else this.#validUntil = Math.min(this.#validUntil, time)
    return come
  }

  /** Period in which the response is valid; undefined when it is valid for this call only. */
  get validity(): Period | undefined {
    if (this.#validUntil === Number.NEGATIVE_INFINITY) return undefined
    return { from: this.#validFrom, until: this.#validUntil }
  }

  /** Returns the outcome of a handler that has ended. Some responses depend on the result of the commit. */
  outcomeOf(handled: unknown): Outcome {
    const body = typeof handled === 'function' ? handled() : handled
    const { etag, showsMore, location, validity } = this
    return { body, etag, showsMore, location, validity }
  }

  allowed<T extends Versioned, A extends string>(
    action: string,
    collection: Documents<T, A>,
    keys: Keys<A>,
    document?: T,
  ): Promise<boolean> {
    const resource = resourceOf(this.caller, collection, keys, document)
    const decision = this.#authority.decide(this.caller, action, resource)
    // Lists call this function for thousands of documents: a synchronous decision allocates no further promise.
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

  setAuthor({ memberId, tokenId }: { readonly memberId: string; readonly tokenId: string }): void {
    this.author = { id: `token/${tokenId}`, memberId, tokenId }
  }

  setComment(text: string): void {
    this.remarked = text
  }

  setReverted(entryId: string): void {
    this.reverted = entryId
  }

  storedCollections(): readonly StoredCollection[] {
    return this.#undoTable().collections
  }

  undoRules(change: { readonly kind: string; readonly document: string }): LocatedDocument | undefined {
    return this.#undoTable().locate(change)
  }

  #undoTable(): UndoTable {
    const { id, undoes } = this.#call.operation
    if (!this.#undo || !undoes) throw new Error(`${id}: undoes must be true, so that all definitions are imported`)
    return this.#undo
  }

  runChanges(list: ChangeListInput): Promise<readonly ChangeResult[]> {
    return (this.runList ?? this.#failToCombine())(list)
  }

  simulateChanges(list: ChangeListInput): Promise<SimulatedChangeList> {
    return (this.simulateList ?? this.#failToCombine())(list)
  }

  #failToCombine(): never {
    throw new Error(`${this.#call.operation.id}: combines must be true, so that it can run others`)
  }

  recentContexts(environment: EnvironmentPath): readonly EvaluationContext[] {
    this.#validUntil = Number.NEGATIVE_INFINITY
    return this.#recentContexts(environment)
  }

  joinedRows<ListKeys extends object>(list: JoinedList<ListKeys>, keys: ListKeys): JoinedRows | undefined {
    const { view, now } = this.#call
    // The rows do not contain the changes of a call that writes.
    const rows = this.tx === view.reader ? view.joined?.rowsOf(list, keys, now) : undefined
    if (!rows) return undefined
    const page: JoinedRows['page'] = async (query) => {
      const rowPage = await rows.page(query)
      if (rowPage) this.#validUntil = Number.NEGATIVE_INFINITY
      return rowPage
    }
    return { ...rows, page }
  }

  setApproved(change: ApprovedChange): void {
    this.approved = change
  }

  setRevision(value: string | number, more = false): void {
    this.etag = quoted(value)
    this.showsMore = more
  }

  setLocation(path: string): void {
    this.location = path
  }

  requireRevision(value: string | number): void {
    const { ifMatch } = this.#call
    if (ifMatch === undefined || ifMatch === '*') return
    const listed = ifMatch.split(',').map((etag) => etag.trim().replace(/^W\//, ''))
    if (!listed.includes(quoted(value))) fail('optimistic_locking_error')
  }
}

function quoted(value: string | number): string {
  return `"${value}"`
}
