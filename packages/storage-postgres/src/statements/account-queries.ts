import type { Query } from '../connections/sql-driver.ts'
import type { AccountTables } from '../schema/account-tables.ts'
import type { Select } from './select.ts'

/** An account, its tables, and the function that sends statements about it. */
export interface AccountQueries<Send extends Select = Query> extends AccountTables {
  readonly query: Send
}
