import { coalesced } from './coalesced.ts'
import type { Query, SqlResult, SqlValue, Statement } from './sql-driver.ts'

/** A `select` that says which columns are wanted of its rows. It either has a limit or one row. */
export interface Selected extends Statement {
  readonly columns: Readonly<Record<string, 'text' | 'number'>>
}

export type Select = <Row>(statement: Selected) => Promise<SqlResult<Row>>

/** More questions than this are more than one statement: to plan one takes longer the more parts it has. */
const mostTogether = 100

/**
 * A query that makes one statement of all that is selected in one turn: whoever stands on several lists and series pays
 * one round trip. What is alone in its turn stays as it is.
 */
export function selectedTogether(query: Query): Select {
  const ask = coalesced(async (statements: readonly Selected[]): Promise<SqlResult<unknown>[]> => {
    const parts: (readonly Selected[])[] = []
    for (let i = 0; i < statements.length; i += mostTogether) parts.push(statements.slice(i, i + mostTogether))
    return (await Promise.all(parts.map((part) => selectAll(query, part)))).flat()
  })
  return async <Row>(statement: Selected) => (await ask([statement]))[0] as SqlResult<Row>
}

type PackedRow = { readonly question: number } & { readonly [column: `c${number}`]: string | null }

async function selectAll(query: Query, statements: readonly Selected[]): Promise<SqlResult<unknown>[]> {
  const [first, ...others] = statements
  if (first && others.length === 0) return [await query(first)]
  const columns = statements.map((statement) => Object.entries(statement.columns))
  const answers = statements.map((): Record<string, unknown>[] => [])
  const { rows } = await query<PackedRow>(unionOf(statements))
  for (const row of rows) {
    const unpacked: Record<string, unknown> = {}
    for (const [i, [name, type]] of columns[row.question]!.entries()) {
      const text = row[`c${i}`] ?? null
      unpacked[name] = type === 'text' || text === null ? text : Number(text)
    }
    answers[row.question]!.push(unpacked)
  }
  return answers.map((found) => ({ rows: found, count: found.length }))
}

/**
 * All statements as one, whose rows say which of them they answer. Their columns are text there. The server has no reason
 * to mix the rows of one that is limited or has a single row.
 */
function unionOf(statements: readonly Selected[]): Statement {
  const widest = Math.max(...statements.map(({ columns }) => Object.keys(columns).length))
  const values: SqlValue[] = []
  const parts = statements.map((statement, question) => {
    const before = values.length
    values.push(...statement.values)
    // No value stands in the text, so every `$` begins a placeholder.
    const text = statement.text.replaceAll(/\$(\d+)/g, (_, place) => `$${Number(place) + before}`)
    const names = Object.keys(statement.columns)
    const columns = Array.from({ length: widest }, (_, i) => `${names[i] ?? 'null'}::text as c${i}`)
    return `select ${question} as question, ${columns.join(', ')} from (${text}) as answer`
  })
  return { text: parts.join(' union all '), values }
}
