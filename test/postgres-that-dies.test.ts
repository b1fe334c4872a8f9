import { type AccountStorage, isStorageUnavailable, type Storage } from '@halyard/core/storage'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { longTests } from './setup/long-tests.ts'
import { insert } from './setup/postgres-records.ts'
import { startPostgres } from './setup/postgres-server.ts'

describe('a server that dies', () => {
  it('makes the storage unavailable until it is back, and has kept all that it acknowledged', async () => {
    const server = await startPostgres({ durable: true })
    const own = new pg.Pool({ ...server.connection, max: 4 })
    // Idle connections tell the pool of their end; without a listener that would end the process.
    own.on('error', () => {})
    onTestFinished(async () => {
      await own.end()
      await server.stop()
    })
    const storage = createPostgresStorage({ pool: own })
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

  /** Four writers at once, each commit a pair of documents; the server is killed among them. */
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
