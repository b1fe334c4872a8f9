import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { PostgresConnection } from '../test/setup/postgres-server.ts'
import { type RunningServer, waitForServer } from './served-peer.ts'

const run = promisify(execFile)

export const unleashToken = '*:*.bench-of-the-administrator'

/** Unleash, installed from the registry. */
export interface InstalledUnleash {
  /** Starts an Unleash server on this database. Resolves when the server responds. */
  start(connection: PostgresConnection): Promise<RunningServer>
  remove(): void
}

/** Installs Unleash into a temporary folder, with a newer Node where the current one is too old for it. */
export async function installUnleash(): Promise<InstalledUnleash> {
  const folder = mkdtempSync(path.join(tmpdir(), 'halyard-unleash-'))
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }')
  const isNodeTooOld = Number.parseInt(process.versions.node, 10) < 22
  const packages = ['unleash-server@8.2.0', ...(isNodeTooOld ? [`node-${process.platform}-${process.arch}@24`] : [])]
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: folder })
  const bundled = path.join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  const node = existsSync(bundled) ? bundled : process.execPath
  return {
    start: (connection) => start(node, path.join(folder, 'node_modules/unleash-server/dist/server.js'), connection),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function start(node: string, server: string, connection: PostgresConnection): Promise<RunningServer> {
  const port = await freePort()
  const child: ChildProcess = spawn(node, [server], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: String(port),
      DATABASE_HOST: connection.host,
      DATABASE_PORT: String(connection.port),
      DATABASE_USERNAME: connection.user,
      DATABASE_PASSWORD: 'none',
      DATABASE_NAME: connection.database,
      DATABASE_SSL: 'false',
      INIT_ADMIN_API_TOKENS: unleashToken,
      CHECK_VERSION: 'false',
      SEND_TELEMETRY: 'false',
      // The benchmark creates more than 5,000 flags, the default limit.
      UNLEASH_FEATURE_FLAGS_LIMIT: '1000000',
      LOG_LEVEL: 'error',
    },
    stdio: 'ignore',
  })
  return waitForServer(child, port, '/health')
}

/** Returns a port that is free now, for servers that do not report the port they chose. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
