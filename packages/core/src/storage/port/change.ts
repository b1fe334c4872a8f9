import type { DocumentId, Fields } from './document.ts'
import type { Condition } from './document-list.ts'
import type { SetId } from './member-set.ts'
import type { Sample, SeriesId } from './samples.ts'
import type { StoredRecord } from './stored-record.ts'
import type { QueueId, Task } from './tasks.ts'

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
