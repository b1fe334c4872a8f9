import { storageConformance } from '@halyard/conformance'
import type { Storage } from '@halyard/core/storage'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { longTests } from './setup/long-tests.ts'
import { ownDatabase } from './setup/own-database.ts'
import { startPgBouncer } from './setup/pgbouncer.ts'
import { schemasOfPostgres, uniqueSchema } from './setup/schemas-of-postgres.ts'

const database = await ownDatabase()
const pooler = await startPgBouncer(4)
afterAll(async () => {
  await pooler.stop()
  await database.drop()
})

const pooled = { connectionString: pooler.url(new URL(database.url).pathname.slice(1)) }

describe('a storage behind a pooler that assigns a connection per transaction', () => {
  const storages = schemasOfPostgres(pooled, { prepare: false, watchPool: database.pool })
  afterAll(() => storages.dispose())

  const cases = storageConformance(storages)
  // All cases run on Postgres itself. A pooler can only break functions that need several statements or several
  // connections.
  const selected = longTests
    ? cases
    : cases.filter(({ group }, i) => cases.findIndex((one) => one.group === group) === i)
  for (const { group, name, run } of selected) it(`${group}: ${name}`, run, 60_000)
})

describe('change notifications behind a pooler', () => {
  it('arrive when `watchPool` connects directly to the server and has only one connection', async () => {
    const schema = uniqueSchema()
    const pools = [new pg.Pool(pooled), new pg.Pool(pooled), new pg.Pool({ connectionString: database.url, max: 1 })]
    const [here, there, watchPool] = pools as [pg.Pool, pg.Pool, pg.Pool]
    const watching = createPostgresStorage({ pool: here, schema, prepare: false, watchPool })
    const writing = createPostgresStorage({ pool: there, schema, prepare: false, watch: false })
    await writing.migrate()
    const received: unknown[] = []
    const watch = watching.account('acme').watch?.((touched) => received.push(touched))
    await expect.poll(() => watch?.live(), { timeout: 10_000 }).toBe(true)
    await insert(writing, 'checkout')
    await expect.poll(() => JSON.stringify(received), { timeout: 10_000 }).toContain('checkout')
    await Promise.all([watching.close(), writing.close()])
    await Promise.all(pools.map((pool) => pool.end()))
  })
})

async function insert(storage: Storage, key: string): Promise<void> {
  const id = { collection: 'things', scope: '', key }
  await storage.account('acme').commit([{ do: 'insert', id, body: 1, fields: {} }])
}
