import { deepFreeze } from '../rules/deep-freeze.ts'
import type { Pauses } from './adapter/lists/pauses.ts'
import { addStats, type CacheSpace, type CacheStats, DependencyCache, type Invalidator } from './dependency-cache.ts'
import {
  type Dependency,
  type DependencyTracker,
  documentDependency,
  keySetDependency,
  listDependency,
} from './dependency-index.ts'
import { RowCopies } from './lists/row-copies.ts'
import { storedRows } from './lists/stored-rows.ts'
import type {
  AccountStorage,
  Change,
  CommitOutcome,
  DocumentId,
  DocumentPage,
  ListQuery,
  StoredDocument,
} from './port.ts'
import type { Commit, StorageReads } from './reads.ts'
import { ReplacedVersions } from './replaced-versions.ts'

/** The functions of the storage that one run of a unit of work uses. */
export interface RunStorage {
  readonly reads: StorageReads
  readonly commit: Commit
  /**
   * Returns true when a document that the run has read was certainly stored in this version after the run began.
   * Otherwise returns false: another process may have changed a cached document before the run began.
   */
  wasCurrent(id: DocumentId, version: number): boolean
}

/** One run of a unit of work; resolves with undefined when its commit lost a race and nothing was written. */
export type Run<T> = (storage: RunStorage) => Promise<T | undefined>

export interface RunOptions {
  /** False when the work cannot run again. An upload is a stream, which can be read only once. */
  readonly repeatable: boolean
}

/** The storage of an account as calls use it. */
export interface CallStorage {
  /** Reads for operations that only read, and for the identification of callers. */
  readonly reads: StorageReads
  /**
   * Resolves as `decide` does. When `decide` refuses on cached reads, it runs again on uncached reads, because another
   * process may have granted a right a moment ago.
   */
  decide<T>(decide: (reads: StorageReads) => T | Promise<T>): T | Promise<T>
  /**
   * Runs work until it resolves with a result or rejects. Each run reads newer documents. The work itself rejects when
   * it must not run again. Work that is not repeatable runs once.
   */
  run<T>(work: Run<T>, options: RunOptions): Promise<T | undefined>
  stats(): CacheStats
}

export interface CachedReadsOptions {
  /** Pauses of long work in memory. */
  readonly pauses: Pauses
  /** The space of the cached data, in bytes; its capacity is 0 to cache nothing. */
  readonly space: CacheSpace
  /** Returns true for an error that refuses a call. A repetition on uncached reads can succeed. */
  isRefusal(error: unknown): boolean
}

/** Records the source of the reads of one run. */
interface ReadSnapshot {
  /** True when any document came from the cache, where another process may have changed it a moment ago. */
  cached: boolean
  /** True when a commit has checked that the documents read are still stored in the same version. */
  checked: boolean
  /** Ids of documents that came from the storage; undefined when they are not recorded. */
  readonly stored?: Set<string>
  /** Names of documents that must not come from the cache. Default: no documents. */
  readonly fresh?: ReadonlySet<string>
}

/** The end of a run on cached reads. */
interface CachedRun<T> {
  readonly result?: T | undefined
  /** Names of the documents that a refused commit has checked. */
  readonly refused?: readonly string[] | undefined
}

/**
 * Maximum number of documents of one read that are cached. Larger reads belong to the ingestion of thousands of
 * documents, which are seldom read again and would evict all others.
 */
const maxCachedPerCall = 1000

/**
 * Maximum length of a batch whose documents are cached. Longer batches ingest many documents, which are seldom read
 * soon after.
 */
const maxCachedBatch = 100

/**
 * Size of an entry in addition to its content, for the structures of the cache and of the index of dependencies, bytes.
 */
const entryBytes = 512

/**
 * Estimated heap size of parsed JSON, in bytes for each character of its text. Plain flags need 1.3 bytes, and other
 * documents need more.
 */
const bytesPerCharacter = 2

/** The time of lists whose rows change only with their documents. */
const anyTime = 0

