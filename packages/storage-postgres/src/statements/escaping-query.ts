import { escapeText, unescapeText } from '@halyard/core/storage'
import type { Query, SelectedRows, Selection, SqlDriver, SqlScalar, SqlValue } from '../connections/sql-driver.ts'
import { arrayLiteral } from './array-literal.ts'

/**
 * Returns a query function that escapes the parameters and unescapes the text of the rows, so that its callers do not
 * need to.
 */
export function escapingQuery(query: Query): Query {
  return async <Row>(statement: Parameters<Query>[0]) => {
    const { text, values, name } = statement
    if (statement.ofApplication) return query<Row>({ text, values })
    const { rows, count } = await query<Record<string, unknown>>({ text, values: values.map(escapeValue), name })
    for (const row of rows) unescapeRow(row)
    return { rows: rows as readonly Row[], count }
  }
}

/** Unescapes the texts of rows that are read page by page. */
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
    if (typeof value === 'string') row[name] = unescapeText(value)
  }
}
