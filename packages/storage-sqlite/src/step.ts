import { type Sql, sql } from './sql.ts'
import { change as changing, type Statement, select } from './sqlite-driver.ts'

/** A statement of a commit. */
export interface Step {
  readonly statement: Statement
  /** Index of the change whose count is increased by `n`, the number in the row that the statement returns. */
  readonly counts?: number
}

/** Returns the steps that run a statement and count the rows that it changed. */
export function countedSteps(statement: Sql, counts: number): Step[] {
  return [{ statement: changing(statement) }, { statement: select(sql`select changes() as n`), counts }]
}

/** Returns a step that undoes the transaction unless a query returns a row. */
export function requireStep(query: Sql): Step {
  const requirement = sql`insert into halyard_refusals (refused) select 1 where not exists (${query})`
  return { statement: changing(requirement) }
}
