import type { AccountStorage, NewestQuery, Sample, SeriesId } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { append, commit, deleteSamples, documentId, insert, sample } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { createSeededRandom, type SeededRandom } from './seeded-random.ts'
import { unusualNames } from './unusual-names.ts'

const series: SeriesId = { name: 'log', scope: 'proj/p' }
const other: SeriesId = { name: 'log', scope: 'proj/q' }

const entries: readonly Sample[] = [
  sample('a', 1, { terms: ['flag', 'ann'] }),
  sample('b', 2, { terms: ['flag', 'bob', 'old'] }),
  sample('c', 2, { terms: ['segment', 'ann'] }),
  sample('d', 3),
  sample('e', 4, { terms: ['flag', 'ann', 'old'] }),
]

/** A query by terms returns the same samples as a test of every sample. */
export const sampleTermCases: StorageCases = {
  group: 'sample terms',
  cases: {
    'a query by a term returns whole samples with all their terms, the newest first': async ({ account }) => {
      await commit(account, append(series, entries))
      assert.deepEqual(await account.newest({ series, limit: 10, terms: [['ann']] }), [
        entries[4],
        entries[2],
        entries[0],
      ])
      assert.deepEqual(await account.newest({ series, limit: 10 }), [...entries].reverse())
    },

    'a sample matches when it has at least one term of each list': async ({ account }) => {
      await commit(account, append(series, entries))
      const ids = async (...terms: string[][]) => idsOf(account, { limit: 10, terms })
      assert.deepEqual(await ids(['ann', 'bob']), ['e', 'c', 'b', 'a'])
      assert.deepEqual(await ids(['ann', 'bob'], ['old']), ['e', 'b'])
      assert.deepEqual(await ids(['old'], ['ann'], ['flag']), ['e'])
      assert.deepEqual(await ids(['segment'], ['old']), [])
      assert.deepEqual(await ids(['flag', 'flag']), ['e', 'b', 'a'])
      assert.deepEqual(await ids(['flag'], ['nothing']), [])
      assert.deepEqual(await ids(['flag'], []), [])
      assert.deepEqual(await ids([]), [])
      assert.deepEqual(await ids(), ['e', 'd', 'c', 'b', 'a'])
    },

    'a query by terms respects cursor, start time and limit': async ({ account }) => {
      await commit(account, append(series, entries))
      const ids = (overrides: Partial<NewestQuery>) =>
        idsOf(account, { limit: 10, terms: [['flag', 'ann']], ...overrides })
      assert.deepEqual(await ids({ limit: 2 }), ['e', 'c'])
      assert.deepEqual(await ids({ limit: 0 }), [])
      assert.deepEqual(await ids({ before: { at: 2, id: 'c' } }), ['b', 'a'])
      assert.deepEqual(await ids({ before: { at: 4, id: '' } }), ['c', 'b', 'a'])
      assert.deepEqual(await ids({ from: 2 }), ['e', 'c', 'b'])
      assert.deepEqual(await ids({ from: 2, before: { at: 4, id: 'e' }, terms: [['flag'], ['bob']] }), ['b'])
      assert.deepEqual(await ids({ from: 5 }), [])
    },

    'a start time excludes older samples, also without terms': async ({ account }) => {
      await commit(account, append(series, entries))
      assert.deepEqual(await idsOf(account, { limit: 10, from: 2 }), ['e', 'd', 'c', 'b'])
      assert.deepEqual(await idsOf(account, { limit: 10, from: 2, before: { at: 3, id: 'd' } }), ['c', 'b'])
    },

    'a query by a term returns no samples of another series': async ({ account }) => {
      await commit(account, append(series, entries), append(other, [sample('a', 1, { terms: ['ann', 'one'] })]))
      assert.deepEqual(await idsOf(account, { series: other, limit: 10, terms: [['ann']] }), ['a'])
      assert.deepEqual(await idsOf(account, { limit: 10, terms: [['one']] }), [])
    },

    'a sample that was committed with a document is returned': async ({ account }) => {
      await commit(account, insert(documentId('x')), append(series, [entries[1]!]))
      assert.deepEqual(await idsOf(account, { limit: 10, terms: [['old'], ['bob']] }), ['b'])
    },

    'samples that were appended late or twice are returned in order, and once': async ({ account }) => {
      await commit(account, append(series, [entries[4]!]))
      assert.deepEqual(await idsOf(account, { limit: 10, terms: [['ann']] }), ['e'])
      await commit(account, append(series, [entries[2]!, { ...entries[4]!, terms: ['never'] }]))
      await commit(account, append(series, [entries[0]!]))
      assert.deepEqual(await idsOf(account, { limit: 10, terms: [['ann']] }), ['e', 'c', 'a'])
      assert.deepEqual(await idsOf(account, { limit: 10, terms: [['never']] }), [])
    },

    'a deleted sample is not returned, and one that is appended again is returned by its new terms only': async ({
      account,
    }) => {
      await commit(account, append(series, entries))
      assert.deepEqual(await idsOf(account, { limit: 10, terms: [['ann']] }), ['e', 'c', 'a'])
      const again = { ...entries[2]!, at: 9, terms: ['later'] }
      assert.deepEqual(await commit(account, deleteSamples(series, ['c', 'e']), append(series, [again])), [2, 1])
      assert.deepEqual(await idsOf(account, { limit: 10, terms: [['ann']] }), ['a'])
      assert.deepEqual(await idsOf(account, { limit: 10, terms: [['later']] }), ['c'])
    },

    'trimmed or cleared samples are not returned': async ({ account }) => {
      await commit(account, append(series, entries), append(other, entries))
      assert.deepEqual(await commit(account, { do: 'trim', series, before: 2 }), [1])
      assert.deepEqual(await idsOf(account, { limit: 10, terms: [['flag']] }), ['e', 'b'])
      assert.deepEqual(await commit(account, { do: 'trim', series, before: 4 }), [3])
      assert.deepEqual(await idsOf(account, { limit: 10, terms: [['flag'], ['ann']] }), ['e'])
      assert.deepEqual(await commit(account, { do: 'clear', scope: 'proj/p' }), [1])
      assert.deepEqual(await idsOf(account, { limit: 10, terms: [['flag']] }), [])
      await commit(account, append(series, entries.slice(0, 1)))
      assert.deepEqual(await idsOf(account, { limit: 10, terms: [['ann'], ['flag']] }), ['a'])
      assert.deepEqual(await idsOf(account, { series: other, limit: 10, terms: [['ann']] }), ['e', 'c', 'a'])
    },

    'terms preserve every character': async ({ account }) => {
      const unusual = unusualNames.map((name, i) => sample(`s${i}`, i, { terms: [name, `${name}!`] }))
      await commit(account, append(series, unusual))
      for (const entry of unusual) {
        assert.deepEqual(await account.newest({ series, limit: 9, terms: [[entry.terms![1]!], [entry.terms![0]!]] }), [
          entry,
        ])
      }
    },

    'a sample is returned however many newer ones do not match': async ({ account }) => {
      const isRare = (i: number) => i % 700 === 3
      const many = Array.from({ length: 3000 }, (_, i) =>
        sample(`${i}`.padStart(4, '0'), Math.floor(i / 3), { terms: isRare(i) ? ['any', 'rare'] : ['any'] }),
      )
      await commit(account, append(series, many), append(other, many))
      for (const query of [
        { limit: 2 },
        { limit: 10 },
        { limit: 10, from: 300 },
        { limit: 1, before: { at: 934, id: '2803' } },
        { limit: 3, before: { at: 701, id: '2103' } },
      ]) {
        for (const terms of [[['rare']], [['any'], ['rare', 'nothing']]]) {
          assert.deepEqual(
            await account.newest({ series, ...query, terms }),
            referenceNewest(many, { ...query, terms }),
            JSON.stringify({ ...query, terms }),
          )
        }
      }
    },

    'random queries by terms equal the results of the reference implementation': async ({ accountNamed }) => {
      const random = createSeededRandom(20_261_120)
      for (let run = 0; run < 10; run++) {
        const account = accountNamed(`run ${run}`)
        const all = Array.from({ length: 40 }, (_, i) => randomSample(random, i))
        await commit(account, append(series, all.slice(0, 20)))
        await commit(account, append(series, all.slice(20)))
        for (let i = 0; i < 20; i++) {
          const query = randomQuery(random)
          assert.deepEqual(
            await account.newest({ series, ...query }),
            referenceNewest(all, query),
            JSON.stringify(query),
          )
        }
      }
    },
  },
}

