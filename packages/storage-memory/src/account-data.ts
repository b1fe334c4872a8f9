import { Documents } from './documents.ts'
import { type KeySet, keySetKind } from './key-set.ts'
import { createQueues, type Queues } from './queues.ts'
import { type Series, seriesKind } from './samples.ts'
import { createScopedStore, type ScopedStore } from './scoped-store.ts'

/** Everything that one account stores. */
export interface AccountData {
  readonly documents: Documents
  readonly sets: ScopedStore<KeySet>
  readonly series: ScopedStore<Series>
  readonly queues: Queues
}

/** Makes an account that stores nothing yet. */
export function emptyAccount(): AccountData {
  return {
    documents: new Documents(),
    sets: createScopedStore(keySetKind),
    series: createScopedStore(seriesKind),
    queues: createQueues(),
  }
}

/** Makes a copy-on-write copy of an account: a part is copied when either account first changes it. */
export function forkAccount({ documents, sets, series, queues }: AccountData): AccountData {
  return { documents: documents.fork(), sets: sets.fork(), series: series.fork(), queues: queues.fork() }
}
