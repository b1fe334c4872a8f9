import { type Sql, sql } from './sql.ts'

/** Returns a condition that is true at and under a scope: two ranges of an index. */
export function atOrUnder(scope: string): Sql {
  if (scope === '') return sql`1`
  // `;` is the character after `:`, so this range contains what begins with the scope and a colon.
  return sql`(scope = ${scope} or (scope >= ${`${scope}:`} and scope < ${`${scope};`}))`
}
