import { type AccountStorage, isStorageUnavailable, type Storage } from '@halyard/core/storage'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { longTests } from './setup/long-tests.ts'
import { insert } from './setup/postgres-records.ts'
import { startPostgres } from './setup/postgres-server.ts'

describe('a Postgres server that is killed', () => {
  it('makes the storage unavailable until it restarts, and keeps all acknowledged commits', async () => {
    const server = await startPostgres({ durable: true })
    const pool = new pg.Pool({ ...server.connection, max: 4 })
    // Idle connections report their end to the pool as an error; without a listener that would end the process.
    pool.on('error', () => {})
    onTestFinished(async () => {
      await pool.end()
      await server.stop()
    })
    const storage = createPostgresStorage({ pool })
    await storage.migrate()
    for (let round = 0; round < (longTests ? 10 : 4); round++) {
      await writeUntilItDies(storage, round, () => server.kill())
      expect(isStorageUnavailable(await storage.ping().catch((error: unknown) => error))).toBe(true)
      await server.restart()
      await storage.ping()
    }
    await expectAllWritten(storage.account('acme'))
  }, 60_000)

  const acknowledged: string[] = []

  /**
   * Runs four writers at the same time, whose commits each insert a pair of documents. The server is killed while they
   * write.
   */
  async function writeUntilItDies(storage: Storage, round: number, kill: () => Promise<void>): Promise<void> {
    const account = storage.account('acme')
    let killed: Promise<void> | undefined
    const write = async (writer: number) => {
      for (let n = 0; ; n++) {
        const name = `${round}-${writer}-${n}`
        try {
          await account.commit([insert(name, 'left'), insert(name, 'right')])
        } catch (error) {
          if (isStorageUnavailable(error)) return
          throw error
        }
        acknowledged.push(name)
        if (writer === 0 && n === 5 + 20 * round) killed = kill()
      }
    }
    await Promise.all([0, 1, 2, 3].map(write))
    await killed
  }

  async function expectAllWritten(account: AccountStorage): Promise<void> {
    const [left, right] = await Promise.all(
      ['left', 'right'].map((scope) => account.list({ collection: 'flags', scope, limit: 100_000, select: 'fields' })),
    )
    const written = new Set(left?.items.map(({ key }) => key))
    expect(new Set(right?.items.map(({ key }) => key))).toEqual(written)
    expect(acknowledged.length).toBeGreaterThan(100)
    expect(acknowledged.filter((name) => !written.has(name))).toEqual([])
  }
})
