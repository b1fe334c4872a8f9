import { createEngine, type PositionedChange } from '@halyard/core'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from './setup/postgres-server.ts'

const as = { role: 'admin' } as const
const hour = 3_600_000

// A server of its own: transactions are numbered by server, so those of other tests would delay the positions.
let server: PostgresServer
let pool: pg.Pool
beforeAll(async () => {
  server = await startPostgres()
  pool = new pg.Pool({ ...server.connection, max: 4 })
})
afterAll(async () => {
  await pool?.end()
  await server?.stop()
})

it('engine.changes yields a change that a transaction of the host commits after an hour, also from a later position', async () => {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const storage = createPostgresStorage({ pool })
  await using engine = createEngine({ storage, clock: () => clock.now })
  await engine.migrate()
  const createTeam = (key: string, api = engine.api) => api.createTeam({ body: { key, name: key } }, { as })
  const names = (changes: readonly PositionedChange[]) =>
    changes.map(({ resources }) => resources[0]?.resource.replace('team/', ''))
  await createTeam('first')
  const client = await pool.connect()
  try {
    await client.query('begin')
    await createTeam('late', engine.with({ transaction: client }).api)
    const changes = engine.changes({ pollMs: 50 })
    const read: PositionedChange[] = []
    const next = async () => read.push((await changes.next()).value as PositionedChange)
    await next()
    for (const key of ['second', 'third', 'fourth']) {
      clock.now += hour
      await createTeam(key)
      await next()
    }
    await client.query('commit')
    await next()
    expect(names(read)).toEqual(['first', 'second', 'third', 'fourth', 'late'])
    const again: PositionedChange[] = []
    for await (const change of engine.changes({ after: read[3]?.position as string })) {
      again.push(change)
      if (names([change])[0] === 'fourth') break
    }
    expect(names(again)).toContain('late')
    clock.now += hour
    await createTeam('fifth')
    await next()
    // No transaction is open, so a later iteration need not read everything again.
    clock.now += hour
    await createTeam('sixth')
    await next()
    const last = engine.changes({ after: read.at(-1)?.position as string })
    expect(names([(await last.next()).value as PositionedChange])).toEqual(['sixth'])
    await last.return?.()
    await changes.return?.()
  } finally {
    client.release()
  }
})
