import type { Storage } from '@halyard/core/storage'
import { createPgliteStorage } from '@halyard/storage-pglite'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { openPgliteClient } from './pglite-client.ts'
import { postgresStorages, uniqueSchema } from './postgres-storages.ts'

/** A database that a host shares with the engine. */
export interface HostDatabase {
  storage(): Storage
  /** Name of a table of the host with the column `id`, for statements outside `transact`. */
  readonly table: string
  /** Runs work in a transaction of the host and rolls back when it throws. */
  transact<T>(work: (transaction: HostTransaction) => Promise<T>): Promise<T>
  query(text: string): Promise<{ rows: unknown[] }>
  dispose(): Promise<void>
}

interface HostTransaction {
  query(text: string): Promise<{ rows: unknown[] }>
}

export async function onPostgres(): Promise<HostDatabase> {
  const storages = postgresStorages()
  const { pool } = storages
  const schema = uniqueSchema()
  await pool.query(`create schema ${schema}; create table ${schema}.orders (id int)`)
  return {
    table: `${schema}.orders`,
    storage: () => createPostgresStorage({ pool, schema }),
    async transact(work) {
      const client = await pool.connect()
      try {
        await client.query(`begin; set local search_path to ${schema}`)
        const result = await work(client)
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
    },
    query: (text) => pool.query(text.replaceAll('orders', `${schema}.orders`)),
    async dispose() {
      await pool.query(`drop schema ${schema} cascade`)
      await storages.dispose()
    },
  }
}

export async function onPglite(): Promise<HostDatabase> {
  const client = await openPgliteClient()
  await client.query('create table orders (id int)')
  return {
    table: 'orders',
    storage: () => createPgliteStorage({ client }),
    transact: (work) => client.transaction((transaction) => work(transaction)),
    query: (text) => client.query(text),
    dispose: () => client.close(),
  }
}
