import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { postgresUrl } from './postgres-url.ts'
import { testPostgres } from './test-postgres.ts'

/** A PgBouncer that assigns a connection of the test server to each transaction. */
export interface PgBouncer {
  /** Returns the URL of a database of the test server through the pooler. */
  url(database: string): string
  /** Ends the process and removes its files. */
  stop(): Promise<void>
}

const programs = [process.env.HALYARD_PGBOUNCER, '/usr/sbin/pgbouncer', '/usr/bin/pgbouncer']

const unprivilegedId = 65534
const isRoot = process.getuid?.() === 0

/** The name of the Unix socket contains a port, on which nothing listens. */
const socketPort = 6432

/**
 * Starts PgBouncer in transaction mode on a Unix socket in a temporary folder.
 *
 * @param serverConnections maximum number of connections to a database.
 * @throws Error when there is no PgBouncer, or when it does not start.
 */
export async function startPgBouncer(serverConnections: number): Promise<PgBouncer> {
  const program = programs.find((file) => file !== undefined && existsSync(file))
  if (program === undefined) {
    throw new Error(
      'The tests of poolers need PgBouncer: install it with "apt-get install -y pgbouncer", or set HALYARD_PGBOUNCER to its path',
    )
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'halyard-pgbouncer-'))
  const file = path.join(folder, 'pgbouncer.ini')
  writeFileSync(file, settings(folder, serverConnections))
  // PgBouncer refuses to run as root.
  if (isRoot) chownSync(folder, unprivilegedId, unprivilegedId)
  const child = spawn(program, [file], {
    ...(isRoot && { uid: unprivilegedId, gid: unprivilegedId }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const stop = async () => {
    process.off('exit', kill)
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await untilStarted(child)
  } catch (error) {
    await stop()
    throw error
  }
  const url = (database: string) => postgresUrl({ host: folder, port: socketPort, user: 'postgres', database })
  return { url, stop }
}

function settings(folder: string, serverConnections: number): string {
  const { host, port, user, password } = new pg.Client(testPostgres)
  const server = { host, port, user, ...(password && { password }) }
  return [
    '[databases]',
    `* = ${Object.entries(server)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')}`,
    '[pgbouncer]',
    'pool_mode = transaction',
    `default_pool_size = ${serverConnections}`,
    'max_client_conn = 500',
    'auth_type = any',
    'listen_addr =',
    `listen_port = ${socketPort}`,
    `unix_socket_dir = ${folder}`,
    '',
  ].join('\n')
}

/** Resolves when the process accepts connections; rejects with its output when it ends before that. */
function untilStarted(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-10_000)
      if (log.includes('process up')) resolve()
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`PgBouncer ended (${code}): ${log}`)))
  })
}
