import { readFileSync } from 'node:fs'
import path from 'node:path'
import { storageConformance } from '@halyard/conformance'
import { createEngine } from '@halyard/core'
import { type AccountStorage, isStorageUnavailable, type Storage } from '@halyard/core/storage'
import { createPostgresStorage, createShardedStorage, moveAccount, type ShardDatabase } from '@halyard/storage-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from './root.ts'
import { longTests } from './setup/long-tests.ts'
import { ownDatabase } from './setup/own-database.ts'
import { at } from './setup/postgres-records.ts'
import { type PostgresServer, startPostgres } from './setup/postgres-server.ts'
import { schemasOfPostgres } from './setup/schemas-of-postgres.ts'
import { testPostgres } from './setup/test-postgres.ts'

/** Shorter than the default, so that moves are frequent. The margin for slow timers is the usual one. */
const routeMs = 500
const moves = longTests ? 40 : 4
const accounts = ['acme', 'initech', 'umbrella'] as const

const first = await ownDatabase()
let second: PostgresServer
let databases: Readonly<Record<string, ShardDatabase & { readonly pool: pg.Pool }>>
const pools: pg.Pool[] = []

beforeAll(async () => {
  second = await startPostgres()
  databases = { east: { pool: first.pool }, west: { pool: openPool(second.connection) } }
  for (const { pool } of Object.values(databases)) await createPostgresStorage({ pool }).migrate()
  await first.pool.query('create table routes (account text primary key, shard text not null)')
  for (const account of accounts) await first.pool.query(`insert into routes values ($1, 'east')`, [account])
}, 60_000)

afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await second.stop()
  await first.drop()
})

function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...config, max: 4 })
  // The server is stopped before the pool closes its idle connections, which then report an error.
  pool.on('error', () => {})
  pools.push(pool)
  return pool
}

async function shardOf(account: string): Promise<string> {
  const { rows } = await first.pool.query('select shard from routes where account = $1', [account])
  return rows[0].shard
}

/** Opens the storage as one process of several does. */
function openProcess(): Storage {
  const connections = { east: { connectionString: first.url }, west: second.connection }
  const shards = Object.fromEntries(
    Object.entries(connections).map(([name, config]) => [name, createPostgresStorage({ pool: openPool(config) })]),
  )
  return createShardedStorage({ shards, shardOf, routeMs })
}

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

async function moveToOther(account: string): Promise<void> {
  const source = await shardOf(account)
  const target = source === 'east' ? 'west' : 'east'
  await moveAccount({
    account,
    from: databases[source] as ShardDatabase,
    to: databases[target] as ShardDatabase,
    switchRoute: async () =>
      void (await first.pool.query('update routes set shard = $2 where account = $1', [account, target])),
    routeMs,
  })
}

describe('accounts that are moved between two servers while two processes write to them', () => {
  const id = at('counter')
  const problems: string[] = []
  const totals = new Map<string, number>()
  let increments = 0

  beforeAll(async () => {
    const processes = [openProcess(), openProcess()]
    // This process never writes, so it reads a new route only when its cached route is too old.
    const reader = openProcess()
    for (const account of accounts) {
      await processes[0]?.account(account).commit([{ do: 'insert', id, body: { n: 0 }, fields: {} }])
    }
    let over = false
    const writers = accounts.flatMap((account) => {
      const reading = reader.account(account)
      return processes.map((storage) => count(storage.account(account), reading, account, () => over))
    })
    for (let move = 0; move < moves; move++) await Promise.all(accounts.slice(0, 2).map(moveToOther))
    over = true
    await Promise.all(writers)
    await Promise.all([...processes, reader].map((storage) => storage.close()))
  }, 300_000)

  /** Adds one to a counter again and again, and reads it in another process after each acknowledged change. */
  async function count(
    own: AccountStorage,
    reading: AccountStorage,
    account: string,
    isOver: () => boolean,
  ): Promise<void> {
    while (!isOver()) {
      try {
        const stored = await own.get(id)
        if (!stored) throw new Error(`${account}: the counter is missing`)
        const { n } = stored.body as { readonly n: number }
        const body = { n: n + 1 }
        const { outcome } = await own.commit([{ do: 'replace', id, version: stored.version, body, fields: {} }])
        if (outcome !== 'committed') continue
        increments++
        totals.set(account, (totals.get(account) ?? 0) + 1)
        const seen = await reading.get(id)
        if ((seen?.version ?? 0) <= stored.version) problems.push(`${account}: version ${seen?.version} after a write`)
      } catch (error) {
        if (!isStorageUnavailable(error)) return void problems.push(String(error))
      }
    }
  }

  it('lose no change and serve no stale read', async () => {
    console.log(`${moves * 2} moves, ${increments} changes acknowledged`)
    expect(problems).toEqual([])
    const storage = openProcess()
    for (const account of accounts) {
      const stored = await storage.account(account).get(id)
      expect(stored?.body, account).toEqual({ n: totals.get(account) })
      expect(stored?.version).toBe(1 + (totals.get(account) ?? 0))
    }
    await storage.close()
  })

  it('are stored on one server each', async () => {
    for (const account of accounts) {
      const counts = await Promise.all(
        Object.values(databases).map(async ({ pool }) => {
          const { rows } = await pool.query('select count(*)::int as n from halyard.documents where account = $1', [
            account,
          ])
          return rows[0].n as number
        }),
      )
      expect(counts.toSorted()).toEqual([0, 1])
    }
  })
})

