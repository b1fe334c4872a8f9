export type { PgliteClient, PgliteQueries } from './pglite-driver.ts'
export { createPgliteStorage, type PgliteStorageOptions } from './pglite-storage.ts'
