import { createCache, createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { startPostgres } from '../../test/setup/postgres-server.ts'
import { compare, type Result, type Suite } from '../compare.ts'
import type { Footprint } from '../footprint.ts'
import { measureLatency } from '../latency.ts'

const suite = 'tenants'
const tenantCount = 10_000
const partitions = 16
const flagsOfTenant = 20
/** Number of accounts that one statement creates: few, so that the progress is visible. */
const accountsPerStatement = 250
const as = { as: { role: 'admin' } } as const

/** Measures engines for many accounts on one Postgres, and the effect of partitions by account. */
export const tenants: Suite = {
  name: suite,
  about: `${tenantCount} accounts with ${flagsOfTenant} flags each in one Postgres, an engine for each account in one process, with common caches of 64 MiB. Calls choose an account at random; the peer is the same call on one account alone, or on tables that are not partitioned. Memory is per engine, before and after its first call; the peer is a single \`Map\`. Postgres waits for the disk at every commit.`,
  async run() {
    const server = await startPostgres({ durable: true })
    const pool = new pg.Pool({ ...server.connection, max: 8 })
    pool.on('error', () => {})
    try {
      return await measure(pool)
    } finally {
      await pool.end()
      await server.stop()
    }
  },
}

async function measure(pool: pg.Pool): Promise<Result[]> {
  const plain = await fill(createPostgresStorage({ pool, schema: 'plain' }), pool, 'plain')
  const parted = await fill(createPostgresStorage({ pool, schema: 'parted', partitions }), pool, 'parted')
  await pool.query('vacuum analyze')
  const name = `${partitions} partitions`
  const [memory, engines] = memoryOfEngines(parted)
  const used = await memoryOfUse(engines)
  const plainEngines = enginesOn(plain)
  const one = () => 0
  const any = () => Math.floor(Math.random() * tenantCount)
  const results: Result[] = [
    memory,
    used,
    await measureLatency({
      suite,
      case: 'an engine is made',
      storage: 'postgres',
      run: async () => newEngine(parted, 0),
    }),
    await measureLatency({
      suite,
      case: 'an engine is made and calls getFlag',
      storage: name,
      run: () => read(newEngine(parted, any())),
    }),
  ]
  for (const [label, call] of [
    ['getFlag', read],
    ['patchFlag', patch],
  ] as const) {
    const ours = async () => call(engines[any()] as Engine)
    const alone = async () => call(engines[one()] as Engine)
    const unparted = async () => call(plainEngines[any()] as Engine)
    results.push(
      await compare({ suite, case: `${label} of any account`, ours, peer: { name: 'one account', run: alone } }),
      await compare({ suite, case: `${label} in ${name}`, ours, peer: { name: 'plain tables', run: unparted } }),
    )
  }
  return results
}

const keys = { projectKey: 'web', flagKey: 'f1' }
// `async`, because tinybench calls other functions once without waiting for them.
const read = async (engine: Engine) => engine.api.getFlag(keys, as)
let patches = 0
const patch = async (engine: Engine) =>
  engine.api.patchFlag({ ...keys, body: [{ op: 'replace', path: '/name', value: `Flag ${patches++}` }] }, as)

/** Creates the accounts: an engine creates one, and statements copy it. */
async function fill(storage: Storage, pool: pg.Pool, schema: string): Promise<Storage> {
  const engine = createEngine({ storage, account: 'tenant-0', rateLimit: false })
  await engine.migrate()
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, as)
  for (let i = 1; i <= flagsOfTenant; i++)
    await engine.api.createFlag({ projectKey: 'web', body: { key: `f${i}`, name: `Flag ${i}` } }, as)
  for (const [table, columns] of [
    ['documents', 'collection, scope, key, version, body, fields'],
    ['samples', 'scope, name, id, at, label, width, v0, v1, v2, v3, v4, v5, v6, v7, body, terms'],
  ]) {
    for (let from = 1; from < tenantCount; from += accountsPerStatement) {
      const to = Math.min(from + accountsPerStatement, tenantCount) - 1
      await pool.query(
        `insert into ${schema}.${table} (account, ${columns}) select 'tenant-' || i, ${columns}
          from ${schema}.${table}, generate_series($1::int, $2::int) i where account = 'tenant-0'`,
        [from, to],
      )
      process.stderr.write(`\r  ... ${schema}.${table}: ${to + 1} of ${tenantCount} accounts`)
    }
    process.stderr.write('\n')
  }
  return storage
}

const cache = createCache()
const newEngine = (storage: Storage, tenant: number) =>
  createEngine({ storage, account: `tenant-${tenant}`, cache, rateLimit: false })

function enginesOn(storage: Storage): readonly Engine[] {
  return Array.from({ length: tenantCount }, (_, tenant) => newEngine(storage, tenant))
}

function memory() {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  return { heapUsed, rss }
}

function footprint(name: string, before: ReturnType<typeof memory>): Footprint {
  const after = memory()
  const kilobytes = (bytes: number) => Number((bytes / tenantCount / 1000).toPrecision(3))
  const peers = memory()
  const maps = Array.from({ length: tenantCount }, () => new Map())
  const withMaps = memory()
  return {
    suite,
    case: name,
    residentKB: kilobytes(after.rss - before.rss),
    heapKB: kilobytes(after.heapUsed - before.heapUsed),
    peer: `an empty ${maps[0]?.constructor.name}`,
    peerResidentKB: kilobytes(withMaps.rss - peers.rss),
    peerHeapKB: kilobytes(withMaps.heapUsed - peers.heapUsed),
  }
}

function memoryOfEngines(storage: Storage): [Footprint, readonly Engine[]] {
  enginesOn(storage).slice(0, 100)
  const before = memory()
  const engines = enginesOn(storage)
  return [footprint(`an idle engine of ${tenantCount}`, before), engines]
}

async function memoryOfUse(engines: readonly Engine[]): Promise<Footprint> {
  const before = memory()
  for (let i = 0; i < engines.length; i += 100) await Promise.all(engines.slice(i, i + 100).map(read))
  return footprint('what the first getFlag of an engine leaves, with its part of the caches', before)
}
