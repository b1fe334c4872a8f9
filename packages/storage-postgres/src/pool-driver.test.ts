import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { type PostgresClient, poolDriver } from './pool-driver.ts'

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
