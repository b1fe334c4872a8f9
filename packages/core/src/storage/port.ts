import type { Change, CommitOutcome } from './port/change.ts'
import type { DocumentId, StoredDocument } from './port/document.ts'
import type { DocumentPage, ListQuery } from './port/document-list.ts'
import type { SetId } from './port/member-set.ts'
import type { NewestQuery, Sample, SampleColumns, ScanQuery } from './port/samples.ts'
import type { GrantedShare, ShareQuery } from './port/shares.ts'
import type { StoredRecord } from './port/stored-record.ts'
import type { QueueId, TakenTask, TakeQuery, Task } from './port/tasks.ts'
import type { Touched, Watching } from './port/watching.ts'

export type * from './port/change.ts'
export type * from './port/document.ts'
export type * from './port/document-list.ts'
export type * from './port/member-set.ts'
export type * from './port/samples.ts'
export * from './port/scope.ts'
export type * from './port/shares.ts'
export * from './port/storage-unavailable.ts'
export type * from './port/stored-record.ts'
export type * from './port/tasks.ts'
export type * from './port/watching.ts'

/**
 * The storage port: all that an engine asks of a storage, and all that an adapter must know.
 *
 * Adapters know four kinds of collection and no resource:
 *  - documents: JSON values with a version, found by collection, scope and key;
 *  - members: sets of up to millions of strings;
 *  - samples: records on a time axis that are never changed, read as columns or newest first;
 *  - tasks: what is to be done at a time, in lanes that are kept in order, each taken by one process at a time.
 *
 * Reads are single questions. Writes are one `commit` of a whole batch: it happens entirely or not at all,
 * and only when every precondition in it still holds. There is no open transaction between two calls, so no
 * connection is held while a handler thinks, and a remote storage pays one round trip for a write
 * (docs/decisions/0006-commit-each-write-as-one-batch.md).
 *
 * Expected outcomes are values. A verb throws only when the storage cannot answer: `StorageUnavailable` for a
 * lost connection or a closed storage, anything else is a defect.
 */
export interface Storage {
  /** Names the kind of storage in logs and in `/readyz`, e.g. `memory`. */
  readonly name: string
  /** Creates or upgrades what the storage needs. Runs only when asked; safe to run from many processes at once. */
  migrate(): Promise<void>
  /** Resolves when the storage can answer; throws `StorageUnavailable` otherwise. */
  ping(): Promise<void>
  /** Releases what the adapter itself opened; a pool handed in by the host stays open. Safe to call twice. */
  close(): Promise<void>
  /**
   * The part of the storage that belongs to one account. Nothing in it can reach another account's part.
   *
   * @param account 1 to 256 characters.
   */
  account(account: string): AccountStorage
  /**
   * The same storage inside a transaction that the host has open: what is committed to it happens when the host's
   * transaction does, or not at all. A batch that is refused leaves the host's transaction as it was before. Only where
   * the storage has such transactions.
   *
   * @param transaction what the host's driver calls one, e.g. a `pg` client after `begin`.
   * @throws TypeError for what is none.
   */
  within?(transaction: unknown): Storage
}

/** What one account has stored. The calls see what was committed, and `commit` writes all or nothing. */
export interface AccountStorage {
  /** Reading costs no more than remembering what was read: the storage is in the memory of this process. */
  readonly immediate?: true
  /** One document, or undefined. */
  get(id: DocumentId): Promise<StoredDocument | undefined>
  /** Many documents of any collections in one question; the answer has the order and length of `ids`. */
  getMany(ids: readonly DocumentId[]): Promise<(StoredDocument | undefined)[]>
  /** One page of a collection, in a total order (ties broken by scope, then key, by code point). */
  list(query: ListQuery): Promise<DocumentPage>

  hasMember(set: SetId, member: string): Promise<boolean>
  /** Which of these are in, each once, in no particular order. */
  findMembers(set: SetId, members: readonly string[]): Promise<string[]>
  /** How many members a set has; with `without`, how many of them are not in that other set. */
  countMembers(set: SetId, without?: SetId): Promise<number>
  /** Members in code-point order, those after `after`, at most `limit`. */
  pageMembers(set: SetId, page: { after?: string; limit: number }): Promise<string[]>

  /** Samples of a half-open range `[from, to)` as columns, ordered by time, then id. */
  scan(query: ScanQuery): Promise<SampleColumns>
  /** Samples newest first (then by id, descending), at most `limit`, those next to the cursor. */
  newest(query: NewestQuery): Promise<Sample[]>

  /**
   * Takes tasks that are due, the longest due first: each is the first of its lane, nobody else has it, and nobody else
   * gets it until the lease ends or it is finished or postponed. Atomic, however many processes take at once.
   */
  take(query: TakeQuery): Promise<TakenTask[]>
  /** The tasks of one queue and scope in the order of `at`, then id, those after the cursor, at most `limit`. */
  listTasks(
    queue: QueueId,
    page: { readonly after?: { readonly at: number; readonly id: string }; readonly limit: number },
  ): Promise<Task[]>

  /** The one write path: all changes of the batch in order, or none. */
  commit(batch: readonly Change[]): Promise<CommitOutcome>

  /**
   * Tells what is committed to this account, by whichever process: before `commit` resolves for whoever commits through
   * this storage object, within milliseconds for others. Only where a storage can; without it nothing is remembered
   * between calls. Others need not be told of a batch that only finishes or postpones tasks; who does not know whether a
   * batch was committed is told as if it was.
   */
  watch?(told: (touched: readonly Touched[] | 'anything') => void): Watching
  /**
   * Takes a share of a quantity that all processes have together, e.g. of the requests of a minute. What was granted
   * under one key never sums up to more than `limit`. Only where several processes can share the storage.
   */
  reserve?(share: ShareQuery): Promise<GrantedShare>

  /**
   * Everything that the account has, in chunks, as it was at one moment: documents by collection, scope and key, then
   * members by scope, name and member, then samples by scope, series, time and id, then tasks by scope, queue, time and
   * id; text by code point. The moment is that of the first chunk. No chunk is empty. A task comes without its lease.
   *
   * Others may write meanwhile, also whoever reads, between two chunks. Reading to the end, or `return()` as `for await`
   * calls it, gives back what the storage holds for it.
   */
  dump(): AsyncIterable<readonly StoredRecord[]>
}
