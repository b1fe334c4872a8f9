import type { Storage } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { addKeys, append, commit, documentId, expect, insert, refuse, removeKeys, replace, sample } from './changes.ts'
import type { StorageCaseContext, StorageCases } from './conformance-case.ts'

const set = { name: 'set', scope: 'p' }
const series = { name: 'series', scope: 'p' }
const whole = sample('s', 5, { label: 'web', values: [1, null], body: { n: 1 } })

export const durabilityCases: StorageCases = {
  group: 'durability',
  cases: {
    'committed data exists after reopening': async (stage) => {
      const storage = await stage.open()
      const before = storage.account('acme')
      await commit(
        before,
        insert(documentId('a', 'p'), { n: 1 }, { n: 1 }),
        addKeys(set, ['x', 'y']),
        append(series, [whole]),
      )
      await commit(before, replace(documentId('a', 'p'), 1, { n: 2 }, { n: 2 }), removeKeys(set, ['x']))

      const after = (await reopen(stage, storage)).account('acme')
      const { items } = await after.list({ collection: 'things', scope: 'p', limit: 10, select: 'bodies' })
      assert.deepEqual(items, [{ key: 'a', scope: 'p', version: 2, fields: { n: 2 }, body: { n: 2 } }])
      assert.deepEqual(await after.pageKeys(set, { limit: 10 }), ['y'])
      assert.deepEqual(await after.newest({ series, limit: 10 }), [whole])
    },

    'versions continue after reopening': async (stage) => {
      const storage = await stage.open()
      await commit(storage.account('acme'), insert(documentId('a')), replace(documentId('a'), 1, 'second'))

      const after = (await reopen(stage, storage)).account('acme')
      await refuse(after, 'exists', 0, insert(documentId('a')))
      await refuse(after, 'conflict', 0, replace(documentId('a'), 1))
      await commit(after, expect(documentId('a'), 2), replace(documentId('a'), 2, 'third'))
      assert.deepEqual(await after.get(documentId('a')), { key: 'a', scope: '', version: 3, body: 'third' })
    },

    'appended samples are not appended again after reopening': async (stage) => {
      const storage = await stage.open()
      await commit(storage.account('acme'), append(series, [whole]))

      const after = (await reopen(stage, storage)).account('acme')
      assert.deepEqual(await commit(after, append(series, [whole, sample('t', 6)])), [1])
    },

    'the changes of a refused batch do not exist after reopening': async (stage) => {
      const storage = await stage.open()
      await refuse(
        storage.account('acme'),
        'missing',
        2,
        insert(documentId('a')),
        addKeys(set, ['x']),
        expect(documentId('b'), 1),
      )

      const after = (await reopen(stage, storage)).account('acme')
      assert.isUndefined(await after.get(documentId('a')))
      assert.equal(await after.countKeys(set), 0)
    },

    'migrating a reopened storage preserves its data': async (stage) => {
      const storage = await stage.open()
      await commit(storage.account('acme'), insert(documentId('a'), 'A'))

      const again = await reopen(stage, storage)
      await again.migrate()
      assert.equal((await again.account('acme').get(documentId('a')))?.body, 'A')
    },
  },
}

async function reopen({ reopen }: StorageCaseContext, storage: Storage): Promise<Storage> {
  return reopen ? reopen(storage) : assert.fail('the harness has no `reopen`')
}
