import { storageConformance } from '@halyard/conformance'
import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, it } from 'vitest'
import type { Storage } from '../port.ts'
import { branchStateId, newBranchState } from './branch-state.ts'
import { branchStorage } from './branch-storage.ts'

/** Groups about back-ups and about the storage of all accounts, which a branch does not have. */
const others = new Set(['dump', 'dump of tasks', 'lifecycle', 'scale'])

/** Cases that clear a whole account, which only an import of a back-up does. */
const clearsAccount = new Set([
  'clear of the empty scope removes everything in the account and nothing in other accounts',
  'take returns tasks of its own account and queue only',
])

function branchesOf(storage: Storage): Storage {
  return {
    ...storage,
    account(account) {
      const own = storage.account(`${account} of a branch`)
      void own.commit([
        {
          do: 'ensure',
          id: branchStateId,
          body: newBranchState({ id: '1', name: 'b', createdAt: 0, expiresAt: 0, secret: '' }),
          fields: {},
        },
      ])
      const parts = {
        trunk: storage.account(account),
        own,
        id: '1',
        ownSeries: new Set<string>(),
        maxRows: 1e9,
        onDeleted: () => {
          throw new Error('deleted')
        },
        onFull: () => {
          throw new Error('full')
        },
      }
      return branchStorage(parts)
    },
  }
}

describe('a branch of an empty account', () => {
  const cases = storageConformance({ open: async () => branchesOf(createMemoryStorage()) })
  for (const { group, name, run } of cases)
    if (!others.has(group) && !clearsAccount.has(name)) it(`${group}: ${name}`, run)
})
