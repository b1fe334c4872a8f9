import type { SqlResult, Statement } from './sql-driver.ts'

/** A `select` that declares the columns of its rows. It either has a limit or returns one row. */
export interface Selected extends Statement {
  readonly columns: Readonly<Record<string, 'text' | 'number'>>
}

export type Select = <Row>(statement: Selected) => Promise<SqlResult<Row>>
