import type { Sentence } from '../rules/sentences/sentence.ts'
import {
  actionsToChange,
  type BeforeAndAfter,
  type ChangedDocument,
  isSame,
  WrittenDocument,
  WrittenDocuments,
} from './changed-document.ts'
import {
  bodyOf,
  type Documents,
  type KeySets,
  type Keys,
  type Queue,
  type Series,
  type Versioned,
  withVersion,
} from './collection.ts'
import { DocumentMap } from './document-map.ts'
import {
  type AccountStorage,
  type Change,
  type CommitOutcome,
  type Condition,
  type DocumentId,
  isUnder,
  type Sample,
  type StoredDocument,
  type TakenTask,
  type Task,
} from './port.ts'
import {
  type ListedDocuments,
  type ListOptions,
  type ListResult,
  type ListScope,
  type Row,
  type ScopeKeys,
  StorageReader,
} from './reader.ts'
import type { Commit, StorageReads } from './reads.ts'
import type {
  DocumentDescription,
  IngestedDocument,
  Membership,
  NotedMembership,
  Removal,
  ReplaceOptions,
  StageOptions,
  Tally,
  Writer,
} from './writer.ts'

export interface UnitOptions {
  /** Source of the unit's reads. Default: the storage. */
  readonly reads?: StorageReads
  /** Commits the unit. Default: the storage's `commit`. */
  readonly commit?: Commit
}

/** The reason why a unit was not committed. */
export interface CommitFailure {
  readonly outcome: Exclude<CommitOutcome['outcome'], 'committed'>
  /** The change whose precondition was not met. */
  readonly change: Change | undefined
}

/**
 * Collects the writes of one call; nothing is sent to the storage before `commit`.
 *
 * A class, because every write creates one: closures would be allocated again each time.
 */
export class UnitOfWork extends StorageReader implements Writer {
  readonly changed: ChangedDocument[] = []
  readonly noted: NotedMembership[] = []
  /** Removals of documents, including documents that the unit has not read. */
  readonly removals: Removal[] = []
  /** Sentences about documents, for the change log. */
  readonly described = new DocumentMap<DocumentDescription>()
  /** Documents that the unit has read, for the names in the change log. */
  readonly known = new DocumentMap<Versioned>()
  /** Reads from the storage, never from a cache. */
  readonly #current: StorageReader
  readonly #storage: AccountStorage
  readonly #reads: StorageReads
  readonly #commit: Commit
  readonly #batch: Change[] = []
  readonly #written = new DocumentMap<Versioned | undefined>()
  readonly #writtenDocuments = new WrittenDocuments()
  /** Indexes in the batch of the documents that must be unchanged. */
  readonly #expected = new DocumentMap<number>()
  readonly #onTaken = new Map<number, () => never>()
  readonly #tallies = new Map<number, Tally>()
  readonly #undoing: NonNullable<StageOptions['undo']>[] = []
  readonly #requested = new DocumentMap<RequestedDocument>()

  constructor(
    storage: AccountStorage,
    { reads = storage, commit = (batch) => storage.commit(batch) }: UnitOptions = {},
  ) {
    super(reads)
    this.#current = new StorageReader(storage)
    this.#storage = storage
    this.#reads = reads
    this.#commit = commit
  }

  /** Returns the documents that the unit writes and that callers can change. */
  written(): readonly WrittenDocument[] {
    return this.#writtenDocuments.list()
  }

  /**
   * Returns the writes of the unit that are not changes of callers: the documents in `WrittenDocuments.unlisted`, and
   * documents of which only the version increases.
   */
  unlisted(): readonly WrittenDocument[] {
    return this.#writtenDocuments.unlisted
  }

