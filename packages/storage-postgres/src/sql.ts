// For adapters of other databases that speak the SQL of PostgreSQL: a storage on a driver, and what drivers share.
export { fetchAll, openCursors } from './cursors.ts'
export { hostTransactionDriver } from './host-transaction.ts'
export { cannotListen } from './listening-line.ts'
export type {
  NotificationListener,
  Subscription,
  Query,
  SelectedRows,
  Selection,
  SqlDriver,
  SqlResult,
  SqlScalar,
  SqlValue,
  Statement,
} from './sql-driver.ts'
export { createSqlStorage, type SqlStorageOptions } from './sql-storage.ts'
