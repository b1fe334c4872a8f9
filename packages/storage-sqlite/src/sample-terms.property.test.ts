import type { NewestQuery, Sample, SeriesId } from '@halyard/core/storage'
import fc from 'fast-check'
import Database from 'libsql'
import { expect, it } from 'vitest'
import { createSqliteStorage } from './sqlite-storage.ts'

const accounts = ['a', 'b'] as const
const allSeries: readonly SeriesId[] = [
  { name: 'log', scope: 'proj/p' },
  { name: 'log', scope: 'proj/q' },
]
const words = ['v', 'w', 'x', 'y', 'z']
// Prefixes whose order by code points differs from their order by UTF-16 units.
const prefixes = ['', '\ufffd', '\u{1f600}']

const seriesPart = { account: fc.constantFrom(...accounts), series: fc.constantFrom(...allSeries) }
const someWords = fc.subarray(words, { maxLength: 3 })
const sampleNumber = fc.nat(250)
const time = fc.nat(40)

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      ...seriesPart,
      start: sampleNumber,
      // A small append leaves its samples without index entries; a large one indexes the samples of several appends.
      count: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 50, max: 140 })),
      salt: fc.nat(1000),
    }),
  },
  fc.record({ do: fc.constant('delete' as const), ...seriesPart, numbers: fc.array(sampleNumber, { maxLength: 30 }) }),
  fc.record({ do: fc.constant('trim' as const), ...seriesPart, before: time }),
  fc.record({ do: fc.constant('clear' as const), ...seriesPart }),
)

const query = fc.record({
  limit: fc.nat(40),
  before: fc.option(fc.record({ at: time, id: sampleNumber.map(idOf) }), { nil: undefined }),
  from: fc.option(time, { nil: undefined }),
  terms: fc.array(someWords, { minLength: 1, maxLength: 3 }),
})

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type Query = typeof query extends fc.Arbitrary<infer T> ? T : never

function idOf(n: number): string {
  return `${prefixes[n % 3]}${n}`
}

function sampleOf(n: number, salt: number): Sample {
  const terms = words.filter((_, bit) => ((n * 2654435761 + salt * 40503) >>> (bit + 7)) & 1)
  const at = (n + salt * (n % 5)) % 40
  return { id: idOf(n), at, label: '', values: [], body: { n, salt }, ...(terms.length > 0 && { terms }) }
}

/** Samples by id, of each account and series. */
class Model {
  readonly #samples = new Map<string, Map<string, Sample>>()

  of(account: string, series: SeriesId): Map<string, Sample> {
    const key = `${account} ${series.scope}`
    const samples = this.#samples.get(key) ?? new Map()
    this.#samples.set(key, samples)
    return samples
  }

  apply(one: Step): void {
    const samples = this.of(one.account, one.series)
    switch (one.do) {
      case 'append':
        for (const sample of appended(one)) if (!samples.has(sample.id)) samples.set(sample.id, sample)
        return
      case 'delete':
        for (const n of one.numbers) samples.delete(idOf(n))
        return
      case 'trim':
        for (const { id, at } of [...samples.values()]) if (at < one.before) samples.delete(id)
        return
      case 'clear':
        samples.clear()
    }
  }

  newest(account: string, series: SeriesId, { limit, before, from = 0, terms }: Query): Sample[] {
    return [...this.of(account, series).values()]
      .filter(({ at }) => at >= from)
      .filter((sample) => !before || compare(sample, before) < 0)
      .filter((sample) => terms.every((list) => list.some((term) => sample.terms?.includes(term))))
      .sort((a, b) => compare(b, a))
      .slice(0, limit)
  }
}

function appended({ start, count, salt }: Extract<Step, { do: 'append' }>): Sample[] {
  return Array.from({ length: count }, (_, i) => sampleOf(start + i, salt))
}

/** Compares by time, then by the bytes of the id in UTF-8, which is the order of code points. */
function compare(a: Pick<Sample, 'at' | 'id'>, b: Pick<Sample, 'at' | 'id'>): number {
  return a.at - b.at || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))
}

function changeOf(one: Step) {
  const { series } = one
  switch (one.do) {
    case 'append':
      return { do: 'append', series, samples: appended(one) } as const
    case 'delete':
      return { do: 'delete-samples', series, ids: one.numbers.map(idOf) } as const
    case 'trim':
      return { do: 'trim', series, before: one.before } as const
    case 'clear':
      return { do: 'clear', scope: series.scope } as const
  }
}

function queryOf(series: SeriesId, { limit, before, from, terms }: Query): NewestQuery {
  return { series, limit, terms, ...(before && { before }), ...(from !== undefined && { from }) }
}

/**
 * Counts the terms of samples twice: in the table of samples, and in the index together with the list of unindexed
 * samples.
 */
const countTerms = `select
  (select coalesce(sum(json_array_length(terms)), 0) from halyard_samples) as stored,
  (select count(*) from halyard_sample_terms) + (select coalesce(sum(coalesce(json_array_length(s.terms), 1)), 0)
    from halyard_unindexed_samples u left join halyard_samples s using (account, scope, name, id)) as findable`

it('a query by terms returns the newest samples with the terms, whichever samples are indexed already', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ step, query }), { minLength: 1, maxLength: 12 }),
      fc.array(query, { minLength: 3, maxLength: 3 }),
      async (steps, lastQueries) => {
        const database = new Database(':memory:')
        const storage = createSqliteStorage({ database })
        await storage.migrate()
        const model = new Model()
        const check = async (account: string, series: SeriesId, one: Query) =>
          expect(await storage.account(account).newest(queryOf(series, one))).toEqual(
            model.newest(account, series, one),
          )
        for (const { step: one, query: after } of steps) {
          await storage.account(one.account).commit([changeOf(one)])
          model.apply(one)
          const { stored, findable } = database.prepare(countTerms).get() as { stored: number; findable: number }
          expect(findable).toBe(stored)
          await check(one.account, one.series, after)
        }
        for (const account of accounts)
          for (const series of allSeries) for (const one of lastQueries) await check(account, series, one)
        database.close()
      },
    ),
    { numRuns: 30 },
  )
})