describe('an engine on an account that is moved', () => {
  it('keeps flags, change log and rights, and learns of changes on the new server', async () => {
    const [here, there] = [openProcess(), openProcess()]
    await first.pool.query(`insert into routes values ('moved', 'east')`)
    const [engine, other] = [here, there].map((storage) =>
      createEngine({ storage, account: 'moved', rateLimit: false }),
    )
    if (!engine || !other) throw new Error('unreachable')
    const as = { as: (await engine.bootstrap())?.token as string }
    await engine.api.createProject({ body: { key: 'p', name: 'P' } }, as)
    await engine.api.createFlag({ projectKey: 'p', body: { key: 'f', name: 'F' } }, as)
    const flag = { projectKey: 'p', flagKey: 'f' }
    await other.api.getFlag(flag, as)
    const renaming = async (value: string) =>
      engine.api.patchFlag({ ...flag, body: [{ op: 'replace', path: '/name', value }] }, as)
    await Promise.all([moveToOther('moved'), renaming('during the move')])
    await renaming('after the move')
    const nameThere = async () => (await other.api.getFlag(flag, as)).name
    await expect.poll(nameThere, { timeout: 10_000 }).toBe('after the move')
    const { items } = await engine.api.listChangeLog({ limit: 20 }, as)
    expect(items).toHaveLength(4)
    await Promise.all([engine.close(), other.close()])
  }, 60_000)
})

describe('a move of an account with branches', () => {
  it('is refused with the names of the branches, and leaves the account writable', async () => {
    const { pool } = databases.east as ShardDatabase & { readonly pool: pg.Pool }
    await first.pool.query(`insert into routes values ('branched', 'east')`)
    const engine = createEngine({ storage: createPostgresStorage({ pool, watch: false }), account: 'branched' })
    const as = { as: (await engine.bootstrap())?.token as string }
    await engine.branch('pr-1')
    await engine.branch('pr-2')
    await expect(moveToOther('branched')).rejects.toThrow('2 branches, which are not moved: merge or delete pr-1, pr-2')
    await engine.api.createProject({ body: { key: 'p', name: 'P' } }, as)
    await engine.branches.delete('pr-1')
    await engine.branches.delete('pr-2')
    await moveToOther('branched')
    const moved = createEngine({ storage: openProcess(), account: 'branched' })
    expect((await moved.api.getProject({ projectKey: 'p' }, as)).name).toBe('P')
    await moved.close()
  }, 60_000)
})

