import { boundary, type Sample, type SeriesId } from '@halyard/core/storage'
import type { SqlScalar, Statement } from '../connections/sql-driver.ts'
import type { AccountTables } from '../schema/account-tables.ts'
import { type AccountBinding, bindAccount } from '../statements/account-binding.ts'
import { collectValues } from '../statements/bind.ts'
import { compareTexts } from '../statements/compare-texts.ts'
import { maxSampleValues, valueColumns } from './sample-columns.ts'
import { termsToJson } from './sample-terms.ts'

/** Columns that are written for each sample. */
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
  { tables, account }: AccountTables,
  series: SeriesId,
  samples: readonly Sample[],
): Statement {
  const { values, bind } = collectValues()
  const width = samples.reduce((max, { values }) => Math.max(max, values.length), 0)
  const withTerms = samples.some(hasTerms)
  const columns = [...sampleColumns.slice(0, fixedColumnCount + width), ...(withTerms ? [termsColumn] : [])]
  const arrays = columns.map(([, type, of]) => `${bind(samples.map(of))}::${type}[]`).join(', ')
  const binding: AccountBinding = { tables, owner: bind(account), bind, values }
  const text = appendText(binding, series, { source: `unnest(${arrays})`, width, withTerms })
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
export function appendFewParts(binding: AccountBinding, samples: readonly AppendedSample[]): AppendedParts {
  const { bind } = binding
  const parts: string[] = []
  const resultQueries: string[] = []
  for (const [number, { series, sample, changeIndex }] of samples.entries()) {
    const row = sentColumns.map(([, type, of]) => `${bind(of(sample))}::${type}`).join(', ')
    const append = appendText(binding, series, {
      source: `(values (${row}))`,
      width: maxSampleValues,
      withTerms: true,
    })
    parts.push(`appended${number} as (${append} returning 1)`)
    resultQueries.push(`select null, ${bind(changeIndex)}::int, null, null, null from appended${number}`)
  }
  return { parts, resultQueries, shape: samples.length > 0 ? `a${samples.length}` : '' }
}

/** Returns parts that append samples of many series together. */
export function appendManyParts(binding: AccountBinding, samples: readonly AppendedSample[]): AppendedParts {
  const { bind } = binding
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
  const append = appendFrom(binding, ['added.scope', 'added.name'], { source: 'added', width, withTerms: true })
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

/** Rows of samples that a statement appends. */
interface SampleRows {
  /** SQL of the rows. */
  readonly source: string
  /** The number of value columns. */
  readonly width: number
  /** True when the rows have the column of terms. */
  readonly withTerms: boolean
}

/** Returns SQL that appends samples to one series. */
function appendText(binding: AccountBinding, series: SeriesId, { source, width, withTerms }: SampleRows): string {
  const { bind } = binding
  const names = [...namesOf(width), ...(withTerms ? ['terms_json'] : [])].join(', ')
  const scopeAndName = [bind(series.scope), bind(series.name)] as const
  return appendFrom(binding, scopeAndName, { source: `${source} as added(${names})`, width, withTerms })
}

/**
 * Returns SQL that appends samples.
 *
 * @param rows rows whose source is named `added`.
 */
function appendFrom(
  { tables, owner }: AccountBinding,
  [scope, name]: readonly [scope: string, name: string],
  { source, width, withTerms }: SampleRows,
): string {
  const names = namesOf(width)
  const terms = `(select array_agg(t.term order by t.n)
    from jsonb_array_elements_text(added.terms_json::jsonb) with ordinality as t(term, n))`
  return `insert into ${tables.samples} (account, scope, name, ${names.join(', ')}${withTerms ? ', terms' : ''})
    select ${owner}, ${scope}, ${name}, ${names.map((column) => `added.${column}`).join(', ')}${withTerms ? `, ${terms}` : ''}
    from ${source} on conflict do nothing`
}

function namesOf(width: number): string[] {
  return sampleColumns.slice(0, fixedColumnCount + width).map(([name]) => name)
}

/** Returns the statement that deletes the samples with these ids. */
export function deleteSamplesStatement(
  accountTables: AccountTables,
  series: SeriesId,
  ids: readonly string[],
): Statement {
  const { tables, owner, bind, values } = bindAccount(accountTables)
  const seriesCondition = `account = ${owner} and scope = ${bind(series.scope)} and name = ${bind(series.name)}`
  const text = `delete from ${tables.samples} where ${seriesCondition} and id = any(${bind(ids)}::text[])`
  return { name: `withdraw ${tables.schema}`, text, values }
}

/** Returns the statement that deletes the samples that are older than a time. */
export function trimStatement(accountTables: AccountTables, series: SeriesId, before: number): Statement {
  const { tables, owner, bind, values } = bindAccount(accountTables)
  const seriesCondition = `account = ${owner} and scope = ${bind(series.scope)} and name = ${bind(series.name)}`
  const text = `delete from ${tables.samples} where ${seriesCondition} and at < ${bind(boundary(before))}::bigint`
  return { name: `trim ${tables.schema}`, text, values }
}

// Clients write a number parameter with String(), which drops the sign of -0.
function doubleParameter(value: number | null | undefined): SqlScalar {
  return Object.is(value, -0) ? '-0' : (value ?? null)
}
