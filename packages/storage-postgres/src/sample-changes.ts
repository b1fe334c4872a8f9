import type { Sample, SeriesId } from '@halyard/core'
import { type Bind, collectValues } from './bind.ts'
import { boundary, valueColumns, widest } from './sample-columns.ts'
import { addTermsPart, removeTermsPart, termsToJson } from './sample-terms.ts'
import type { SqlScalar, Statement } from './sql-driver.ts'
import type { Tables } from './tables.ts'

/** What is written of each sample. */
export const sampleColumns: readonly [name: string, type: string, of: (sample: Sample) => SqlScalar][] = [
  ['id', 'text', (sample) => sample.id],
  ['at', 'bigint', (sample) => sample.at],
  ['label', 'text', (sample) => sample.label],
  ['width', 'int', (sample) => sample.values.length],
  ['body', 'text', (sample) => JSON.stringify(sample.body ?? null)],
  ...valueColumns.map((name, i): (typeof sampleColumns)[number] => [
    name,
    'float8',
    (sample) => doubleParameter(sample.values[i]),
  ]),
]

/** And what is not written as it is sent. */
const termsColumn: (typeof sampleColumns)[number] = ['terms_json', 'text', termsToJson]
const sent: typeof sampleColumns = [...sampleColumns, termsColumn]

/** What stands before the numbers of a sample. */
const namedColumns = sampleColumns.length - widest

/**
 * Appends those that are not in the series yet; of equal ids in one call the first wins. Columns that none of them has
 * are not sent: of ten thousand rows they would be a third of the work.
 */
export function appendStatement(
  tables: Tables,
  account: string,
  series: SeriesId,
  added: readonly Sample[],
): Statement {
  const { values, bind } = collectValues()
  const width = added.reduce((most, { values }) => Math.max(most, values.length), 0)
  const termed = added.some(hasTerms)
  const columns = [...sampleColumns.slice(0, namedColumns + width), ...(termed ? [termsColumn] : [])]
  const arrays = columns.map(([, type, of]) => `${bind(added.map(of))}::${type}[]`).join(', ')
  const append = appendText(tables, bind(account), series, `unnest(${arrays})`, bind, { width, termed })
  if (!termed) return { name: `append-${width} ${tables.schema}`, text: append, values }
  const text = `with ${appendParts(tables, append, 0).join(', ')} select null as appended from appended0`
  return { name: `append-terms-${width} ${tables.schema}`, text, values }
}

/** The same for one sample, as parts of another statement that has bound the account; `appended` with its number are its rows. */
export function appendOneParts(
  tables: Tables,
  account: string,
  series: SeriesId,
  sample: Sample,
  bind: Bind,
  number: number,
): readonly string[] {
  const row = sent.map(([, type, of]) => `${bind(of(sample))}::${type}`).join(', ')
  const append = appendText(tables, account, series, `(values (${row}))`, bind)
  return hasTerms(sample) ? appendParts(tables, append, number) : [`appended${number} as (${append} returning 1)`]
}

/** Whether a sample is found by terms. */
export function hasTerms({ terms }: Sample): boolean {
  return terms !== undefined && terms.length > 0
}

function appendParts(tables: Tables, append: string, number: number): readonly string[] {
  return [
    `appended${number} as (${append} returning account, scope, name, at, id, terms)`,
    `termed${number} as (${addTermsPart(tables, `appended${number}`)})`,
  ]
}

/**
 * @param shape how many of the columns of numbers `rows` has, and whether it has terms.
 */
function appendText(
  { samples }: Tables,
  account: string,
  series: SeriesId,
  rows: string,
  bind: Bind,
  { width, termed }: { readonly width: number; readonly termed: boolean } = { width: widest, termed: true },
): string {
  const names = sampleColumns.slice(0, namedColumns + width).map(([name]) => name)
  const from = (termed ? [...names, 'terms_json'] : names).join(', ')
  const terms = `(select array_agg(t.term order by t.n)
    from jsonb_array_elements_text(added.terms_json::jsonb) with ordinality as t(term, n))`
  return `insert into ${samples} (account, scope, name, ${names.join(', ')}${termed ? ', terms' : ''})
    select ${account}, ${bind(series.scope)}, ${bind(series.name)}, ${names.join(', ')}${termed ? `, ${terms}` : ''}
    from ${rows} as added(${from}) on conflict do nothing`
}

/** Removes the samples with these ids. */
export function withdrawStatement(
  tables: Tables,
  account: string,
  series: SeriesId,
  ids: readonly string[],
): Statement {
  const { values, bind } = collectValues()
  const place = `account = ${bind(account)} and scope = ${bind(series.scope)} and name = ${bind(series.name)}`
  const text = removeSamplesText(tables, `${place} and id = any(${bind(ids)}::text[])`)
  return { name: `withdraw ${tables.schema}`, text, values }
}

/** Removes the samples that are older than a time. */
export function trimStatement(tables: Tables, account: string, series: SeriesId, before: number): Statement {
  const { values, bind } = collectValues()
  const place = `account = ${bind(account)} and scope = ${bind(series.scope)} and name = ${bind(series.name)}`
  const text = removeSamplesText(tables, `${place} and at < ${bind(boundary(before))}::bigint`)
  return { name: `trim ${tables.schema}`, text, values }
}

/** The statement that removes samples and what they are found by; it has a row for each sample. */
export function removeSamplesText(tables: Tables, where: string): string {
  return `with ${removeSamplesParts(tables, where)} select null as removed from removed`
}

/** The parts of such a statement, for others to have as well: `removed` has a row for each sample. */
export function removeSamplesParts(tables: Tables, where: string): string {
  return `removed as (
      delete from ${tables.samples} where ${where} returning account, scope, name, at, id, terms
    ), unfound as (${removeTermsPart(tables, 'removed')})`
}

// As a parameter a number is written by String(), which drops the sign of -0.
function doubleParameter(value: number | null | undefined): SqlScalar {
  return Object.is(value, -0) ? '-0' : (value ?? null)
}