/** Represents a document that is not stored. */
const absent = Symbol('absent')

/**
 * Wraps a storage so that documents, pages of lists and counts of sets are cached until they change.
 *
 * The storage is used without a cache when the capacity is 0, when the storage does not report changes, and when it is
 * in the memory of this process.
 */
export function cachedReads(
  storage: AccountStorage,
  invalidator: Invalidator,
  options: CachedReadsOptions,
): CallStorage {
  const isCached = options.space.capacity !== 0 && storage.watch !== undefined && !storage.immediate
  return isCached ? new CachedReads(storage, invalidator, options) : uncachedReads(storage)
}

/** Wraps a storage without a cache. */
export function uncachedReads(storage: AccountStorage): CallStorage {
  const commit: Commit = (batch) => storage.commit(batch)
  return {
    reads: storage,
    decide: (decide) => decide(storage),
    run: (work, options) => runUncached(work, { reads: storage, commit, wasCurrent: () => true }, options),
    stats: () => ({ hits: 0, misses: 0, entries: 0, size: 0 }),
  }
}

async function runUncached<T>(work: Run<T>, storage: RunStorage, { repeatable }: RunOptions): Promise<T | undefined> {
  for (;;) {
    const result = await work(storage)
    if (result !== undefined || !repeatable) return result
  }
}

class CachedReads implements CallStorage {
  readonly reads: StorageReads
  readonly #storage: AccountStorage
  readonly #invalidator: Invalidator
  readonly #isRefusal: (error: unknown) => boolean
  readonly #cache: DependencyCache<unknown>
  readonly #copies: RowCopies
  readonly #replaced = new ReplacedVersions()

