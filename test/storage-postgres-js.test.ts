import { storageConformance } from '@halyard/conformance'
import { createEngine } from '@halyard/core'
import { isStorageUnavailable, type Storage } from '@halyard/core/storage'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, describe, expect, it } from 'vitest'
import { ownDatabase } from './setup/own-database.ts'
import { at, insert } from './setup/postgres-records.ts'
import { selectClientCases } from './setup/runs-all-cases.ts'
import { uniqueSchema } from './setup/schemas-of-postgres.ts'

const database = await ownDatabase()
const { host, port, database: name, user, password } = new pg.Client({ connectionString: database.url })
const maxConnections = 8
const sql = postgres({
  host,
  port,
  database: name ?? '',
  user: user ?? '',
  password: password ?? '',
  max: maxConnections,
  onnotice: () => {},
})
afterAll(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})

const schemas = new Map<Storage, string>()
function openOn(schema: string): Storage {
  const storage = createPostgresStorage({ pool: sql, schema })
  schemas.set(storage, schema)
  return storage
}

async function open(): Promise<Storage> {
  const storage = openOn(uniqueSchema())
  await storage.migrate()
  return storage
}

describe('storage on a client of postgres.js', () => {
  const openSecond = async (storage: Storage) => openOn(schemas.get(storage) as string)
  const reopen = async (storage: Storage) => {
    await storage.close()
    return openSecond(storage)
  }
  afterAll(async () => {
    for (const storage of schemas.keys()) await storage.close()
  })
  for (const { group, name, run } of selectClientCases(storageConformance({ open, reopen, openSecond }))) {
    it(`${group}: ${name}`, run, 60_000)
  }
})

describe('a transaction of postgres.js', () => {
  it('contains the commits of a storage, and undoes them when it fails', async () => {
    const storage = await open()
    const commitIn = (key: string, fails: boolean) =>
      sql.begin(async (transaction) => {
        const inside = storage.within?.(transaction)
        await inside?.account('acme').commit([insert(key)])
        if (fails) throw new Error('of the host')
      })
    await commitIn('kept', false)
    await expect(commitIn('undone', true)).rejects.toThrow('of the host')
    const account = storage.account('acme')
    expect(await account.getMany([at('kept'), at('undone')])).toMatchObject([{ key: 'kept' }, undefined])
    expect(() => storage.within?.(sql)).toThrow(TypeError)
  })
})

describe('an engine on postgres.js', () => {
  it('continues after its connections were lost', async () => {
    const storage = await open()
    const engine = createEngine({ storage, rateLimit: false })
    const as = { as: (await engine.bootstrap())?.token as string }
    await engine.api.createProject({ body: { key: 'p', name: 'P' } }, as)
    // Waits until these connections have ended, so that no connection that is opened next is ended too.
    await database.pool.query(
      'select pg_terminate_backend(pid, 10000) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    const settled = await storage.ping().catch((error: unknown) => error)
    expect(settled === undefined || isStorageUnavailable(settled)).toBe(true)
    // Sends one ping for each connection, because each connection detects its end separately.
    const pingAll = () => Promise.all(Array.from({ length: maxConnections }, () => storage.ping()))
    await expect.poll(() => pingAll().then(() => 'answered'), { timeout: 10_000 }).toBe('answered')
    await engine.api.createFlag({ projectKey: 'p', body: { key: 'f', name: 'F' } }, as)
    expect((await engine.api.getFlag({ projectKey: 'p', flagKey: 'f' }, as)).name).toBe('F')
    await engine.close()
  }, 30_000)
})
