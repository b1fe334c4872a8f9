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
 * (docs/decisions/writes-are-one-batch.md).
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

/**
 * Where a document lives. A scope is an address such as `proj/web:env/production` (levels joined by `:`, in which
 * a key's own `:` is escaped by the caller), or the empty string for the account itself. A scope lies under
 * another when it is equal to it or continues it after a `:`; `proj/p2` does not lie under `proj/p`.
 */
export interface DocumentId {
  readonly collection: string
  readonly scope: string
  readonly key: string
}

/** A document as it is stored. */
export interface StoredDocument {
  readonly key: string
  readonly scope: string
  /** 1 after insertion, one more with each replacement. */
  readonly version: number
  /** JSON value. Adapters may hand out the same object many times, so it is deeply frozen or never shared. */
  readonly body: unknown
}

/** The narrow row of a document: what lists filter and sort by, and what they show of it. JSON scalars and string lists. */
export type Fields = Readonly<Record<string, FieldValue>>
/** What a field of a narrow row can be. */
export type FieldValue = string | number | boolean | null | readonly string[]

/** Which documents are listed, in which order, and how many. */
export interface ListQuery {
  readonly collection: string
  readonly scope: string
  /** Also the documents of all scopes under `scope`. Default false. */
  readonly deep?: boolean
  /** Conditions that must all hold. */
  readonly where?: readonly Condition[]
  /** First criterion first. Default: by key. */
  readonly order?: readonly Order[]
  /** Rows to return; 0 with `count` asks for the count alone. */
  readonly limit: number
  /** Rows to pass over. Default 0. */
  readonly offset?: number
  /** Whether `total` is wanted; it costs a second look. Default false. */
  readonly count?: boolean
  /** `fields` hands out the narrow rows only, without bodies. */
  readonly select: 'fields' | 'bodies'
}

/**
 * A condition on a field (or on `key`). Text comparison is exact and by code point.
 *  - `equals`: same scalar; on a list: contains it.
 *  - `anyOf`: equals one of them; on a list: shares one with them.
 *  - `contains`: text contains the text, both lower-cased (simple case folding of ASCII letters);
 *    `in` names several fields of which one must match.
 *  - `exists`: the field is there and not null (or the opposite).
 *  - `not`: the negation of a condition.
 *  - `or`: one of the conditions holds.
 */
export type Condition =
  | { readonly op: 'equals'; readonly field: string; readonly value: string | number | boolean }
  | { readonly op: 'anyOf'; readonly field: string; readonly values: readonly (string | number)[] }
  | { readonly op: 'contains'; readonly in: readonly string[]; readonly text: string }
  | { readonly op: 'exists'; readonly field: string; readonly value: boolean }
  | { readonly op: 'range'; readonly field: string; readonly from?: number; readonly to?: number }
  | { readonly op: 'and'; readonly all: readonly Condition[] }
  | { readonly op: 'or'; readonly any: readonly Condition[] }
  | { readonly op: 'not'; readonly condition: Condition }

/** Text sorts by code point, numbers by value; a missing field sorts first ascending and last descending. */
export interface Order {
  /** A field's name, or `key`. */
  readonly field: string
  readonly type: 'text' | 'number'
  /** Default false. */
  readonly descending?: boolean
}

/** One page of a collection. */
export interface DocumentPage {
  readonly items: readonly ListedDocument[]
  /** How many documents match without limit and offset; undefined unless asked for. */
  readonly total: number | undefined
}

/** A document as it stands in a list. */
export interface ListedDocument {
  readonly key: string
  readonly scope: string
  readonly version: number
  readonly fields: Fields
  /** Undefined when only fields were selected. */
  readonly body: unknown
}

/** Which set of members is meant. */
export interface SetId {
  /** Name of the set, e.g. `included`. */
  readonly name: string
  /** Address of what owns it. */
  readonly scope: string
}

/** Which series of samples is meant. */
export interface SeriesId {
  readonly name: string
  readonly scope: string
}

/** One entry of a series, which is never changed. */
export interface Sample {
  /** Unique within the series. */
  readonly id: string
  /** Integer milliseconds, UTC. */
  readonly at: number
  /** A short text to group and filter by, e.g. an application key. */
  readonly label: string
  /** At most 8 numbers; null where there is none. */
  readonly values: readonly (number | null)[]
  /** JSON value, or null. Not part of a scan. */
  readonly body: unknown
  /** What it is found by, however many samples there are: short texts, each once. Left out where there are none. */
  readonly terms?: readonly string[]
}

/** Which samples of a series are looked through. */
export interface ScanQuery {
  readonly series: SeriesId
  /** Inclusive, ms. */
  readonly from: number
  /** Exclusive, ms. */
  readonly to: number
  /** Only samples with one of these labels; undefined means all. */
  readonly labels?: readonly string[]
  /** How many of the leading `values` are wanted, 0 to 8. */
  readonly columns: number
}

