import type { SqlValue } from '../connections/sql-driver.ts'
import type { AccountTables } from '../schema/account-tables.ts'
import type { Tables } from '../schema/tables.ts'
import { type Bind, collectValues } from './bind.ts'

/** The tables of a statement about one account, and the values that the statement binds. */
export interface AccountBinding {
  readonly tables: Tables
  /** The placeholder of the account. */
  readonly owner: string
  readonly bind: Bind
  /** The values in the order of their placeholders. */
  readonly values: readonly SqlValue[]
}

/** Begins a statement whose first value is the account. */
export function bindAccount({ tables, account }: AccountTables): AccountBinding {
  const { values, bind } = collectValues()
  return { tables, owner: bind(account), bind, values }
}
