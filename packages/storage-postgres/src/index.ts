export { fetchAll, openCursors } from './cursors.ts'
export { hostTransactionDriver } from './host-transaction.ts'
export { cannotListen } from './listening-line.ts'
export type { PostgresClient, PostgresNotification, PostgresPool, PostgresTransaction } from './postgres-pool.ts'
export { createPostgresStorage, type PostgresStorageOptions } from './postgres-storage.ts'
export type {
  Ear,
  Listening,
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
