export type { PostgresJsClient, PostgresJsParameter, PostgresJsQueries } from './connections/postgres-js-client.ts'
export type {
  PostgresClient,
  PostgresNotification,
  PostgresPool,
  PostgresTransaction,
} from './connections/postgres-pool.ts'
export { createPostgresStorage, type PostgresStorageOptions } from './postgres-storage.ts'
export { type MoveAccountOptions, moveAccount, type ShardDatabase } from './sharding/move-account.ts'
export { createShardedStorage, type ShardedStorageOptions } from './sharding/sharded-storage.ts'
