import type { SqlValue } from './sql-driver.ts'

/** Takes a value out of the SQL text: keeps it and returns its placeholder. */
export type Bind = (value: SqlValue) => string

/** Collects the values of one statement in the order of their placeholders. */
export function collectValues(): { readonly values: readonly SqlValue[]; readonly bind: Bind } {
  const values: SqlValue[] = []
  return { values, bind: (value) => `$${values.push(value)}` }
}
