import { randomUUID } from 'node:crypto'
import { PGlite } from '@electric-sql/pglite'
import { createEngine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPgliteStorage } from '@halyard/storage-pglite'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { killChildren } from '../../test/processes/child.ts'
import { sourceProgram } from '../../test/processes/program.ts'
import { halyardFile, type ServedEngine, serveHalyard } from '../../test/processes/served-engine.ts'
import { startPostgres } from '../../test/setup/postgres-server.ts'
import { postgresUrl } from '../../test/setup/postgres-url.ts'
import { createChangesFixture, fillAccount, flagKey, projectKey } from '../changes-fixture.ts'
import { type Comparison, compare, type Result, type Suite } from '../compare.ts'
import { type Latency, measureLatency } from '../latency.ts'
import { bareTransaction } from '../written-rows.ts'

const suite = 'changes'

/** Numbers of webhooks that are notified of a change. */
const webhookCounts = [0, 1, 20] as const

/**
 * Measures the cost of a change with its change log entry and webhook messages, and the delay until other processes see
 * it.
 */
export const changes: Suite = {
  name: suite,
  about:
    'patchFlag and getFlag in process with an administrator’s token, one after the other: each change with its change log entry and the messages to its webhooks. Floors are single statements of the raw driver with a row of 1 KB (a Map for memory), and a bare transaction (begin; the rows that the change writes; commit). Postgres waits for the disk at every commit. Delays are from the response to a change until a response of another process, over HTTP, shows it.',
  async run() {
    return [...(await onMemory()), ...(await onPglite()), ...(await onPostgres())]
  },
}

/** Insert and select of one row by the raw driver. */
interface Floor {
  readonly name: string
  insert(): unknown
  select(): unknown
}

const body = JSON.stringify({ text: 'x'.repeat(1000) })

async function onMemory(): Promise<Comparison[]> {
  const rows = new Map([['first', body]])
  return compareWithFloor('memory', createMemoryStorage(), {
    name: 'Map',
    insert: async () => rows.set(String(rows.size % 10_000), body),
    select: async () => rows.get('first'),
  })
}

async function onPglite(): Promise<Comparison[]> {
  const client = await PGlite.create()
  try {
    await client.exec(bareTable)
    return await compareWithFloor(
      'PGlite',
      createPgliteStorage({ client }),
      sqlFloor('PGlite', (text, values) => client.query(text, [...values])),
    )
  } finally {
    await client.close()
  }
}

async function onPostgres(): Promise<Result[]> {
  const server = await startPostgres({ durable: true })
  const pool = new pg.Pool({ ...server.connection, max: 4 })
  // Connections that are being closed may still emit an error when the server stops.
  pool.on('error', () => {})
  try {
    await pool.query(bareTable)
    const storage = createPostgresStorage({ pool })
    const floor = sqlFloor('pg', (text, values) => pool.query({ name: text, text, values: [...values] }))
    return [
      ...(await compareWithFloor('Postgres', storage, floor)),
      ...(await compareWithTransactions(storage, pool)),
      ...(await measureDelays(storage, postgresUrl(server.connection))),
    ]
  } finally {
    await killChildren()
    await pool.end()
    await server.stop()
  }
}

const bareTable = 'create table one_row (id text primary key, body text not null)'

function sqlFloor(name: string, query: (text: string, values: readonly string[]) => Promise<unknown>): Floor {
  const first = randomUUID()
  const insert = (id: string) => query('insert into one_row (id, body) values ($1, $2)', [id, body])
  const inserted = insert(first)
  return {
    name,
    insert: () => insert(randomUUID()),
    select: async () => {
      await inserted
      return query('select body from one_row where id = $1', [first])
    },
  }
}

async function compareWithFloor(name: string, storage: Storage, floor: Floor): Promise<Comparison[]> {
  const results: Comparison[] = []
  for (const webhooks of webhookCounts) {
    const { change } = await createChangesFixture(storage, webhooks)
    const peer = { name: `insert by ${floor.name}`, run: floor.insert }
    results.push(await compare({ suite, case: `change on ${name}, ${webhooks} webhooks`, ours: change, peer }))
  }
  const { read } = await createChangesFixture(storage, 0)
  const peer = { name: `select by ${floor.name}`, run: floor.select }
  return [...results, await compare({ suite, case: `read on ${name}`, ours: read, peer })]
}

async function compareWithTransactions(storage: Storage, pool: pg.Pool): Promise<Comparison[]> {
  const results: Comparison[] = []
  for (const webhooks of webhookCounts) {
    const { change } = await createChangesFixture(storage, webhooks)
    // The first change writes rows that later ones reuse, for example the last use of the token.
    await change()
    await change()
    const { run, rows } = await bareTransaction(pool)
    const peer = { name: `bare transaction of the same ${rows} rows`, run }
    results.push(await compare({ suite, case: `change on Postgres, ${webhooks} webhooks`, ours: change, peer }))
  }
  return results
}

/** Measures the delay until another process shows a change, and the duration of a request to that process. */
async function measureDelays(storage: Storage, url: string): Promise<Latency[]> {
  const token = `api-${randomUUID()}`
  const otherServer = await serveHalyard(sourceProgram(halyardFile), url, token)
  const engine = createEngine({ storage, rateLimit: false })
  const { change } = await fillAccount(engine, token, 0)
  const readVersion = () => versionShownBy(otherServer)
  const prepare = async () => String((await change())._version)
  const untilSeen = async (version: string) => {
    while ((await readVersion()) < Number(version)) await undefined
  }
  return [
    await measureLatency({
      suite,
      case: 'change until another process shows it',
      storage: 'Postgres',
      prepare,
      run: untilSeen,
    }),
    await measureLatency({ suite, case: 'a request to that process', storage: 'Postgres', run: readVersion }),
  ]
}

async function versionShownBy(otherServer: ServedEngine): Promise<number> {
  const { body } = await otherServer.send('GET', `/api/v2/flags/${projectKey}/${flagKey}`)
  return (body as { _version: number })._version
}
