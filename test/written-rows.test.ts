import { type BoundApi, createEngine } from '@halyard/core'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from './setup/postgres-server.ts'

/** The writes of one call: rows of tables, and bytes of the write-ahead log. */
interface Written {
  readonly rows: number
  readonly bytes: number
}

/**
 * The limits of what calls write on Postgres, a tenth above what they write. A change writes the document and its entry
 * in the change log. Turning on a flag writes its configuration, the flag, whose version counts changes of its
 * configurations, the entry, and an event for the insights. About half of the bytes are the entry, and a fifth are
 * indexes.
 */
const writtenBy: Readonly<Record<string, Written>> = {
  'patchFlag of the description': { rows: 2, bytes: 3_200 },
  'patchFlag of one environment': { rows: 4, bytes: 6_100 },
  createFlag: { rows: 2, bytes: 4_700 },
  deleteFlag: { rows: 2, bytes: 2_900 },
  createSegment: { rows: 2, bytes: 4_400 },
  'patchSegment of the name': { rows: 2, bytes: 4_400 },
  deleteSegment: { rows: 2, bytes: 2_600 },
  createTeam: { rows: 2, bytes: 3_200 },
  patchTeam: { rows: 2, bytes: 2_900 },
  createWebhook: { rows: 2, bytes: 3_000 },
}

/** Calls of each operation before the measured one: indexes have their pages, and statements their plans. */
const callsBefore = 8

let server: PostgresServer
let pool: pg.Pool
let api: BoundApi

beforeAll(async () => {
  server = await startPostgres({ settings: { autovacuum: 'off', synchronous_commit: 'on' } })
  pool = new pg.Pool({ ...server.connection, max: 2 })
  await pool.query('create extension pg_walinspect')
  const engine = createEngine({ storage: createPostgresStorage({ pool }), rateLimit: false })
  await engine.migrate()
  api = engine.as({ token: (await engine.bootstrap())?.token as string })
  await api.createProject({ body: { key: 'web', name: 'Web' } })
})

afterAll(async () => {
  await pool.end()
  await server.stop()
})

/** Returns the writes of a call, which it counts in the records of the write-ahead log. */
async function writesOf(call: () => Promise<unknown>): Promise<Written> {
  const position = async () => (await pool.query('select pg_current_wal_flush_lsn() as lsn')).rows[0].lsn as string
  const start = await position()
  await call()
  const records = await pool.query(
    `select count(*) filter (where resource_manager = 'Heap' and record_type ~ '^(INSERT|UPDATE|HOT_UPDATE|DELETE)')::int as rows,
       sum(record_length)::int as bytes
     from pg_get_wal_records_info($1, $2)`,
    [start, await position()],
  )
  return records.rows[0]
}

describe('a call on Postgres writes few rows and few bytes', () => {
  const flag = (key: string) => ({ projectKey: 'web', flagKey: key })
  const segment = (key: string) => ({ projectKey: 'web', environmentKey: 'production', segmentKey: key })
  const createFlag = (key: string) => api.createFlag({ projectKey: 'web', body: { key, name: key, tags: ['shop'] } })
  const createSegment = (key: string) =>
    api.createSegment({ projectKey: 'web', environmentKey: 'production', body: { key, name: key, tags: ['shop'] } })
  const createTeam = (key: string) => api.createTeam({ body: { key, name: key } })
  const describeFlag = (key: string) =>
    api.patchFlag({ ...flag(key), body: [{ op: 'replace', path: '/description', value: 'Shows the new checkout' }] })
  const turnOn = (key: string) =>
    api.patchFlag({ ...flag(key), body: [{ op: 'replace', path: '/environments/production/on', value: true }] })
  const renameSegment = (key: string) =>
    api.patchSegment({ ...segment(key), body: [{ op: 'replace', path: '/name', value: 'Beta users' }] })

  /** By name: the call, and what has to exist before it. */
  const calls: Readonly<
    Record<string, readonly [(key: string) => Promise<unknown>, (key: string) => Promise<unknown>]>
  > = {
    createFlag: [createFlag, async () => {}],
    'patchFlag of the description': [describeFlag, createFlag],
    'patchFlag of one environment': [turnOn, createFlag],
    deleteFlag: [(key) => api.deleteFlag(flag(key)), createFlag],
    createSegment: [createSegment, async () => {}],
    'patchSegment of the name': [renameSegment, createSegment],
    deleteSegment: [(key) => api.deleteSegment(segment(key)), createSegment],
    createTeam: [createTeam, async () => {}],
    patchTeam: [
      (key) => api.patchTeam({ teamKey: key, body: { instructions: [{ kind: 'updateName', value: 'Shop' }] } }),
      createTeam,
    ],
    createWebhook: [
      () => api.createWebhook({ body: { url: 'https://example.com/', sign: true, on: false } }),
      async () => {},
    ],
  }

  it.each(Object.keys(writtenBy))('%s', async (name) => {
    const [call, prepare] = calls[name] as NonNullable<(typeof calls)[string]>
    const keyOf = (index: number) => `${name.replaceAll(' ', '-').toLowerCase()}-${index}`
    const measured: Written[] = []
    for (let index = 0; index <= callsBefore; index++) {
      await prepare(keyOf(index))
      measured.push(await writesOf(() => call(keyOf(index))))
    }
    // Some calls also divide a page of an index.
    const rows = Math.min(...measured.map((each) => each.rows))
    const bytes = Math.min(...measured.map((each) => each.bytes))
    const limits = writtenBy[name] as Written
    expect(rows, 'rows').toBe(limits.rows)
    expect(bytes, 'bytes').toBeLessThanOrEqual(limits.bytes)
    // A limit far above what is written would not show a change.
    expect(bytes, 'bytes').toBeGreaterThan(0.8 * limits.bytes)
  })
})
