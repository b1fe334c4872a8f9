import type { AccountStorage, Sample } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { append, commit, mutateDeeply, sample } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { orderedSamples, scan, series } from './ordered-samples.ts'
import { unusualNames } from './unusual-names.ts'

export const sampleCases: StorageCases = {
  group: 'samples',
  cases: {
    'a series that was never written is empty': async ({ account }) => {
      assert.deepEqual(await scan(account, { columns: 2 }), { at: [], labels: [], values: [[], []] })
      assert.deepEqual(await account.newest({ series, limit: 10 }), [])
    },

    'findSamples, where it exists, returns the ids that the series has': async ({ account }) => {
      if (!account.findSamples) return
      await commit(account, append(series, orderedSamples), append({ ...series, name: 'other' }, [sample('z', 1)]))
      const ids = orderedSamples.map(({ id }) => id)
      const samples = await account.findSamples(series, [...ids, ...ids, 'z', 'none', ...unusualNames])
      assert.deepEqual([...samples].sort(), [...new Set(ids)].sort())
      assert.deepEqual(await account.findSamples(series, []), [])
      assert.deepEqual(await account.findSamples({ ...series, scope: 'proj/p' }, ids), [])
    },

    'scan is ordered by time, then id, in code-point order': async ({ account }) => {
      await commit(account, append(series, orderedSamples))
      const { at, labels } = await scan(account, {})
      assert.deepEqual(at, [10, 20, 20, 20, 20, 20, 30])
      assert.deepEqual(labels, ['web', 'api', 'web', 'web', 'cli', 'api', ''])
    },

    'scan numbers labels by their first occurrence': async ({ account }) => {
      await commit(account, append(series, orderedSamples))
      const columns = await account.scan({ series, from: 20, to: 40, columns: 0 })
      assert.deepEqual(columns.labels, ['api', 'web', 'cli', ''])
      assert.deepEqual([...columns.label], [0, 1, 1, 2, 0, 3])
    },

    'scan returns typed arrays, with NaN for a missing number': async ({ account }) => {
      await commit(account, append(series, orderedSamples))
      const columns = await account.scan({ series, from: 0, to: 100, columns: 3 })
      assert.isTrue(columns.at instanceof Float64Array)
      assert.isTrue(columns.label instanceof Uint32Array)
      assert.isTrue(columns.values.every((column) => column instanceof Float64Array))
      assert.deepEqual(
        columns.values.map((column) => [...column]),
        [
          [1, 2.5, 0, NaN, NaN, 6, 1],
          [NaN, NaN, -1, NaN, 7, 7, 2],
          [3, NaN, 1e12, NaN, NaN, 8, 3],
        ],
      )
    },

    'scan returns the requested number of columns, from none to eight': async ({ account }) => {
      await commit(account, append(series, orderedSamples))
      for (const columns of [0, 1, 8, 2]) {
        const { values } = await scan(account, { from: 30, columns })
        assert.deepEqual(values, [[1], [2], [3], [4], [5], [6], [7], [8]].slice(0, columns))
      }
    },

    'a time range includes its start and excludes its end': async ({ account }) => {
      await commit(account, append(series, orderedSamples))
      const times = async (from: number, to: number) => (await scan(account, { from, to })).at
      assert.deepEqual(await times(10, 20), [10])
      assert.deepEqual(await times(20, 30), [20, 20, 20, 20, 20])
      assert.deepEqual(await times(30, 31), [30])
      assert.deepEqual(await times(11, 20), [])
      assert.deepEqual(await times(20, 20), [])
      assert.deepEqual(await times(30, 10), [])
    },

    'scan returns only samples with the requested labels': async ({ account }) => {
      await commit(account, append(series, orderedSamples))
      const firstColumn = async (labels: readonly string[]) => scan(account, { labels, columns: 1 })
      assert.deepEqual(await firstColumn(['api', 'cli', 'none']), {
        at: [20, 20, 20],
        labels: ['api', 'cli', 'api'],
        values: [[2.5, NaN, 6]],
      })
      assert.deepEqual((await firstColumn([''])).at, [30])
      assert.deepEqual((await firstColumn(['none'])).at, [])
      assert.deepEqual((await firstColumn([])).at, [])
      assert.deepEqual((await scan(account, { from: 30, to: 10, labels: ['web'] })).at, [])
    },

    'changing a returned column does not change stored data': async ({ account }) => {
      await commit(account, append(series, orderedSamples))
      const first = await account.scan({ series, from: 0, to: 100, columns: 1 })
      for (const column of [first.at, first.label, ...first.values]) column.fill(99)
      assert.deepEqual(await scan(account, { to: 21, columns: 1 }), {
        at: [10, 20, 20, 20, 20, 20],
        labels: ['web', 'api', 'web', 'web', 'cli', 'api'],
        values: [[1, 2.5, 0, NaN, NaN, 6]],
      })
    },

    'changing a written or returned sample does not change stored data': async ({ account }) => {
      const makeSample = () => sample('a', 1, { label: 'web', values: [1, null], body: { list: [1] } })
      const written = makeSample()
      await commit(account, append(series, [written]))
      mutateDeeply(written)
      mutateDeeply(await account.newest({ series, limit: 1 }))
      assert.deepEqual(await account.newest({ series, limit: 1 }), [makeSample()])
      assert.deepEqual(await scan(account, { columns: 2 }), { at: [1], labels: ['web'], values: [[1], [NaN]] })
    },

    'samples can be appended late and in any order': async ({ account }) => {
      const [first, second, third, ...rest] = orderedSamples
      await commit(account, append(series, [...rest].reverse()))
      assert.equal((await scan(account, { columns: 3 })).at.length, 4)
      await commit(account, append(series, [third!, first!]))
      await commit(account, append(series, [second!]))
      const columns = await scan(account, { columns: 1 })
      assert.deepEqual(columns.labels, ['web', 'api', 'web', 'web', 'cli', 'api', ''])
      assert.deepEqual(columns.values, [[1, 2.5, 0, NaN, NaN, 6, 1]])
      assert.deepEqual(await account.newest({ series, limit: 100 }), [...orderedSamples].reverse())
    },

    'append adds each id once and stores the first of several samples with one id': async ({ account }) => {
      const again = { ...orderedSamples[0]!, at: 99 }
      assert.deepEqual(await commit(account, append(series, [orderedSamples[0]!, again, orderedSamples[1]!])), [2])
      assert.deepEqual(await commit(account, append(series, [again, orderedSamples[2]!])), [1])
      assert.deepEqual(await commit(account, append(series, [again, orderedSamples[2]!])), [0])
      assert.deepEqual(await commit(account, append(series, [])), [0])
      assert.deepEqual((await scan(account, {})).at, [10, 20, 20])
    },

    'one sample id can be used in several series': async ({ account }) => {
      const others = [series, { ...series, name: 'other' }, { ...series, scope: 'proj/p' }, { ...series, scope: '' }]
      const counts = await commit(account, ...others.map((first, i) => append(first, [sample('same', i)])))
      assert.deepEqual(counts, [1, 1, 1, 1])
      for (const [i, first] of others.entries()) {
        assert.deepEqual(await account.newest({ series: first, limit: 10 }), [sample('same', i)])
      }
    },

    'newest returns whole samples, the newest first': async ({ account }) => {
      await commit(account, append(series, orderedSamples))
      assert.deepEqual(await account.newest({ series, limit: 3 }), [...orderedSamples].reverse().slice(0, 3))
      assert.deepEqual(await account.newest({ series, limit: 100 }), [...orderedSamples].reverse())
      assert.deepEqual(await account.newest({ series, limit: 0 }), [])
    },

    'newest with `before` continues strictly before the cursor, whether or not a sample is at it': async ({
      account,
    }) => {
      await commit(account, append(series, orderedSamples))
      const ids = async (at: number, id: string) =>
        (await account.newest({ series, limit: 2, before: { at, id } })).map((first) => first.id)
      assert.deepEqual(await ids(20, 'B'), ['0', '1'])
      assert.deepEqual(await ids(20, 'C'), ['B', '0'])
      assert.deepEqual(await ids(20, ''), ['1'])
      assert.deepEqual(await ids(25, ''), ['\u{1f600}', '\ufffd'])
      assert.deepEqual(await ids(10, '1'), [])
    },

    'newest with `since` returns the samples that follow the cursor most closely': async ({ account }) => {
      await commit(account, append(series, orderedSamples))
      const ids = async (at: number, id: string, options: object = {}) =>
        (await account.newest({ series, limit: 2, since: { at, id }, ...options })).map((first) => first.id)
      assert.deepEqual(await ids(20, 'B'), ['\ufffd', 'a'])
      assert.deepEqual(await ids(20, 'A'), ['a', 'B'])
      assert.deepEqual(await ids(20, '\ufffd'), ['2', '\u{1f600}'])
      assert.deepEqual(await ids(5, ''), ['0', '1'])
      assert.deepEqual(await ids(5, '', { from: 25 }), ['2'])
      assert.deepEqual(await ids(5, '', { labels: ['cli', ''] }), ['2', '\ufffd'])
      assert.deepEqual(await ids(30, '2'), [])
    },

    'paging by cursor returns each sample once, in both directions': async ({ account }) => {
      const many = Array.from({ length: 53 }, (_, i) => sample(`id${(i * 31) % 53}`, Math.floor(i / 9)))
      await commit(account, append(series, many))
      const collected: Sample[] = []
      for (let page = await newestBefore(account, undefined); page.length > 0; ) {
        collected.push(...page)
        page = await newestBefore(account, page.at(-1))
      }
      const expected = [...many].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
      assert.deepEqual(collected, expected)
      const collectedBackwards: Sample[] = []
      for (let page = [collected.at(-1)!]; page.length > 0 && collectedBackwards.length < many.length; ) {
        collectedBackwards.unshift(...page)
        page = await account.newest({ series, limit: 5, since: page[0]! })
      }
      assert.deepEqual(collectedBackwards, expected)
    },

    'newest returns only samples with the requested labels': async ({ account }) => {
      await commit(account, append(series, orderedSamples))
      const ids = async (labels: readonly string[], limit: number) =>
        (await account.newest({ series, labels, limit })).map((first) => first.id)
      assert.deepEqual(await ids(['web'], 2), ['a', 'B'])
      assert.deepEqual(await ids(['cli', '', 'none'], 10), ['2', '\ufffd'])
      assert.deepEqual(await ids([], 10), [])
    },

    'ids and labels preserve every character': async ({ account }) => {
      const unusual = unusualNames.map((name, i) => sample(name, i, { label: name, values: [i] }))
      await commit(account, append(series, unusual))
      assert.deepEqual(await account.newest({ series, limit: 100 }), [...unusual].reverse())
      assert.deepEqual((await scan(account, {})).labels, unusualNames)
    },

    'times and values preserve every digit': async ({ account }) => {
      const precise = sample('a', 1_794_355_199_999, { values: [0.1, 1e-7, 1e21, Number.MAX_SAFE_INTEGER, -2.5] })
      await commit(account, append(series, [precise, sample('b', -1), sample('c', 0)]))
      assert.deepEqual(await account.newest({ series, limit: 3 }), [precise, sample('c', 0), sample('b', -1)])
      const { at, values } = await scan(account, { from: 1, to: 1_794_355_200_000, columns: 5 })
      assert.deepEqual(at, [1_794_355_199_999])
      assert.deepEqual(values, [[0.1], [1e-7], [1e21], [Number.MAX_SAFE_INTEGER], [-2.5]])
    },
  },
}

function newestBefore(account: AccountStorage, last: Sample | undefined): Promise<Sample[]> {
  return account.newest({ series, limit: 8, before: last && { at: last.at, id: last.id } })
}
