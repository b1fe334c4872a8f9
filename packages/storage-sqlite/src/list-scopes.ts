import { type ListQuery, wellFormed } from '@halyard/core/storage'
import { type Sql, sql } from './sql.ts'
import type { Row } from './sqlite-driver.ts'

/**
 * Maximum number of scopes whose documents a deep list finds by their terms. With more scopes, it reads the whole
 * range.
 */
const maxScopes = 20

/** A text that sorts after every scope. It ends the range of all scopes. */
const lastText = '\u{10ffff}'

/**
 * Returns the statement that reads which scopes under the scope of a deep list contain documents of its collection. It
 * returns at most one scope more than the list searches. Each scope costs one step in an index, however many documents
 * it has.
 */
export function scopesSql(account: string, { collection, scope }: ListQuery): Sql {
  const [start, end] = scope === '' ? ['', lastText] : [`${scope}:`, `${scope};`]
  const next = (after: Sql) =>
    sql`(select min(scope) from halyard_documents indexed by halyard_documents_listed
      where account = ${account} and collection = ${collection} and ${after} and scope < ${end})`
  return sql`with recursive scopes(scope) as (
      select ${next(sql`scope >= ${start}`)} union all
      select ${next(sql`scope > scopes.scope`)} from scopes where scopes.scope is not null limit ${maxScopes + 2}
    ) select scope from scopes where scope is not null`
}

/** Returns the scopes that a deep list contains; undefined when there are too many for a search. */
export function scopesOf({ scope }: ListQuery, rows: readonly Row[]): readonly string[] | undefined {
  if (rows.length > maxScopes) return undefined
  return [...new Set([scope, ...rows.map((row) => wellFormed(String(row.scope)))])]
}
