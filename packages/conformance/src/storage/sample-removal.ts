import { assert } from './assert.ts'
import { append, commit, insert, place, refuse, sample, trim, withdraw } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { ordered, scan, series } from './ordered-samples.ts'

/** The removal of samples: of all that are older than a time, and of single ones by id. */
export const sampleRemovalCases: StorageCases = {
  group: 'samples',
  cases: {
    'trim removes the samples older than a time and returns their number': async ({ account }) => {
      await commit(account, append(series, ordered))
      assert.deepEqual(await commit(account, trim(series, 10)), [0])
      assert.deepEqual(await commit(account, trim(series, 20)), [1])
      assert.deepEqual((await scan(account, { columns: 1 })).at, [20, 20, 20, 20, 20, 30])
      assert.deepEqual(await commit(account, trim(series, 31)), [6])
      assert.deepEqual(await account.newest({ series, limit: 10 }), [])
      assert.deepEqual(await commit(account, trim(series, 31), append(series, [ordered[0]!])), [0, 1])
    },

    'trim removes samples that were appended late, and none of another series': async ({ account }) => {
      const others = [
        { ...series, name: 'other' },
        { ...series, scope: 'proj/p' },
        { ...series, scope: `${series.scope}:x` },
      ]
      await commit(account, ...[series, ...others].map((one) => append(one, [sample('b', 20), sample('a', 10)])))
      assert.deepEqual(await commit(account, trim(series, 15)), [1])
      assert.deepEqual(await account.newest({ series, limit: 10 }), [sample('b', 20)])
      for (const one of others) assert.equal((await account.newest({ series: one, limit: 10 })).length, 2)
    },

    'the id of a trimmed sample can be appended again, also in the same batch': async ({ account }) => {
      await commit(account, append(series, [sample('a', 10)]))
      assert.deepEqual(await commit(account, trim(series, 11), append(series, [sample('a', 12)])), [1, 1])
      assert.deepEqual(await account.newest({ series, limit: 10 }), [sample('a', 12)])
      assert.deepEqual(await commit(account, append(series, [sample('b', 11)]), trim(series, 12)), [1, 1])
    },

    'a refused batch trims nothing': async ({ account }) => {
      await commit(account, append(series, [sample('a', 10)]), insert(place('there')))
      await refuse(account, 'exists', 1, trim(series, 20), insert(place('there')))
      assert.equal((await account.newest({ series, limit: 10 })).length, 1)
    },

    'delete-samples removes the existing samples with these ids and returns their number': async ({ account }) => {
      const other = { ...series, name: 'other' }
      await commit(account, append(series, ordered), append(other, ordered))
      assert.deepEqual(await commit(account, withdraw(series, ['B', 'none', '\u{1f600}', 'B'])), [2])
      assert.deepEqual(await commit(account, withdraw(series, ['B'])), [0])
      assert.deepEqual(await commit(account, withdraw(series, [])), [0])
      const left = ordered.filter(({ id }) => id !== 'B' && id !== '\u{1f600}')
      assert.deepEqual(await account.newest({ series, limit: 10 }), [...left].reverse())
      assert.deepEqual((await scan(account, { columns: 1 })).labels, ['web', 'api', 'web', 'cli', ''])
      assert.equal((await account.newest({ series: other, limit: 10 })).length, ordered.length)
    },

    'the id of a deleted sample can be appended again with other content, also in the same batch': async ({ account }) => {
      await commit(account, append(series, ordered))
      const before = await scan(account, { columns: 1 })
      const changed = { ...ordered[1]!, at: 15, values: [99] }
      const batch = [withdraw(series, ['0']), append(series, [changed])]
      assert.deepEqual(await commit(account, ...batch, insert(place('there'))), [1, 1, 1])
      const [first, , ...others] = ordered
      assert.deepEqual(await account.newest({ series, limit: 10 }), [...others.toReversed(), changed, first])
      assert.deepEqual((await scan(account, { columns: 1 })).at, [10, 15, 20, 20, 20, 20, 30])
      assert.equal(before.values[0]![1], 2.5)
      await refuse(account, 'exists', 2, ...batch, insert(place('there')))
    },
  },
}
