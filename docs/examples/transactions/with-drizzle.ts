import { createEngine } from '@halyard/core'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
await using engine = createEngine({ storage: createPostgresStorage({ pool }) })
await engine.migrate()

const customers = pgTable('customers', { name: text().primaryKey() })
const as = { role: 'admin' } as const
await pool.query('create table if not exists customers (name text primary key)')

// #region drizzle
async function addCustomer(name: string): Promise<void> {
  const client = await pool.connect()
  try {
    await drizzle({ client }).transaction(async (transaction) => {
      await transaction.insert(customers).values({ name })
      const { api } = engine.with({ transaction: client })
      await api.createProject({ body: { key: name, name: `Flags of ${name}` } }, { as })
    })
  } finally {
    client.release()
  }
}
// #endregion

await addCustomer('globex')
console.log((await engine.api.getProject({ projectKey: 'globex' }, { as })).name)
await addCustomer('globex').catch(() => console.log('there is one already'))
console.log(await drizzle({ client: pool }).select().from(customers))

await engine.close()
await pool.end()
