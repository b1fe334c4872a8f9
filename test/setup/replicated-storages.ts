import type { AccountStorage, RecentReads, Storage } from '@halyard/core/storage'
import { createPostgresStorage, type PostgresPool } from '@halyard/storage-postgres'
import pg from 'pg'
import { type PostgresServer, startReplicatedPostgres } from './postgres-server.ts'
import { uniqueSchema } from './schemas-of-postgres.ts'

/** A pool that counts the statements on documents, keys, samples and tasks. */
interface CountingPool extends PostgresPool {
  readonly reads: () => number
}

/** Storages on a server with a replica, one schema for each. */
export interface ReplicatedStorages {
  readonly standby: PostgresServer
  /** Sets the time by which the replica is behind, ms. */
  delayReplay(ms: number): Promise<void>
  /** Makes the replica accept writes. */
  promote(): Promise<void>
  /** Number of reads that ran on the replica. */
  readonly readsOfReplica: () => number
  open(): Promise<Storage>
  reopen(storage: Storage): Promise<Storage>
  /** Opens the same data a second time, as another process would. */
  openSecond(storage: Storage): Promise<Storage>
  /** Opens the same data a second time, and sends no change notifications. */
  openWithoutNotifications(storage: Storage): Promise<Storage>
  /** Closes the open storages: each watch keeps one of the few connections of the pool. */
  closeAll(): Promise<void>
  dispose(): Promise<void>
}

/** Starts a server and its replica, and opens pools on both. */
export async function replicatedStorages(): Promise<ReplicatedStorages> {
  const { primary, standby } = await startReplicatedPostgres()
  const pool = new pg.Pool({ ...primary.connection, max: 8 })
  const replica = new pg.Pool({ ...standby.connection, max: 4 })
  for (const each of [pool, replica]) each.on('error', () => {})
  const counted = countingPool(replica)
  const schemas = new Map<Storage, string>()
  function openOn(schema: string): Storage {
    const storage = createPostgresStorage({ pool, replicas: [counted], schema })
    schemas.set(storage, schema)
    return storage
  }
  async function closeAll(): Promise<void> {
    for (const storage of schemas.keys()) await storage.close()
    schemas.clear()
  }
  return {
    standby,
    async delayReplay(ms) {
      await replica.query(`alter system set recovery_min_apply_delay = '${ms}ms'`)
      await replica.query('select pg_reload_conf()')
    },
    promote: async () => void (await replica.query('select pg_promote()')),
    readsOfReplica: counted.reads,
    async open() {
      const storage = openOn(uniqueSchema())
      await storage.migrate()
      return storage
    },
    async reopen(storage) {
      await storage.close()
      return openOn(schemas.get(storage) as string)
    },
    openSecond: async (storage) => openOn(schemas.get(storage) as string),
    openWithoutNotifications: async (storage) =>
      createPostgresStorage({ pool, schema: schemas.get(storage) as string, notify: false }),
    closeAll,
    async dispose() {
      await closeAll()
      await Promise.all([pool.end(), replica.end()])
      await standby.stop()
      await primary.stop()
    },
  }
}

function countingPool(pool: pg.Pool): CountingPool {
  let reads = 0
  const counting = (client: pg.PoolClient) =>
    new Proxy(client, {
      get(target, name) {
        const property = Reflect.get(target, name)
        if (name !== 'query') return typeof property === 'function' ? property.bind(target) : property
        return (statement: { readonly text: string }) => {
          if (!statement.text.includes('pg_is_in_recovery')) reads++
          return target.query(statement)
        }
      },
    })
  const clients = new WeakMap<pg.PoolClient, pg.PoolClient>()
  return {
    reads: () => reads,
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client) ?? counting(client)
      clients.set(client, known)
      return known
    },
  }
}

const readVerbs = ['get', 'getMany', 'list', 'hasKey', 'findKeys', 'countKeys', 'pageKeys', 'scan', 'newest'] as const

/** Wraps a storage so that each of its reads is repeated until it has run on the replica, for at most a second. */
export function readingOnReplica(storage: Storage, readsOfReplica: () => number): Storage {
  return { ...storage, account: (name) => accountOnReplica(storage.account(name), readsOfReplica) }
}

function accountOnReplica(account: AccountStorage, readsOfReplica: () => number): AccountStorage {
  const recent = account.recent as RecentReads
  const repeated = (read: (...input: never[]) => Promise<unknown>) => {
    return async (...input: never[]) => {
      for (const start = performance.now(); ; ) {
        const before = readsOfReplica()
        const result = await read(...input)
        if (readsOfReplica() > before || performance.now() > start + 1000) return result
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    }
  }
  const reads = Object.fromEntries(readVerbs.map((verb) => [verb, repeated(recent[verb])]))
  return { ...account, ...(reads as unknown as RecentReads) }
}
