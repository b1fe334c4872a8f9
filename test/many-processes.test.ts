import { setTimeout as delay } from 'node:timers/promises'
import type { Sample } from '@halyard/core/storage'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killChildren } from './processes/child.ts'
import {
  addTags,
  type Cluster,
  createAndDelete,
  emptyRecord,
  projectKey,
  readLists,
  revokeTokens,
  startCluster,
} from './processes/load.ts'
import { halyardFile, type ServedEngine, serveHalyard } from './processes/served-engine.ts'
import { bundledProgram } from './setup/bundled-program.ts'
import { longTests } from './setup/long-tests.ts'
import { ownDatabase } from './setup/own-database.ts'
import { startPgBouncer } from './setup/pgbouncer.ts'
import { startReplicatedPostgres } from './setup/postgres-server.ts'
import { postgresUrl } from './setup/postgres-url.ts'

const loadMs = longTests ? 60_000 : 5_000

/** Maximum time that is added while a kind of write is missing, ms. */
const extraMs = 30_000
const replayDelayMs = 100
const killEveryMs = longTests ? 10_000 : 2_000

const token = 'api-many-processes-0123456789'
const counters = Array.from({ length: longTests ? 12 : 4 }, (_, i) => `counter-${i}`)

interface LoggedChange {
  readonly resource: string
  readonly patch: unknown
}

const changesOf = ({ body }: Sample) => (body as { changes: readonly LoggedChange[] }).changes

/** A database, and a way to connect to it. */
interface ConnectedDatabase {
  readonly pool: pg.Pool
  /** Starts a process that uses the database. */
  start(): Promise<ServedEngine>
  stop(): Promise<void>
}

const serve = (storage: string, options: readonly string[] = []) =>
  serveHalyard(bundledProgram(halyardFile), storage, token, options)

async function directly(): Promise<ConnectedDatabase> {
  const { pool, url, drop } = await ownDatabase()
  return { pool, start: () => serve(url), stop: drop }
}

async function throughPooler(): Promise<ConnectedDatabase> {
  const { pool, url, drop } = await ownDatabase()
  const pooler = await startPgBouncer(20)
  const storage = `${pooler.url(new URL(url).pathname.slice(1))}&pooler=transaction`
  return { pool, start: () => serve(storage, ['--storage-listen', url]), stop: () => pooler.stop().then(drop) }
}

/**
 * The replica is behind, so that a read of it right after a write would be stale. Under a load with constant writes,
 * few reads can use the replica. The tests in replicas.test.ts check that reads use it.
 */
async function withReplica(): Promise<ConnectedDatabase> {
  const settings = { recovery_min_apply_delay: `${replayDelayMs}ms` }
  const { primary, standby } = await startReplicatedPostgres({ standby: { settings } })
  const pool = new pg.Pool(primary.connection)
  pool.on('error', () => {})
  const options = ['--storage-replica', postgresUrl(standby.connection)]
  return {
    pool,
    start: () => serve(postgresUrl(primary.connection), options),
    async stop() {
      await pool.end()
      await standby.stop()
      await primary.stop()
    },
  }
}

