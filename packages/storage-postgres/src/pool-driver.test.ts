import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { poolDriver } from './pool-driver.ts'
import type { PostgresClient } from './postgres-pool.ts'
import { createPostgresStorage } from './postgres-storage.ts'

/** A pool of one client, whose statements fail; it keeps what the client was released with. */
function failingPool(error: Error) {
  const released: (Error | undefined)[] = []
  const client = { query: () => Promise.reject(error), release: (reason?: Error) => void released.push(reason) }
  return { released, pool: { connect: async () => client } }
}

const id = { collection: 'flags', scope: '', key: 'a' }

it.each(['ECONNRESET', '08006', '57P01'])(
  'a client that broke (%s) goes back with its error, so that the pool drops it',
  async (code) => {
    const error = Object.assign(new Error('gone'), { code })
    const { pool, released } = failingPool(error)
    const account = createPostgresStorage({ pool }).account('acme')
    await expect(account.get(id)).rejects.toThrow('storage unavailable')
    await expect(account.commit([{ do: 'clear', scope: '' }])).rejects.toThrow('storage unavailable')
    expect(released).toEqual([error, error])
  },
)

it.each(['22P02', '42P01', '57014'])('a client whose statement was refused (%s) goes back whole', async (code) => {
  const { pool, released } = failingPool(Object.assign(new Error('refused'), { code }))
  await expect(createPostgresStorage({ pool }).account('acme').get(id)).rejects.toThrow()
  expect(released).toEqual([undefined])
})

/** A pool as `pg` makes it: a client is announced in the turn in which it is handed over. */
class Pool extends EventEmitter {
  async connect(): Promise<PostgresClient> {
    const client = new EventEmitter()
    this.emit('connect', client)
    // The server says that it goes down in the same packet that ends the greeting.
    client.emit('error', new Error('terminating connection'))
    const query = async () => ({ rows: [], rowCount: 0 })
    return Object.assign(client, { query, release: () => {} }) as PostgresClient
  }
}

it('survives a connection that breaks before it is handed over', async () => {
  const driver = poolDriver(new Pool(), { prepare: false })
  expect(await driver.query({ text: 'select 1', values: [] })).toEqual({ rows: [], count: 0 })
})

it('listens once, however many storages are on one pool', () => {
  const pool = new Pool()
  for (let i = 0; i < 20; i++) poolDriver(pool, { prepare: false })
  expect(pool.listenerCount('connect')).toBe(1)
})
