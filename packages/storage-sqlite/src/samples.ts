import {
  boundary,
  escapeText,
  type NewestQuery,
  type Sample,
  type SampleColumns,
  type ScanQuery,
  type SeriesId,
  unescapeText,
  wellFormed,
} from '@halyard/core/storage'
import { jsonChunks } from './row-source.ts'
import { type Sql, type SqlValue, sql } from './sql.ts'
import { type AccountDatabase, type Row, select } from './sqlite-driver.ts'

/** The columns of a sample that `sampleRow` writes and `sampleOf` reads. */
export const sampleColumns = ['id', 'at', 'label', 'numbers', 'body', 'terms'] as const

/** Returns the values of `sampleColumns` for a sample. */
export function sampleRow({ id, at, label, values, body, terms }: Sample): SqlValue[] {
  return [id, at, label, numbersToJson(values), JSON.stringify(body ?? null), termsToJson(terms)]
}

/** Returns the sample that a row with `sampleColumns` contains. */
export function sampleOf({ id, at, label, numbers, body, terms }: Row): Sample {
  return {
    id: String(id),
    at: Number(at),
    label: String(label),
    values: JSON.parse(String(numbers)),
    body: JSON.parse(String(body)),
    ...(terms === null ? {} : { terms: (JSON.parse(String(terms)) as string[]).map(unescapeText) }),
  }
}

// JSON.stringify writes -0 as 0, which loses the sign. JSON.parse reads the text -0 correctly.
function numbersToJson(values: Sample['values']): string {
  return `[${values.map((value) => (Object.is(value, -0) ? '-0' : JSON.stringify(value)))}]`
}

function termsToJson(terms: Sample['terms']): string | null {
  return terms && terms.length > 0 ? JSON.stringify(terms.map((term) => escapeText(wellFormed(term)))) : null
}

/** Returns a condition for the rows of a series. */
export function ofSeries(account: string, { scope, name }: SeriesId): Sql {
  return sql`account = ${account} and scope = ${scope} and name = ${name}`
}

/** Returns the samples of a range as columns. */
export async function scanSamples(
  { driver, account }: AccountDatabase,
  { series, from, to, labels, columns }: ScanQuery,
): Promise<SampleColumns> {
  const withLabel = labels ? sql`and label in (select value from json_each(${listJson(labels)}))` : sql``
  const [rows = []] = await driver.read([
    select(sql`select at, label, numbers from halyard_samples where ${ofSeries(account, series)}
      and at >= ${boundary(from)} and at < ${boundary(to)} ${withLabel} order by at, id`),
  ])
  return columnsOf(rows, columns)
}

function columnsOf(rows: readonly Row[], columns: number): SampleColumns {
  const at = new Float64Array(rows.length)
  const label = new Uint32Array(rows.length)
  const values = Array.from({ length: columns }, () => new Float64Array(rows.length).fill(Number.NaN))
  const numbersOfLabels = new Map<string, number>()
  for (const [i, row] of rows.entries()) {
    at[i] = Number(row.at)
    const text = String(row.label)
    const number = numbersOfLabels.get(text) ?? numbersOfLabels.size
    numbersOfLabels.set(text, number)
    label[i] = number
    const numbers: Sample['values'] = columns > 0 ? JSON.parse(String(row.numbers)) : []
    for (const [column, doubles] of values.entries()) doubles[i] = numbers[column] ?? Number.NaN
  }
  return { at, labels: [...numbersOfLabels.keys()], label, values }
}

/** Returns samples in descending order, starting next to the cursor. */
export async function newestSamples({ driver, account }: AccountDatabase, newest: NewestQuery): Promise<Sample[]> {
  const { series, limit, labels, since } = newest
  const withLabel = labels ? sql`and label in (select value from json_each(${listJson(labels)}))` : sql``
  const order = since ? sql`at, id` : sql`at desc, id desc`
  const [rows = []] = await driver.read([
    select(sql`select id, at, label, numbers, body, terms from halyard_samples
      where ${ofSeries(account, series)} ${boundsSql(newest)} ${withLabel} order by ${order} limit ${limit}`),
  ])
  const samples = rows.map(sampleOf)
  return since ? samples.reverse() : samples
}

/** Returns which of these ids the samples of a series have. */
export async function findSamples(
  { driver, account }: AccountDatabase,
  { scope, name }: SeriesId,
  ids: readonly string[],
): Promise<string[]> {
  const statements = jsonChunks([...new Set(ids)]).map((json) =>
    select(sql`select s.id from json_each(${json}) w cross join halyard_samples s
      on s.account = ${account} and s.scope = ${scope} and s.name = ${name} and s.id = w.value`),
  )
  if (statements.length === 0) return []
  return (await driver.read(statements)).flat().map(({ id }) => String(id))
}

/** Returns conditions that restrict rows to a range of time. */
export function boundsSql({ before, since, from }: Pick<NewestQuery, 'before' | 'since' | 'from'>): Sql {
  const isBefore = before ? sql`and (at, id) < (${before.at}, ${before.id})` : sql``
  const isSince = since ? sql`and (at, id) > (${since.at}, ${since.id})` : sql``
  const isFrom = from === undefined ? sql`` : sql`and at >= ${from}`
  return sql`${isBefore} ${isSince} ${isFrom}`
}

/** Returns texts as a JSON list. */
export function listJson(texts: readonly string[]): string {
  return JSON.stringify(texts.map((text) => escapeText(wellFormed(text))))
}
