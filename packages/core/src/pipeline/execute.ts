import type { Audience, Notifier } from '../operation/audience.ts'
import type { Caller } from '../operation/caller.ts'
import { changeLog, changeLogEntry, type LogOrder } from '../operation/change-log/change-log.ts'
import type { RequiredAction } from '../operation/change-log/change-log-entry.ts'
import { removedDocuments } from '../operation/change-log/removed-documents.ts'
import type { CommitGuard } from '../operation/commit-guard.ts'
import type { ResponseFormat, WriteContext } from '../operation/context.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import { fail } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import { isSystem } from '../operation/system-caller.ts'
import type { UndoTable } from '../operation/undo/undo-table.ts'
import type { PolicyRules } from '../rules/policy/policy-rules.ts'
import type { StoredCollection } from '../storage/collection.ts'
import type { AccountStorage, Sample } from '../storage/port.ts'
import { StorageReader } from '../storage/reader.ts'
import type { Commit, StorageReads } from '../storage/reads.ts'
import { UnitOfWork } from '../storage/unit-of-work.ts'
import type { PolicySelection, StorageView } from './access/authority.ts'
import { type AuthorizeParts, authorizeChange, authorizeInput } from './authorize.ts'
import { CallContext } from './call-context.ts'
import type { DecodedCall, ExecutedCall, Outcome } from './call-state.ts'
import { withoutCommits } from './without-commits.ts'

/** The parts of an engine that executing an operation needs. */
export interface ExecuteParts extends AuthorizeParts {
  readonly options: EngineOptions
  readonly policy: PolicyRules
  readonly accountStorage: AccountStorage
  /** Reads and decisions for calls, unless a call has its own. */
  readonly view: StorageView
  readonly selection: PolicySelection
  /** The rules by which changes of documents are undone. */
  readonly undo: UndoTable
  readonly audience: Audience
  readonly format: ResponseFormat
  /** Checks every unit of work before its commit. */
  readonly guard: CommitGuard
  /** Assigns the positions of entries in the change log. */
  readonly order: LogOrder
  /** All collections, whose documents a deletion may remove. */
  readonly collections: readonly StoredCollection[]
  /** Returns what a call waits for after its commit; undefined when there is nothing to wait for. */
  settled(): Promise<void> | undefined
}

/** Stage 7: calls the handler and commits its writes, all of them or none. */
export async function execute<C extends DecodedCall>(pipeline: ExecuteParts, call: C): Promise<C & ExecutedCall> {
  const authorizing = authorizeInput(pipeline, call)
  if (authorizing) await authorizing
  if (call.operation.method !== 'GET') {
    const parts = call.dryRun ? withoutCommits(pipeline) : pipeline
    const outcome = await write(parts, call, { notifies: !call.operation.dry })
    const settling = pipeline.settled()
    if (settling) await settling
    return Object.assign(call, { outcome })
  }
  const context = new CallContext(pipeline, call, call.view.reader, call.view.authority)
  const { params, query, body } = call
  const handled = await call.operation.handle(context, { params, query, body })
  return Object.assign(call, { outcome: outcomeOf(context, handled) })
}

export interface SystemWork {
  /** Name of the work in the change log. */
  readonly id: string
  /** The engine itself, or the author of a scheduled change. */
  readonly caller: Caller
  handle(context: WriteContext): Promise<void>
}

/**
 * Commits a change that the engine itself makes, in the same way as every write. A commit that loses a race is tried
 * again, since there is no caller that could repeat it.
 *
 * @throws ApiError `optimistic_locking_error` when every attempt loses.
 */
export async function executeAsSystem(pipeline: ExecuteParts, { id, caller, handle }: SystemWork): Promise<void> {
  const operation: Operation = {
    id,
    summary: sentenceOf(id),
    method: 'POST',
    path: '',
    success: { status: 204 },
    errors: [],
    access: { open: true, why: 'this operation cannot be called' },
    attempts: 3,
    handle,
  }
  const { view, options } = pipeline
  const call: DecodedCall = {
    operation,
    caller,
    params: {},
    view,
    url: () => '',
    now: options.host.now(),
    ifMatch: undefined,
    grantedAction: undefined,
    query: {},
    body: undefined,
    dryRun: false,
  }
  await write(pipeline, call, { notifies: !isSystem(caller) })
}

