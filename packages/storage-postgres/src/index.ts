export type { PostgresClient, PostgresPool } from './pool-driver.ts'
export { createPostgresStorage, type PostgresStorageOptions } from './postgres-storage.ts'
export { fetchAll, openCursors } from './cursors.ts'
export type {
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
