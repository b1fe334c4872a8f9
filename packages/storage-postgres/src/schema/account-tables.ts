import type { Tables } from './tables.ts'

/** An account, and the tables that contain its records. */
export interface AccountTables {
  readonly tables: Tables
  readonly account: string
}
