import { assert } from './assert.ts'
import { commit, expect, insert, place, refuse } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { touchingChanges } from './touching-changes.ts'
import { says, watched } from './watched-account.ts'

export const watchingCases: StorageCases = {
  group: 'watching',
  cases: {
    'a commit is reported before it resolves': async ({ account }) => {
      const watching = await watched(account)
      await commit(account, insert(place('a')))
      assert.deepEqual(watching.told(), [[{ what: 'document', id: place('a') }]])
      await watching.stop()
    },

    'every kind of change is reported': async ({ account }) => {
      const watching = await watched(account)
      for (const [batch, touched] of touchingChanges) {
        await commit(account, ...batch)
        const told = watching.told()
        for (const one of touched) assert.isTrue(says(told, one), `${JSON.stringify(batch)}: ${JSON.stringify(told)}`)
      }
      await watching.stop()
    },

    'a refused batch is not reported': async ({ account }) => {
      await commit(account, insert(place('a')))
      const watching = await watched(account)
      await refuse(account, 'exists', 1, insert(place('b')), insert(place('a')))
      await refuse(account, 'conflict', 0, expect(place('a'), 7), insert(place('b')))
      assert.deepEqual(watching.told(), [])
      await watching.stop()
    },

    'commits to other accounts are not reported': async ({ account, accountNamed }) => {
      const watching = await watched(account)
      await commit(accountNamed('other'), insert(place('a')))
      assert.deepEqual(watching.told(), [])
      await watching.stop()
    },

    'each watcher of an account receives every event until it stops, whatever handle it uses': async ({ account, accountNamed }) => {
      const [one, two] = [await watched(account), await watched(accountNamed('main'))]
      await commit(account, insert(place('a')))
      await one.stop()
      assert.isFalse(one.live())
      assert.isTrue(two.live())
      await commit(account, insert(place('b')))
      assert.equal(one.told().length, 1)
      assert.equal(two.told().length, 2)
      await one.stop()
      await two.stop()
      await commit(account, insert(place('c')))
      assert.deepEqual(two.told(), [])
    },

    'an account can be watched again after a watcher stopped': async ({ account }) => {
      await (await watched(account)).stop()
      const again = await watched(account)
      await commit(account, insert(place('a')))
      assert.equal(again.told().length, 1)
      await again.stop()
    },

    'a watch is no longer live when its storage is closed': async ({ open }) => {
      const storage = await open()
      const account = storage.account('acme')
      const watching = await watched(account)
      await storage.close()
      assert.isFalse(watching.live())
      assert.isFalse(account.watch?.(() => {}).live())
      await watching.stop()
    },
  },
}