describe('a move that was interrupted', () => {
  it('leaves the account readable, refuses writes, and is completed by the next call', async () => {
    await first.pool.query(`insert into routes values ('halted', 'east')`)
    const shards = Object.fromEntries(
      Object.entries(databases).map(([name, { pool }]) => [name, createPostgresStorage({ pool, watch: false })]),
    )
    const storage = createShardedStorage({ shards, shardOf, routeMs, maxWaitMs: 100 })
    const account = storage.account('halted')
    await account.commit([{ do: 'insert', id: at('kept'), body: 1, fields: {} }])
    const from = databases.east as ShardDatabase
    const to = databases.west as ShardDatabase
    const fails = async () => {
      throw new Error('no route')
    }
    await expect(moveAccount({ account: 'halted', from, to, switchRoute: fails, routeMs })).rejects.toThrow('no route')
    expect(await account.get(at('kept'))).toMatchObject({ body: 1 })
    const refused = account.commit([{ do: 'insert', id: at('late'), body: 1, fields: {} }])
    expect(isStorageUnavailable(await refused.catch((error: unknown) => error))).toBe(true)
    await moveToOther('halted')
    expect(await shardOf('halted')).toBe('west')
    expect(await account.get(at('kept'))).toMatchObject({ body: 1 })
    expect(await account.commit([{ do: 'insert', id: at('late'), body: 1, fields: {} }])).toMatchObject({
      outcome: 'committed',
    })
    // A repeated move does not replace data that was written after the first move.
    await moveAccount({ account: 'halted', from, to, switchRoute: async () => {}, routeMs })
    expect(await account.get(at('late'))).toMatchObject({ body: 1 })
  }, 60_000)
})

describe('a move', () => {
  const [east, west] = ['east', 'west'].map(
    (name) => () => databases[name] as ShardDatabase & { readonly pool: pg.Pool },
  )
  if (!east || !west) throw new Error('unreachable')
  const accountOn = ({ pool }: ShardDatabase, account: string) =>
    createPostgresStorage({ pool, watch: false }).account(account)
  const insert = (storage: AccountStorage, key: string) =>
    storage.commit([{ do: 'insert', id: at(key), body: key, fields: {} }])
  const outcomeOf = (commit: Promise<{ readonly outcome: string }>) =>
    commit.then(({ outcome }) => outcome).catch((error: unknown) => (isStorageUnavailable(error) ? 'refused' : error))
  const switchRoute = async () => {}

  it('refuses the write of a transaction that has an older snapshot', async () => {
    await insert(accountOn(east(), 'snapshot'), 'kept')
    const client = await east().pool.connect()
    await client.query({ text: 'begin isolation level repeatable read' })
    await client.query({ text: 'select count(*) from routes' })
    const storage = createPostgresStorage({ pool: east().pool, watch: false })
    const writeLate = async () => {
      const within = storage.within?.(client).account('snapshot')
      expect(await outcomeOf(insert(within as AccountStorage, 'late'))).toBe('refused')
    }
    try {
      await moveAccount({ account: 'snapshot', from: east(), to: west(), switchRoute: writeLate, routeMs: 0 })
    } finally {
      // An open transaction that has written would make other moves wait.
      await client.query({ text: 'rollback' })
      client.release()
    }
  })

  it('keeps the copy that processes already read when it is repeated after the switch', async () => {
    await insert(accountOn(east(), 'switched'), 'kept')
    const move = (route: () => Promise<void>) =>
      moveAccount({ account: 'switched', from: east(), to: west(), switchRoute: route, routeMs: 0 })
    const stops = async () => {
      throw new Error('the process ended')
    }
    await expect(move(stops)).rejects.toThrow('the process ended')
    const copies = async () => {
      const { rows } = await west().pool.query(`select xmin::text from halyard.documents where account = 'switched'`)
      return rows
    }
    const before = await copies()
    expect(before).toHaveLength(1)
    await move(switchRoute)
    expect(await copies()).toEqual(before)
  })

  it('refuses writes by the route of an earlier move while the account comes back', async () => {
    await insert(accountOn(east(), 'back'), 'kept')
    await moveAccount({ account: 'back', from: east(), to: west(), switchRoute, routeMs: 0 })
    const outcomes: unknown[] = []
    const { pool } = west()
    const from: ShardDatabase = {
      pool: {
        connect: async () => {
          outcomes.push(await outcomeOf(insert(accountOn(east(), 'back'), `late-${outcomes.length}`)))
          return pool.connect()
        },
      },
    }
    const wait = async () => void outcomes.push(await outcomeOf(insert(accountOn(east(), 'back'), 'waiting')))
    await moveAccount({ account: 'back', from, to: east(), switchRoute: wait, routeMs: 0 })
    // The last connections mark the account as moved away, and then delete its rows from the old server. After that,
    // the other server accepts writes.
    expect(outcomes.lastIndexOf('refused')).toBeGreaterThanOrEqual(outcomes.length - 2)
    expect(outcomes.indexOf('committed')).toBeGreaterThanOrEqual(outcomes.length - 1)
  })

  it('that runs twice at the same time loses nothing', async () => {
    const keys = Array.from({ length: 5 }, (_, i) => `kept-${i}`)
    for (const key of keys) await insert(accountOn(east(), 'twice'), key)
    const move = () => moveAccount({ account: 'twice', from: east(), to: west(), switchRoute, routeMs: 0 })
    const results = await Promise.allSettled([move(), move(), move()])
    if (results.every(({ status }) => status === 'rejected')) await move()
    const { items } = await accountOn(west(), 'twice').list({ ...at(''), limit: 10, select: 'fields' })
    expect(items.map(({ key }) => key).toSorted()).toEqual(keys)
    expect(await outcomeOf(insert(accountOn(west(), 'twice'), 'new'))).toBe('committed')
  })
})

