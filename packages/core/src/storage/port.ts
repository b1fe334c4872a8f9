import type { Change, CommitOutcome } from './port/change.ts'
import type { DocumentId, StoredDocument } from './port/document.ts'
import type { DocumentPage, ListQuery } from './port/document-list.ts'
import type { SetId } from './port/key-set.ts'
import type { GrantedLease, QuotaLeaseQuery } from './port/quota-leases.ts'
import type { NewestQuery, Sample, SampleColumns, ScanQuery, SeriesId } from './port/samples.ts'
import type { StoredRecord } from './port/stored-record.ts'
import type { QueueId, TakenTask, TakeQuery, Task } from './port/tasks.ts'
import type { TransactionNumbers } from './port/transaction-numbers.ts'
import type { StorageWatch, TouchedRecords } from './port/watch.ts'

export type * from './port/change.ts'
export type * from './port/document.ts'
export type * from './port/document-list.ts'
export type * from './port/key-set.ts'
export type * from './port/quota-leases.ts'
export type * from './port/samples.ts'
export * from './port/scope.ts'
export * from './port/storage-unavailable.ts'
export type * from './port/stored-record.ts'
export type * from './port/tasks.ts'
export type * from './port/transaction-numbers.ts'
export type * from './port/watch.ts'

/**
 * The storage port: everything that an engine requires of a storage, and all that an adapter implements.
 *
 * An adapter stores four kinds of records, and does not depend on resources:
 *
 * - documents: JSON values with a version, found by collection, scope and key;
 * - key sets: sets of up to millions of keys;
 * - samples: records on a time axis that are never changed, read as columns or newest first;
 * - tasks: work that is due at a time. Tasks with the same ordering key run in order. One process at a time leases a
 *   task.
 *
 * Each read is one request. A write is one `commit` of a whole batch, which is applied entirely or not at all, and only
 * when every precondition in it is met. No transaction is open between two calls, so a handler that runs occupies no
 * connection, and a write to a remote storage takes one round trip
 * (docs/decisions/0006-commit-each-write-as-one-batch.md).
 *
 * Expected outcomes are values. A method throws only when the storage cannot respond: `StorageUnavailable` for a lost
 * connection or a closed storage; any other error is a defect.
 */
export interface Storage {
  /** Names the kind of storage in logs and in `/readyz`, e.g. `memory`. */
  readonly name: string
  /** Creates or upgrades the schema. Runs only when it is called; safe to run from many processes at the same time. */
  migrate(): Promise<void>
  /** Resolves when the storage responds; throws `StorageUnavailable` otherwise. */
  ping(): Promise<void>
  /** Releases what the adapter itself has opened. A pool that the host has passed stays open. Safe to call twice. */
  close(): Promise<void>
  /**
   * The part of the storage that belongs to one account. Nothing in it can reach another account's part.
   *
   * @param account 1 to 256 characters.
   */
  account(account: string): AccountStorage
  /**
   * Returns the same storage inside an open transaction of the host: a commit takes effect when the host's transaction
   * is committed, or not at all. A refused batch leaves the host's transaction as it was before. Only storages that
   * have such transactions implement it.
   *
   * @param transaction a transaction of the host's driver, e.g. a `pg` client after `begin`.
   * @throws TypeError when the value is not a transaction.
   */
  within?(transaction: unknown): Storage
}

/** The reads that may run on a replica. */
export type RecentReads = Pick<
  AccountStorage,
  'get' | 'getMany' | 'list' | 'hasKey' | 'findKeys' | 'countKeys' | 'pageKeys' | 'scan' | 'newest'
>

