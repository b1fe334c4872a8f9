import { escapeText, wellFormed } from '@halyard/core/storage'
import { type Sql, type SqlValue, sql } from './sql.ts'

/**
 * Maximum length of the JSON text that contains the rows of one statement, in UTF-16 units, chosen so that the text has
 * at most a third of the two million bytes that D1 and Durable Objects allow. The values of a longer row are bound as
 * separate parameters.
 */
const maxJsonLength = 600_000

/** Maximum number of rows of one statement. With this number, the cost of the statement is small for each row. */
const maxRows = 5_000

/** Rows that one statement writes. */
export interface RowChunk {
  /** SQL that selects the rows, with the names of the columns. */
  readonly source: Sql
  readonly count: number
}

/**
 * Divides rows into the sources of as few statements as possible. One row is bound value by value, which SQLite does
 * not have to parse. More rows are one parameter, a JSON text, so that no number of rows exceeds the 100 parameters
 * that D1 and Durable Objects allow.
 *
 * @param columns names of the columns.
 */
export function rowChunks(columns: readonly string[], rows: readonly (readonly SqlValue[])[]): RowChunk[] {
  const chunks: RowChunk[] = []
  let pending: { readonly row: readonly SqlValue[]; readonly json: string }[] = []
  let length = 0
  const flush = () => {
    const [first, ...others] = pending
    if (first) {
      const source =
        others.length === 0 ? boundRow(columns, first.row) : jsonRows(columns, `[${pending.map(({ json }) => json)}]`)
      chunks.push({ source, count: pending.length })
    }
    pending = []
    length = 0
  }
  if (rows.length === 1) return [{ source: boundRow(columns, rows[0]!), count: 1 }]
  for (const row of rows) {
    const json = JSON.stringify(row.map(storable))
    if (pending.length === maxRows || length + json.length > maxJsonLength) flush()
    pending.push({ row, json })
    length += json.length
  }
  flush()
  return chunks
}

/** Divides texts into JSON lists, each the only parameter of a statement. */
export function jsonChunks(texts: readonly string[]): string[] {
  const chunks: string[] = []
  let pending: string[] = []
  let length = 0
  for (const text of texts) {
    const json = JSON.stringify(storable(text))
    if (pending.length > 0 && length + json.length > maxJsonLength) {
      chunks.push(`[${pending}]`)
      pending = []
      length = 0
    }
    pending.push(json)
    length += json.length + 1
  }
  if (pending.length > 0) chunks.push(`[${pending}]`)
  return chunks
}

/** Returns a value as SQLite can store it; nearly every value is returned unchanged. */
export function storable(value: SqlValue): SqlValue {
  return typeof value === 'string' ? escapeText(wellFormed(value)) : value
}

function boundRow(columns: readonly string[], row: readonly SqlValue[]): Sql {
  return { text: `select ${columns.map((column) => `? as ${column}`).join(', ')}`, values: row }
}

function jsonRows(columns: readonly string[], json: string): Sql {
  const selected = columns.map((column, i) => `value ->> ${i} as ${column}`).join(', ')
  return sql`select ${{ text: selected, values: [] }} from json_each(${json})`
}
