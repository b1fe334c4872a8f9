import { isStorageUnavailable, type Storage } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { commit, insert, place } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'

const set = { name: 'set', scope: '' }
const series = { name: 'series', scope: '' }

export const lifecycleCases: StorageCases = {
  group: 'lifecycle',
  cases: {
    'has a name and answers a ping': async ({ storage }) => {
      assert.isTrue(storage.name.length > 0)
      await storage.ping()
    },

    'migrating again, and from several sides at once, is harmless': async ({ storage, account }) => {
      await commit(account, insert(place('a'), 'A'))
      await storage.migrate()
      await Promise.all([storage.migrate(), storage.migrate(), storage.migrate()])
      assert.deepEqual(await account.get(place('a')), { key: 'a', scope: '', version: 1, body: 'A' })
    },

    'two storages that were opened know nothing of each other': async ({ open }) => {
      const [one, two] = [await open(), await open()]
      await commit(one.account('same'), insert(place('a')))
      assert.isUndefined(await two.account('same').get(place('a')))
      await Promise.all([one.close(), two.close()])
    },

    'closing twice is harmless': async ({ open }) => {
      const storage = await open()
      await storage.close()
      await storage.close()
    },

    'a closed storage is unavailable, whatever is asked': async ({ open }) => {
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
    ['get', () => account.get(place('a'))],
    ['getMany', () => account.getMany([place('a')])],
    ['list', () => account.list({ collection: 'things', scope: '', limit: 1, select: 'fields' })],
    ['hasMember', () => account.hasMember(set, 'a')],
    ['countMembers', () => account.countMembers(set)],
    ['pageMembers', () => account.pageMembers(set, { limit: 1 })],
    ['scan', () => account.scan({ series, from: 0, to: 1, columns: 1 })],
    ['newest', () => account.newest({ series, limit: 1 })],
    ['commit', () => account.commit([insert(place('a'))])],
  ]
}

/** Whether a verb's promise is rejected as it should be; a verb that throws before it has a promise is a defect. */
function isUnavailable(verb: () => Promise<unknown>): Promise<boolean> {
  return verb().then(() => false, isStorageUnavailable)
}
