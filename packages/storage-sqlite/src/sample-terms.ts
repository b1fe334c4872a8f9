import { compareCodePoints, type NewestQuery, type Sample } from '@halyard/core/storage'
import { boundsSql, listJson, ofSeries, sampleOf } from './samples.ts'
import { joinSql, type Sql, sql } from './sql.ts'
import { type AccountDatabase, select } from './sqlite-driver.ts'

type Terms = readonly string[]

/** Maximum number of samples that are counted for a list of terms, to find the list with the fewest samples. */
const probeDepth = 500

/** Maximum number of terms whose samples are read in one transaction. */
const maxTermsPerRead = 50

/**
 * Returns samples that have a term of each list, newest first.
 *
 * The samples of one term are a range of an index in the order of the result, so each term of the first list is read up
 * to the limit, and each sample is looked up under the terms of the other lists. The first list is the list whose terms
 * have the fewest samples. The newest samples are not in the index yet; their terms are tested one by one.
 */
export async function newestByTerms(database: AccountDatabase, newest: NewestQuery): Promise<Sample[]> {
  const { driver, account } = database
  const lists = await rarestFirst(database, newest)
  const [first = [], ...others] = lists.map((terms) => [...new Set(terms)])
  const samples = new Map<string, Sample>()
  for (let start = 0; start < first.length; start += maxTermsPerRead) {
    const statements = first
      .slice(start, start + maxTermsPerRead)
      .map((term) => select(samplesOfTerm(account, newest, { term, others })))
    // The unindexed samples are read in the first transaction. So a sample that is indexed between two transactions is
    // found twice, but is never missed.
    if (start === 0) statements.push(select(unindexedSamples(account, newest, lists)))
    for (const row of (await driver.read(statements)).flat()) {
      const sample = sampleOf(row)
      samples.set(sample.id, sample)
    }
  }
  return [...samples.values()].sort((a, b) => b.at - a.at || compareCodePoints(b.id, a.id)).slice(0, newest.limit)
}

/** A term, and the lists of terms that samples must also have. */
interface TermSearch {
  readonly term: string
  readonly others: readonly Terms[]
}

function samplesOfTerm(account: string, newest: NewestQuery, { term, others }: TermSearch): Sql {
  const { series, limit } = newest
  const tests = others.map(
    (terms) => sql`and exists (select 1 from halyard_sample_terms o where ${ofSeries(account, series)}
      and o.term in (select value from json_each(${listJson(terms)})) and o.at = p.at and o.id = p.id)`,
  )
  return sql`select s.id, s.at, s.label, s.numbers, s.body, s.terms from (
      select at, id from halyard_sample_terms p
      where ${ofSeries(account, series)} and term = ${term} ${boundsSql(newest)} ${joinSql(tests, ' ')}
      order by at desc, id desc limit ${limit}
    ) f cross join halyard_samples s on s.account = ${account} and s.scope = ${series.scope}
      and s.name = ${series.name} and s.id = f.id`
}

function unindexedSamples(account: string, newest: NewestQuery, lists: readonly Terms[]): Sql {
  const { series, limit } = newest
  const tests = lists.map(
    (terms) => sql`and exists (select 1 from json_each(s.terms)
      where value in (select value from json_each(${listJson(terms)})))`,
  )
  return sql`select s.id, s.at, s.label, s.numbers, s.body, s.terms from (
      select at, id from halyard_unindexed_samples where ${ofSeries(account, series)} ${boundsSql(newest)}
    ) u cross join halyard_samples s on s.account = ${account} and s.scope = ${series.scope}
      and s.name = ${series.name} and s.id = u.id
    where true ${joinSql(tests, ' ')} order by u.at desc, u.id desc limit ${limit}`
}

async function rarestFirst({ driver, account }: AccountDatabase, newest: NewestQuery): Promise<readonly Terms[]> {
  const lists = newest.terms ?? []
  if (lists.length < 2) return lists
  const counts = await driver.read(
    lists.map((terms) =>
      select(sql`select count(*) as n from (select 1 from halyard_sample_terms
        where ${ofSeries(account, newest.series)} and term in (select value from json_each(${listJson(terms)}))
        ${boundsSql(newest)} limit ${probeDepth})`),
    ),
  )
  const countOf = (list: number) => Number(counts[list]?.[0]?.n)
  return [...lists.keys()].sort((a, b) => countOf(a) - countOf(b)).map((list) => lists[list] ?? [])
}