/** The storage of one account. Reads return committed data, and `commit` writes all changes or none. */
export interface AccountStorage {
  /** True when the storage is in the memory of this process, so that a cache would save nothing. */
  readonly immediate?: true
  /**
   * Reads that may miss recent commits of other processes. They include every commit that this storage object has made
   * or reported to a watcher, and never report an existing document as missing. Only storages with read replicas
   * implement it. The engine uses these reads where a cached result would also be accepted.
   */
  readonly recent?: RecentReads
  /** True when a commit can contain SQL statements of the application: `run-statement`. */
  readonly runsStatements?: true
  /** Reads one document; undefined where it does not exist. */
  get(id: DocumentId): Promise<StoredDocument | undefined>
  /** Reads many documents of any collections in one request; the result has the order and length of `ids`. */
  getMany(ids: readonly DocumentId[]): Promise<(StoredDocument | undefined)[]>
  /** Reads one page of a collection, in a total order (ties broken by scope, then key, by code point). */
  list(query: ListQuery): Promise<DocumentPage>

  hasKey(set: SetId, member: string): Promise<boolean>
  /** Returns which of these keys the set has, each once, in no particular order. */
  findKeys(set: SetId, members: readonly string[]): Promise<string[]>
  /** Counts the keys of a set; with `without`, only the keys that this other set does not contain. */
  countKeys(set: SetId, without?: SetId): Promise<number>
  /** Reads keys in code-point order: those after `after`, at most `limit`. */
  pageKeys(set: SetId, page: { after?: string; limit: number }): Promise<string[]>

  /** Reads the samples of a half-open range `[from, to)` as columns, ordered by time, then id. */
  scan(query: ScanQuery): Promise<SampleColumns>
  /** Reads samples newest first (then by id, descending), at most `limit`, starting next to the cursor. */
  newest(query: NewestQuery): Promise<Sample[]>
  /**
   * Returns which of these ids the samples of a series have, each once, in no particular order. Optional; without it a
   * dry run counts a sample as new when its stored version has another time.
   */
  findSamples?(series: SeriesId, ids: readonly string[]): Promise<string[]>

  /**
   * Leases due tasks; the task that has been due for the longest time comes first. Each is the first task of its
   * ordering key and is not leased, and no other process gets it until the lease ends. Atomic, however many processes
   * call it at the same time.
   */
  take(query: TakeQuery): Promise<TakenTask[]>
  /** Reads the tasks of one queue and scope in the order of `at`, then id: those after the cursor, at most `limit`. */
  listTasks(
    queue: QueueId,
    page: { readonly after?: { readonly at: number; readonly id: string }; readonly limit: number },
  ): Promise<Task[]>

  /** Writes all changes of the batch in order, or no change at all. There is no other way to write. */
  commit(batch: readonly Change[]): Promise<CommitOutcome>

  /**
   * Calls `onChange` with the records that a commit of any process changes in this account: before `commit` resolves in
   * this storage object, within milliseconds in other processes. Optional; without it the engine caches nothing between
   * calls. A batch that only finishes or postpones tasks need not be reported to other processes. A batch that may have
   * been committed is reported as if it had been committed.
   */
  watch?(onChange: (touched: readonly TouchedRecords[] | 'anything') => void): StorageWatch
  /**
   * Leases a part of a quota that all processes share, e.g. of the requests of a minute. The parts that are granted
   * under one key never add up to more than `limit`. Only storages that several processes can share implement it.
   */
  reserve?(query: QuotaLeaseQuery): Promise<GrantedLease>
  /**
   * Reads which writing transactions have ended, so that a reader knows the time before which no further record can
   * become readable. Optional: only storages whose transactions stay open between two calls need it. Resolves with
   * undefined when the database does not provide the numbers.
   */
  transactionNumbers?(): Promise<TransactionNumbers | undefined>

  /**
   * Yields everything that the account has, in chunks, as it was at one moment: documents by collection, scope and key,
   * then keys of sets by scope, name and key, then samples by scope, series, time and id, then tasks by scope, queue,
   * time and id; text by code point. The moment is that of the first chunk. No chunk is empty. Tasks are returned
   * without their leases.
   *
   * Other calls may write concurrently, and so may the reader between two chunks. Reading to the end, or `return()` as
   * `for await` calls it, releases the resources of the dump.
   */
  dump(): AsyncIterable<readonly StoredRecord[]>
}
