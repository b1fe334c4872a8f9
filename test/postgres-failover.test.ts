import { type AccountStorage, isStorageUnavailable, type Storage } from '@halyard/core/storage'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { longTests } from './setup/long-tests.ts'
import { at, insert } from './setup/postgres-records.ts'
import { type ReplicatedPostgres, standbyName, startReplicatedPostgres } from './setup/postgres-server.ts'
import { startTcpProxy, type TcpProxy } from './setup/tcp-proxy.ts'

const writers = 4
const maxDowntimeMs = 10_000

/** Waits until a condition is true. */
function until(condition: () => boolean): Promise<void> {
  return vi.waitFor(() => expect(condition()).toBe(true), { timeout: 30_000, interval: 5 })
}

/**
 * Writers use one address, as applications do. The primary acknowledges a commit when the replica has it, is killed
 * while they write, and the address leads to the replica after its promotion.
 */
describe('writers of a primary that is killed and replaced by its replica', () => {
  let servers: ReplicatedPostgres
  let proxy: TcpProxy
  let pool: pg.Pool
  let replica: pg.Pool
  let storage: Storage
  let account: AccountStorage
  let downtimeMs = Number.POSITIVE_INFINITY
  const acknowledged: string[] = []
  const notified = new Set<string>()
  const problems: unknown[] = []

  beforeAll(async () => {
    const settings = { synchronous_standby_names: standbyName, synchronous_commit: 'on' }
    servers = await startReplicatedPostgres({ primary: { durable: true, settings } })
    proxy = await startTcpProxy(servers.primary.connection)
    pool = new pg.Pool({ connectionString: proxy.url, max: 6 })
    replica = new pg.Pool({ ...servers.standby.connection, max: 2 })
    for (const each of [pool, replica]) each.on('error', () => {})
    storage = createPostgresStorage({ pool, replicas: [replica] })
    await storage.migrate()
    account = storage.account('acme')
    const watch = account.watch?.((touched) => {
      for (const record of touched === 'anything' ? [] : touched)
        if (record.kind === 'document') notified.add(record.id.key)
    })
    await until(() => watch?.live() === true)
    let over = false
    const writing = Promise.all(Array.from({ length: writers }, (_, i) => write(String(i), () => over)))
    await until(() => acknowledged.length > (longTests ? 2_000 : 100))
    await servers.primary.kill()
    const promotedAt = performance.now()
    await replica.query('select pg_promote()')
    proxy.leadTo(servers.standby.connection)
    const before = acknowledged.length
    await until(() => acknowledged.length > before)
    downtimeMs = performance.now() - promotedAt
    await until(() => acknowledged.length > before + 50)
    await until(() => watch?.live() === true)
    over = true
    await writing
  }, 120_000)

  afterAll(async () => {
    await storage.close()
    await Promise.all([pool.end(), replica.end()])
    await proxy.close()
    await servers.standby.stop()
    await servers.primary.stop()
  })

  async function write(writer: string, isOver: () => boolean): Promise<void> {
    for (let n = 0; !isOver(); n++) {
      const name = `${writer}-${n}`
      try {
        await account.commit([insert(name)])
        acknowledged.push(name)
        const document = await account.recent?.get(at(name))
        if (!document) problems.push(`${name} is not found after it was written`)
      } catch (error) {
        if (!isStorageUnavailable(error)) problems.push(error)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
  }

  it('receive only the error that the storage is unavailable, and find their commits afterwards', () => {
    expect(problems).toEqual([])
  })

  it('write again within ten seconds of the promotion', () => {
    console.log(
      `${acknowledged.length} commits acknowledged, first one ${downtimeMs.toFixed(0)} ms after the promotion`,
    )
    expect(downtimeMs).toBeLessThan(maxDowntimeMs)
  })

  it('lose no acknowledged commit', async () => {
    const stored = await account.list({ collection: 'flags', scope: 'proj/p', limit: 1e6, select: 'fields' })
    const keys = new Set(stored.items.map(({ key }) => key))
    expect(acknowledged.filter((name) => !keys.has(name))).toEqual([])
  })

  it('receive change notifications of the new primary', async () => {
    const otherPool = new pg.Pool({ ...servers.standby.connection, max: 1 })
    const other = createPostgresStorage({ pool: otherPool, watch: false })
    await other.account('acme').commit([insert('after-the-failover')])
    await expect.poll(() => notified.has('after-the-failover'), { timeout: 10_000 }).toBe(true)
    await otherPool.end()
  })
})

describe('a server that became a standby', () => {
  it('makes the storage unavailable, and its connections are not used again', async () => {
    const { primary, standby } = await startReplicatedPostgres()
    const pools = [new pg.Pool({ ...primary.connection, max: 1 }), new pg.Pool({ ...standby.connection, max: 1 })]
    const [writable, readOnly] = pools as [pg.Pool, pg.Pool]
    for (const pool of pools) pool.on('error', () => {})
    try {
      await createPostgresStorage({ pool: writable }).migrate()
      const storage = createPostgresStorage({ pool: readOnly, watch: false })
      await expect
        .poll(
          () =>
            storage.ping().then(
              () => true,
              () => false,
            ),
          { timeout: 10_000 },
        )
        .toBe(true)
      const processId = async () => (await readOnly.query('select pg_backend_pid() as pid')).rows[0].pid as number
      const before = await processId()
      const refused = storage.account('acme').commit([insert('a')])
      expect(isStorageUnavailable(await refused.catch((error: unknown) => error))).toBe(true)
      expect(await processId()).not.toBe(before)
    } finally {
      await Promise.all(pools.map((pool) => pool.end()))
      await standby.stop()
      await primary.stop()
    }
  }, 60_000)
})
