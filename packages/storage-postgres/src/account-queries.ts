import type { AccountTables } from './account-tables.ts'
import type { Select } from './select.ts'
import type { Query } from './sql-driver.ts'

/** An account, its tables, and the function that sends statements about it. */
export interface AccountQueries<Send extends Select = Query> extends AccountTables {
  readonly query: Send
}
