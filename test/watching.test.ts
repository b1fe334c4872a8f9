import { storageConformance } from '@halyard/conformance'
import type { Change, Storage, Touched } from '@halyard/core/storage'
import { createPgliteStorage, type PgliteClient } from '@halyard/storage-pglite'
import { createPostgresStorage, type PostgresPool } from '@halyard/storage-postgres'
import pg from 'pg'
import { afterAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { openPgliteClient } from './setup/pglite-client.ts'
import { postgresStorages, uniqueSchema } from './setup/postgres-storages.ts'

const storages = postgresStorages()
afterAll(() => storages.dispose())

const patient = { timeout: 10_000 }

const at = (key: string) => ({ collection: 'things', scope: '', key })
const insert = (key: string): Change => ({ do: 'insert', id: at(key), body: 1, fields: {} })

/** Creates a pool with a name of its own in `pg_stat_activity`. */
function ownPool(max = 4): { pool: pg.Pool; name: string } {
  const name = uniqueSchema()
  const pool = new pg.Pool({ ...inject('postgres'), max, application_name: name })
  pool.on('error', () => {})
  return { pool, name }
}

/** Creates two storages over the same data, each with a pool of its own, as in two processes. */
async function twoProcesses() {
  const schema = uniqueSchema()
  const [here, there] = [ownPool(), ownPool()]
  const [mine, theirs] = [here, there].map(({ pool }) => createPostgresStorage({ pool, schema })) as [Storage, Storage]
  await theirs.migrate()
  onTestFinished(async () => {
    await Promise.all([mine.close(), theirs.close()])
    await Promise.all([here.pool.end(), there.pool.end()])
    await storages.pool.query(`drop schema ${schema} cascade`)
  })
  return { schema, here, there, mine, theirs }
}

async function listeners(name: string): Promise<number> {
  const { rows } = await storages.pool.query(
    `select 1 from pg_stat_activity where application_name = $1 and query ~ '^(listen|select 1$)'`,
    [name],
  )
  return rows.length
}

/** Terminates the connection that listens, as an administrator or a failing network would. */
async function killListener(name: string): Promise<void> {
  await storages.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = $1 and query ~ '^(listen|select 1$)'`,
    [name],
  )
}

describe('watching on Postgres', () => {
  it('uses one connection for all watchers and releases it with the last', async () => {
    const { here, mine } = await twoProcesses()
    const watching = ['a', 'a', 'b'].map((account) => mine.account(account).watch?.(() => {}))
    await expect.poll(() => watching.every((one) => one?.live()), patient).toBe(true)
    expect(await listeners(here.name)).toBe(1)
    expect(here.pool.totalCount - here.pool.idleCount).toBe(1)
    await watching[0]?.stop()
    await watching[1]?.stop()
    expect(watching[2]?.live()).toBe(true)
    await watching[2]?.stop()
    expect(here.pool.totalCount - here.pool.idleCount).toBe(0)
    expect(await listeners(here.name)).toBe(0)
  })

  it('releases its connection when the storage is closed', async () => {
    const { here, mine } = await twoProcesses()
    const watching = mine.account('acme').watch?.(() => {})
    await expect.poll(() => watching?.live(), patient).toBe(true)
    await mine.close()
    expect(here.pool.totalCount - here.pool.idleCount).toBe(0)
  })

  it('does not delay the end of the pool', async () => {
    const { pool } = ownPool()
    const schema = uniqueSchema()
    const storage = createPostgresStorage({ pool, schema })
    await storage.migrate()
    onTestFinished(async () => void (await storages.pool.query(`drop schema ${schema} cascade`)))
    const watching = storage.account('acme').watch?.(() => {})
    await expect.poll(() => watching?.live(), patient).toBe(true)
    // The pool reports its end through the idle connections that it closes.
    await storage.ping()
    await pool.end()
    expect(watching?.live()).toBe(false)
  })

  it('is not live while the connection is lost, and then reports that anything may have changed', async () => {
    const { here, mine, theirs } = await twoProcesses()
    const told: (readonly Touched[] | 'anything')[] = []
    const watching = mine.account('acme').watch?.((touched) => told.push(touched))
    await expect.poll(() => watching?.live(), patient).toBe(true)
    told.length = 0
    await killListener(here.name)
    await expect.poll(() => watching?.live(), { interval: 1, timeout: 10_000 }).toBe(false)
    await theirs.account('acme').commit([insert('a')])
    await expect.poll(() => watching?.live(), { interval: 1, timeout: 10_000 }).toBe(true)
    expect(told).toContain('anything')
    told.length = 0
    await theirs.account('acme').commit([insert('b')])
    await expect.poll(() => told, patient).toEqual([[{ what: 'document', id: at('b') }]])
  })

  it('misses no change while the connection is killed repeatedly under load', async () => {
    const { here, mine, theirs } = await twoProcesses()
    const [reader, writer] = [mine.account('acme'), theirs.account('acme')]
    await writer.commit([insert('counter')])
    /** Cached version of the counter: dropped at each notification, filled only while the subscription is live. */
    let remembered: number | undefined
    let told = 0
    const watching = reader.watch?.(() => {
      told++
      remembered = undefined
    })
    let committed = 1
    let served = 0
    let stale = 0
    let done = false
    // On a busy machine, where reconnecting takes long, the loop continues until enough reads and notifications
    // happened.
    const write = async () => {
      for (let version = 1; version <= 600 || served === 0 || told <= 100; version++) {
        await writer.commit([{ do: 'replace', id: at('counter'), version, body: version, fields: {} }])
        committed = version + 1
      }
      done = true
    }
    const kill = async () => {
      for (let i = 0; !done; i = (i * 7 + 3) % 11) {
        await new Promise((resolve) => setTimeout(resolve, 20 + 9 * i))
        await killListener(here.name)
      }
    }
    const read = async () => {
      while (!done) {
        const [before, live] = [told, watching?.live()]
        const document = await reader.get(at('counter'))
        if (live && watching?.live() && told === before) remembered = document?.version
        await new Promise(setImmediate)
        if (remembered !== undefined && watching?.live()) served++
      }
    }
    await Promise.all([write(), kill(), read()])
    // After all writes the cached version equals the stored one.
    await expect.poll(() => watching?.live(), patient).toBe(true)
    if (remembered !== undefined && remembered !== committed) stale++
    expect(stale).toBe(0)
  })

  it('notifies another process within 250 ms at the median', async () => {
    const { mine, theirs } = await twoProcesses()
    let heard = () => {}
    const watching = mine.account('acme').watch?.(() => heard())
    await expect.poll(() => watching?.live(), patient).toBe(true)
    const delays: number[] = []
    for (let i = 0; i < 300; i++) {
      const arrived = new Promise<number>((resolve) => (heard = () => resolve(performance.now())))
      await theirs.account('acme').commit([insert(`k${i}`)])
      const committed = performance.now()
      delays.push(Math.max(0, (await arrived) - committed))
    }
    delays.sort((a, b) => a - b)
    const [p50, p99] = [delays[150], delays[297]] as [number, number]
    console.log(`from commit to notification, ms: p50 ${p50.toFixed(2)}, p99 ${p99.toFixed(2)}`)
    // Far above the measured time, so that it holds on a busy machine, and below any reasonable polling interval.
    expect(p50).toBeLessThan(250)
  })

  it('treats a notification with an unknown payload as "anything"', async () => {
    const { schema, mine } = await twoProcesses()
    const told: unknown[] = []
    const watching = mine.account('acme').watch?.((touched) => told.push(touched))
    await expect.poll(() => watching?.live(), patient).toBe(true)
    told.length = 0
    await storages.pool.query(`select pg_notify('halyard_${schema}', 'hello')`)
    await expect.poll(() => told, patient).toEqual(['anything'])
  })

  it('needs a pool with more than one connection and clients that emit notifications', async () => {
    const { pool } = ownPool(1)
    onTestFinished(() => pool.end())
    const silent: PostgresPool = {
      async connect() {
        const client = await storages.pool.connect()
        return { query: (statement) => client.query(statement), release: (error) => client.release(error) }
      },
    }
    for (const one of [pool, silent]) {
      const storage = createPostgresStorage({ pool: one })
      const watching = storage.account('acme').watch?.(() => {})
      await pool.query('select 1')
      expect(watching?.live()).toBe(false)
      await storage.close()
    }
  })

  it('can be turned off, and other processes still receive notifications', async () => {
    const { schema, there, mine } = await twoProcesses()
    const deaf = createPostgresStorage({ pool: there.pool, schema, watch: false }).account('acme')
    expect(deaf.watch).toBeUndefined()
    const told: unknown[] = []
    const watching = mine.account('acme').watch?.((touched) => told.push(touched))
    await expect.poll(() => watching?.live(), patient).toBe(true)
    told.length = 0
    await deaf.commit([insert('a')])
    await expect.poll(() => told, patient).toEqual([[{ what: 'document', id: at('a') }]])
  })

  it('sends no notification with `notify: false`, except from a transaction of the host', async () => {
    const { schema, there, mine } = await twoProcesses()
    const quiet = createPostgresStorage({ pool: there.pool, schema, notify: false })
    const told: unknown[] = []
    const watching = mine.account('acme').watch?.((touched) => told.push(touched))
    await expect.poll(() => watching?.live(), patient).toBe(true)
    told.length = 0
    await quiet.account('acme').commit([insert('unheard')])
    const client = await there.pool.connect()
    await client.query('begin')
    await quiet
      .within?.(client)
      .account('acme')
      .commit([insert('heard')])
    await client.query('commit')
    client.release()
    await expect.poll(() => told, patient).toEqual([[{ what: 'document', id: at('heard') }]])
  })

  it('a commit with an unknown outcome is reported at once, and again when its notification arrives', async () => {
    const { schema, here } = await twoProcesses()
    let failing = false
    // The server commits, and the response is lost.
    const lossy: PostgresPool = {
      options: here.pool.options,
      async connect() {
        const client = await here.pool.connect()
        return new Proxy(client, {
          get(target, name) {
            if (name === 'query' && failing) {
              return async (statement: { text: string }) => {
                // The statement continues although its caller has given up.
                target.query(statement).catch(() => {})
                throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
              }
            }
            const member = Reflect.get(target, name)
            return typeof member === 'function' ? member.bind(target) : member
          },
        })
      },
    }
    const storage = createPostgresStorage({ pool: lossy, schema })
    const account = storage.account('acme')
    const told: unknown[] = []
    const watching = account.watch?.((touched) => told.push(touched))
    await expect.poll(() => watching?.live(), patient).toBe(true)
    told.length = 0
    failing = true
    await expect(account.commit([insert('a')])).rejects.toThrow('storage unavailable')
    expect(told.length).toBeGreaterThan(0)
    failing = false
    await expect.poll(() => told.length, patient).toBe(2)
    await storage.close()
  })
})

describe('watching on PGlite', () => {
  const clients = new Map<Storage, PgliteClient>()
  afterAll(() => Promise.all([...new Set(clients.values())].map((client) => client.close())))
  function use(client: PgliteClient): Storage {
    const storage = createPgliteStorage({ client })
    clients.set(storage, client)
    return storage
  }
  const cases = storageConformance({
    async open() {
      const storage = use(await openPgliteClient())
      await storage.migrate()
      return storage
    },
    openBeside: async (storage) => use(clients.get(storage) as PgliteClient),
  })
  for (const { group, name, run } of cases.filter(({ group }) => group.startsWith('watching'))) {
    it(`${group}: ${name}`, run, 60_000)
  }
})
