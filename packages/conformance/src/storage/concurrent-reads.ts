import type { AccountStorage, ListQuery, SeriesId } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { append, commit, insert, sample } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { unusualNames } from './unusual-names.ts'

const series: SeriesId = { name: 'lead-times', scope: 'proj/p:env/e' }
const other: SeriesId = { name: 'deployments', scope: 'proj/p:env/e' }
const numbers = [-0, 0.1, 1e-7, 1e21, Number.MAX_SAFE_INTEGER, -2.5, null, 1e308]

/** Writes documents and samples with text and numbers that are hard to transport. */
async function fill(account: AccountStorage): Promise<void> {
  const documents = unusualNames.map((name, i) =>
    insert({ collection: 'thing', scope: 's', key: `${i}` }, { name }, { name, place: -i, names: [name, 'x'] }),
  )
  await commit(account, ...documents)
  const samples = unusualNames.map((name, i) => sample(name, i, { label: name, values: numbers, body: { name } }))
  await commit(account, append(series, samples))
  await commit(account, append(other, [sample('a', 1_794_355_199_999, { values: [1] })]))
}

const things: ListQuery = { collection: 'thing', scope: 's', limit: 1000, select: 'fields' }
const byPlace = [{ field: 'place', type: 'number' }] as const

/** Queries that each have a different result. */
const queries: readonly ((account: AccountStorage) => Promise<unknown>)[] = [
  (account) => account.list({ ...things, count: true, order: byPlace }),
  (account) => account.scan({ series, from: 0, to: 1000, columns: 8 }),
  (account) => account.newest({ series, limit: 1000 }),
  (account) => account.list({ ...things, limit: 3, offset: 2, order: [{ field: 'name', type: 'text' }] }),
  (account) => account.list({ ...things, where: [{ op: 'equals', field: 'name', value: unusualNames[7]! }] }),
  (account) => account.list({ ...things, collection: 'none', count: true }),
  (account) => account.list({ ...things, select: 'bodies' }),
  (account) => account.newest({ series: other, limit: 1, labels: ['none'] }),
  (account) => account.newest({ series, limit: 2, before: { at: 5, id: unusualNames[5]! }, labels: unusualNames }),
  (account) => account.scan({ series: other, from: -Infinity, to: Infinity, columns: 1 }),
  (account) => account.scan({ series: other, from: 0, to: 1, columns: 0, labels: [unusualNames[0]!] }),
]

export const concurrentReadCases: StorageCases = {
  group: 'concurrent reads',
  cases: {
    'queries of several kinds that run concurrently return the same results as one after another': async ({
      account,
    }) => {
      await fill(account)
      const alone: unknown[] = []
      for (const runQuery of queries) alone.push(await runQuery(account))
      assert.deepEqual(await Promise.all(queries.map((runQuery) => runQuery(account))), alone)
    },

    '250 concurrent queries each return their own result': async ({ account }) => {
      await fill(account)
      const labels = Array.from({ length: 250 }, (_, i) => unusualNames[i % unusualNames.length]!)
      const results = await Promise.all(labels.map((label) => account.newest({ series, labels: [label], limit: 1 })))
      assert.deepEqual(
        results.map(([newestSample]) => newestSample?.label),
        labels,
      )
    },
  },
}