  override async get<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
  ): Promise<T | undefined> {
    const id = collection.id(keys)
    if (this.#written.has(id)) return bodyOf(collection, { body: this.#written.get(id) })
    const [document] = await this.#read([id])
    return this.#noteRead(id, bodyOf(collection, document))
  }

  override async getMany<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: readonly Keys<A>[],
  ): Promise<(T | undefined)[]> {
    const ids = keys.map((each) => collection.id(each))
    const unwritten = ids.filter((id) => !this.#written.has(id))
    const stored = (await this.#read(unwritten)).values()
    return ids.map((id) =>
      this.#written.has(id)
        ? bodyOf(collection, { body: this.#written.get(id) })
        : this.#noteRead(id, bodyOf(collection, stored.next().value)),
    )
  }

  override async list<T extends Versioned, A extends string, const Options extends ListOptions>(
    collection: Documents<T, A>,
    scope: ListScope<A, Options>,
    options: Options,
  ): Promise<ListedDocuments<T>> {
    const page = await super.list(collection, scope, options)
    if (options.deep) return page
    // Cast: the scope of a list that is not deep has every parameter of the address but the last.
    const scopeAddress = collection.address.scope(scope as never)
    for (const [i, key] of page.keys.entries())
      this.#noteRead({ collection: collection.name, scope: scopeAddress, key }, page.items[i])
    return page
  }

  /**
   * Reads rows of documents from the storage, even if they are cached. Required for decisions that depend on the
   * absence of documents, because no commit checks that a list is unchanged.
   */
  listCurrentRows<T extends Versioned, A extends string, const Options extends ListOptions>(
    collection: Documents<T, A>,
    scope: ListScope<A, Options>,
    options: Options,
  ): Promise<ListResult<Row>> {
    return this.#current.listRows(collection, scope, options)
  }

  async getManyCurrent<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: readonly Keys<A>[],
  ): Promise<(T | undefined)[]> {
    const ids = keys.map((each) => collection.id(each)).filter((id) => !this.#written.has(id))
    if (ids.length > 0) {
      const request: DocumentRequest = { documents: this.#storage.getMany(ids) }
      for (const [index, id] of ids.entries()) this.#requested.set(id, { request, index })
    }
    return this.getMany(collection, keys)
  }

  insert<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    document: Omit<T, 'version'>,
    onExists?: () => never,
  ): T {
    if (onExists) this.#onTaken.set(this.#batch.length, onExists)
    return this.#store(collection, keys, { before: { version: 0 }, after: withVersion(document, 1) })
  }

  replace<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    before: T,
    after: T,
    { seen = before, concernsCaller = false }: ReplaceOptions<T> = {},
  ): T {
    const actions = actionsToChange(collection, seen, before, after)
    if (!actions) return before
    this.changed.push({ collection, keys, before, seen, actions, concernsCaller })
    return this.#store(collection, keys, { before, after })
  }

  follow<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>, before: T, after: T): T {
    return isSame(before, after) ? before : this.#store(collection, keys, { before, after })
  }

  ingest<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    documents: readonly IngestedDocument<T, A>[],
  ): readonly IngestedDocument<T, A>[] {
    const differing = documents.filter(({ before, after }) => !before || !isSame(before, after))
    for (const { keys, before, after } of differing) {
      const id = collection.id(keys)
      const document = withVersion(after, (before?.version ?? 0) + 1)
      const fields = collection.fields(document)
      // Properties are assigned one by one, because a spread into an object that already has properties takes several
      // times as long.
      if (before) this.#batch.push({ do: 'replace', id, version: before.version, body: document, fields })
      else this.#batch.push({ do: 'insert', id, body: document, fields })
      this.#written.set(id, document)
    }
    return differing
  }

  remove<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>, before: T): void {
    if (!collection.changes && collection.recorded) this.removals.push({ kind: 'one', collection, keys })
    const change = { do: 'remove', id: collection.id(keys), version: before.version } as const
    this.#write(change, { collection, keys, before, after: undefined })
  }

  ensure<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    content: Omit<T, 'version'>,
  ): void {
    const document = withVersion(content, 1)
    const id = collection.id(keys)
    this.#batch.push({ do: 'ensure', id, body: document, fields: collection.fields(document) })
    // Documents with `createdAt` may exist already, and contain the time of their creation, so they are not listed.
    if (!collection.createdAt) this.#writtenDocuments.add(id, { collection, keys, before: undefined, after: document })
  }

  discard<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>): void {
    if (collection.recorded) this.removals.push({ kind: 'one', collection, keys })
    this.#batch.push({ do: 'discard', id: collection.id(keys) })
  }

  discardAll<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    scopeKeys: Partial<ScopeKeys<A>>,
    where: readonly Condition[],
  ): void {
    // Cast: the parameters of a scope are some of those of the address.
    const scope = collection.address.scopeAbove(scopeKeys as never)
    if (collection.recorded) this.removals.push({ kind: 'matching', collection, scope, where })
    this.#batch.push({ do: 'discard-all', collection: collection.name, scope, where })
  }

  note<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    document: T,
    membership: Membership,
  ): void {
    this.noted.push({ collection, keys, document, ...membership })
  }

  describe<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    sentences: readonly Sentence[],
    except: readonly (keyof T & string)[] = [],
  ): void {
    const id = collection.id(keys)
    const earlier = this.described.get(id)?.sentences ?? []
    this.described.set(id, { sentences: [...earlier, ...sentences], except })
  }

  expect<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>, seen: Versioned): void {
    const id = collection.id(keys)
    // When this unit also replaces the document, that change has the same precondition already.
    const written = this.#written.get(id)?.version
    if (written === seen.version + 1 || written === seen.version || this.#expected.has(id)) return
    this.#expected.set(id, this.#batch.length)
    this.#batch.push({ do: 'expect', id, version: seen.version })
  }

  clear(address: string): void {
    this.removals.push({ kind: 'scope', scope: address })
    this.#batch.push({ do: 'clear', scope: address })
  }

  /** Returns true when the unit removes the document together with everything under an address. */
  clears({ scope }: DocumentId): boolean {
    return this.removals.some((removal) => removal.kind === 'scope' && isUnder(scope, removal.scope))
  }

  requireAbsent<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    onExists: () => never,
  ): void {
    const id = collection.id(keys)
    this.#onTaken.set(this.#batch.length, onExists)
    // The commit inserts a document with the keys and removes it again. An insertion waits for a concurrent insertion
    // of the same keys, and fails when the concurrent insertion is committed. So the storage port needs no precondition
    // for absent documents.
    this.#batch.push({ do: 'insert', id, body: {}, fields: {} }, { do: 'remove', id, version: 1 })
  }

  touch<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>, document: T): T {
    const id = collection.id(keys)
    if (this.#written.has(id)) return document
    const body: T = { ...document, version: document.version + 1 }
    const fields = collection.fields(body)
    const change: Change = { do: 'replace', id, version: document.version, body, fields }
    // A storage commits a batch faster in which each document occurs once.
    const expected = this.#expected.get(id)
    if (expected === undefined) this.#batch.push(change)
    else this.#batch[expected] = change
    this.#written.set(id, body)
    this.#writtenDocuments.unlisted.push(new WrittenDocument({ collection, keys, before: document, after: body }))
    return body
  }

  addKeys<A extends string>(set: KeySets<A>, keys: Keys<A>, elements: readonly string[]): Tally {
    return this.#counted({ do: 'add-keys', set: set.id(keys), keys: elements })
  }

  removeKeys<A extends string>(set: KeySets<A>, keys: Keys<A>, elements: readonly string[]): Tally {
    return this.#counted({ do: 'remove-keys', set: set.id(keys), keys: elements })
  }

  moveKeys<A extends string, B extends string>(
    from: KeySets<A>,
    fromKeys: Keys<A>,
    into: KeySets<B>,
    intoKeys: Keys<B>,
    { replace = false }: { readonly replace?: boolean } = {},
  ): Tally {
    return this.#counted({ do: 'move-keys', from: from.id(fromKeys), into: into.id(intoKeys), replace })
  }

  append<A extends string>(series: Series<A>, keys: Keys<A>, samples: readonly Sample[]): Tally {
    return this.#counted({ do: 'append', series: series.id(keys), samples })
  }

  deleteSamples<A extends string>(series: Series<A>, keys: Keys<A>, ids: readonly string[]): Tally {
    return this.#counted({ do: 'delete-samples', series: series.id(keys), ids })
  }

  trim<A extends string>(series: Series<A>, keys: Keys<A>, before: number): Tally {
    return this.#counted({ do: 'trim', series: series.id(keys), before })
  }

  enqueue<A extends string>(queue: Queue<A>, keys: Keys<A>, tasks: readonly Task[]): Tally {
    return this.#counted({ do: 'enqueue', queue: queue.id(keys), tasks })
  }

  finish<A extends string>(
    queue: Queue<A>,
    keys: Keys<A>,
    { id, takes }: { readonly id: string; readonly takes?: number },
  ): void {
    const takeCount = takes === undefined ? {} : { takes }
    this.#batch.push({ do: 'finish', queue: queue.id(keys), task: id, ...takeCount })
  }

  postpone<A extends string>(
    queue: Queue<A>,
    keys: Keys<A>,
    { id, takes }: TakenTask,
    { due, body }: Pick<Task, 'due' | 'body'>,
  ): void {
    this.#batch.push({ do: 'postpone', queue: queue.id(keys), task: id, takes, due, body })
  }

  async stage<R>(work: (tx: Writer) => R | Promise<R>, { undo, refused }: StageOptions): Promise<R> {
    const unit = new UnitOfWork(this.#storage)
    const result = await work(unit)
    if (unit.changed.length + unit.written().length > 0)
      throw new Error('stage: the separate unit must not write documents that callers can change')
    // Registered before the commit: a commit whose connection is lost may have been applied.
    if (undo) this.#undoing.push(undo)
    if ((await unit.commit()) !== undefined) refused()
    this.#requested.clear()
    return result
  }

  /** Undoes the staged units, the last one first. */
  async undoStaged(): Promise<void> {
    for (const undo of this.#undoing.splice(0).reverse()) {
      const unit = new UnitOfWork(this.#storage)
      await undo(unit)
      await unit.commit()
    }
  }

  /** Returns the ids of the documents that the unit inserts, replaces or removes: other writers of these conflict. */
  writtenIds(): readonly DocumentId[] {
    return this.#batch.flatMap((change) => (isVersioned(change) ? change.id : []))
  }

  /** Returns the document as the unit leaves it; undefined when the unit removes it or does not write it. */
  documentAfter(id: DocumentId): Versioned | undefined {
    return this.#written.get(id)
  }

  /** Returns the changes that a commit of the unit contains. */
  changes(): readonly Change[] {
    return this.#batch
  }

  /** Adds statements of the application to the commit. */
  runStatements(statements: readonly Extract<Change, { readonly do: 'run-statement' }>[]): void {
    this.#batch.push(...statements)
  }

  /** Commits all writes of the unit; returns the reason when a precondition was not met and nothing was written. */
  async commit(): Promise<CommitFailure | undefined> {
    if (this.#batch.length === 0) return undefined
    const result = await this.#commit(this.#batch)
    if (result.outcome === 'committed') {
      for (const [index, tally] of this.#tallies) tally.count = result.counts[index] ?? 0
      return undefined
    }
    if (result.outcome === 'exists') this.#onTaken.get(result.change)?.()
    return { outcome: result.outcome, change: this.#batch[result.change] }
  }

  #noteRead<T extends Versioned>(id: DocumentId, document: T | undefined): T | undefined {
    if (document) this.known.set(id, document)
    return document
  }

  /** Reads each document once, so that everything the unit decides is based on the same state. */
  async #read(ids: readonly DocumentId[]): Promise<(StoredDocument | undefined)[]> {
    const unread: DocumentId[] = []
    const request: DocumentRequest = {}
    for (const id of ids) {
      if (this.#requested.has(id)) continue
      this.#requested.set(id, { request, index: unread.length })
      unread.push(id)
    }
    if (unread.length > 0) {
      request.documents = this.#reads.getMany(unread)
      // Usually none of the documents was read before. Then the response of the storage is the result.
      if (unread.length === ids.length) return request.documents
    }
    return Promise.all(ids.map((id) => requestedDocument(this.#requested.get(id))))
  }

  #store<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    { before, after }: StoredChange<T>,
  ): T {
    const id = collection.id(keys)
    const { version } = before
    const body: T = { ...after, version: version + 1 }
    const fields = collection.fields(body)
    if (version === 0) {
      this.#write({ do: 'insert', id, body, fields }, { collection, keys, before: undefined, after: body })
    } else {
      this.#write({ do: 'replace', id, version, body, fields }, { collection, keys, before, after: body })
    }
    return body
  }

  #write(change: Change & { id: DocumentId }, written: BeforeAndAfter): void {
    this.#batch.push(change)
    this.#written.set(change.id, written.after)
    this.#writtenDocuments.add(change.id, written)
  }

  #counted(change: Change): Tally {
    const tally: Tally = { count: 0 }
    this.#tallies.set(this.#batch.length, tally)
    this.#batch.push(change)
    return tally
  }
}

/** A document before and after it is stored; version 0 when it was not stored before. */
interface StoredChange<T extends Versioned> {
  readonly before: T | { readonly version: 0 }
  readonly after: T
}

/** Returns true for a change that fails when another writer has changed the document. */
function isVersioned(change: Change): change is Extract<Change, { readonly do: 'insert' | 'replace' | 'remove' }> {
  return change.do === 'insert' || change.do === 'replace' || change.do === 'remove'
}

/** A request to the storage that includes a document, and the index of the document in the response. */
interface RequestedDocument {
  readonly request: DocumentRequest
  readonly index: number
}

interface DocumentRequest {
  documents?: Promise<(StoredDocument | undefined)[]>
}

async function requestedDocument(requested: RequestedDocument | undefined): Promise<StoredDocument | undefined> {
  return requested && (await requested.request.documents)?.[requested.index]
}
