import type { AccountStorage, Storage } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { addKeys, commit, documentId, insert, refuse } from './changes.ts'
import type { StorageCaseContext, StorageCases } from './conformance-case.ts'
import { touchingChanges } from './touching-changes.ts'
import { reports, type WatchedAccount, waitUntil, watchAccount } from './watched-account.ts'

export const watchingSecondStorageCases: StorageCases = {
  group: 'watching a second storage',
  cases: {
    'a storage reports every kind of change that another storage commits': withTwoStorages(
      async ({ secondStorage, watching }) => {
        for (const [batch, touched] of touchingChanges) {
          await commit(secondStorage, ...batch)
          const events = await waitForEvents(watching)
          for (const part of touched)
            assert.isTrue(reports(events, part), `${JSON.stringify(batch)}: ${JSON.stringify(events)}`)
        }
      },
    ),

    'a storage reports its own commits once': withTwoStorages(async ({ firstStorage, secondStorage, watching }) => {
      await commit(firstStorage, insert(documentId('a')))
      await commit(secondStorage, insert(documentId('b')))
      await waitUntil(
        () => reports(watching.takeEvents(), { kind: 'document', id: documentId('b') }),
        'the change of b is never reported',
      )
      await commit(firstStorage, insert(documentId('c')))
      assert.deepEqual(watching.takeEvents(), [[{ kind: 'document', id: documentId('c') }]])
    }),

    'refused batches and commits to other accounts are not reported': withTwoStorages(async (stage) => {
      const { secondStorage, watching, elsewhere } = stage
      await commit(secondStorage, insert(documentId('a')))
      await waitForEvents(watching)
      await refuse(secondStorage, 'exists', 1, insert(documentId('b')), insert(documentId('a')))
      await commit(elsewhere, insert(documentId('b')))
      await commit(secondStorage, insert(documentId('c')))
      await waitUntil(() => watching.live(), 'the watch never becomes live')
      assert.deepEqual(await waitForEvents(watching), [[{ kind: 'document', id: documentId('c') }]])
    }),

    'all of two hundred concurrent commits are reported': withTwoStorages(async ({ secondStorage, watching }) => {
      const keys = Array.from({ length: 200 }, (_, i) => `k${i}`)
      await Promise.all(keys.map((key) => commit(secondStorage, insert(documentId(key)))))
      const missed = new Set(keys)
      await waitUntil(() => {
        const events = watching.takeEvents()
        for (const key of missed) if (reports(events, { kind: 'document', id: documentId(key) })) missed.delete(key)
        return missed.size === 0
      }, 'some changes are never reported')
    }),

    'a batch with a thousand changes is reported, possibly less precisely': withTwoStorages(
      async ({ secondStorage, watching }) => {
        const ids = Array.from({ length: 1000 }, (_, i) => documentId(`${'k'.repeat(100)}${i}`, `p/${i % 7}`))
        await commit(secondStorage, ...ids.map((id) => insert(id)))
        const events = await waitForEvents(watching)
        assert.isTrue(ids.every((id) => reports(events, { kind: 'document', id })))
        const sets = Array.from({ length: 1000 }, (_, i) => ({ name: 'set', scope: `s/${i}/${'x'.repeat(100)}` }))
        await commit(secondStorage, ...sets.map((set) => addKeys(set, ['m'])))
        const laterEvents = await waitForEvents(watching)
        assert.isTrue(sets.every((set) => reports(laterEvents, { kind: 'keys', set })))
      },
    ),

    'names with any characters are reported': withTwoStorages(async ({ secondStorage, watching }) => {
      const id = documentId(`'"\\\u0000\u0001\u{1f600};--`, `p/$1 \u2028`)
      await commit(secondStorage, insert(id))
      assert.isTrue(reports(await waitForEvents(watching), { kind: 'document', id }))
    }),
  },
}

interface TwoStorages {
  readonly firstStorage: AccountStorage
  readonly secondStorage: AccountStorage
  /** Another account, opened by the second storage. */
  readonly elsewhere: AccountStorage
  /** The watch of `firstStorage`. */
  readonly watching: WatchedAccount
}

/** Runs a case with two storages on the same data. */
function withTwoStorages(
  runCase: (storages: TwoStorages) => Promise<void>,
): (stage: StorageCaseContext) => Promise<void> {
  return async ({ open, openSecond }) => {
    const first = await open()
    const second: Storage = (await openSecond?.(first)) ?? assert.fail('the harness has no `openSecond`')
    const name = `acme'"\\ \u{1f680}`
    const firstStorage = first.account(name)
    const watching = await watchAccount(firstStorage)
    try {
      await runCase({ firstStorage, secondStorage: second.account(name), elsewhere: second.account('other'), watching })
    } finally {
      await watching.stop()
      await second.close()
      await first.close()
    }
  }
}

/** Waits until events have arrived, and returns them. */
async function waitForEvents(watching: WatchedAccount): Promise<ReturnType<WatchedAccount['takeEvents']>> {
  const events = watching.takeEvents()
  await waitUntil(() => {
    events.push(...watching.takeEvents())
    return events.length > 0
  }, 'no change is reported')
  return events
}