/** Samples turned on their side: `values[c][i]` is column c of sample i; a missing number is NaN. */
export interface SampleColumns {
  readonly at: Float64Array
  /** Distinct labels in order of first appearance. */
  readonly labels: readonly string[]
  /** Index into `labels`. */
  readonly label: Uint32Array
  readonly values: readonly Float64Array[]
}

/** Which samples of a series are wanted, newest first. */
export interface NewestQuery {
  readonly series: SeriesId
  readonly limit: number
  /** Only samples strictly older than this one in the order of the answer. */
  readonly before?: { readonly at: number; readonly id: string }
  /**
   * Only samples strictly newer than this one, and of these the ones next to it: the way back from a page. Not together
   * with `before` or `terms`.
   */
  readonly since?: { readonly at: number; readonly id: string }
  /** Only samples of this time or later: integer ms, UTC. Default: all. */
  readonly from?: number
  /** Only samples with one of these labels. Default: all. */
  readonly labels?: readonly string[]
  /**
   * Only samples that have, of each of these lists, a term. What is asked by terms costs what is found, and not what is
   * stored. Not together with `labels`.
   */
  readonly terms?: readonly (readonly string[])[]
}

/** Which queue is meant. */
export interface QueueId {
  /** Name of the queue, e.g. `webhook-deliveries`. */
  readonly name: string
  /** Address of what the tasks are about; they go with it. */
  readonly scope: string
}

/** Something that is to be done later. */
export interface Task {
  /** Unique within queue and scope. */
  readonly id: string
  /** Tasks with one scope and lane are taken one after the other, in the order of `at`, then id. */
  readonly lane: string
  /** Integer milliseconds, UTC: where it stands in its lane. */
  readonly at: number
  /** Integer milliseconds, UTC: it is not taken before. */
  readonly due: number
  /** JSON value. */
  readonly body: unknown
}

/** A task that nobody else is given until its lease ends. */
export interface TakenTask extends Task {
  readonly scope: string
  /** How often it was taken, this time included; whoever finishes or postpones it says so to show that they still have it. */
  readonly takes: number
}

/** Which tasks are taken, and for how long. */
export interface TakeQuery {
  /** Name of the queue; tasks of all scopes are looked at. */
  readonly name: string
  /** Only those that are due by this time: integer ms, UTC. */
  readonly now: number
  /** When the lease ends: integer ms, UTC. */
  readonly until: number
  readonly limit: number
}

/** What a commit has changed, as others are told. */
export type Touched =
  | { readonly what: 'document'; readonly id: DocumentId }
  /** Documents of a collection, at and under a scope. */
  | { readonly what: 'collection'; readonly collection: string; readonly scope: string }
  /** Everything at and under a scope. */
  | { readonly what: 'scope'; readonly scope: string }
  | { readonly what: 'members'; readonly set: SetId }
  | { readonly what: 'samples'; readonly series: SeriesId }
  | { readonly what: 'tasks'; readonly queue: QueueId }

/** Listens for what others commit, until it is stopped. */
export interface Watching {
  /**
   * Whether all is told at present: false while it is not known what others commit. Where something may have been missed
   * meanwhile `anything` is told before it is true again.
   */
  live(): boolean
  stop(): Promise<void>
}

/** How much somebody wants of a quantity that all processes share. */
export interface ShareQuery {
  /** 1 to 512 characters, e.g. a caller and an operation. */
  readonly key: string
  /** Another window has another quantity: when it began, integer ms, UTC. */
  readonly window: number
  /** When the window ends and what is known of it may go: integer ms, UTC. */
  readonly until: number
  readonly limit: number
  readonly wanted: number
}

/** How much somebody may take of it. */
export interface GrantedShare {
  /** 0 to `wanted`. */
  readonly granted: number
  /** How much nobody has taken yet. */
  readonly left: number
}

/** One thing of an account as it is stored. */
export type StoredRecord =
  | {
      readonly kind: 'document'
      readonly id: DocumentId
      readonly version: number
      readonly body: unknown
      readonly fields: Fields
    }
  | { readonly kind: 'member'; readonly set: SetId; readonly member: string }
  | { readonly kind: 'sample'; readonly series: SeriesId; readonly sample: Sample }
  | { readonly kind: 'task'; readonly queue: QueueId; readonly task: Task }

