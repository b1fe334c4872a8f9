import type { Change, Storage } from '../../../entries/storage.ts'
import type { AccountStorage } from '../../../storage/port.ts'

type Commit = AccountStorage['commit']

/**
 * Wraps a storage so that each commit calls a function. The function may run code before and after the commit, or fail.
 */
export function interceptCommits(
  storage: Storage,
  interceptor: (batch: readonly Change[], commit: Commit) => ReturnType<Commit>,
): Storage {
  return {
    ...storage,
    account(name) {
      const account = storage.account(name)
      return { ...account, commit: (batch) => interceptor(batch, account.commit) }
    },
  }
}

/** Returns true if a batch changes documents of a collection. */
export function changesCollection(batch: readonly Change[], collection: string): boolean {
  return batch.some((change) => 'id' in change && change.id.collection === collection)
}
