import { type Sql, sql } from './sql.ts'

/** Returns a condition that is true at and under a scope, for records that are found by other conditions. */
export function isAtOrUnder(scope: string): Sql {
  if (scope === '') return sql`1`
  // `;` is the character after `:`, so this range contains what begins with the scope and a colon.
  return sql`(scope = ${scope} or (scope >= ${`${scope}:`} and scope < ${`${scope};`}))`
}

/**
 * Returns the condition of `isAtOrUnder` in a form that uses an index: a list of scopes, for each of which SQLite
 * searches the index. With two ranges joined by `or`, SQLite would read all records of the account.
 *
 * @param records the table in which the records are found, with a condition that all of them meet.
 */
export function atOrUnder(scope: string, records: Sql): Sql {
  if (scope === '') return sql`1`
  return sql`scope in (select ${scope} union all
    select scope from ${records} and scope >= ${`${scope}:`} and scope < ${`${scope};`})`
}
