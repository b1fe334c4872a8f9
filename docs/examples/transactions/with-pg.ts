import { createEngine } from '@halyard/core'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
await using engine = createEngine({ storage: createPostgresStorage({ pool }) })
await engine.migrate()

// #region in-transaction
/** Runs work in a transaction and rolls it back when the work throws. */
async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
// #endregion

const as = { role: 'admin' } as const
await pool.query('create table if not exists customers (name text primary key)')

// #region together
async function addCustomer(name: string): Promise<void> {
  await inTransaction(async (client) => {
    await client.query('insert into customers (name) values ($1)', [name])
    const { api } = engine.with({ transaction: client })
    await api.createProject({ body: { key: name, name: `Flags of ${name}` } }, { as })
  })
}
// #endregion

await addCustomer('acme')

// #region undone
await inTransaction(async (client) => {
  await engine.with({ transaction: client }).api.deleteProject({ projectKey: 'acme' }, { as })
  throw new Error('not this time')
}).catch((error) => console.log(error.message))
console.log((await engine.api.getProject({ projectKey: 'acme' }, { as })).name)
// #endregion

// #region refused
await inTransaction(async (client) => {
  const { api } = engine.with({ transaction: client })
  await api.createProject({ body: { key: 'acme', name: 'Taken' } }, { as }).catch((error) => console.log(error.code))
  await client.query('insert into customers (name) values ($1)', ['second'])
})
const { rows } = await pool.query('select name from customers order by name')
console.log(rows.map((row) => row.name).join(', '))
// #endregion

await engine.close()
await pool.end()