describe.each([
  ['four processes on one Postgres, some of which are killed', directly],
  ['four processes on a pooler with 20 server connections, some of which are killed', throughPooler],
  ['four processes on a primary and a replica that is behind, some of which are killed', withReplica],
])('%s', (_, connect) => {
  const account = emptyRecord()
  let connected: ConnectedDatabase
  let cluster: Cluster
  let log: readonly Sample[] = []

  beforeAll(
    async () => {
      connected = await connect()
      cluster = await startCluster(4, connected.start)
      const anyProcess = cluster.any()
      await anyProcess.send('POST', '/api/v2/projects', { body: { key: projectKey, name: 'Web' } })
      for (const key of counters)
        await anyProcess.send('POST', `/api/v2/flags/${projectKey}`, { body: { key, name: key } })
      const startTime = performance.now()
      const { created, deleted, revokedTokens } = account
      // A busy machine needs longer until every kind of write has happened.
      const isComplete = () => [created, deleted, revokedTokens].every(({ size }) => size > 0)
      const isOver = (at: number) => at >= startTime + loadMs && (isComplete() || at >= startTime + loadMs + extraMs)
      const load = { cluster, account, counters, over: () => isOver(performance.now()) }
      const clients = [
        ...Array.from({ length: 6 }, (_, i) => addTags(load, `tag-${i}`)),
        ...Array.from({ length: 2 }, (_, i) => createAndDelete(load, `made-${i}`)),
        ...Array.from({ length: 3 }, () => readLists(load)),
        revokeTokens(load),
      ]
      const killRegularly = async () => {
        // Processes are killed at fixed times, however long a replacement takes to start.
        for (let next = startTime + killEveryMs; next < startTime + loadMs; next += killEveryMs) {
          await delay(Math.max(0, next - performance.now()))
          await cluster.replaceOne()
        }
      }
      await Promise.all([...clients, killRegularly()])
      const storage = createPostgresStorage({ pool: connected.pool })
      log = await storage.account('default').newest({ series: { name: 'change-log', scope: 'acct' }, limit: 1_000_000 })
    },
    loadMs + extraMs + 60_000,
  )

  afterAll(async () => {
    await killChildren()
    await connected.stop()
  })

  const entriesAbout = (operation: string, key: string) =>
    log.filter(
      (entry) =>
        (entry.body as { operation: string }).operation === operation &&
        changesOf(entry).some(({ resource }) => resource.endsWith(`/${key}`)),
    )

  const flag = async (key: string) => {
    const { status, body } = await cluster.any().send('GET', `/api/v2/flags/${projectKey}/${key}`)
    return { status, ...(body as { tags: string[]; _version: number }) }
  }

  it('respond to every request without a 5xx, and execute every kind of write', () => {
    const tags = [...account.added.values()].reduce((sum, { size }) => sum + size, 0)
    const { requests, conflicts, created, deleted, unknown, revokedTokens } = account
    console.log(
      `${requests} requests, ${tags} tags added, ${conflicts} conflicts, ${created.size} created, ${deleted.size} deleted, ` +
        `${revokedTokens.size} tokens revoked, ${cluster.kills()} kills, ${unknown.size} responses lost`,
    )
    expect(account.problems).toEqual([])
    expect(cluster.kills()).toBeGreaterThan(0)
    for (const count of [tags, created.size, deleted.size, revokedTokens.size]) expect(count).toBeGreaterThan(0)
  })

  it('lose no update: every tag is stored, and the version counts them', async () => {
    for (const key of counters) {
      const { tags, _version } = await flag(key)
      const added = [...(account.added.get(key) ?? [])]
      expect(added.filter((tag) => !tags.includes(tag))).toEqual([])
      expect(tags.filter((tag) => !added.includes(tag) && !account.unknown.has(tag))).toEqual([])
      expect(new Set(tags).size).toBe(tags.length)
      // The first version had no tag, and each change added one.
      expect(_version).toBe(1 + tags.length)
    }
  })

  it('keep all created flags and none of the deleted ones', async () => {
    for (const key of account.created) {
      const { status } = await flag(key)
      if (account.deleted.has(key)) expect(status, key).toBe(404)
      else if (!account.unknown.has(key)) expect(status, key).toBe(200)
    }
  })

  it('write one change log entry for each change', async () => {
    for (const key of counters) {
      const { tags } = await flag(key)
      const entries = entriesAbout('patchFlag', key).map((entry) =>
        JSON.stringify(changesOf(entry).map(({ patch }) => patch)),
      )
      const counts = tags.map((tag) => entries.filter((text) => text.includes(`"${tag}"`)).length)
      expect(counts).toEqual(tags.map(() => 1))
      expect(entries).toHaveLength(tags.length)
    }
    for (const key of account.created) expect(entriesAbout('createFlag', key), key).toHaveLength(1)
    for (const key of account.deleted) expect(entriesAbout('deleteFlag', key), key).toHaveLength(1)
    for (const id of account.revokedTokens) expect(entriesAbout('deleteToken', id), id).toHaveLength(1)
  })

  it('refuse a revoked token within 100 ms at the median and within 1 second at most', () => {
    const sorted = [...account.revocationMs].sort((a, b) => a - b)
    const quantileMs = (quantile: number) =>
      (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? 0).toFixed(1)
    console.log(
      `revoked tokens: p50 ${quantileMs(0.5)} ms, p99 ${quantileMs(0.99)} ms, longest ${quantileMs(1)} ms, of ${sorted.length}`,
    )
    expect(sorted.length).toBeGreaterThan(0)
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(100)
    expect(Math.max(...sorted)).toBeLessThan(1_000)
  })
})
