import { storageConformance } from '@halyard/conformance'
import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import type { Storage } from '../port.ts'
import { branchStateId, newBranchState } from './branch-state.ts'
import { branchStorage } from './branch-storage.ts'

/**
 * Groups of cases about functions that a branch does not have: back-ups, and functions for the accounts of a storage.
 */
const others = new Set(['dump', 'dump of tasks', 'lifecycle', 'scale'])

/** Cases that clear a whole account, which only an import of a back-up does. */
const clearsAccount = new Set([
  'clear of the empty scope removes everything in the account and nothing in other accounts',
  'take returns tasks of its own account and queue only',
])

function branchesOf(storage: Storage, maxRows = 1e9): Storage {
  return {
    ...storage,
    account(account) {
      const branchAccount = storage.account(`${account} of a branch`)
      void branchAccount.commit([
        {
          do: 'ensure',
          id: branchStateId,
          body: newBranchState({ id: '1', name: 'b', createdAt: 0, expiresAt: 0, secret: '' }),
          fields: {},
        },
      ])
      const parts = {
        trunk: storage.account(account),
        own: branchAccount,
        id: '1',
        ownSeries: new Set<string>(),
        maxRows,
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

it('the storage of a branch refuses a commit that would exceed its row limit, and stores nothing of it', async () => {
  const storage = createMemoryStorage()
  const branch = branchesOf(storage, 2).account('a')
  const insert = (key: string) =>
    ({ do: 'insert', id: { collection: 'c', scope: '', key }, body: {}, fields: {} }) as const
  await branch.commit([insert('1')])
  await expect(branch.commit([insert('2'), insert('3')])).rejects.toThrow('full')
  const query = { collection: 'c', scope: '', limit: 10, select: 'fields' } as const
  expect((await branch.list(query)).items.map(({ key }) => key)).toEqual(['1'])
  await branch.commit([insert('2')])
})

it('the storage of a branch pages through rows of trunk and branch like a storage that contains all of them', async () => {
  const [storage, whole] = [createMemoryStorage(), createMemoryStorage().account('a')]
  const trunk = storage.account('a')
  const branch = branchesOf(storage).account('a')
  const id = (key: string, scope = 's') => ({ collection: 'c', scope, key })
  const insert = (key: string, rank: number, scope = 's') =>
    ({ do: 'insert', id: id(key, scope), body: { rank }, fields: { rank } }) as const
  const stored = ['a', 'b', 'c', 'd', 'e', 'f'].map((key, index) => insert(key, index % 3))
  const below = [insert('a', 5, 's:t'), insert('z', 1, 's:t')]
  const ownChanges = [
    { do: 'replace', id: id('b'), version: 1, body: { rank: 9 }, fields: { rank: 9 } },
    { do: 'remove', id: id('d'), version: 1 },
    insert('aa', 1),
    insert('x', 0),
  ] as const
  await trunk.commit([...stored, ...below])
  await branch.commit(ownChanges)
  await whole.commit([...stored, ...below])
  await whole.commit(ownChanges)
  const orders = [[], [{ field: 'rank', type: 'number', descending: true }]] as const
  for (const deep of [false, true])
    for (const order of orders)
      for (const offset of [0, 1, 2, 3, 5, 8])
        for (const limit of [0, 1, 2, 10])
          for (const where of [[], [{ op: 'range', field: 'rank', to: 2 }]] as const) {
            const query = {
              collection: 'c',
              scope: 's',
              deep,
              order,
              offset,
              limit,
              where,
              count: true,
              select: 'bodies',
            } as const
            expect(await branch.list(query), JSON.stringify(query)).toEqual(await whole.list(query))
          }
})
