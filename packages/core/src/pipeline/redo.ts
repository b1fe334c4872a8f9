import type { ResponseFormat } from '../operation/context.ts'
import { fail } from '../operation/errors.ts'
import type { RunStorage } from '../storage/cached-reads.ts'
import type { ChangedDocument } from '../storage/changed-document.ts'
import type { Versioned } from '../storage/collection.ts'
import { documentDependency } from '../storage/dependency-index.ts'
import { DocumentMap } from '../storage/document-map.ts'
import type { Change, DocumentId } from '../storage/port.ts'
import type { CommitFailure } from '../storage/unit-of-work.ts'
import type { DecodedCall } from './call-state.ts'
import { conflictsIn } from './conflicts.ts'
import type { WriteOptions } from './write-options.ts'
import type { WrittenUnit } from './written-unit.ts'

/**
 * Maximum number of runs of one call. A run that is the first in its queues loses almost only to writers of other
 * processes.
 */
const maxRuns = 1000

/**
 * Number of lost runs after which a call blocks new writers of this process while it reads and decides. Writers of
 * documents that the call only expects to be unchanged are blocked too.
 */
const lossesUntilBlocking = 5

/**
 * Maximum number of runs that lose to the same version of the same document. In a transaction of the host with
 * `repeatable read`, every run reads the same old state, so no run can succeed.
 */
const maxRunsOnOneState = 10

/** Maximum number of documents in whose queues a writer waits. Larger calls import documents, and never wait. */
const maxQueues = 100

/** The value for a document that is not stored. */
const absent: Versioned = { version: 0 }

/** A document in the state that was read by a run whose commit lost a race. */
interface Base {
  readonly document: Versioned
  readonly storage: Pick<RunStorage, 'wasCurrent'>
}

/**
 * Decides when a writing call whose commit lost a race runs again, and whether it may commit. A repeated run waits in
 * the queues of the documents that it writes. The call is refused if it would overwrite what other calls have changed
 * since its first run.
 */
export class Redo {
  readonly #queues: WriterQueues
  readonly call: DecodedCall
  readonly #reportsConflicts: boolean
  readonly #format: ResponseFormat
  #place: QueuePosition | undefined
  #lostRuns = 0
  /** The documents in whose queues the next run must wait; undefined when the call is in all queues that it needs. */
  #wanted: ReadonlySet<string> | undefined
  #bases: DocumentMap<Base> | undefined
  /** True when the call changes several resources: a conflict then names its resource. */
  readonly #namesResources: boolean = false
  #lastLoss = { state: '', times: 0 }

  constructor(
    queues: WriterQueues,
    call: DecodedCall,
    {
      reportsConflicts,
      format,
      bases,
    }: Pick<WriteOptions, 'reportsConflicts' | 'bases'> & { readonly format: ResponseFormat },
  ) {
    this.#queues = queues
    this.call = call
    this.#reportsConflicts = reportsConflicts
    this.#format = format
    if (!bases) return
    this.#namesResources = true
    this.#bases = new DocumentMap()
    for (const { id, document } of bases) this.#bases.set(id, { document, storage: { wasCurrent: () => true } })
  }

  /** True until a run has lost. */
  get isFirstRun(): boolean {
    return this.#lostRuns === 0
  }

