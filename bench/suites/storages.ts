import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Storage } from '@halyard/core/storage'
import { createPgliteStorage } from '@halyard/storage-pglite'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { createSqliteStorage } from '@halyard/storage-sqlite'
import Database from 'libsql'
import pg from 'pg'
import { startPostgres } from '../../test/setup/postgres-server.ts'
import { postgresUrl } from '../../test/setup/postgres-url.ts'
import { createChangesFixture } from '../changes-fixture.ts'
import { type Comparison, compare, type Result, type Suite } from '../compare.ts'
import { type RunningServer, waitForServer } from '../served-peer.ts'
import { freePort } from '../unleash-server.ts'

const suite = 'storages'
const token = 'api-bench-of-the-administrator'
const starts = 5

/** Measures SQLite and the other storages that keep data: their start, memory, reads and changes. */
export const storages: Suite = {
  name: suite,
  about: `SQLite beside the other storages that keep data. Starts are of the built command, \`halyard serve\` on data that exists, from the process to the response to its first call, the fastest of ${starts}, as starts a second; memory is the resident memory of that process after the call, as its inverse in processes per GB. Changes and reads are patchFlag and getFlag in process, one after the other, with an administrator's token. SQLite and Postgres wait for the disk at every commit; PGlite never does.`,
  async run() {
    const folder = mkdtempSync(path.join(tmpdir(), 'halyard-bench-'))
    const server = await startPostgres({ durable: true })
    const pool = new pg.Pool({ ...server.connection, max: 4 })
    pool.on('error', () => {})
    const options = {
      SQLite: `sqlite:${folder}/served.db`,
      PGlite: `pglite:${folder}/served`,
      Postgres: postgresUrl(server.connection),
    }
    try {
      return [...(await compareStarts(options)), ...(await compareCalls(folder, pool))]
    } finally {
      await pool.end()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

type Name = 'SQLite' | 'PGlite' | 'Postgres'

const peers = ['PGlite', 'Postgres'] as const

async function compareStarts(options: Readonly<Record<Name, string>>): Promise<Comparison[]> {
  const perSecond: Record<Name, number> = { SQLite: 0, PGlite: 0, Postgres: 0 }
  const perGB: Record<Name, number> = { SQLite: 0, PGlite: 0, Postgres: 0 }
  // The first start creates the data and is not counted.
  for (let round = 0; round <= starts; round++) {
    for (const [name, option] of Object.entries(options) as [Name, string][]) {
      process.stderr.write(`\r  ... start ${round} of ${starts} on ${name}    `)
      const server = await serveCommand(option)
      if (round > 0) {
        perSecond[name] = Math.max(perSecond[name], 1000 / server.startMs)
        perGB[name] = Math.max(perGB[name], 1000 / server.memory())
      }
      await server.stop()
    }
  }
  process.stderr.write('\n')
  return [...comparisonsOf('start to the first answer', perSecond), ...comparisonsOf('memory after the start', perGB)]
}

async function serveCommand(storage: string): Promise<RunningServer> {
  const port = await freePort()
  const command = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url))
  const args = ['serve', '--port', String(port), '--storage', storage, '--token', token, '--log', 'off']
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return waitForServer(child, port, '/api/v2/projects', { authorization: token })
}

function comparisonsOf(name: string, values: Readonly<Record<Name, number>>): Comparison[] {
  const round = (value: number) => Number(value.toPrecision(3))
  return peers.map((peer) => ({
    suite,
    case: `${name}, SQLite`,
    peer,
    opsPerSecond: round(values.SQLite),
    peerOpsPerSecond: round(values[peer]),
    ratio: round(values.SQLite / values[peer]),
  }))
}

async function compareCalls(folder: string, pool: pg.Pool): Promise<Result[]> {
  const database = new Database(path.join(folder, 'called.db'))
  const opened: Readonly<Record<Name, Storage>> = {
    SQLite: createSqliteStorage({ database }),
    PGlite: createPgliteStorage({ dataDir: path.join(folder, 'called') }),
    Postgres: createPostgresStorage({ pool, schema: 'called' }),
  }
  const fixtures = {
    SQLite: await createChangesFixture(opened.SQLite, 0),
    PGlite: await createChangesFixture(opened.PGlite, 0),
    Postgres: await createChangesFixture(opened.Postgres, 0),
  }
  const results: Comparison[] = []
  for (const peer of peers) {
    for (const call of ['change', 'read'] as const) {
      const peerTask = { name: peer, run: fixtures[peer][call] }
      results.push(await compare({ suite, case: `${call}, SQLite`, ours: fixtures.SQLite[call], peer: peerTask }))
    }
  }
  for (const { engine } of Object.values(fixtures)) await engine.close()
  database.close()
  return results
}