/** One change of a commit; what it presupposes is part of it. */
export type Change =
  /** Fails with `exists` when the document is there. Its version becomes 1. */
  | { readonly do: 'insert'; readonly id: DocumentId; readonly body: unknown; readonly fields: Fields }
  /** Fails with `missing`, or with `conflict` when the version is another. Its version becomes `version + 1`. */
  | {
      readonly do: 'replace'
      readonly id: DocumentId
      readonly version: number
      readonly body: unknown
      readonly fields: Fields
    }
  /** Fails with `missing` or `conflict`. */
  | { readonly do: 'remove'; readonly id: DocumentId; readonly version: number }
  /** Inserts the document, with version 1, unless one is there: that stays as it is. */
  | { readonly do: 'ensure'; readonly id: DocumentId; readonly body: unknown; readonly fields: Fields }
  /** Removes the document, whatever its version, if it is there. */
  | { readonly do: 'discard'; readonly id: DocumentId }
  /**
   * Removes every document of a collection, at and under a scope, for which all conditions hold at the moment of the
   * commit, whatever its version. Meant for documents that nothing names by version: nothing else in the batch does.
   */
  | {
      readonly do: 'discard-all'
      readonly collection: string
      readonly scope: string
      readonly where: readonly Condition[]
    }
  /** Writes nothing; fails with `missing` or `conflict` unless the document has this version until the commit is done. */
  | { readonly do: 'expect'; readonly id: DocumentId; readonly version: number }
  /** Removes every document, member, sample and task at and under the scope. The document that has the address is not among them: its scope is the parent's. */
  | { readonly do: 'clear'; readonly scope: string }
  /** Adds those that are not in yet. */
  | { readonly do: 'add-members'; readonly set: SetId; readonly members: readonly string[] }
  | { readonly do: 'remove-members'; readonly set: SetId; readonly members: readonly string[] }
  /**
   * Empties `from` into another set, `into`; with `replace`, what `into` had and `from` has not is removed first. However
   * many they are, they are never handed out. Counts those that `into` did not have.
   */
  | { readonly do: 'move-members'; readonly from: SetId; readonly into: SetId; readonly replace?: boolean }
  /** Appends those whose id is not in the series yet; of equal ids in one call the first wins. */
  | { readonly do: 'append'; readonly series: SeriesId; readonly samples: readonly Sample[] }
  /**
   * Removes the samples of a series that have these ids, as far as they are there. Samples are not changed: what became
   * known later of one is a withdrawal and an append in one batch.
   */
  | { readonly do: 'withdraw'; readonly series: SeriesId; readonly ids: readonly string[] }
  /** Removes the samples of a series that are older than a time (integer ms, UTC). */
  | { readonly do: 'trim'; readonly series: SeriesId; readonly before: number }
  /** Adds tasks whose id is not in the queue and scope yet; of equal ids in one call the first wins. */
  | { readonly do: 'enqueue'; readonly queue: QueueId; readonly tasks: readonly Task[] }
  /**
   * Removes a task. With `takes`, fails with `missing` when it is gone and with `conflict` when somebody has taken it
   * since; without, whoever has it loses it, and none need be there.
   */
  | { readonly do: 'finish'; readonly queue: QueueId; readonly task: string; readonly takes?: number }
  /** Gives a task back to be taken at another time; the later ones of its lane wait for it. Fails as `finish` does. */
  | {
      readonly do: 'postpone'
      readonly queue: QueueId
      readonly task: string
      readonly takes: number
      readonly due: number
      readonly body: unknown
    }
  /** Puts records into the account as they are, versions too. Meant for one that has nothing: what is there already fails with `exists`. */
  | { readonly do: 'load'; readonly records: readonly StoredRecord[] }

/** Whether everything was written, or why nothing was. */
export type CommitOutcome =
  /**
   * `counts[i]`: what change i did: documents, members, samples or tasks inserted, replaced or removed. 0 for `expect`,
   * and for `ensure` and `discard`, which do not tell what they found.
   */
  | { readonly outcome: 'committed'; readonly counts: readonly number[] }
  /** Nothing was written. `change` is the index of a change whose precondition failed. */
  | { readonly outcome: 'exists' | 'missing' | 'conflict'; readonly change: number }

const unavailable: unique symbol = Symbol.for('halyard.storage.unavailable') as never

/** An error that says: the storage cannot be reached now. */
export interface StorageUnavailable extends Error {
  readonly [unavailable]: true
}

/**
 * Makes the error by which an adapter says that it cannot answer now; the engine answers 503 `service_unavailable`.
 *
 * @param reason for the log, never for the wire; without secrets.
 * @param cause the driver's own error.
 */
export function storageUnavailable(reason: string, cause?: unknown): StorageUnavailable {
  return Object.assign(new Error(`storage unavailable: ${reason}`, { cause }), { [unavailable]: true as const })
}

/** Whether an error was made by `storageUnavailable`, also by another copy of this package. */
export function isStorageUnavailable(error: unknown): error is StorageUnavailable {
  return error instanceof Error && (error as Partial<StorageUnavailable>)[unavailable] === true
}

/** Whether `scope` is `ancestor` or lies under it. The empty scope is above all. */
export function isUnder(scope: string, ancestor: string): boolean {
  return ancestor === '' || scope === ancestor || scope.startsWith(`${ancestor}:`)
}
