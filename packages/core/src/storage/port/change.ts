import type { DocumentId, Fields } from './document.ts'
import type { Condition } from './document-list.ts'
import type { SetId } from './key-set.ts'
import type { Sample, SeriesId } from './samples.ts'
import type { StoredRecord } from './stored-record.ts'
import type { QueueId, Task } from './tasks.ts'

/** One change of a commit, with its preconditions. */
export type Change =
  /** Fails with `exists` when the document exists. Its version becomes 1. */
  | { readonly do: 'insert'; readonly id: DocumentId; readonly body: unknown; readonly fields: Fields }
  /**
   * Fails with `missing` when the document does not exist, and with `conflict` when it has another version. Its version
   * becomes `version + 1`.
   */
  | {
      readonly do: 'replace'
      readonly id: DocumentId
      readonly version: number
      readonly body: unknown
      readonly fields: Fields
    }
  /**
   * Removes a document. Fails with `missing` when the document does not exist, and with `conflict` when it has another
   * version.
   */
  | { readonly do: 'remove'; readonly id: DocumentId; readonly version: number }
  /** Inserts the document with version 1. If the document exists, it is not changed. */
  | { readonly do: 'ensure'; readonly id: DocumentId; readonly body: unknown; readonly fields: Fields }
  /** Removes the document, if it exists, regardless of its version. */
  | { readonly do: 'discard'; readonly id: DocumentId }
  /**
   * Removes every document of a collection, at and under a scope, that meets all conditions at the moment of the
   * commit, regardless of its version. Meant for documents of which no other change in the batch names a version.
   */
  | {
      readonly do: 'discard-all'
      readonly collection: string
      readonly scope: string
      readonly where: readonly Condition[]
    }
  /** Writes nothing; fails with `missing` or `conflict` unless the document has this version until the commit ends. */
  | { readonly do: 'expect'; readonly id: DocumentId; readonly version: number }
  /**
   * Removes every document, key, sample and task at and under the scope. The document at this address itself is not
   * removed, because its scope is that of its parent.
   */
  | { readonly do: 'clear'; readonly scope: string }
  /** Adds the keys that the set does not have yet. */
  | { readonly do: 'add-keys'; readonly set: SetId; readonly keys: readonly string[] }
  | { readonly do: 'remove-keys'; readonly set: SetId; readonly keys: readonly string[] }
  /**
   * Moves all keys of `from` into another set, `into`; with `replace`, the keys that only `into` had are removed first.
   * The storage moves any number of keys without returning them. Counts the keys that `into` did not have.
   */
  | { readonly do: 'move-keys'; readonly from: SetId; readonly into: SetId; readonly replace?: boolean }
  /**
   * Appends the samples whose id is not in the series yet. If an id occurs twice in one call, the first sample is
   * stored.
   */
  | { readonly do: 'append'; readonly series: SeriesId; readonly samples: readonly Sample[] }
  /**
   * Deletes the samples of a series that have these ids, if they exist. Samples are never changed: to correct one, a
   * batch deletes it and appends another.
   */
  | { readonly do: 'delete-samples'; readonly series: SeriesId; readonly ids: readonly string[] }
  /** Removes the samples of a series that are older than a time (integer ms, UTC). */
  | { readonly do: 'trim'; readonly series: SeriesId; readonly before: number }
  /**
   * Adds the tasks whose id is not in the queue and scope yet. If an id occurs twice in one call, the first task is
   * stored.
   */
  | { readonly do: 'enqueue'; readonly queue: QueueId; readonly tasks: readonly Task[] }
  /**
   * Removes a task. With `takes`, fails with `missing` when the task does not exist and with `conflict` when another
   * process has leased it since; without `takes`, removes it even while it is leased, and does not fail when it does
   * not exist.
   */
  | { readonly do: 'finish'; readonly queue: QueueId; readonly task: string; readonly takes?: number }
  /**
   * Ends the lease of a task and sets the time from which it can be taken again; later tasks of its ordering key wait
   * for it. Fails as `finish` does.
   */
  | {
      readonly do: 'postpone'
      readonly queue: QueueId
      readonly task: string
      readonly takes: number
      readonly due: number
      readonly body: unknown
    }
  /**
   * Runs a statement of the application in the transaction of the commit. Only for storages with `runsStatements`; an
   * error of the statement is thrown, and nothing is then written.
   */
  | { readonly do: 'run-statement'; readonly text: string; readonly values: readonly StatementValue[] }
  /**
   * Stores records unchanged, including their versions. Meant for an empty account: a record that exists already fails
   * with `exists`.
   */
  | { readonly do: 'load'; readonly records: readonly StoredRecord[] }

/** A parameter of a statement of the application. */
export type StatementValue = string | number | boolean | null

/** Outcome of a commit: everything was written, or the reason why nothing was. */
export type CommitOutcome =
  /**
   * `counts[i]` is the number of documents, keys, samples or tasks that change i inserted, replaced or removed. It is 0
   * for `expect`, and for `ensure` and `discard`, which do not report whether the document existed.
   */
  | { readonly outcome: 'committed'; readonly counts: readonly number[] }
  /** Nothing was written. `change` is the index of a change whose precondition failed. */
  | { readonly outcome: 'exists' | 'missing' | 'conflict'; readonly change: number }
