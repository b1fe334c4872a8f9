import type { AccountStorage, CommitOutcome, DocumentId } from '@halyard/core/storage'
import { assert } from './assert.ts'
import {
  addKeys,
  append,
  commit,
  discardAll,
  documentId,
  ensure,
  expect,
  insert,
  remove,
  replace,
  sample,
} from './changes.ts'
import type { StorageCases } from './conformance-case.ts'

const [a, b] = [documentId('a'), documentId('b')]

export const isolationCases: StorageCases = {
  group: 'isolation',
  cases: {
    'exactly one of fifty concurrent insertions of one key is committed': async ({ account }) => {
      const results = await Promise.all(times(50, (i) => account.commit([insert(a, i)])))
      const winners = results.flatMap(({ outcome }, i) => (outcome === 'committed' ? [i] : []))
      assert.equal(winners.length, 1)
      const losers = results.filter(({ outcome }) => outcome !== 'committed')
      assert.deepEqual(
        losers,
        times(49, () => ({ outcome: 'exists', change: 0 })),
      )
      assert.deepEqual(await account.get(a), { key: 'a', scope: '', version: 1, body: winners[0] })
    },

    'exactly one of fifty concurrent replacements of one version is committed': async ({ account }) => {
      await commit(account, insert(a))
      const results = await Promise.all(times(50, (i) => account.commit([replace(a, 1, i)])))
      assert.deepEqual(tally(results), { committed: 1, conflict: 49 })
      const winner = results.findIndex(({ outcome }) => outcome === 'committed')
      assert.deepEqual(await account.get(a), { key: 'a', scope: '', version: 2, body: winner })
    },

    'exactly one of fifty concurrent removals of one version is committed': async ({ account }) => {
      await commit(account, insert(a))
      const results = await Promise.all(times(50, () => account.commit([remove(a, 1)])))
      assert.deepEqual(tally(results), { committed: 1, missing: 49 })
    },

    'of fifty concurrent batches that insert one key, the refused ones write nothing': async ({ account }) => {
      const set = { name: 'set', scope: '' }
      const results = await Promise.all(
        times(50, (i) => account.commit([insert(documentId(`own ${i}`)), addKeys(set, [`m${i}`]), insert(a)])),
      )
      assert.deepEqual(tally(results), { committed: 1, exists: 49 })
      assert.equal((await listGenerations(account)).length, 2)
      assert.equal(await account.countKeys(set), 1)
    },

    'a batch that inserts and removes a document does not store it, and is refused when another batch inserts it first':
      async ({ account }) => {
        const absent = (i: number) => [insert(a), remove(a, 1), insert(documentId(`own ${i}`))]
        await commit(account, ...absent(0))
        assert.equal(await account.get(a), undefined)
        const [inserted, ...results] = await Promise.all([
          account.commit([insert(a, 'stored')]),
          ...times(6, (i) => account.commit(absent(i + 1))),
        ])
        assert.equal(inserted?.outcome, 'committed')
        assert.deepEqual(await account.get(a), { key: 'a', scope: '', version: 1, body: 'stored' })
        assert.deepEqual(await account.commit(absent(7)), { outcome: 'exists', change: 0 })
        const committed = results.filter(({ outcome }) => outcome === 'committed')
        assert.equal((await listGenerations(account)).length, 2 + committed.length)
      },

    'two hundred concurrent increments that retry after conflicts add up to two hundred': async ({ account }) => {
      await commit(account, insert(a, 0))
      await Promise.all(
        times(25, async () => {
          for (let count = 0; count < 8; count++) await increment(account, a)
        }),
      )
      assert.deepEqual(await account.get(a), { key: 'a', scope: '', version: 201, body: 200 })
    },

    'a document that is added while its parent is removed does not survive the parent': async ({ account }) => {
      const rounds = times(20, (i) => ({ thing: documentId(`thing ${i}`), part: documentId(`part ${i}`, '', 'parts') }))
      await commit(account, ...rounds.map(({ thing: parent }) => insert(parent)))
      const results = await Promise.all(
        rounds.flatMap(({ thing: parent, part: partId }) => [
          account.commit([expect(parent, 1), ensure(partId, null, { of: parent.key })]),
          account.commit([
            remove(parent, 1),
            discardAll('parts', '', { op: 'equals', field: 'of', value: parent.key }),
            append({ name: 'log', scope: '' }, [sample(parent.key, 1)]),
          ]),
        ]),
      )
      assert.deepEqual(tally(results.filter((_, index) => index % 2 === 1)), { committed: rounds.length })
      const { items } = await account.list({ collection: 'parts', scope: '', limit: 100, select: 'fields' })
      assert.deepEqual(items, [])
    },

    'get and list never return a part of a commit': async ({ account }) => {
      const [generations, maxGenerations] = [60, 5_000]
      const readers: Set<unknown>[] = []
      await commit(account, insert(a, 0, { n: 0 }), insert(b, 0, { n: 0 }))
      let writing = true
      const write = async () => {
        // Readers may start late, but each reader must see at least two generations.
        const mustContinue = (n: number) =>
          n <= generations || readers.some((generationsRead) => generationsRead.size < 2)
        for (let n = 1; mustContinue(n) && n <= maxGenerations; n++) {
          await commit(account, replace(a, n, n, { n }), replace(b, n, n, { n }))
        }
      }
      const read = async (readGenerations: () => Promise<unknown[]>) => {
        const generationsRead = new Set()
        readers.push(generationsRead)
        while (writing) {
          const generationsInResult = await readGenerations()
          assert.equal(
            new Set(generationsInResult).size,
            1,
            `one read returned several generations: ${generationsInResult}`,
          )
          generationsRead.add(generationsInResult[0])
        }
        assert.isTrue(generationsRead.size > 1, 'the reader saw fewer than two generations while the writer was active')
      }
      await Promise.all([
        write().finally(() => (writing = false)),
        read(async () => (await account.getMany([a, b])).map((document) => document?.body)),
        read(async () => (await account.getMany([b, a])).map((document) => (document?.version ?? 0) - 1)),
        read(() => listGenerations(account)),
      ])
    },

    'scan never returns a part of a commit': async ({ account }) => {
      const series = { name: 'series', scope: '' }
      let writing = true
      const write = async () => {
        // A batch has two changes, and the second change is far from the first in time.
        for (let i = 0; i < 60; i++) {
          await commit(account, append(series, [sample(`x${i}`, i)]), append(series, [sample(`y${i}`, 1000 + i)]))
        }
      }
      const read = async () => {
        while (writing) {
          const { at: index } = await account.scan({ series, from: 0, to: 2000, columns: 0 })
          assert.equal(index.length % 2, 0, `odd number of samples: ${index.length}`)
        }
      }
      await Promise.all([write().finally(() => (writing = false)), read(), read()])
      assert.equal((await account.newest({ series, limit: 200 })).length, 120)
    },

    'exactly one of two concurrent commits is accepted when each expects the version that the other replaces': async ({
      account,
    }) => {
      await commit(account, insert(a), insert(b))
      for (let round = 0; round < 40; round++) {
        const [seenA, seenB] = await versionsOf(account, [a, b])
        const results = await Promise.all([
          account.commit([expect(a, seenA!), replace(b, seenB!)]),
          account.commit([expect(b, seenB!), replace(a, seenA!)]),
        ])
        assert.deepEqual(tally(results), { committed: 1, conflict: 1 }, `round ${round}`)
      }
    },

    'concurrent commits that change the same documents in opposite order do not deadlock': async ({ account }) => {
      await commit(account, insert(a, 0), insert(b, 0))
      for (let round = 1; round <= 20; round++) {
        const results = await Promise.all(
          times(6, (i) =>
            account.commit(i % 2 ? [replace(a, round), replace(b, round)] : [replace(b, round), replace(a, round)]),
          ),
        )
        assert.deepEqual(tally(results), { committed: 1, conflict: 5 })
      }
    },

    'concurrent additions to one set count each key once': async ({ account }) => {
      const set = { name: 'set', scope: '' }
      // Each key is in two of the batches, and these contain their keys in different order.
      const batches = times(20, (i) => times(100, (j) => `m${(i * 50 + (i % 2 ? 99 - j : j)) % 1000}`))
      const counts = await Promise.all(batches.map((members) => commit(account, addKeys(set, members))))
      assert.equal(await account.countKeys(set), 1000)
      assert.equal(
        counts.flat().reduce((sum, count) => sum + count, 0),
        1000,
      )
    },

    'concurrent appends of the same samples append each sample once': async ({ account }) => {
      const series = { name: 'series', scope: '' }
      const samples = times(100, (i) => sample(`s${i}`, i))
      const counts = await Promise.all(
        times(10, (i) => commit(account, append(series, i % 2 ? samples : [...samples].reverse()))),
      )
      assert.equal(
        counts.flat().reduce((sum, count) => sum + count, 0),
        100,
      )
      assert.equal((await account.newest({ series, limit: 1000 })).length, 100)
    },

    'concurrent commits to different accounts do not conflict': async ({ accountNamed }) => {
      const results = await Promise.all(times(20, (i) => accountNamed(`n${i}`).commit([insert(a, i)])))
      assert.deepEqual(tally(results), { committed: 20 })
      for (const i of times(20, (n) => n)) assert.equal((await accountNamed(`n${i}`).get(a))?.body, i)
    },
  },
}

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i))
}

function tally(results: readonly CommitOutcome[]): Partial<Record<CommitOutcome['outcome'], number>> {
  const counts: Partial<Record<CommitOutcome['outcome'], number>> = {}
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

async function increment(account: AccountStorage, id: DocumentId): Promise<void> {
  for (;;) {
    const current = await account.get(id)
    if (!current) return assert.fail('the counter document is missing')
    const { outcome } = await account.commit([replace(id, current.version, (current.body as number) + 1)])
    if (outcome === 'committed') return
    assert.equal(outcome, 'conflict')
  }
}

/** Returns the generations that one list contains: in bodies, in fields and in versions. */
async function listGenerations(account: AccountStorage): Promise<unknown[]> {
  const { items } = await account.list({ collection: 'things', scope: '', limit: 10, select: 'bodies' })
  return items.flatMap(({ body, fields, version }) =>
    fields.n === undefined ? [version] : [body, fields.n, version - 1],
  )
}

async function versionsOf(account: AccountStorage, ids: readonly DocumentId[]): Promise<(number | undefined)[]> {
  return (await account.getMany(ids)).map((document) => document?.version)
}
