import type { Fields } from '@halyard/core/storage'
import { arrayLiteral } from './array-literal.ts'
import type { Query, SelectedRows, Selection, SqlDriver, SqlScalar, SqlValue } from './sql-driver.ts'

// Postgres text can contain every character except U+0000, which users may send. It is stored as U+0001 U+0001, and
// U+0001 as U+0001 U+0002, which keeps the order by code point. Bodies need none of this, because JSON text contains
// neither character unescaped. A lone surrogate has no UTF-8 encoding and becomes U+FFFD.
const nul = '\u0000'
const escapeCharacter = '\u0001'
const escapedNul = '\u0001\u0001'
const escapedMark = '\u0001\u0002'
const escapedPair = new RegExp(`${escapeCharacter}(.)`, 'gs')

/** Escapes text so that Postgres can store it. Nearly every text is returned unchanged. */
export function escapeText(text: string): string {
  if (!text.includes(nul) && !text.includes(escapeCharacter)) return text
  return text.replaceAll(escapeCharacter, escapedMark).replaceAll(nul, escapedNul)
}

/** Returns the text that `escapeText` escaped. */
export function unescapeText(text: string): string {
  if (!text.includes(escapeCharacter)) return text
  return text.replace(escapedPair, (pair) => (pair === escapedNul ? nul : escapeCharacter))
}

/**
 * Returns a query function that escapes the parameters and unescapes the text of the rows, so that its callers need
 * not.
 */
export function escapingQuery(query: Query): Query {
  return async <Row>({ text, values, name }: Parameters<Query>[0]) => {
    const { rows, count } = await query<Record<string, unknown>>({ text, values: values.map(escapeValue), name })
    for (const row of rows) unescapeRow(row)
    return { rows: rows as readonly Row[], count }
  }
}

/** Does the same for rows that are read page by page. */
export async function* readEscaped(
  driver: Pick<SqlDriver, 'read'>,
  selections: readonly Selection[],
): AsyncGenerator<SelectedRows> {
  const escaped = selections.map((selection) => ({ ...selection, values: selection.values.map(escapeValue) }))
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
    if (typeof value === 'string' && value.includes(escapeCharacter)) row[name] = unescapeText(value)
  }
}

// Matches what jsonb refuses or `escapeText` escapes, as JSON text writes it.
const unusualJson = /\\u(000[01]|d[89a-f])/

/**
 * Returns fields as the text of a jsonb value, which unlike JSON text can contain neither U+0000 nor a lone surrogate.
 */
export function fieldsToJson(fields: Fields): string {
  const json = JSON.stringify(fields)
  if (!unusualJson.test(json)) return json
  return JSON.stringify(fields, (_name, value) => (typeof value === 'string' ? escapeText(wellFormed(value)) : value))
}

/** Returns a scalar as the text of a jsonb value, to be compared with fields. */
export function scalarToJson(value: string | number | boolean): string {
  return JSON.stringify(typeof value === 'string' ? escapeText(wellFormed(value)) : value)
}

/** Parses the output of `fieldsToJson`. */
export function fieldsFromJson(json: string): Fields {
  if (!json.includes('\\u0001')) return JSON.parse(json)
  return JSON.parse(json, (_name, value) => (typeof value === 'string' ? unescapeText(value) : value))
}

const surrogate = /[\ud800-\udfff]/

/** Returns text as the database returns it: a lone surrogate becomes U+FFFD. */
export function wellFormed(text: string): string {
  if (!surrogate.test(text)) return text
  return new TextDecoder().decode(new TextEncoder().encode(text))
}
