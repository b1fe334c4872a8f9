import { createPostgresStorage } from '@halyard/storage-postgres'
import { afterAll, expect, it } from 'vitest'
import { ownSchema } from './setup/own-schema.ts'
import { at, insert } from './setup/postgres-records.ts'
import { postgresStorages } from './setup/postgres-storages.ts'

const storages = postgresStorages()
const { pool } = storages
afterAll(() => storages.dispose())

it('a task that was added while its predecessor was being deleted is taken', async () => {
  const schema = ownSchema(pool)
  const storage = createPostgresStorage({ pool, schema })
  await storage.migrate()
  const account = storage.account('acme')
  const { scope } = at('document')
  const queue = { name: 'deliveries', scope }
  const task = (id: string, orderingKey: string, time: number) => ({
    id,
    lane: orderingKey,
    at: time,
    due: time,
    body: null,
  })
  const take = async () =>
    (await account.take({ name: queue.name, now: 10, until: 1_000, limit: 5 })).map(({ id }) => id)
  await account.commit([
    insert('document'),
    { do: 'enqueue', queue, tasks: [task('0', '0', 0), task('first', 'one', 1)] },
  ])
  expect(await take()).toEqual(['0', 'first'])
  const client = await pool.connect()
  try {
    await client.query(`begin; select from ${schema}.tasks where id = '0' for update`)
    const cleared = account.commit([{ do: 'clear', scope }])
    // The deletion has begun, and waits for the second task. It has not locked the first task yet.
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%"${schema}".sweep%'`
    await expect.poll(async () => (await pool.query(waiting)).rowCount, { interval: 20 }).toBe(1)
    await account.commit([{ do: 'enqueue', queue, tasks: [task('second', 'one', 2)] }])
    // This call marks the second task as waiting for the first.
    expect(await take()).toEqual([])
    await client.query('rollback')
    expect(await cleared).toMatchObject({ counts: [3] })
  } finally {
    client.release()
  }
  expect(await take()).toEqual(['second'])
})
