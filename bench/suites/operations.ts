import { PGlite } from '@electric-sql/pglite'
import { createEngine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPgliteStorage } from '@halyard/storage-pglite'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { createLargeAccount, dataExportRoleArn, largeNow, largeSizes } from '../../test/setup/large-account.ts'
import { listedCalls } from '../../test/setup/listed-calls.ts'
import { startPostgres } from '../../test/setup/postgres-server.ts'
import type { Suite } from '../compare.ts'
import { type Latency, measureLatency } from '../latency.ts'

const suite = 'operations'

/** The fixture has the links of one view instead of ten, because no call reads the links of another view. */
const sizes = { ...largeSizes, views: 1 }

/** The variant to measure for an operation that has no plain variant. */
const usualVariant: Readonly<Record<string, string>> = { linkResource: 'flags by keys and filter' }

/** Measures every operation of docs/specification.md on every storage. */
export const operations: Suite = {
  name: suite,
  about:
    'Calls in process with an administrator’s token, one after the other, in a project of 10,000 flags, 1,000 segments, 300 AI configs and 1,000 optimization runs; Postgres waits for the disk at every commit.',
  async run() {
    return [...(await onMemory()), ...(await onPglite()), ...(await onPostgres())]
  },
}

const onMemory = () => measureOn('memory', createMemoryStorage())

async function onPglite(): Promise<Latency[]> {
  const client = await PGlite.create()
  try {
    return await measureOn('PGlite', createPgliteStorage({ client }), () => client.exec('analyze'))
  } finally {
    await client.close()
  }
}

async function onPostgres(): Promise<Latency[]> {
  const server = await startPostgres({ durable: true })
  const pool = new pg.Pool({ ...server.connection, max: 4 })
  // Connections that are being closed may still emit an error when the server stops.
  pool.on('error', () => {})
  try {
    return await measureOn('Postgres', createPostgresStorage({ pool }), () => pool.query('analyze'))
  } finally {
    await pool.end()
    await server.stop()
  }
}

async function measureOn(name: string, storage: Storage, analyze?: () => Promise<unknown>): Promise<Latency[]> {
  await storage.migrate()
  const account = await createLargeAccount(storage, sizes)
  await analyze?.()
  const engine = createEngine({ storage, clock: () => largeNow, rateLimit: false, dataExportRoleArn })
  const latencies: Latency[] = []
  for (const { operation, variant, ...call } of listedCalls(engine, account)) {
    if (variant !== usualVariant[operation]) continue
    latencies.push(await measureLatency({ suite, case: operation, storage: name, ...call }))
  }
  return latencies
}
