import { boundary, type Sample, type SeriesId } from '@halyard/core/storage'
import { type Bind, collectValues } from './bind.ts'
import { compareTexts } from './compare-texts.ts'
import { maxSampleValues, valueColumns } from './sample-columns.ts'
import { termsToJson } from './sample-terms.ts'
import type { SqlScalar, Statement } from './sql-driver.ts'
import type { Tables } from './tables.ts'

/** Columns that are written of each sample. */
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

/** The column of terms. The statement converts the terms from text. */
const termsColumn: (typeof sampleColumns)[number] = ['terms_json', 'text', termsToJson]
const sentColumns: typeof sampleColumns = [...sampleColumns, termsColumn]

/** Number of columns before the values of a sample. */
const fixedColumnCount = sampleColumns.length - maxSampleValues

/**
 * Returns the statement that appends the samples that the series does not contain. If an id occurs twice in one call,
 * the first sample is appended. Value columns that no sample uses are not sent: for ten thousand rows they would be a
 * third of the work.
 */
export function appendStatement(
  tables: Tables,
  account: string,
  series: SeriesId,
  samples: readonly Sample[],
): Statement {
  const { values, bind } = collectValues()
  const width = samples.reduce((max, { values }) => Math.max(max, values.length), 0)
  const withTerms = samples.some(hasTerms)
  const columns = [...sampleColumns.slice(0, fixedColumnCount + width), ...(withTerms ? [termsColumn] : [])]
  const arrays = columns.map(([, type, of]) => `${bind(samples.map(of))}::${type}[]`).join(', ')
  const text = appendText(tables, bind(account), series, `unnest(${arrays})`, bind, { width, withTerms })
  return { name: `append-${withTerms ? 'terms-' : ''}${width} ${tables.schema}`, text, values }
}

/** A sample that a batch appends by itself. */
export interface AppendedSample {
  readonly series: SeriesId
  readonly sample: Sample
  /** Index of its change in the batch. */
  readonly changeIndex: number
}

/** The parts that a few appended samples add to a statement. The statement has bound the account. */
export interface AppendedParts {
  /** Common table expressions. */
  readonly parts: readonly string[]
  /** Queries that return one row for each sample that was appended, with the index of its change as `change`. */
  readonly resultQueries: readonly string[]
  /** Identifies the parts in the name of a statement. */
  readonly shape: string
}

/**
 * Returns parts of a statement that append a few samples, one part for each sample. The server plans such a statement
 * only once.
 */
export function appendFewParts(
  tables: Tables,
  account: string,
  samples: readonly AppendedSample[],
  bind: Bind,
): AppendedParts {
  const parts: string[] = []
  const resultQueries: string[] = []
  for (const [number, { series, sample, changeIndex }] of samples.entries()) {
    const row = sentColumns.map(([, type, of]) => `${bind(of(sample))}::${type}`).join(', ')
    const append = appendText(tables, account, series, `(values (${row}))`, bind)
    parts.push(`appended${number} as (${append} returning 1)`)
    resultQueries.push(`select null, ${bind(changeIndex)}::int, null, null, null from appended${number}`)
  }
  return { parts, resultQueries, shape: samples.length > 0 ? `a${samples.length}` : '' }
}

