import type { Notifier } from '../operation/audience.ts'
import type { ChangeListInput, ChangeResult, SimulatedChangeList } from '../operation/change-list.ts'
import { changeLog } from '../operation/change-log/change-log.ts'
import type { RequiredAction } from '../operation/change-log/change-log-entry.ts'
import { changeLogEntry } from '../operation/change-log/logged-call.ts'
import { type RemovalRecord, RemovedDocuments } from '../operation/change-log/removed-documents.ts'
import type { WriteContext } from '../operation/context.ts'
import { fail } from '../operation/errors.ts'
import type { CommittedChange } from '../operation/hooks.ts'
import type { RunStorage } from '../storage/cached-reads.ts'
import type { WrittenDocument } from '../storage/changed-document.ts'
import type { Sample } from '../storage/port.ts'
import { StorageReader } from '../storage/reader.ts'
import { type CommitFailure, UnitOfWork } from '../storage/unit-of-work.ts'
import type { StorageView } from './access/authority.ts'
import { authorizeChange } from './authorize.ts'
import { CallContext } from './call-context.ts'
import type { DecodedCall, Outcome } from './call-state.ts'
import type { CombinedUnits } from './changes/combined-units.ts'
import { hookedChange } from './commit-hooks.ts'
import type { ExecuteParts, Writing } from './execute-parts.ts'
import { Redo, WriterQueues } from './redo.ts'
import { applyReferenceRules } from './references/apply-reference-rules.ts'
import { withoutCommits } from './without-commits.ts'
import type { WriteOptions } from './write-options.ts'
import type { WrittenUnit } from './written-unit.ts'

/**
 * Runs the handler of a writing operation until its commit succeeds, each time on the newest documents.
 *
 * @throws ApiError the error with which the handler fails; `optimistic_locking_error` with `conflicts` when another
 *   call concurrently changed what this one changes
 *   (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch), and when the call cannot run again.
 */
export async function write(
  parts: ExecuteParts,
  writing: Writing,
  call: DecodedCall,
  options: WriteOptions,
): Promise<Outcome> {
  const pipeline = call.dryRun ? withoutCommits(parts) : parts
  const redo = new Redo((pipeline.queues ??= new WriterQueues()), call, { ...options, format: pipeline.format })
  let committed: CommittedChange | undefined
  try {
    const outcome = await pipeline.storage.run(
      async (storage) => {
        if (!redo.isFirstRun) await redo.waitForTurn()
        const run = new WriteRun(pipeline, writing, storage, redo, options)
        const handled = await run.run()
        committed = run.committed
        return handled
      },
      { repeatable: call.operation.body?.kind !== 'upload' },
    )
    return outcome ?? fail('optimistic_locking_error')
  } finally {
    redo.end()
    // Other writers of the same documents do not wait for the hooks.
    if (committed) await writing.hooks?.after(committed, pipeline.commitMode)
  }
}

/** One run of the handler of a writing operation. */
class WriteRun {
  readonly #pipeline: ExecuteParts
  readonly #writing: Writing
  readonly #call: DecodedCall
  readonly #storage: RunStorage
  readonly #redo: Redo
  readonly #authority: StorageView['authority']
  readonly #unit: UnitOfWork
  readonly #context: CallContext
  readonly #notify: Notifier | undefined
  readonly #removed: RemovedDocuments
  /** The writes of other operations within the call, for an operation that combines others. */
  #combined: CombinedUnits | undefined
  /** The change for the hooks, when there are any and the run has committed it. */
  committed: CommittedChange | undefined

