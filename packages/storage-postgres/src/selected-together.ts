import { coalesced } from './coalesced.ts'
import type { Query, SqlResult, SqlValue, Statement } from './sql-driver.ts'
import { unescapeRow } from './storable-text.ts'

/** More questions than this are more than one statement: to plan one takes longer the more parts it has. */
const mostTogether = 100

/**
 * A query that makes one statement of all that is selected in one turn: whoever stands on several lists and series pays
 * one round trip. What is alone in its turn stays as it is.
 *
 * Each text must be a `select` that either is limited or has one row, so that the server has no reason to mix its rows.
 */
export function selectedTogether(query: Query): Query {
  const ask = coalesced(async (statements: readonly Statement[]): Promise<SqlResult<unknown>[]> => {
    const parts: (readonly Statement[])[] = []
    for (let i = 0; i < statements.length; i += mostTogether) parts.push(statements.slice(i, i + mostTogether))
    return (await Promise.all(parts.map((part) => selectAll(query, part)))).flat()
  })
  return async <Row>(statement: Statement) => (await ask([statement]))[0] as SqlResult<Row>
}

async function selectAll(query: Query, statements: readonly Statement[]): Promise<SqlResult<unknown>[]> {
  const [first, ...others] = statements
  if (first && others.length === 0) return [await query(first)]
  const found = await query<{ question: number; found: string }>(unionOf(statements))
  const answers = statements.map((): Record<string, unknown>[] => [])
  for (const { question, found: json } of found.rows) {
    const row = JSON.parse(json)
    // In JSON the marks of escaped text were escaped themselves.
    unescapeRow(row)
    answers[question]?.push(row)
  }
  return answers.map((rows) => ({ rows, count: rows.length }))
}

/** All statements as one, whose rows say which of them they answer. */
function unionOf(statements: readonly Statement[]): Statement {
  const values: SqlValue[] = []
  const parts = statements.map((statement, question) => {
    const before = values.length
    values.push(...statement.values)
    // No value stands in the text, so every `$` begins a placeholder.
    const text = statement.text.replaceAll(/\$(\d+)/g, (_, place) => `$${Number(place) + before}`)
    return `select ${question} as question, to_json(answer)::text as found from (${text}) as answer`
  })
  return { text: parts.join(' union all '), values }
}
