// For adapters of other databases that support the SQL of PostgreSQL: a storage on a driver, and functions for drivers.
export { fetchAll, openCursors } from './connections/cursors.ts'
export { hostTransactionDriver } from './connections/host-transaction.ts'
export { listenError } from './connections/listener-connection.ts'
export type {
  NotificationListener,
  Query,
  SelectedRows,
  Selection,
  SqlDriver,
  SqlResult,
  SqlScalar,
  SqlValue,
  Statement,
  Subscription,
} from './connections/sql-driver.ts'
export { createSqlStorage, type SqlStorageOptions } from './sql-storage.ts'