describe('an existing schema', () => {
  it('is copied into partitioned tables by the statements of the guide', async () => {
    const { pool, drop } = await ownDatabase()
    try {
      const guide = readFileSync(path.join(root, 'docs/guide/scaling.md'), 'utf8')
      const [rename = '', copy = ''] = /^```sql\n(.*?)^```/ms.exec(guide)?.[1]?.split(/^-- .*$/m) ?? []
      const before = createPostgresStorage({ pool, watch: false })
      const engine = createEngine({ storage: before, rateLimit: false })
      await engine.migrate()
      const as = { as: (await engine.bootstrap())?.token as string }
      await engine.api.createProject({ body: { key: 'p', name: 'P' } }, as)
      const records = async (storage: Storage) => (await allOf(storage.account('default').dump())).flat()
      const dumped = await records(before)
      await pool.query(rename)
      const after = createPostgresStorage({ pool, watch: false, partitions: 4 })
      await after.migrate()
      await pool.query(copy)
      expect(await records(after)).toEqual(dumped)
      expect(dumped.length).toBeGreaterThan(3)
      await engine.api.createFlag({ projectKey: 'p', body: { key: 'f', name: 'F' } }, as)
    } finally {
      await drop()
    }
  }, 30_000)
})

describe('storage on tables that are partitioned by account', () => {
  const storages = schemasOfPostgres(testPostgres, { partitions: 4 })
  afterAll(() => storages.dispose())
  const cases = storageConformance(storages)
  // The statements are the same as for plain tables, and a partition contains whole accounts.
  const selected = longTests
    ? cases
    : cases.filter(({ group }, i) => group !== 'scale' && cases.findIndex((one) => one.group === group) === i)
  for (const { group, name, run } of selected) it(`${group}: ${name}`, run, 60_000)

  it('each table has the requested partitions', async () => {
    await storages.open()
    const { rows } = await storages.pool.query(
      `select relname as table, count(*)::int as partitions from pg_inherits join pg_class on oid = inhparent
        where relkind = 'p' group by relnamespace, relname`,
    )
    const names = [...new Set(rows.map(({ table }) => table))].toSorted()
    expect(names).toEqual(['documents', 'members', 'openings', 'samples', 'shares', 'tasks'])
    expect(new Set(rows.map(({ partitions }) => partitions))).toEqual(new Set([4]))
  })

  it('each partition has the indexes of its table', async () => {
    await storages.open()
    const { rows } = await storages.pool.query(
      `select i.indexrelid::regclass::text as index, i.indisvalid as valid,
        (select count(*)::int from pg_inherits where inhparent = i.indexrelid) as parts
      from pg_index i join pg_class t on t.oid = i.indrelid where t.relkind = 'p'`,
    )
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.filter(({ valid, parts }) => !valid || parts !== 4)).toEqual([])
  })

  it('the number of partitions must be from 0 to 256', () => {
    const make = (partitions: number) => () => createPostgresStorage({ pool: storages.pool, partitions })
    for (const wrong of [-1, 1.5, 257, Number.NaN]) expect(make(wrong)).toThrow(RangeError)
  })
})