type Query = Omit<NewestQuery, 'series'>

const words = ['a', 'b', 'c', 'd', 'e']

function randomWords(random: SeededRandom): string[] {
  return words.filter(() => random.below(3) === 0)
}

function randomSample(random: SeededRandom, i: number): Sample {
  const terms = randomWords(random)
  return sample(`${i}`, random.below(10), terms.length > 0 ? { terms } : {})
}

function randomQuery(random: SeededRandom): Query {
  return {
    limit: random.below(12),
    ...(random.below(2) === 0 ? { before: { at: random.below(10), id: `${random.below(40)}` } } : {}),
    ...(random.below(2) === 0 ? { from: random.below(10) } : {}),
    terms: Array.from({ length: random.below(4) }, () => randomWords(random)),
  }
}

function referenceNewest(all: readonly Sample[], { limit, before, from = 0, terms = [] }: Query): Sample[] {
  return [...all]
    .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    .filter(({ at, id }) => at >= from && (!before || at < before.at || (at === before.at && id < before.id)))
    .filter((entry) => terms.every((list) => list.some((term) => entry.terms?.includes(term))))
    .slice(0, limit)
}

async function idsOf(account: AccountStorage, query: Query & { readonly series?: SeriesId }): Promise<string[]> {
  return (await account.newest({ series, ...query })).map(({ id }) => id)
}
