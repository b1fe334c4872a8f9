import type { SqlResult, Statement } from '../connections/sql-driver.ts'

/** A `select` that declares the columns of its rows. It either has a limit or returns one row. */
export interface SelectStatement extends Statement {
  readonly columns: Readonly<Record<string, 'text' | 'number'>>
}

export type Select = <Row>(statement: SelectStatement) => Promise<SqlResult<Row>>