  /** Resolves when the next run can begin. */
  async waitForTurn(): Promise<void> {
    if (this.#wanted) {
      const pendingChange = this.#wanted
      this.#wanted = undefined
      // The writer leaves its queues first. If two writers kept a position in one queue while waiting in another, they
      // could wait for each other.
      this.end()
      this.#place = await this.#queues.join(pendingChange)
    }
    if (this.#lostRuns >= lossesUntilBlocking && this.#place) this.#place.blocks = true
  }

  /** Returns true when the unit may be committed: no other writer of its documents waits for its turn. */
  mayCommit(unit: WrittenUnit): boolean {
    if (!this.#place && this.#queues.areEmpty) return true
    const documents = queuedDocuments(unit)
    for (const document of this.#place?.documents ?? []) documents.delete(document)
    if (!this.#queues.mustJoin(documents)) return true
    this.#wanted = this.#withHeld(documents)
    return false
  }

  /** Stops blocking new writers: a commit that has been sent comes before theirs. */
  beginCommit(): void {
    if (this.#place) this.#place.blocks = false
  }

  /**
   * Records that a run was not committed.
   *
   * @param failure the reason; undefined when the run had to wait for its turn.
   * @throws ApiError `optimistic_locking_error` when no further run can succeed.
   */
  lose(storage: RunStorage, unit: WrittenUnit, failure: CommitFailure | undefined): void {
    this.#lostRuns++
    if (this.#lostRuns >= maxRuns) fail('optimistic_locking_error')
    this.#recordBases(storage, unit)
    if (!failure) return
    const id = idOf(failure.change)
    // A task that another process has leased is done by that process.
    if (!id || this.#timesLostTo(failure) > maxRunsOnOneState) fail('optimistic_locking_error')
    const document = documentDependency(id)
    const documents = queuedDocuments(unit)
    const mayJoin = documents.has(document) || this.#lostRuns >= lossesUntilBlocking
    if (mayJoin && !this.#place?.documents.has(document)) this.#wanted = this.#withHeld(documents.add(document))
  }

  /**
   * Rejects a unit that would overwrite what another call has changed since the first run.
   *
   * @throws ApiError `optimistic_locking_error` with the parts.
   */
  refuseConflicts(unit: WrittenUnit): void {
    const bases = this.#bases
    if (!bases) return
    const conflicts = documentsIn(unit).flatMap(({ id, change }) => {
      const base = bases.get(id)
      const after = unit.documentAfter(id)
      if (!base || !after || base.document.version === change.before.version || !isReliable(id, base)) return []
      const versions = { base: base.document, theirs: change.before, yours: after }
      const conflicts = conflictsIn(change, versions, this.call, this.#format)
      if (!this.#namesResources) return conflicts
      const resource = change.collection.address.address(change.keys)
      return conflicts.map((conflict) => ({ resource, ...conflict }))
    })
    if (conflicts.length > 0) fail('optimistic_locking_error', { conflicts })
  }

  /** Leaves all queues. */
  end(): void {
    this.#place?.leave()
    this.#place = undefined
  }

  /** Adds the documents in whose queues the call waits. */
  #withHeld(documents: Set<string>): Set<string> {
    for (const document of this.#place?.documents ?? []) documents.add(document)
    return documents
  }

  #recordBases(storage: RunStorage, unit: WrittenUnit): void {
    if (!this.#reportsConflicts) return
    const bases = (this.#bases ??= new DocumentMap())
    const read = new DocumentMap<Versioned>()
    for (const { collection, keys, before = absent } of unit.written()) read.set(collection.id(keys), before)
    // A document that is stored for the first time may have had a default until now.
    for (const { id, change } of documentsIn(unit)) read.set(id, change.before)
    for (const { collection, keys } of unit.written()) {
      const id = collection.id(keys)
      const known = bases.get(id)
      if (!known || !isReliable(id, known)) bases.set(id, { document: read.get(id) ?? absent, storage })
    }
  }

  /** Returns the number of runs in succession that lost to this version of this document. */
  #timesLostTo({ change }: CommitFailure): number {
    const state = JSON.stringify([change?.do, idOf(change), change && 'version' in change && change.version])
    const { state: lastState, times } = this.#lastLoss
    this.#lastLoss = { state, times: state === lastState ? times + 1 : 1 }
    return this.#lastLoss.times
  }
}

/** Returns the names of the documents that a unit writes; empty when there are too many to wait in their queues. */
function queuedDocuments(unit: WrittenUnit): Set<string> {
  const ids = unit.writtenIds()
  return new Set(ids.length > maxQueues ? [] : ids.map(documentDependency))
}

/**
 * Returns the changed documents of a unit, each once. When a unit changes a document several times, the result has the
 * first change, which contains the document as the unit read it.
 */
function documentsIn(unit: WrittenUnit): readonly { readonly id: DocumentId; readonly change: ChangedDocument }[] {
  const documents = new Map<string, { id: DocumentId; change: ChangedDocument }>()
  for (const change of unit.changed) {
    const id = change.collection.id(change.keys)
    const name = documentDependency(id)
    if (!documents.has(name)) documents.set(name, { id, change })
  }
  return [...documents.values()]
}

/**
 * Returns true when the version that the call read was the stored version at some time after the call had begun. If it
 * was not, another process may have changed it before the call, and that is not a conflict.
 */
function isReliable(id: DocumentId, { document, storage }: Base): boolean {
  return storage.wasCurrent(id, document.version)
}

/** Returns the id of the document that a change is about; undefined when it is about other records. */
function idOf(change: Change | undefined): DocumentId | undefined {
  return change && 'id' in change ? change.id : undefined
}

/** Position of a writer in the queues of some documents. */
export interface QueuePosition {
  readonly documents: ReadonlySet<string>
  /** True while new writers of these documents have to wait for this writer. */
  blocks: boolean
  /** Leaves all queues, so that the next writers can continue. */
  leave(): void
}

/**
 * A queue of writers for each document, first in, first out. A writer that has lost a race for a document joins its
 * queue. A new writer joins the queue when another writer waits in it, or when the only writer in it blocks new
 * writers. Otherwise the new writer does not wait, and the two writers may race.
 *
 * Queues are in memory and exist only while a writer is in them. Correctness does not depend on them, because each
 * commit checks versions.
 */
export class WriterQueues {
  /** The last writer of each queue. */
  readonly #last = new Map<string, WaitingPlace>()

  /** True while no writer is in a queue. */
  get areEmpty(): boolean {
    return this.#last.size === 0
  }

  /** Returns true when a new writer of these documents has to join their queues. */
  mustJoin(documents: ReadonlySet<string>): boolean {
    for (const document of documents) if (this.#last.get(document)?.blocks) return true
    return false
  }

  /** Joins the ends of all queues in one step. Resolves when the writer is the first in each of them. */
  async join(documents: ReadonlySet<string>): Promise<QueuePosition> {
    const ahead = new Set<WaitingPlace>()
    for (const document of documents) {
      const last = this.#last.get(document)
      if (last) ahead.add(last)
    }
    const place = this.#append(documents)
    if (ahead.size === 0) return place
    place.blocks = true
    await Promise.all([...ahead].map((other) => new Promise<void>((resolve) => other.onLeave.push(resolve))))
    place.blocks = false
    return place
  }

  #append(documents: ReadonlySet<string>): WaitingPlace {
    const place: WaitingPlace = {
      documents,
      blocks: false,
      onLeave: [],
      leave: () => {
        for (const document of documents) if (this.#last.get(document) === place) this.#last.delete(document)
        for (const resolve of place.onLeave.splice(0)) resolve()
      },
    }
    for (const document of documents) this.#last.set(document, place)
    return place
  }
}

interface WaitingPlace extends QueuePosition {
  /** Functions that are called when this writer leaves. */
  readonly onLeave: (() => void)[]
}
