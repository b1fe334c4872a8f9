import { expect, it } from 'vitest'
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