/** Returns parts that append samples of many series together. */
export function appendManyParts(
  tables: Tables,
  account: string,
  samples: readonly AppendedSample[],
  bind: Bind,
): AppendedParts {
  if (samples.length === 0) return { parts: [], resultQueries: [], shape: '' }
  const sorted = samples.toSorted(bySeriesAndId)
  const width = sorted.reduce((max, { sample }) => Math.max(max, sample.values.length), 0)
  const columns = [...sampleColumns.slice(0, fixedColumnCount + width), termsColumn]
  const arrays = [
    `${bind(sorted.map(({ series }) => series.scope))}::text[]`,
    `${bind(sorted.map(({ series }) => series.name))}::text[]`,
    `${bind(sorted.map(({ changeIndex }) => changeIndex))}::int[]`,
    ...columns.map(([, type, of]) => `${bind(sorted.map(({ sample }) => of(sample)))}::${type}[]`),
  ]
  const names = ['scope', 'name', 'place', ...columns.map(([name]) => name)]
  const added = `added as (select * from unnest(${arrays.join(', ')}) as a(${names.join(', ')}))`
  const append = appendFrom(tables, account, ['added.scope', 'added.name'], 'added', { width, withTerms: true })
  return {
    parts: [added, `appended as (${append} returning scope, name, id)`],
    resultQueries: ['select null, added.place, null, null, null from added join appended using (scope, name, id)'],
    shape: `as${width}`,
  }
}

function bySeriesAndId(a: AppendedSample, b: AppendedSample): number {
  return (
    compareTexts(a.series.scope, b.series.scope) ||
    compareTexts(a.series.name, b.series.name) ||
    compareTexts(a.sample.id, b.sample.id)
  )
}

function hasTerms({ terms }: Sample): boolean {
  return terms !== undefined && terms.length > 0
}

/** @param shape the number of value columns that `rows` has, and whether it has terms. */
function appendText(
  tables: Tables,
  account: string,
  series: SeriesId,
  rows: string,
  bind: Bind,
  { width, withTerms }: { readonly width: number; readonly withTerms: boolean } = {
    width: maxSampleValues,
    withTerms: true,
  },
): string {
  const names = [...namesOf(width), ...(withTerms ? ['terms_json'] : [])].join(', ')
  const scopeAndName = [bind(series.scope), bind(series.name)] as const
  return appendFrom(tables, account, scopeAndName, `${rows} as added(${names})`, { width, withTerms })
}

/** @param rows source of the samples, named `added`. */
function appendFrom(
  { samples }: Tables,
  account: string,
  [scope, name]: readonly [scope: string, name: string],
  rows: string,
  { width, withTerms }: { readonly width: number; readonly withTerms: boolean },
): string {
  const names = namesOf(width)
  const terms = `(select array_agg(t.term order by t.n)
    from jsonb_array_elements_text(added.terms_json::jsonb) with ordinality as t(term, n))`
  return `insert into ${samples} (account, scope, name, ${names.join(', ')}${withTerms ? ', terms' : ''})
    select ${account}, ${scope}, ${name}, ${names.map((column) => `added.${column}`).join(', ')}${withTerms ? `, ${terms}` : ''}
    from ${rows} on conflict do nothing`
}

function namesOf(width: number): string[] {
  return sampleColumns.slice(0, fixedColumnCount + width).map(([name]) => name)
}

/** Returns the statement that deletes the samples with these ids. */
export function deleteSamplesStatement(
  tables: Tables,
  account: string,
  series: SeriesId,
  ids: readonly string[],
): Statement {
  const { values, bind } = collectValues()
  const seriesCondition = `account = ${bind(account)} and scope = ${bind(series.scope)} and name = ${bind(series.name)}`
  const text = `delete from ${tables.samples} where ${seriesCondition} and id = any(${bind(ids)}::text[])`
  return { name: `withdraw ${tables.schema}`, text, values }
}

/** Returns the statement that deletes the samples that are older than a time. */
export function trimStatement(tables: Tables, account: string, series: SeriesId, before: number): Statement {
  const { values, bind } = collectValues()
  const seriesCondition = `account = ${bind(account)} and scope = ${bind(series.scope)} and name = ${bind(series.name)}`
  const text = `delete from ${tables.samples} where ${seriesCondition} and at < ${bind(boundary(before))}::bigint`
  return { name: `trim ${tables.schema}`, text, values }
}

// Clients write a number parameter with String(), which drops the sign of -0.
function doubleParameter(value: number | null | undefined): SqlScalar {
  return Object.is(value, -0) ? '-0' : (value ?? null)
}