  constructor(
    pipeline: ExecuteParts,
    writing: Writing,
    storage: RunStorage,
    redo: Redo,
    { notifies }: Pick<WriteOptions, 'notifies'>,
  ) {
    const { reads, commit } = storage
    const { call } = redo
    this.#pipeline = pipeline
    this.#writing = writing
    // The change is made after the changes that it waited for, so its time must be later.
    this.#call = redo.isFirstRun ? call : { ...call, now: pipeline.options.host.now() }
    this.#storage = storage
    this.#redo = redo
    this.#authority = call.view.authority.over(reads)
    this.#unit = new UnitOfWork(pipeline.accountStorage, { reads, commit })
    this.#removed = new RemovedDocuments(new StorageReader(pipeline.accountStorage), writing.collections)
    this.#notify = notifies ? writing.audience(reads) : undefined
    this.#context = new CallContext(pipeline, this.#call, this.#unit, this.#authority, writing.undo)
    if (call.operation.combines) {
      this.#context.runList = (list) => this.#runList(list)
      this.#context.simulateList = (list) => this.#simulateList(list)
    }
  }

  /** Resolves with undefined when the commit lost a race; in that case nothing was written. */
  async run(): Promise<Outcome | undefined> {
    const { operation, params, query, body } = this.#call
    try {
      const handled = await operation.handle(this.#context, { params, query, body })
      if (operation.dry || (await this.#commit())) return this.#context.outcomeOf(handled)
    } catch (error) {
      await this.#undoStaged()
      throw error
    }
    await this.#undoStaged()
    return undefined
  }

  async #runList(list: ChangeListInput): Promise<readonly ChangeResult[]> {
    const { approved } = this.#context
    const { results, units } = await this.#writing.runChanges(this.#pipeline, this.#call, { approved, ...list })
    if (!list.discards) this.#combined = units
    return results
  }

  async #simulateList(list: ChangeListInput): Promise<SimulatedChangeList> {
    const parts = withoutCommits(this.#pipeline)
    const { results, units, after } = await this.#writing.runChanges(parts, this.#call, {
      ...list,
      assumesApproval: true,
    })
    const change =
      this.#writing.hooks && units.hooked({ unit: this.#unit, entry: undefined }, this.#call.operation.id, parts.format)
    if (change) await this.#writing.hooks?.before(change, parts.commitMode, parts.accountStorage)
    return { results, before: this.#pipeline.accountStorage, after: after.storage, changes: after.changes }
  }

  /**
   * Commits the writes with their change log entry and notifications. Operations that the call combines are committed
   * with it; each has its own entry, and its rights and rules were checked in its own run. It runs for every write of
   * every operation.
   *
   * @returns true when they were committed.
   */
  async #commit(): Promise<boolean> {
    const unit = this.#unit
    await this.#applyReferenceRules()
    const combined = this.#combined?.with(unit)
    if (!this.#redo.mayCommit(combined ?? unit)) return this.#lose(combined ?? unit)
    const guardActions = await this.#requireGuardActions()
    for (const change of unit.changed) await authorizeChange(this.#authority, this.#call.caller, change)
    this.#redo.refuseConflicts(combined ?? unit)
    const entry = await this.#addEntry(guardActions)
    const change = this.#writing.hooks && this.#hookedChange(combined, entry)
    const statements = change ? await this.#callHooks(change) : []
    this.#redo.beginCommit()
    if (!combined) unit.runStatements(statements)
    const failure = await (combined?.commit({ unit, entry }, this.#storage.commit, statements) ?? unit.commit())
    if (failure) return this.#lose(combined ?? unit, failure)
    this.committed = change
    return true
  }

  async #applyReferenceRules(): Promise<void> {
    const { references: table } = this.#writing
    if (!this.#unit.written().some(table.concerns)) return
    // Cast: a query parameter named `detach` is always the parameter of deletions.
    const { detach } = (this.#call.query ?? {}) as { readonly detach?: boolean }
    // Cast: the `tx` of this context is the unit.
    const applied = applyReferenceRules({ table, unit: this.#unit, context: this.#context as WriteContext, detach })
    // The search for references has started already, so it shares one request to the storage with these reads.
    this.#removed.request(this.#unit.removals)
    await applied
  }

  /** Adds the change log entry and the notifications to the unit. */
  async #addEntry(guardActions: readonly RequiredAction[]): Promise<Sample | undefined> {
    const entry = await this.#logEntry(guardActions)
    if (!entry) return undefined
    const { accountStorage, selection } = this.#pipeline
    this.#unit.append(changeLog, {}, [entry])
    const notify = this.#notify ?? this.#writing.audience(accountStorage)
    await notify(this.#unit, entry, selection(this.#unit.written()))
    return entry
  }

  #hookedChange(combined: CombinedUnits | undefined, entry: Sample | undefined): CommittedChange | undefined {
    const { format } = this.#pipeline
    if (combined) return combined.hooked({ unit: this.#unit, entry }, this.#call.operation.id, format)
    return entry && hookedChange(entry, this.#unit, format)
  }

  /** Calls the hooks before the commit. Returns the statements that they add to the commit. */
  async #callHooks(change: CommittedChange) {
    const { accountStorage, commitMode } = this.#pipeline
    return (await this.#writing.hooks?.before(change, commitMode, accountStorage)) ?? []
  }

  /** Requires and returns the actions that the guard names. */
  async #requireGuardActions(): Promise<readonly RequiredAction[]> {
    const { approved, demanded } = this.#context
    const { bypassRequiredApproval } = (this.#call.query ?? {}) as { readonly bypassRequiredApproval?: unknown }
    const pass = { approved, bypassRequiredApproval: bypassRequiredApproval === true }
    const context = { tx: this.#unit, hasCome: (time: number) => this.#context.hasCome(time), pass }
    const handlerCount = demanded.length
    for (const { action, collection, keys, document } of await this.#writing.guard(context, this.#unit.written())) {
      await this.#context.demand(action, collection, keys, document)
    }
    return demanded.splice(handlerCount)
  }

  #lose(unit: WrittenUnit, failure?: CommitFailure): false {
    this.#redo.lose(this.#storage, unit, failure)
    return false
  }

  /**
   * Returns the change log entry of the call. It is part of the same commit, so there is no change without an entry.
   */
  async #logEntry(guardActions: readonly RequiredAction[]): Promise<Sample | undefined> {
    const { operation, grantedAction, caller, body } = this.#call
    const { comment } = (body ?? {}) as { readonly comment?: unknown }
    const { order, options } = this.#pipeline
    const { environments } = this.#writing
    const { noted, changed, removals } = this.#unit
    const written = this.#unit.written()
    return changeLogEntry({
      operation: operation.id,
      authorizingAction: grantedAction ?? operation.id,
      requiredActions: this.#context.demanded.filter(({ action }) => !action.startsWith('view')),
      guardActions,
      caller: this.#context.author ?? caller,
      comment: typeof comment === 'string' && comment !== '' ? comment : this.#context.remarked,
      // The entry has the time of the commit and not of the call, because a call may have waited while other calls
      // committed.
      nextPosition: () => order.next(options.host.now()),
      written,
      unlisted: this.#unit.unlisted(),
      removed: removals.length === 0 ? { documents: [] } : await this.#removedDocuments(written),
      reverts: this.#context.reverted,
      noted,
      changed,
      names: { unit: this.#unit, environments },
      actionsOf: ({ collection, keys }) =>
        changed
          .filter((change) => change.collection === collection && change.keys === keys)
          .flatMap(({ actions }) => actions),
    })
  }

  /** Reads the documents that the unit deletes together with the documents of `written`. */
  #removedDocuments(written: readonly WrittenDocument[]): Promise<RemovalRecord> {
    const writtenIds = written.map(({ collection, keys }) => collection.id(keys))
    return this.#removed.of(this.#unit.removals, writtenIds)
  }

  /** Removes the records that the call has staged. If the removal fails, a later call detects the abandoned records. */
  async #undoStaged(): Promise<void> {
    try {
      await this.#unit.undoStaged()
    } catch (error) {
      const { host } = this.#pipeline.options
      host.log({ level: 'warn', event: 'staged-unit-left', operation: this.#call.operation.id, error })
    }
  }
}
