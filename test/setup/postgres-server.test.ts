import pg from 'pg'
import { expect, it } from 'vitest'
import { startPostgres } from './postgres-server.ts'

it('a server that stops does not interrupt the connections of an ended pool', async () => {
  const server = await startPostgres({ settings: { max_connections: '60' } })
  const errors: Error[] = []
  const pools = Array.from({ length: 10 }, () => new pg.Pool({ ...server.connection, max: 5 }))
  for (const pool of pools) pool.on('error', (error) => errors.push(error))
  await Promise.all(pools.flatMap((pool) => Array.from({ length: 5 }, () => pool.query('select pg_sleep(0.05)'))))
  await Promise.all(pools.map((pool) => pool.end()))
  await server.stop()
  expect(errors).toEqual([])
})

it('a server stops although clients are still connected', async () => {
  const server = await startPostgres()
  const client = new pg.Client(server.connection)
  const errors: Error[] = []
  client.on('error', (error) => errors.push(error))
  await client.connect()
  await server.stop()
  expect(errors[0]).toMatchObject({ code: '57P01' })
})
