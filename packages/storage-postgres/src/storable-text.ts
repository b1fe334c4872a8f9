import type { Fields } from '@halyard/core/storage'
import { arrayLiteral } from './array-literal.ts'
import type { Query, SelectedRows, Selection, SqlDriver, SqlScalar, SqlValue } from './sql-driver.ts'

// Postgres text holds every character but U+0000, and what users send may hold that one as well. It is written as
// U+0001 U+0001, and U+0001 as U+0001 U+0002, which keeps the order by code point. Bodies need none of this: in JSON
// text neither stands by itself. A lone surrogate has no UTF-8 and becomes U+FFFD.
const nul = '\u0000'
const mark = '\u0001'
const escapedNul = '\u0001\u0001'
const escapedMark = '\u0001\u0002'
const escapedPair = new RegExp(`${mark}(.)`, 'gs')

/** Text as Postgres can hold it; nearly every text as it is. */
export function escapeText(text: string): string {
  if (!text.includes(nul) && !text.includes(mark)) return text
  return text.replaceAll(mark, escapedMark).replaceAll(nul, escapedNul)
}

/** The text that `escapeText` was given. */
export function unescapeText(text: string): string {
  if (!text.includes(mark)) return text
  return text.replace(escapedPair, (pair) => (pair === escapedNul ? nul : mark))
}

/** A query that escapes the text it is given and unescapes the text it finds: nobody else has to think of it. */
export function storingAnyText(query: Query): Query {
  return async <Row>({ text, values, name }: Parameters<Query>[0]) => {
    const { rows, count } = await query<Record<string, unknown>>({ text, values: values.map(escapeValue), name })
    for (const row of rows) unescapeRow(row)
    return { rows: rows as readonly Row[], count }
  }
}

/** The same for rows that come page by page. */
export async function* readingAnyText(
  driver: Pick<SqlDriver, 'read'>,
  selections: readonly Selection[],
): AsyncGenerator<SelectedRows> {
  const escaped = selections.map((one) => ({ ...one, values: one.values.map(escapeValue) }))
  for await (const page of driver.read(escaped)) {
    for (const row of page.rows) unescapeRow(row)
    yield page
  }
}

function escapeValue(value: SqlValue): SqlValue {
  if (typeof value === 'string') return escapeText(value)
  if (!Array.isArray(value)) return value
  return arrayLiteral(value) ?? value.map((item: SqlScalar) => (typeof item === 'string' ? escapeText(item) : item))
}

function unescapeRow(row: Record<string, unknown>): void {
  for (const name in row) {
    const value = row[name]
    if (typeof value === 'string' && value.includes(mark)) row[name] = unescapeText(value)
  }
}

// What jsonb refuses or we escape, in the form in which JSON text has it.
const unusualJson = /\\u(000[01]|d[89a-f])/

/** Fields as the text of a jsonb value, which unlike JSON text can hold neither U+0000 nor a lone surrogate. */
export function fieldsToJson(fields: Fields): string {
  const json = JSON.stringify(fields)
  if (!unusualJson.test(json)) return json
  return JSON.stringify(fields, (_name, value) => (typeof value === 'string' ? escapeText(wellFormed(value)) : value))
}

/** A scalar as the text of a jsonb value, to be compared with fields. */
export function scalarToJson(value: string | number | boolean): string {
  return JSON.stringify(typeof value === 'string' ? escapeText(wellFormed(value)) : value)
}

/** The fields that `fieldsToJson` was given. */
export function fieldsFromJson(json: string): Fields {
  if (!json.includes('\\u0001')) return JSON.parse(json)
  return JSON.parse(json, (_name, value) => (typeof value === 'string' ? unescapeText(value) : value))
}

const surrogate = /[\ud800-\udfff]/

/** Text as it comes back: a lone surrogate as U+FFFD. */
export function wellFormed(text: string): string {
  if (!surrogate.test(text)) return text
  return new TextDecoder().decode(new TextEncoder().encode(text))
}