/** Returns `Apply scheduled change` for `applyScheduledChange`. */
function sentenceOf(id: string): string {
  const words = id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

interface WriteOptions {
  /**
   * True when the call probably makes a change of which webhooks are notified. The webhooks are then read together with
   * the handler's own reads; otherwise they are read only after a change.
   */
  readonly notifies: boolean
}

async function write(pipeline: ExecuteParts, call: DecodedCall, options: WriteOptions): Promise<Outcome> {
  const { attempts = 1, body } = call.operation
  const outcome = await pipeline.storage.attempt(
    (reads, commit) => new WriteAttempt(pipeline, call, reads, commit, options).run(),
    { attempts, repeatable: body?.kind !== 'upload' },
  )
  // Another call changed, created or deleted a resource concurrently: the caller may read it again and decide again
  // (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
  return outcome ?? fail('optimistic_locking_error')
}

/** One run of the handler of a writing operation. */
class WriteAttempt {
  readonly #pipeline: ExecuteParts
  readonly #call: DecodedCall
  readonly #authority: StorageView['authority']
  readonly #unit: UnitOfWork
  readonly #context: CallContext
  readonly #notify: Notifier | undefined

  constructor(
    pipeline: ExecuteParts,
    call: DecodedCall,
    reads: StorageReads,
    commit: Commit,
    { notifies }: WriteOptions,
  ) {
    this.#pipeline = pipeline
    this.#call = call
    this.#authority = call.view.authority.over(reads)
    this.#unit = new UnitOfWork(pipeline.accountStorage, { reads, commit })
    this.#notify = notifies ? pipeline.audience(reads) : undefined
    this.#context = new CallContext(pipeline, call, this.#unit, this.#authority)
  }

  /** Resolves with undefined when the commit lost a race; in that case nothing was written. */
  async run(): Promise<Outcome | undefined> {
    const { operation, params, query, body } = this.#call
    try {
      const handled = await operation.handle(this.#context, { params, query, body })
      if (operation.dry || (await this.#commit())) return outcomeOf(this.#context, handled)
    } catch (error) {
      await this.#undoStaged()
      throw error
    }
    await this.#undoStaged()
    return undefined
  }

  /**
   * Commits the writes, with their change log entry and notifications. Every write of every operation passes here.
   *
   * @returns true when they were committed.
   */
  async #commit(): Promise<boolean> {
    const { audience, accountStorage, selection } = this.#pipeline
    const guardActions = await this.#requireGuardActions()
    for (const change of this.#unit.changed) await authorizeChange(this.#authority, this.#call.caller, change)
    const entry = await this.#logEntry(guardActions)
    if (entry) {
      this.#unit.append(changeLog, {}, [entry])
      const notify = this.#notify ?? audience(accountStorage)
      await notify(this.#unit, entry, selection(this.#unit.written()))
    }
    return (await this.#unit.commit()) === undefined
  }

  /** Requires and returns the actions that the guard asks for. */
  async #requireGuardActions(): Promise<readonly RequiredAction[]> {
    const { approved, demanded } = this.#context
    const { bypassRequiredApproval } = (this.#call.query ?? {}) as { readonly bypassRequiredApproval?: unknown }
    const pass = { approved, bypassRequiredApproval: bypassRequiredApproval === true }
    const context = { tx: this.#unit, hasCome: (time: number) => this.#context.hasCome(time), pass }
    const handlerCount = demanded.length
    for (const { action, collection, keys, document } of await this.#pipeline.guard(context, this.#unit.written())) {
      await this.#context.demand(action, collection, keys, document)
    }
    return demanded.splice(handlerCount)
  }

  /**
   * Returns the change log entry of the call. It is part of the same commit, so there is no change without an entry.
   */
  async #logEntry(guardActions: readonly RequiredAction[]): Promise<Sample | undefined> {
    const { operation, grantedAction, caller, body, now } = this.#call
    const { accountStorage, collections } = this.#pipeline
    const { comment } = (body ?? {}) as { readonly comment?: unknown }
    const { noted, changed, removals } = this.#unit
    const written = this.#unit.written()
    const writtenIds = written.map(({ collection, keys }) => collection.id(keys))
    const entry = await changeLogEntry({
      operation: operation.id,
      summary: operation.summary,
      authorizingAction: grantedAction ?? operation.id,
      requiredActions: this.#context.demanded.filter(({ action }) => !action.startsWith('view')),
      guardActions,
      caller: this.#context.author ?? caller,
      comment: typeof comment === 'string' && comment !== '' ? comment : this.#context.remarked,
      nextPosition: () => this.#pipeline.order.next(now),
      written,
      noted,
      removed: await removedDocuments(new StorageReader(accountStorage), removals, collections, writtenIds),
      reverts: this.#context.reverted,
      actionsOf: ({ collection, keys }) =>
        changed
          .filter((change) => change.collection === collection && change.keys === keys)
          .flatMap(({ actions }) => actions),
    })
    this.#context.logged = entry
    return entry
  }

  /** Undoes what the call staged. If the storage refuses, a later call detects the abandoned records. */
  async #undoStaged(): Promise<void> {
    try {
      await this.#unit.undoStaged()
    } catch (error) {
      const { host } = this.#pipeline.options
      host.log({ level: 'warn', event: 'staged-unit-left', operation: this.#call.operation.id, error })
    }
  }
}

function outcomeOf(context: CallContext, handled: unknown): Outcome {
  // Some responses depend on the result of the commit, so they are made after it.
  const body = typeof handled === 'function' ? handled() : handled
  const { etag, showsMore: more, location, validity } = context
  return { body, etag, showsMore: more, location, validity }
}
