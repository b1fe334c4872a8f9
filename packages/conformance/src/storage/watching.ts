import { assert } from './assert.ts'
import { commit, expect, insert, place, refuse } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { touchingChanges } from './touching-changes.ts'
import { says, watched } from './watched-account.ts'

export const watchingCases: StorageCases = {
  group: 'watching',
  cases: {
    'tells of a commit before it resolves': async ({ account }) => {
      const watching = await watched(account)
      await commit(account, insert(place('a')))
      assert.deepEqual(watching.told(), [[{ what: 'document', id: place('a') }]])
      await watching.stop()
    },

    'tells of every kind of change': async ({ account }) => {
      const watching = await watched(account)
      for (const [batch, touched] of touchingChanges) {
        await commit(account, ...batch)
        const told = watching.told()
        for (const one of touched) assert.isTrue(says(told, one), `${JSON.stringify(batch)}: ${JSON.stringify(told)}`)
      }
      await watching.stop()
    },

    'does not tell of a batch that is refused': async ({ account }) => {
      await commit(account, insert(place('a')))
      const watching = await watched(account)
      await refuse(account, 'exists', 1, insert(place('b')), insert(place('a')))
      await refuse(account, 'conflict', 0, expect(place('a'), 7), insert(place('b')))
      assert.deepEqual(watching.told(), [])
      await watching.stop()
    },

    'does not tell of other accounts': async ({ account, accountNamed }) => {
      const watching = await watched(account)
      await commit(accountNamed('other'), insert(place('a')))
      assert.deepEqual(watching.told(), [])
      await watching.stop()
    },

    'tells all who watch, through whichever handle, until each stops': async ({ account, accountNamed }) => {
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

    'can be begun again': async ({ account }) => {
      await (await watched(account)).stop()
      const again = await watched(account)
      await commit(account, insert(place('a')))
      assert.equal(again.told().length, 1)
      await again.stop()
    },

    'ends with the storage': async ({ open }) => {
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
