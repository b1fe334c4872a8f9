import type { ListQuery, Sample } from '@halyard/core/storage'
import { assert } from './assert.ts'
import {
  addKeys,
  append,
  commit,
  documentId,
  firstDifference,
  insert,
  moveKeys,
  removeKeys,
  sample,
} from './changes.ts'
import type { StorageCaseContext, StorageCases } from './conformance-case.ts'

const set = { name: 'included', scope: 'proj/p:segment/big' }
const series = { name: 'lead-times', scope: 'proj/p' }

export const scaleCases: StorageCases = {
  group: 'scale',
  cases: {
    'a document of about a megabyte is returned unchanged by get and list': async ({ account }) => {
      const body = {
        text: 'x\u00e9\u{1f600}"\\'.repeat(50_000),
        rows: Array.from({ length: 10_000 }, (_, i) => ({ i, name: `row ${i}` })),
      }
      const json = JSON.stringify(body)
      assert.isTrue(json.length > 500_000)
      await commit(account, insert(documentId('big'), body), insert(documentId('small')))
      assert.isTrue(JSON.stringify((await account.get(documentId('big')))?.body) === json, 'get')
      const { items } = await account.list({ collection: 'things', scope: '', limit: 2, select: 'bodies' })
      assert.isTrue(JSON.stringify(items[0]?.body) === json, 'list')
    },

    'sets of fifty thousand keys are compared and moved without comparing every pair': async ({ account }) => {
      const from = { ...set, name: 'staged' }
      const keys = (first: number) => Array.from({ length: 50_000 }, (_, i) => `user-${padded(first + i)}`)
      await commit(account, addKeys(set, keys(0)), addKeys(from, keys(20_000)))
      assert.equal(await account.countKeys(from, set), 20_000)
      assert.equal((await account.findKeys(set, keys(40_000))).length, 10_000)
      assert.deepEqual(await commit(account, moveKeys(from, set, true)), [20_000])
      assert.equal(await account.countKeys(set), 50_000)
      assert.equal(firstDifference(await allSetKeys(account), keys(20_000)), -1)
    },

    'a set of a hundred thousand keys can be added, counted, paged and removed': async ({ account }) => {
      // 7919 is coprime to the count, so every number occurs once, out of order.
      const keys = Array.from({ length: 100_000 }, (_, i) => `user-${padded((i * 7919) % 100_000)}`)
      const sorted = [...keys].sort()
      assert.deepEqual(await commit(account, addKeys(set, keys)), [100_000])
      assert.equal(await account.countKeys(set), 100_000)
      assert.isTrue(await account.hasKey(set, 'user-099999'))
      assert.isFalse(await account.hasKey(set, 'user-100000'))
      assert.equal(firstDifference(await allSetKeys(account), sorted), -1)
      assert.deepEqual(await commit(account, addKeys(set, keys)), [0])
      const even = sorted.filter((_, i) => i % 2 === 0)
      assert.deepEqual(await commit(account, removeKeys(set, even)), [50_000])
      assert.equal(await account.countKeys(set), 50_000)
      assert.equal(
        firstDifference(
          await allSetKeys(account),
          sorted.filter((_, i) => i % 2 === 1),
        ),
        -1,
      )
    },

    'scans of a hundred thousand samples equal the results of the reference implementation': async ({ account }) => {
      const samples = manySamples(100_000)
      // Appends in ten batches, the newest samples first, so that most samples are appended late.
      for (let end = samples.length; end > 0; end -= 10_000) {
        assert.deepEqual(await commit(account, append(series, samples.slice(end - 10_000, end))), [10_000])
      }
      assert.deepEqual(await commit(account, append(series, samples.slice(45_000, 55_000))), [0])
      for (const query of [
        { from: 0, to: 1e9, columns: 4 },
        { from: samples[20_000]!.at, to: samples[70_001]!.at, columns: 2, labels: ['app-3', 'app-1', 'none'] },
        { from: samples[99_999]!.at, to: samples[99_999]!.at + 1, columns: 1 },
      ]) {
        await assertEqualsReferenceScan(account, samples, query)
      }
    },

    'paging through two thousand documents returns each once and in order': async ({ account }) => {
      const documents = Array.from({ length: 2000 }, (_, i) => ({
        key: `doc-${padded((i * 7919) % 2000)}`,
        n: i % 300,
      }))
      for (let start = 0; start < documents.length; start += 500) {
        const batch = documents.slice(start, start + 500)
        await commit(account, ...batch.map(({ key, n }) => insert(documentId(key, 'proj/p'), { key }, { n })))
      }
      const byKey = documents.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ key }) => key)
      assert.equal(firstDifference(await allDocumentKeys(account, []), byKey), -1)
      // The sort is stable, so documents with equal numbers stay ordered by key.
      const byNumber = [...documents].sort((a, b) => b.n - a.n).map(({ key }) => key)
      const order = [{ field: 'n', type: 'number', descending: true }] as const
      assert.equal(firstDifference(await allDocumentKeys(account, order), byNumber), -1)
    },
  },
}

async function allSetKeys(account: StorageCaseContext['account']): Promise<string[]> {
  const keys: string[] = []
  for (;;) {
    const page = await account.pageKeys(set, { after: keys.at(-1), limit: 15_000 })
    if (page.length === 0) return keys
    for (const key of page) keys.push(key)
  }
}

async function allDocumentKeys(account: StorageCaseContext['account'], order: ListQuery['order']): Promise<string[]> {
  const query: ListQuery = { collection: 'things', scope: 'proj/p', order, limit: 250, count: true, select: 'fields' }
  const keys: string[] = []
  for (;;) {
    const { items, total } = await account.list({ ...query, offset: keys.length })
    assert.equal(total, 2000)
    if (items.length === 0) return keys
    for (const { key } of items) keys.push(key)
  }
}

function padded(n: number): string {
  return String(n).padStart(6, '0')
}

/** Returns samples in the order of a scan: two or three for each time, seven labels, gaps in the second column. */
function manySamples(count: number): Sample[] {
  return Array.from({ length: count }, (_, i) =>
    sample(`s${padded(i)}`, Math.floor(i / 2.5) * 1000, {
      label: `app-${(i * i) % 7}`,
      values: [i, i % 3 === 0 ? null : i / 8, -i],
    }),
  )
}

interface ScanQuery {
  readonly from: number
  readonly to: number
  readonly columns: number
  readonly labels?: readonly string[]
}

async function assertEqualsReferenceScan(
  account: StorageCaseContext['account'],
  samples: readonly Sample[],
  query: ScanQuery,
): Promise<void> {
  const { from, to, columns, labels } = query
  const expected = samples.filter(
    (candidate) => candidate.at >= from && candidate.at < to && (labels?.includes(candidate.label) ?? true),
  )
  const scan = await account.scan({ series, ...query })
  const message = JSON.stringify(query)
  assert.equal(
    firstDifference(
      scan.at,
      expected.map((candidate) => candidate.at),
    ),
    -1,
    `times of ${message}`,
  )
  const labelTexts = Array.from(scan.label, (number) => scan.labels[number])
  assert.equal(
    firstDifference(
      labelTexts,
      expected.map((candidate) => candidate.label),
    ),
    -1,
    `labels of ${message}`,
  )
  assert.deepEqual(scan.labels, [...new Set(expected.map((candidate) => candidate.label))])
  assert.equal(scan.values.length, columns)
  for (const [column, values] of scan.values.entries()) {
    const expectedValues = expected.map((candidate) => candidate.values[column] ?? NaN)
    assert.equal(firstDifference(values, expectedValues), -1, `column ${column} of ${message}`)
  }
}
