import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { pgliteDependent } from './oldest-versions.ts'
import { type PostgresConnection, startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server on which tests may create schemas; fits `pg.PoolConfig`. */
    postgres: PostgresConnection | { readonly connectionString: string }
    /** An empty data directory of PGlite: opening a copy takes a fifth of the time of creating one. */
    pgliteSnapshot: string
    /** The same data as an archive, for databases in memory. */
    pgliteArchive: string
    /** The vitest project that runs, which decides the versions of peer dependencies. */
    projectName: string
  }
}

/** Starts the databases that tests share, and returns a function that stops them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'halyard-test-'))
  const [snapshot, archive] = [path.join(folder, 'pglite'), path.join(folder, 'pglite.tar')]
  const [server, snapshotResult] = await Promise.allSettled([
    providePostgres(project),
    makeSnapshot(pgliteDependent(project.name), snapshot, archive),
  ])
  const teardown = async () => {
    rmSync(folder, { recursive: true, force: true })
    if (server.status === 'fulfilled') await server.value()
  }
  for (const result of [server, snapshotResult]) {
    if (result.status === 'fulfilled') continue
    await teardown()
    throw result.reason
  }
  project.provide('pgliteSnapshot', snapshot)
  project.provide('pgliteArchive', archive)
  project.provide('projectName', project.name)
  return teardown
}

/**
 * Starts a server, or uses the one that the environment names. Without either the tests fail, because a skipped test
 * proves nothing.
 */
async function providePostgres(project: TestProject): Promise<() => Promise<void>> {
  const connectionString = process.env.HALYARD_TEST_POSTGRES_URL
  if (connectionString) {
    project.provide('postgres', { connectionString })
    return async () => {}
  }
  const server = await startPostgres()
  project.provide('postgres', server.connection)
  return () => server.stop()
}

// The storage itself cannot be imported here: a global setup is loaded without the export conditions that lead to sources.
async function makeSnapshot(dependent: string, dataDir: string, archive: string): Promise<void> {
  const { PGlite } = createRequire(dependent)('@electric-sql/pglite') as PgliteModule
  const database = await PGlite.create(dataDir)
  writeFileSync(archive, Buffer.from(await (await database.dumpDataDir('none')).arrayBuffer()))
  await database.close()
}

interface PgliteModule {
  readonly PGlite: { create(dataDir: string): Promise<NewDatabase> }
}

interface NewDatabase {
  dumpDataDir(compression: 'none'): Promise<Blob>
  close(): Promise<void>
}
