import type { NewestQuery, Sample, SampleColumns, ScanQuery, SeriesId } from '@halyard/core'
import { type Bind, collectValues } from './bind.ts'
import {
  addTermsPart,
  boundsShape,
  boundsSql,
  foundByTerms,
  rarestFirst,
  removeTermsPart,
  termsFromJson,
  termsToJson,
} from './sample-terms.ts'
import type { Select, Selected } from './selected-together.ts'
import type { Query, SqlScalar, Statement } from './sql-driver.ts'
import { unescapeText } from './storable-text.ts'
import type { Tables } from './tables.ts'

const widest = 8
const valueColumns = Array.from({ length: widest }, (_, column) => `v${column}`)

interface ScannedRow {
  /** Null when no sample was found. */
  readonly labels: string | null
  readonly at: string | null
  readonly [column: `v${number}`]: string | null
}

/**
 * Samples of a range as columns.
 *
 * The server sends each column as one base64 text of its doubles: a third of the time that rows take through `pg`,
 * a tenth through PGlite, and no digit is lost on the way.
 */
export async function scanSamples(
  query: Select,
  tables: Tables,
  account: string,
  scan: ScanQuery,
): Promise<SampleColumns> {
  const { rows } = await query<ScannedRow>(scanStatement(tables, account, scan))
  const row = rows[0]
  const columns = valueColumns.slice(0, scan.columns) as `v${number}`[]
  return {
    at: decodeDoubles(row?.at),
    ...numberLabels(row?.labels),
    values: columns.map((column) => decodeDoubles(row?.[column])),
  }
}

function scanStatement(
  { schema, samples }: Tables,
  account: string,
  { series, from, to, labels, columns }: ScanQuery,
): Selected {
  const { values, bind } = collectValues()
  const where = [
    `account = ${bind(account)} and scope = ${bind(series.scope)} and name = ${bind(series.name)}`,
    `at >= ${bind(boundary(from))}::bigint and at < ${bind(boundary(to))}::bigint`,
    ...(labels ? [`label = any(${bind(labels)}::text[])`] : []),
  ].join(' and ')
  const wanted = valueColumns.slice(0, columns)
  const doubles = (value: string) => `encode(string_agg(float8send(${value}), ''), 'base64')`
  const packed = [
    `json_agg(label)::text as labels`,
    `${doubles('at::float8')} as at`,
    ...wanted.map((column) => `${doubles(`coalesce(${column}, 'NaN')`)} as ${column}`),
  ]
  const text = `select ${packed.join(', ')} from (
    select ${['label', 'at', ...wanted].join(', ')} from ${samples} where ${where} order by at, id) as ordered`
  const found = Object.fromEntries(['labels', 'at', ...wanted].map((column) => [column, 'text'] as const))
  return { name: `scan-${columns}${labels ? '-labels' : ''} ${schema}`, text, values, columns: found }
}

/** Times are integers: every bound, infinite or between two of them, has an integer that cuts them alike. */
function boundary(time: number): number {
  return Math.ceil(Math.min(Math.max(time, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER + 1))
}

/** Doubles from base64 of their big-endian bytes. */
function decodeDoubles(packed: string | null | undefined): Float64Array {
  const binary = atob(packed ?? '')
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i)
  const view = new DataView(bytes.buffer)
  const doubles = new Float64Array(bytes.length / 8)
  for (let i = 0; i < doubles.length; i++) doubles[i] = view.getFloat64(i * 8)
  return doubles
}

function numberLabels(json: string | null | undefined): Pick<SampleColumns, 'labels' | 'label'> {
  const texts: string[] = JSON.parse(json ?? '[]')
  const numbers = new Map<string, number>()
  const label = new Uint32Array(texts.length)
  for (const [i, text] of texts.entries()) {
    const number = numbers.get(text) ?? numbers.size
    if (number === numbers.size) numbers.set(text, number)
    label[i] = number
  }
  return { labels: [...numbers.keys()].map(unescapeText), label }
}

type SampleRow = {
  readonly id: string
  readonly at: number
  readonly label: string
  readonly width: number
  readonly body: string
  readonly terms: string | null
} & {
  readonly [column: `v${number}`]: number | null
}

/** Samples newest first, those next to the cursor. */
export async function newestSamples(
  query: Select,
  tables: Tables,
  account: string,
  newest: NewestQuery,
): Promise<Sample[]> {
  const { rows } = await query<SampleRow>(newestStatement(tables, account, newest))
  const found = rows.map(sampleOf)
  return newest.since ? found.reverse() : found
}

/** The same of those that have the terms that are asked for. What is asked by several lists takes two questions. */
export async function newestByTerms(
  query: Query,
  tables: Tables,
  account: string,
  newest: NewestQuery,
): Promise<Sample[]> {
  const lists = await rarestFirst(query, tables, account, newest, newest.terms ?? [])
  if (!lists) return []
  const { rows } = await query<SampleRow>(byTermsStatement(tables, account, newest, lists))
  return rows.map(sampleOf)
}

function sampleOf(row: SampleRow): Sample {
  return {
    id: row.id,
    at: row.at,
    label: row.label,
    values: Array.from({ length: row.width }, (_, column) => row[`v${column}`] ?? null),
    body: JSON.parse(row.body),
    ...(row.terms === null ? {} : { terms: termsFromJson(row.terms) }),
  }
}

const rowColumns = [
  'id',
  'at::float8 as at',
  'label',
  'width',
  ...valueColumns,
  'body',
  'to_json(terms)::text as terms',
]

const newestColumns: Selected['columns'] = {
  ...{ id: 'text', label: 'text', body: 'text', terms: 'text', at: 'number', width: 'number' },
  ...Object.fromEntries(valueColumns.map((column) => [column, 'number'] as const)),
}

function newestStatement({ schema, samples }: Tables, account: string, newest: NewestQuery): Selected {
  const { series, limit, labels, since } = newest
  const direction = since ? 'asc' : 'desc'
  const { values, bind } = collectValues()
  const where = [
    `account = ${bind(account)} and scope = ${bind(series.scope)} and name = ${bind(series.name)}`,
    ...boundsSql(newest, 'samples', bind),
    ...(labels ? [`label = any(${bind(labels)}::text[])`] : []),
  ].join(' and ')
  const text = `select ${rowColumns.join(', ')} from ${samples}
    where ${where} order by samples.at ${direction}, id ${direction} limit ${bind(limit)}::bigint`
  return { name: `newest-${boundsShape(newest)}${labels ? 'l' : ''} ${schema}`, text, values, columns: newestColumns }
}

function byTermsStatement(
  tables: Tables,
  account: string,
  newest: NewestQuery,
  lists: readonly (readonly string[])[],
): Statement {
  const { values, bind } = collectValues()
  const { series } = newest
  const owner = bind(account)
  const found = foundByTerms(tables, owner, newest, lists, bind)
  const has = lists.map((terms) => `s.terms && ${bind(terms)}::text[]`).join(' and ')
  const columns = rowColumns.map((column) => `s.${column}`.replace('s.to_json(', 'to_json(s.')).join(', ')
  const text = `select ${columns} from ${found} as found join ${tables.samples} s on s.account = ${owner}
      and s.scope = ${bind(series.scope)} and s.name = ${bind(series.name)} and s.id = found.id and s.at = found.at
    where ${has} order by s.at desc, s.id desc`
  return { name: `terms-${lists.length}${boundsShape(newest)} ${tables.schema}`, text, values }
}

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
