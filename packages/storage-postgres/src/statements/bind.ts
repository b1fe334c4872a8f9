import type { SqlValue } from '../connections/sql-driver.ts'

/** Adds a value to the statement's parameters and returns its placeholder, so that no value is part of the SQL text. */
export type Bind = (value: SqlValue) => string

/** Collects the values of one statement in the order of their placeholders. */
export function collectValues(): { readonly values: readonly SqlValue[]; readonly bind: Bind } {
  const values: SqlValue[] = []
  return { values, bind: (value) => `$${values.push(value)}` }
}
