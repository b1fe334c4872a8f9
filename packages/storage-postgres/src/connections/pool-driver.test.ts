import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { createPostgresStorage } from '../postgres-storage.ts'
import { poolDriver } from './pool-driver.ts'
import type { PostgresClient } from './postgres-pool.ts'

/** Returns a pool of one client whose statements fail, and the arguments with which the client was released. */
function failingPool(error: Error) {
  const released: (Error | undefined)[] = []
  const client = { query: () => Promise.reject(error), release: (reason?: Error) => void released.push(reason) }
  return { released, pool: { connect: async () => client } }
}

const id = { collection: 'flags', scope: '', key: 'a' }

it.each(['ECONNRESET', '08006', '57P01'])(
  'a client whose connection broke (%s) is released with its error, so that the pool removes it',
  async (code) => {
    const error = Object.assign(new Error('gone'), { code })
    const { pool, released } = failingPool(error)
    const account = createPostgresStorage({ pool }).account('acme')
    await expect(account.get(id)).rejects.toThrow('storage unavailable')
    await expect(account.commit([{ do: 'clear', scope: '' }])).rejects.toThrow('storage unavailable')
    expect(released).toEqual([error, error])
  },
)

it.each(['22P02', '42P01', '57014'])(
  'a client whose statement was refused (%s) is released without an error',
  async (code) => {
    const { pool, released } = failingPool(Object.assign(new Error('refused'), { code }))
    await expect(createPostgresStorage({ pool }).account('acme').get(id)).rejects.toThrow()
    expect(released).toEqual([undefined])
  },
)

/** A pool like that of `pg`: it announces a client in the same turn in which it returns it. */
class Pool extends EventEmitter {
  async connect(): Promise<PostgresClient> {
    const client = new EventEmitter()
    this.emit('connect', client)
    // The server announces its shutdown in the packet that ends the handshake.
    client.emit('error', new Error('terminating connection'))
    const query = async () => ({ rows: [], rowCount: 0 })
    return Object.assign(client, { query, release: () => {} }) as PostgresClient
  }
}

it('the driver survives a connection that breaks before the pool returns it', async () => {
  const driver = poolDriver(new Pool(), { prepare: false })
  expect(await driver.query({ text: 'select 1', values: [] })).toEqual({ rows: [], count: 0 })
})

it('the driver adds one listener to a pool, however many storages use the pool', () => {
  const pool = new Pool()
  for (let i = 0; i < 20; i++) poolDriver(pool, { prepare: false })
  expect(pool.listenerCount('connect')).toBe(1)
})
