export type { PostgresClient, PostgresNotification, PostgresPool, PostgresTransaction } from './pool-driver.ts'
export { createPostgresStorage, type PostgresStorageOptions } from './postgres-storage.ts'
