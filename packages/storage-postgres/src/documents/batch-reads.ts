import { coalesce, type DocumentPage, type ListQuery } from '@halyard/core/storage'
import type { Query, SqlResult, SqlValue, Statement } from '../connections/sql-driver.ts'
import type { AccountQueries } from '../statements/account-queries.ts'
import type { Select, SelectStatement } from '../statements/select.ts'
import { pagesOf, scopeListsStatement } from './scope-lists.ts'

/** Maximum number of queries in one statement: the more parts a statement has, the longer its planning takes. */
const maxBatchSize = 100

/** Reads of an account. Those that are requested in one turn of the event loop are sent as one statement. */
export interface BatchedReads {
  readonly select: Select
  /** Reads a list for which `isScopeList` is true. */
  readonly listScope: (list: ListQuery) => Promise<DocumentPage>
}

/**
 * Combines all selects and lists of one turn of the event loop into one statement, so that a caller who needs several
 * lists and series waits for one round trip. A single select is sent unchanged.
 */
export function batchReads(queries: AccountQueries): BatchedReads {
  const readBatch = coalesce(async (requests: readonly (SelectStatement | ListQuery)[]) => {
    const lists = requests.filter((request): request is ListQuery => !isSelected(request))
    const selects = requests.filter(isSelected)
    const listing = lists.length > 0 ? [scopeListsStatement(queries, lists)] : []
    const results = await selectInParts(queries.query, [...selects, ...listing])
    const pages = listing.length > 0 ? pagesOf(lists, results.pop() as SqlResult<unknown>) : []
    return requests.map((request) => (isSelected(request) ? results.shift() : pages.shift()))
  })
  return {
    select: async <Row>(statement: SelectStatement) => (await readBatch([statement]))[0] as SqlResult<Row>,
    listScope: async (list) => (await readBatch([list]))[0] as DocumentPage,
  }
}

function isSelected(request: SelectStatement | ListQuery): request is SelectStatement {
  return 'text' in request
}

async function selectInParts(query: Query, statements: readonly SelectStatement[]): Promise<SqlResult<unknown>[]> {
  const parts: (readonly SelectStatement[])[] = []
  for (let i = 0; i < statements.length; i += maxBatchSize) parts.push(statements.slice(i, i + maxBatchSize))
  return (await Promise.all(parts.map((part) => selectAll(query, part)))).flat()
}

type PackedRow = { readonly part: number } & { readonly [column: `c${number}`]: string | null }

async function selectAll(query: Query, statements: readonly SelectStatement[]): Promise<SqlResult<unknown>[]> {
  const [first, ...others] = statements
  if (first && others.length === 0) return [await query(first)]
  const columns = statements.map((statement) => Object.entries(statement.columns))
  const results = statements.map((): Record<string, unknown>[] => [])
  const { rows } = await query<PackedRow>(unionOf(statements))
  for (const row of rows) {
    const unpacked: Record<string, unknown> = {}
    for (const [i, [name, type]] of columns[row.part]!.entries()) {
      const text = row[`c${i}`] ?? null
      unpacked[name] = type === 'text' || text === null ? text : Number(text)
    }
    results[row.part]!.push(unpacked)
  }
  return results.map((resultRows) => ({ rows: resultRows, count: resultRows.length }))
}

/**
 * Combines statements into one. Each row names the statement that it belongs to, and all columns are converted to text.
 * The server has no reason to reorder the rows of a statement that has a limit or a single row.
 */
function unionOf(statements: readonly SelectStatement[]): Statement {
  const maxColumns = Math.max(...statements.map(({ columns }) => Object.keys(columns).length))
  const values: SqlValue[] = []
  const parts = statements.map((statement, part) => {
    const before = values.length
    values.push(...statement.values)
    // The text contains no values, so every `$` begins a placeholder.
    const text = statement.text.replaceAll(/\$(\d+)/g, (_, number) => `$${Number(number) + before}`)
    const names = Object.keys(statement.columns)
    const columns = Array.from({ length: maxColumns }, (_, i) => `${names[i] ?? 'null'}::text as c${i}`)
    return `select ${part} as part, ${columns.join(', ')} from (${text}) as response`
  })
  return { text: parts.join(' union all '), values, composed: true }
}
