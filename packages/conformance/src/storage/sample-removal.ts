import { assert } from './assert.ts'
import { append, commit, deleteSamples, documentId, insert, refuse, sample, trim } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { orderedSamples, scan, series } from './ordered-samples.ts'

/** The removal of samples: of all that are older than a time, and of single ones by id. */
export const sampleRemovalCases: StorageCases = {
  group: 'samples',
  cases: {
    'trim removes the samples older than a time and returns their number': async ({ account }) => {
      await commit(account, append(series, orderedSamples))
      assert.deepEqual(await commit(account, trim(series, 10)), [0])
      assert.deepEqual(await commit(account, trim(series, 20)), [1])
      assert.deepEqual((await scan(account, { columns: 1 })).at, [20, 20, 20, 20, 20, 30])
      assert.deepEqual(await commit(account, trim(series, 31)), [6])
      assert.deepEqual(await account.newest({ series, limit: 10 }), [])
      assert.deepEqual(await commit(account, trim(series, 31), append(series, [orderedSamples[0]!])), [0, 1])
    },

    'trim removes samples that were appended late, and none of another series': async ({ account }) => {
      const others = [
        { ...series, name: 'other' },
        { ...series, scope: 'proj/p' },
        { ...series, scope: `${series.scope}:x` },
      ]
      await commit(
        account,
        ...[series, ...others].map((seriesId) => append(seriesId, [sample('b', 20), sample('a', 10)])),
      )
      assert.deepEqual(await commit(account, trim(series, 15)), [1])
      assert.deepEqual(await account.newest({ series, limit: 10 }), [sample('b', 20)])
      for (const seriesId of others) assert.equal((await account.newest({ series: seriesId, limit: 10 })).length, 2)
    },

    'the id of a trimmed sample can be appended again, also in the same batch': async ({ account }) => {
      await commit(account, append(series, [sample('a', 10)]))
      assert.deepEqual(await commit(account, trim(series, 11), append(series, [sample('a', 12)])), [1, 1])
      assert.deepEqual(await account.newest({ series, limit: 10 }), [sample('a', 12)])
      assert.deepEqual(await commit(account, append(series, [sample('b', 11)]), trim(series, 12)), [1, 1])
    },

    'a refused batch trims nothing': async ({ account }) => {
      await commit(account, append(series, [sample('a', 10)]), insert(documentId('there')))
      await refuse(account, 'exists', 1, trim(series, 20), insert(documentId('there')))
      assert.equal((await account.newest({ series, limit: 10 })).length, 1)
    },

    'delete-samples removes the existing samples with these ids and returns their number': async ({ account }) => {
      const other = { ...series, name: 'other' }
      await commit(account, append(series, orderedSamples), append(other, orderedSamples))
      assert.deepEqual(await commit(account, deleteSamples(series, ['B', 'none', '\u{1f600}', 'B'])), [2])
      assert.deepEqual(await commit(account, deleteSamples(series, ['B'])), [0])
      assert.deepEqual(await commit(account, deleteSamples(series, [])), [0])
      const remaining = orderedSamples.filter(({ id }) => id !== 'B' && id !== '\u{1f600}')
      assert.deepEqual(await account.newest({ series, limit: 10 }), [...remaining].reverse())
      assert.deepEqual((await scan(account, { columns: 1 })).labels, ['web', 'api', 'web', 'cli', ''])
      assert.equal((await account.newest({ series: other, limit: 10 })).length, orderedSamples.length)
    },

    'the id of a deleted sample can be appended again with other content, also in the same batch': async ({
      account,
    }) => {
      await commit(account, append(series, orderedSamples))
      const before = await scan(account, { columns: 1 })
      const changed = { ...orderedSamples[1]!, at: 15, values: [99] }
      const batch = [deleteSamples(series, ['0']), append(series, [changed])]
      assert.deepEqual(await commit(account, ...batch, insert(documentId('there'))), [1, 1, 1])
      const [first, , ...others] = orderedSamples
      assert.deepEqual(await account.newest({ series, limit: 10 }), [...others.toReversed(), changed, first])
      assert.deepEqual((await scan(account, { columns: 1 })).at, [10, 15, 20, 20, 20, 20, 30])
      assert.equal(before.values[0]![1], 2.5)
      await refuse(account, 'exists', 2, ...batch, insert(documentId('there')))
    },
  },
}
