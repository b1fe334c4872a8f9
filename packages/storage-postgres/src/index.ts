export type { PostgresClient, PostgresNotification, PostgresPool, PostgresTransaction } from './postgres-pool.ts'
export { createPostgresStorage, type PostgresStorageOptions } from './postgres-storage.ts'
