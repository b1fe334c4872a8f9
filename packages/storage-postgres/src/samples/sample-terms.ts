import { escapeText, type NewestQuery, type Sample, unescapeText, wellFormed } from '@halyard/core/storage'
import type { AccountBinding } from '../statements/account-binding.ts'
import type { Bind } from '../statements/bind.ts'

/**
 * Samples are found by their terms in two steps. The first tests the newest samples of the series, which are adjacent
 * in the index by time. Only when they do not fill the page does the second read an inverted index of the terms, whose
 * entries have no order. See docs/decisions/0014-index-the-change-log-by-terms.md.
 */

/**
 * Number of samples that the first step tests. It fills a page of 20 for every term that at least one sample in 50 has.
 */
const testedSamples = 1_000

/** Returns the terms of a sample as the text of a JSON list, or null when it has no terms. */
export function termsToJson({ terms }: Sample): string | null {
  return terms && terms.length > 0 ? JSON.stringify(terms.map((term) => escapeText(wellFormed(term)))) : null
}

/** Parses the output of `termsToJson`. */
export function termsFromJson(json: string): string[] {
  return (JSON.parse(json) as string[]).map(unescapeText)
}

/** Returns a query for the ids and times, newest first, of the samples that have a term of each list in `terms`. */
export function selectByTerms(
  { tables, owner, bind }: AccountBinding,
  { series, limit, before, from, terms: lists = [] }: NewestQuery,
): string {
  const { samples, termHashes } = tables
  const scope = `${bind(series.scope)}::text`
  const name = `${bind(series.name)}::text`
  const maxRows = `${bind(limit)}::bigint`
  const listParameters = lists.map((terms) => `${bind(terms)}::text[]`)
  const inRange = [
    `s.account = ${owner} and s.scope = ${scope} and s.name = ${name}`,
    ...boundsSql({ before, from }, 's', bind),
  ].join(' and ')
  const hasTerms = listParameters.map((terms) => `s.terms && ${terms}`).join(' and ')
  const isIndexed = listParameters.map(
    (terms) =>
      `${termHashes}(s.account, s.scope, s.name, s.terms) && ${termHashes}(${owner}, ${scope}, ${name}, ${terms})`,
  )
  // The matches of the index are materialized. Otherwise the planner, which expects many matches for every term, would
  // read the series in order of time until enough samples match.
  return `with tested as materialized (
      select s.at, s.id, s.terms from ${samples} s where ${inRange} order by s.at desc, s.id desc limit ${testedSamples}
    ), newer as materialized (
      select s.at, s.id from tested s where ${hasTerms} order by s.at desc, s.id desc limit ${maxRows}
    ), indexed as materialized (
      select s.at, s.id from ${samples} s where ${inRange} and ${isIndexed.join(' and ')} and ${hasTerms}
        and (s.at, s.id) < (select t.at, t.id from tested t order by t.at, t.id limit 1)
        and (select count(*) from tested) = ${testedSamples} and (select count(*) from newer) < ${maxRows}
    )
    select at, id from (select at, id from newer union all select at, id from indexed) as found
    order by at desc, id desc limit ${maxRows}`
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

/**
 * Returns a short text that identifies these conditions in the name of a statement. Postgres uses only the first 63
 * bytes of a name.
 */
export function boundsShape({ before, since, from }: Bounds): string {
  return `${before ? 'b' : ''}${since ? 's' : ''}${from === undefined ? '' : 'f'}`
}
