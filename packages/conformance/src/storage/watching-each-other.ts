import type { AccountStorage, Storage } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { addMembers, commit, insert, place, refuse } from './changes.ts'
import type { StorageCases, StorageStage } from './conformance-case.ts'
import { touchingChanges } from './touching-changes.ts'
import { says, until, type WatchedAccount, watched } from './watched-account.ts'

export const watchingEachOtherCases: StorageCases = {
  group: 'watching a second storage',
  cases: {
    'a storage reports every kind of change that another storage commits': between(async ({ there, watching }) => {
      for (const [batch, touched] of touchingChanges) {
        await commit(there, ...batch)
        const told = await heard(watching)
        for (const one of touched) assert.isTrue(says(told, one), `${JSON.stringify(batch)}: ${JSON.stringify(told)}`)
      }
    }),

    'a storage reports its own commits once': between(async ({ here, there, watching }) => {
      await commit(here, insert(place('a')))
      await commit(there, insert(place('b')))
      await until(() => says(watching.told(), { what: 'document', id: place('b') }), 'the change of b is never reported')
      await commit(here, insert(place('c')))
      assert.deepEqual(watching.told(), [[{ what: 'document', id: place('c') }]])
    }),

    'refused batches and commits to other accounts are not reported': between(async (stage) => {
      const { there, watching, elsewhere } = stage
      await commit(there, insert(place('a')))
      await heard(watching)
      await refuse(there, 'exists', 1, insert(place('b')), insert(place('a')))
      await commit(elsewhere, insert(place('b')))
      await commit(there, insert(place('c')))
      await until(() => watching.live(), 'the watch never becomes live')
      assert.deepEqual(await heard(watching), [[{ what: 'document', id: place('c') }]])
    }),

    'all of two hundred concurrent commits are reported': between(async ({ there, watching }) => {
      const keys = Array.from({ length: 200 }, (_, i) => `k${i}`)
      await Promise.all(keys.map((key) => commit(there, insert(place(key)))))
      const missed = new Set(keys)
      await until(() => {
        const told = watching.told()
        for (const key of missed) if (says(told, { what: 'document', id: place(key) })) missed.delete(key)
        return missed.size === 0
      }, 'some changes are never reported')
    }),

    'a batch with a thousand changes is reported, possibly less precisely': between(async ({ there, watching }) => {
      const ids = Array.from({ length: 1000 }, (_, i) => place(`${'k'.repeat(100)}${i}`, `p/${i % 7}`))
      await commit(there, ...ids.map((id) => insert(id)))
      const told = await heard(watching)
      assert.isTrue(ids.every((id) => says(told, { what: 'document', id })))
      const sets = Array.from({ length: 1000 }, (_, i) => ({ name: 'set', scope: `s/${i}/${'x'.repeat(100)}` }))
      await commit(there, ...sets.map((set) => addMembers(set, ['m'])))
      const wider = await heard(watching)
      assert.isTrue(sets.every((set) => says(wider, { what: 'members', set })))
    }),

    'names with any characters are reported': between(async ({ there, watching }) => {
      const id = place(`'"\\\u0000\u0001\u{1f600};--`, `p/$1 \u2028`)
      await commit(there, insert(id))
      assert.isTrue(says(await heard(watching), { what: 'document', id }))
    }),
  },
}

interface Two {
  readonly here: AccountStorage
  readonly there: AccountStorage
  /** Another account, opened by the second storage. */
  readonly elsewhere: AccountStorage
  /** The watch of `here`. */
  readonly watching: WatchedAccount
}

/** Runs a case with two storages on the same data. */
function between(steps: (two: Two) => Promise<void>): (stage: StorageStage) => Promise<void> {
  return async ({ open, openBeside }) => {
    const first = await open()
    const second: Storage = (await openBeside?.(first)) ?? assert.fail('the harness has no `openSecond`')
    const name = `acme'"\\ \u{1f680}`
    const here = first.account(name)
    const watching = await watched(here)
    try {
      await steps({ here, there: second.account(name), elsewhere: second.account('other'), watching })
    } finally {
      await watching.stop()
      await second.close()
      await first.close()
    }
  }
}

/** Waits until events have arrived, and returns them. */
async function heard(watching: WatchedAccount): Promise<ReturnType<WatchedAccount['told']>> {
  const told = watching.told()
  await until(() => {
    told.push(...watching.told())
    return told.length > 0
  }, 'no change is reported')
  return told
}
