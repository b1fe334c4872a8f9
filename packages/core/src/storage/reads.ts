import type { AccountStorage } from './port.ts'

/** What of a storage only reads: all that a reading operation, the authority and whoever identifies callers need. */
export type StorageReads = Pick<
  AccountStorage,
  | 'get'
  | 'getMany'
  | 'list'
  | 'hasMember'
  | 'findMembers'
  | 'countMembers'
  | 'pageMembers'
  | 'scan'
  | 'newest'
  | 'listTasks'
>
