import { isStorageUnavailable, type Storage } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { commit, documentId, insert } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'

const set = { name: 'set', scope: '' }
const series = { name: 'series', scope: '' }

export const lifecycleCases: StorageCases = {
  group: 'lifecycle',
  cases: {
    'the storage has a name and ping resolves': async ({ storage }) => {
      assert.isTrue(storage.name.length > 0)
      await storage.ping()
    },

    'repeated and concurrent migrations preserve stored data': async ({ storage, account }) => {
      await commit(account, insert(documentId('a'), 'A'))
      await storage.migrate()
      await Promise.all([storage.migrate(), storage.migrate(), storage.migrate()])
      assert.deepEqual(await account.get(documentId('a')), { key: 'a', scope: '', version: 1, body: 'A' })
    },

    'two opened storages do not share data': async ({ open }) => {
      const [first, second] = [await open(), await open()]
      await commit(first.account('same'), insert(documentId('a')))
      assert.isUndefined(await second.account('same').get(documentId('a')))
      await Promise.all([first.close(), second.close()])
    },

    'closing twice resolves': async ({ open }) => {
      const storage = await open()
      await storage.close()
      await storage.close()
    },

    'every function of a closed storage rejects with StorageUnavailable': async ({ open }) => {
      const storage = await open()
      const verbs = [...verbsOf(storage, storage.account('before'))]
      await storage.close()
      for (const [name, verb] of [...verbs, ...verbsOf(storage, storage.account('after'))]) {
        assert.isTrue(await isUnavailable(verb), name)
      }
    },
  },
}

function verbsOf(storage: Storage, account: ReturnType<Storage['account']>): [string, () => Promise<unknown>][] {
  return [
    ['migrate', () => storage.migrate()],
    ['ping', () => storage.ping()],
    ['get', () => account.get(documentId('a'))],
    ['getMany', () => account.getMany([documentId('a')])],
    ['list', () => account.list({ collection: 'things', scope: '', limit: 1, select: 'fields' })],
    ['hasKey', () => account.hasKey(set, 'a')],
    ['countKeys', () => account.countKeys(set)],
    ['pageKeys', () => account.pageKeys(set, { limit: 1 })],
    ['scan', () => account.scan({ series, from: 0, to: 1, columns: 1 })],
    ['newest', () => account.newest({ series, limit: 1 })],
    ['commit', () => account.commit([insert(documentId('a'))])],
  ]
}

/**
 * Resolves with true when the promise of the call rejects with StorageUnavailable. A function that throws synchronously
 * is a defect.
 */
function isUnavailable(verb: () => Promise<unknown>): Promise<boolean> {
  return verb().then(() => false, isStorageUnavailable)
}