  constructor(storage: AccountStorage, invalidator: Invalidator, { space, isRefusal, pauses }: CachedReadsOptions) {
    this.#storage = storage
    this.#invalidator = invalidator
    this.#isRefusal = isRefusal
    this.#cache = new DependencyCache(invalidator, { capacity: space, maxValueShare: 1 / 16 })
    this.#copies = new RowCopies(pauses, invalidator, space)
    // The cached absence of a document is not used here: another process may have just created the document, and its
    // client may read it next.
    const { recent } = storage
    const reads = recent ? { ...recent, listTasks: storage.listTasks.bind(storage) } : storage
    const snapshot: ReadSnapshot = { cached: false, checked: false }
    const cached = this.#readsFor(snapshot, false, reads, async (query) => {
      const page = await reads.list(query)
      const { total = 0 } = page
      const source = () => storedRows(storage, query)
      if (!query.deep) this.#copies.count(listDependency(query), { total, source, now: anyTime })
      return page
    })
    this.reads = { ...cached, list: (query) => this.#list(query, cached) }
  }

  decide<T>(decide: (reads: StorageReads) => T | Promise<T>): T | Promise<T> {
    const decision = decide(this.reads)
    if (!(decision instanceof Promise)) return decision
    return decision.catch((error) => {
      if (!this.#isRefusal(error)) throw error
      return decide(this.#storage)
    })
  }

  async run<T>(work: Run<T>, options: RunOptions): Promise<T | undefined> {
    let fresh: ReadonlySet<string> | undefined = options.repeatable ? new Set() : undefined
    while (fresh) {
      const { result, refused }: CachedRun<T> = await this.#runCached(work, fresh)
      if (result !== undefined) return result
      fresh = refused && new Set([...fresh, ...refused])
    }
    const commit: Commit = (batch) => this.#commit(batch)
    return runUncached(work, { reads: this.#storage, commit, wasCurrent: () => true }, options)
  }

  stats(): CacheStats {
    const values = this.#cache.stats()
    // Each list without a copy is looked up a second time, as a page.
    return { ...addStats(values, this.#copies.stats()), misses: values.misses }
  }

  /**
   * Runs work on cached reads: when all of them are current, the commit is the only request to the storage.
   *
   * @param fresh names of documents that are read from the storage, because a commit that had read them from the cache
   *   was refused. If they came from the cache again, the process that wrote last would be the first in each race,
   *   because only its cache is up to date.
   * @returns an object without properties when the work has to run on uncached reads: no commit has checked them,
   *   because the call was refused or changed nothing.
   */
  async #runCached<T>(work: Run<T>, fresh: ReadonlySet<string>): Promise<CachedRun<T>> {
    const snapshot: ReadSnapshot = { cached: false, checked: false, stored: new Set(), fresh }
    let refused: readonly string[] | undefined
    const wasCurrent: RunStorage['wasCurrent'] = (id, version) =>
      !snapshot.cached || snapshot.stored?.has(documentDependency(id)) === true || this.#replaced.has(id, version)
    const commit: Commit = async (batch) => {
      snapshot.checked = true
      const outcome = await this.#commit(batch)
      if (outcome.outcome !== 'committed') refused = checkedDocuments(batch)
      return outcome
    }
    try {
      const result = await work({ reads: this.#readsFor(snapshot, true, this.#storage), commit, wasCurrent })
      return snapshot.cached && !snapshot.checked ? {} : { result, refused }
    } catch (error) {
      if (snapshot.cached && this.#isRefusal(error)) return {}
      throw error
    }
  }

  /**
   * Returns reads that use the cache.
   *
   * @param useAbsence true when a cached absence may be used; only for work that is repeated when it is refused.
   * @param storage the reads that are cached.
   * @param list reads a list that is not cached. Default: the list of `storage`.
   */
  #readsFor(
    snapshot: ReadSnapshot,
    useAbsence: boolean,
    storage: StorageReads,
    list: StorageReads['list'] = (query) => storage.list(query),
  ): StorageReads {
    const accepts = (cached: unknown) => useAbsence || cached !== absent
    return {
      get: async (id) => (await this.#documents(snapshot, [id], accepts, storage))[0],
      getMany: (ids) => this.#documents(snapshot, ids, accepts, storage),
      list: (query) =>
        this.#read(snapshot, JSON.stringify(['list', query]), [listDependency(query)], () => list(query)),
      countKeys: (set, without) => {
        const dependencies = without ? [keySetDependency(set), keySetDependency(without)] : [keySetDependency(set)]
        const key = JSON.stringify(['count', set, without])
        return this.#read(snapshot, key, dependencies, () => storage.countKeys(set, without))
      },
      hasKey: (set, key) => storage.hasKey(set, key),
      findKeys: (set, elements) => storage.findKeys(set, elements),
      pageKeys: (set, page) => storage.pageKeys(set, page),
      scan: (query) => storage.scan(query),
      newest: (query) => storage.newest(query),
      listTasks: (queue, page) => storage.listTasks(queue, page),
    }
  }

  async #read<T>(
    snapshot: ReadSnapshot,
    key: string,
    dependencies: readonly Dependency[],
    read: () => Promise<T>,
  ): Promise<T> {
    const cached = this.#cache.get(key)
    if (cached !== undefined) {
      snapshot.cached = true
      return cached as T
    }
    const tracker = this.#track(dependencies)
    try {
      return this.#store(key, await read(), tracker)
    } catch (error) {
      tracker?.stop()
      throw error
    }
  }

  /** Reads many documents; those that are not cached come from the storage in one request. */
  async #documents(
    snapshot: ReadSnapshot,
    ids: readonly DocumentId[],
    accepts: (cached: unknown) => boolean,
    storage: Pick<StorageReads, 'getMany'>,
  ): Promise<(StoredDocument | undefined)[]> {
    if (ids.length > maxCachedPerCall) return storage.getMany(ids)
    const cached = ids.map((id) => {
      const name = documentDependency(id)
      return snapshot.fresh?.has(name) ? undefined : this.#cache.get(name, accepts)
    })
    const documents = cached.map((entry) => (entry === absent ? undefined : (entry as StoredDocument | undefined)))
    const missing = [...ids.keys()].filter((index) => cached[index] === undefined)
    if (missing.length < ids.length) snapshot.cached = true
    if (missing.length === 0) return documents
    const missingIds = missing.map((index) => ids[index] as DocumentId)
    const trackers = missingIds.map((id) => this.#track([documentDependency(id)]))
    try {
      const stored = await storage.getMany(missingIds)
      for (const [i, index] of missing.entries()) {
        snapshot.stored?.add(documentDependency(missingIds[i] as DocumentId))
        documents[index] = stored[i]
        this.#store(documentDependency(missingIds[i] as DocumentId), stored[i] ?? absent, trackers[i])
      }
      return documents
    } catch (error) {
      for (const tracker of trackers) tracker?.stop()
      throw error
    }
  }

  /** Reads a list from the copy of its rows, and its documents from the cache; without a copy, from `reads`. */
  async #list(query: ListQuery, reads: StorageReads): Promise<DocumentPage> {
    // Many documents are read faster by a list than by their keys.
    const isCopied = !query.deep && (query.select === 'fields' || query.limit <= maxCachedPerCall)
    const copied = isCopied ? await this.#copies.page(listDependency(query), query, anyTime) : undefined
    if (!copied) return reads.list(query)
    const total = query.count ? copied.total : undefined
    const rows = copied.rows.map(({ document, fields }) => ({ ...document, fields }))
    if (query.select === 'fields') return { items: rows, total }
    const { collection } = query
    const documents = await reads.getMany(rows.map(({ scope, key }) => ({ collection, scope, key })))
    // Another process may have changed a document since its row was read.
    if (rows.some(({ version }, i) => documents[i]?.version !== version)) return reads.list(query)
    return { items: rows.map((row, i) => ({ ...row, body: documents[i]?.body })), total }
  }

  /**
   * Commits to the storage, and caches the written documents unless another process has written them in the meantime.
   */
  async #commit(batch: readonly Change[]): Promise<CommitOutcome> {
    const writes = batch.length > maxCachedBatch ? [] : batch.filter(isWrite)
    const trackers = writes.map(({ id }) => this.#track([documentDependency(id)], 1))
    let committed = false
    try {
      const result = await this.#storage.commit(batch)
      committed = result.outcome === 'committed'
      return result
    } finally {
      for (const [index, tracker] of trackers.entries()) {
        if (committed) this.#storeWritten(writes[index] as Write, tracker)
        else tracker?.stop()
      }
    }
  }

  #storeWritten(write: Write, tracker: DependencyTracker | undefined): void {
    const { key, scope } = write.id
    const text = JSON.stringify(write.body)
    const replacedVersion = write.do === 'insert' ? 0 : write.version
    this.#replaced.add(write.id, replacedVersion)
    if (!tracker) return
    // The document as a read returns it: properties that are undefined are not stored.
    const document = { key, scope, version: replacedVersion + 1, body: JSON.parse(text) }
    const name = documentDependency(write.id)
    this.#cache.set(name, deepFreeze(document), heapBytes(name, text), tracker)
  }

  #track(dependencies: readonly Dependency[], ownChanges?: number): DependencyTracker | undefined {
    const tracker = this.#invalidator.track(ownChanges)
    for (const dependency of dependencies) tracker?.add(dependency)
    return tracker
  }

  #store<T>(key: string, value: T, tracker: DependencyTracker | undefined): T {
    if (tracker) this.#cache.set(key, deepFreeze(value), heapBytes(key, JSON.stringify(value)), tracker)
    return value
  }
}

/** Returns the names of the documents whose versions a batch checks. */
function checkedDocuments(batch: readonly Change[]): readonly string[] {
  return batch.flatMap((change) => ('id' in change && change.do !== 'ensure' ? documentDependency(change.id) : []))
}

type Write = Extract<Change, { readonly do: 'insert' | 'replace' }>

function isWrite(change: Change): change is Write {
  return change.do === 'insert' || change.do === 'replace'
}

/** Returns the estimated heap size of an entry, bytes; a symbol has no text. */
function heapBytes(key: string, text: string | undefined): number {
  return entryBytes + bytesPerCharacter * (key.length + (text?.length ?? 0))
}
