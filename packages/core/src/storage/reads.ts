import type { AccountStorage, Change, CommitOutcome } from './port.ts'

/** The methods of a storage that only read. */
export type StorageReads = Pick<
  AccountStorage,
  'get' | 'getMany' | 'list' | 'hasKey' | 'findKeys' | 'countKeys' | 'pageKeys' | 'scan' | 'newest' | 'listTasks'
>

/** Commits a batch of changes: all of them or none. */
export type Commit = (batch: readonly Change[]) => Promise<CommitOutcome>
