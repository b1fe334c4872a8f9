import { type Sql, sql } from './sql.ts'

/**
 * Returns a condition that is true at and under a scope, as a list of scopes. SQLite reads an index once for each of them;
 * with two ranges joined by `or`, it reads all records of the account.
 *
 * @param records the records whose scopes may be meant: a table and a condition.
 */
export function atOrUnder(scope: string, records: Sql): Sql {
  if (scope === '') return sql`1`
  // `;` is the character after `:`, so this range contains what begins with the scope and a colon.
  return sql`scope in (select ${scope} union all
    select scope from ${records} and scope >= ${`${scope}:`} and scope < ${`${scope};`})`
}
