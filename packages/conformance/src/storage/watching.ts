import { assert } from './assert.ts'
import { commit, documentId, expect, insert, refuse } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { touchingChanges } from './touching-changes.ts'
import { reports, watchAccount } from './watched-account.ts'

export const watchingCases: StorageCases = {
  group: 'watching',
  cases: {
    'a commit is reported before it resolves': async ({ account }) => {
      const watching = await watchAccount(account)
      await commit(account, insert(documentId('a')))
      assert.deepEqual(watching.takeEvents(), [[{ kind: 'document', id: documentId('a') }]])
      await watching.stop()
    },

    'every kind of change is reported': async ({ account }) => {
      const watching = await watchAccount(account)
      for (const [batch, expected] of touchingChanges) {
        await commit(account, ...batch)
        const events = watching.takeEvents()
        for (const first of expected)
          assert.isTrue(reports(events, first), `${JSON.stringify(batch)}: ${JSON.stringify(events)}`)
      }
      await watching.stop()
    },

    'a refused batch is not reported': async ({ account }) => {
      await commit(account, insert(documentId('a')))
      const watching = await watchAccount(account)
      await refuse(account, 'exists', 1, insert(documentId('b')), insert(documentId('a')))
      await refuse(account, 'conflict', 0, expect(documentId('a'), 7), insert(documentId('b')))
      assert.deepEqual(watching.takeEvents(), [])
      await watching.stop()
    },

    'commits to other accounts are not reported': async ({ account, accountNamed }) => {
      const watching = await watchAccount(account)
      await commit(accountNamed('other'), insert(documentId('a')))
      assert.deepEqual(watching.takeEvents(), [])
      await watching.stop()
    },

    'each watcher of an account receives every event until it stops, whatever handle it uses': async ({
      account,
      accountNamed,
    }) => {
      const [first, second] = [await watchAccount(account), await watchAccount(accountNamed('main'))]
      await commit(account, insert(documentId('a')))
      await first.stop()
      assert.isFalse(first.live())
      assert.isTrue(second.live())
      await commit(account, insert(documentId('b')))
      assert.equal(first.takeEvents().length, 1)
      assert.equal(second.takeEvents().length, 2)
      await first.stop()
      await second.stop()
      await commit(account, insert(documentId('c')))
      assert.deepEqual(second.takeEvents(), [])
    },

    'an account can be watched again after a watcher stopped': async ({ account }) => {
      await (await watchAccount(account)).stop()
      const again = await watchAccount(account)
      await commit(account, insert(documentId('a')))
      assert.equal(again.takeEvents().length, 1)
      await again.stop()
    },

    'a watch is no longer live when its storage is closed': async ({ open }) => {
      const storage = await open()
      const account = storage.account('acme')
      const watching = await watchAccount(account)
      await storage.close()
      assert.isFalse(watching.live())
      assert.isFalse(account.watch?.(() => {}).live())
      await watching.stop()
    },
  },
}
