import { escapeText, type NewestQuery, type Sample, unescapeText, wellFormed } from '@halyard/core/storage'
import { type Bind, collectValues } from './bind.ts'
import type { Query, Statement } from './sql-driver.ts'
import type { Tables } from './tables.ts'

/**
 * Index of samples by term: one row for each term of each sample, so that the samples of a term are one range of an
 * index, the newest last. The index stores a term as a 64-bit hash of the term and its series, which keeps ten million
 * entries with a dozen terms each in memory. A collision is extremely unlikely, and the terms of the samples that are
 * found are compared again.
 */

/** Returns the terms of a sample as the text of a JSON list, or null when it has none. */
export function termsToJson({ terms }: Sample): string | null {
  return terms && terms.length > 0 ? JSON.stringify(terms.map((term) => escapeText(wellFormed(term)))) : null
}

/** Parses the output of `termsToJson`. */
export function termsFromJson(json: string): string[] {
  return (JSON.parse(json) as string[]).map(unescapeText)
}

/** Returns SQL for the number that the table stores for a term of a series. */
function termHash(scope: string, name: string, term: string): string {
  return `hashtextextended(${term}, hashtextextended(${scope} || '/' || ${name}, 0))`
}

/** Returns a statement part that adds the terms of inserted samples. */
export function addTermsPart({ sampleTerms }: Tables, added: string): string {
  return `insert into ${sampleTerms} (account, term, at, id)
    select distinct s.account, ${termHash('s.scope', 's.name', 't.term')}, s.at, s.id
    from ${added} s, unnest(s.terms) as t(term) on conflict do nothing`
}

/** Returns a statement part that deletes the terms of deleted samples. */
export function removeTermsPart({ sampleTerms }: Tables, removed: string): string {
  return `delete from ${sampleTerms} p using ${removed} s, unnest(s.terms) as t(term)
    where p.account = s.account and p.term = ${termHash('s.scope', 's.name', 't.term')} and p.at = s.at and p.id = s.id`
}

type Terms = readonly string[]

/** Returns SQL that selects the samples that have a term of each list, newest first, as the ids and times `f`. */
export function selectByTerms(
  { sampleTerms }: Tables,
  account: string,
  { series, limit, before, from }: NewestQuery,
  [first = [], ...others]: readonly Terms[],
  bind: Bind,
): string {
  const scope = bind(series.scope)
  const name = bind(series.name)
  const termHashes = (terms: Terms) =>
    `(select array_agg(${termHash(`${scope}::text`, `${name}::text`, 'u.term')})
      from unnest(${bind(terms)}::text[]) as u(term))::bigint[]`
  const maxRows = bind(limit)
  // The limit makes each of these an index look-up. As a join it could be planned as a scan over all samples of a term.
  const tests = others.map(
    (terms, i) => `cross join lateral (select from ${sampleTerms} o where o.account = ${account}
      and o.term = any(${termHashes(terms)}) and o.at = p.at and o.id = p.id limit 1) as also${i}`,
  )
  const bounds = boundsSql({ before, from }, 'p', bind)
  return `(select f.at, f.id from unnest(${termHashes(first)}) as t(term) cross join lateral (
      select p.at, p.id from ${sampleTerms} p ${tests.join(' ')}
      where ${[`p.account = ${account} and p.term = t.term`, ...bounds].join(' and ')}
      order by p.at desc, p.id desc limit ${maxRows}::bigint) as f
    group by f.at, f.id order by f.at desc, f.id desc limit ${maxRows}::bigint)`
}

type Bounds = Pick<NewestQuery, 'before' | 'since' | 'from'>

/** Returns conditions that restrict the rows named `row` to a range of time. */
export function boundsSql({ before, since, from }: Bounds, row: string, bind: Bind): string[] {
  const cursorTuple = (cursor: { readonly at: number; readonly id: string }) =>
    `(${bind(cursor.at)}::bigint, ${bind(cursor.id)}::text collate "C")`
  return [
    ...(before ? [`(${row}.at, ${row}.id) < ${cursorTuple(before)}`] : []),
    ...(since ? [`(${row}.at, ${row}.id) > ${cursorTuple(since)}`] : []),
    ...(from === undefined ? [] : [`${row}.at >= ${bind(from)}::bigint`]),
  ]
}

/** Identifies these conditions in the name of a statement, of which Postgres keeps 63 bytes. */
export function boundsShape({ before, since, from }: Bounds): string {
  return `${before ? 'b' : ''}${since ? 's' : ''}${from === undefined ? '' : 'f'}`
}

/** Number of samples of a term that are used to estimate how close together they are. */
const probeDepth = 500

interface Probe {
  readonly list: number
  /** Time of the newest sample. */
  readonly newest: number
  /** Time of the sample that has `probeDepth` newer ones; null when there are fewer. */
  readonly later: number | null
}

/**
 * Returns the lists of terms, first the one whose samples before the cursor are furthest apart: the query iterates over
 * its samples and checks each for the other lists. Returns undefined when a list has no samples.
 */
export async function rarestFirst(
  query: Query,
  tables: Tables,
  account: string,
  newest: NewestQuery,
  lists: readonly Terms[],
): Promise<readonly Terms[] | undefined> {
  if (lists.length === 1) return lists
  const { rows } = await query<Probe>(probeStatement(tables, account, newest, lists))
  const top = Math.max(...rows.map((row) => row.newest))
  const weights = lists.map((_, list) =>
    rows
      .filter((row) => row.list === list)
      .reduce((sum, { later }) => sum + (later === null ? 0 : probeDepth / (top - later + 1)), 0),
  )
  if (lists.some((_, list) => !rows.some((row) => row.list === list))) return undefined
  return [...lists.keys()].sort((a, b) => weights[a]! - weights[b]!).map((list) => lists[list]!)
}

function probeStatement(
  { schema, sampleTerms }: Tables,
  account: string,
  { series, before, from }: NewestQuery,
  lists: readonly Terms[],
): Statement {
  const { values, bind } = collectValues()
  const owner = bind(account)
  const hash = termHash(`${bind(series.scope)}::text`, `${bind(series.name)}::text`, 'u.term')
  const listTerms = lists.flatMap((terms, list) => terms.map((term) => [list, term] as const))
  const where = [`p.account = ${owner} and p.term = ${hash}`, ...boundsSql({ before, from }, 'p', bind)].join(' and ')
  const at = (offset: number) => `select p.at::float8 as at from ${sampleTerms} p
    where ${where} order by p.at desc, p.id desc offset ${offset} limit 1`
  const text = `select u.list, first.at as newest, later.at as later
    from unnest(${bind(listTerms.map(([list]) => list))}::int[], ${bind(listTerms.map(([, term]) => term))}::text[]) as u(list, term)
    cross join lateral (${at(0)}) as first left join lateral (${at(probeDepth)}) as later on true`
  return { name: `probe-${boundsShape({ before, from })} ${schema}`, text, values }
}
