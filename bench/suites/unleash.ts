import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type PostgresConnection, type PostgresServer, startPostgres } from '../../test/setup/postgres-server.ts'
import type { Comparison, Suite } from '../compare.ts'
import { type LoadGenerator, type LoadResult, startLoadGenerator } from '../http-load.ts'
import { type RunningServer, waitForServer } from '../served-peer.ts'
import { freePort, type InstalledUnleash, installUnleash, unleashToken } from '../unleash-server.ts'

const suite = 'unleash'
const ourToken = 'api-bench-of-the-administrator'
const rounds = 3
const roundMs = 4_000
const starts = 5
const flagCount = 100
/**
 * Warm-up before each measurement, ms: JIT compilers need some thousand requests until a server reaches its full speed.
 */
const warmUpMs = 10_000
/** Maximum number of flags that a server creates in a round. */
const maxCreated = 4_000
/** Maximum number of the created flags that are deleted again, because a deletion takes longer than a creation. */
const maxDeleted = 300

/** Measures the same management calls over HTTP on Halyard and on Unleash, both on one Postgres server. */
export const unleash: Suite = {
  name: suite,
  about: `Calls over HTTP with keep-alive and a token, 16 connections, sent from another process to the built packages, to the same without cached responses, and to Unleash 8.2.0 as its own Node server, each with its tables in one PostgreSQL that waits for the disk at every commit; NODE_ENV=production, ${flagCount} flags with five rules or strategies each. Medians of ${rounds} rounds of ${roundMs / 1000} s, in alternation, after a warm-up of ${warmUpMs / 1000} s. Starts are from the process to its first response on a migrated database, the fastest of ${starts}, as starts a second; memory is the resident memory of a process, as its inverse in processes per GB.`,
  async run() {
    const peer = await installUnleash()
    const postgres = await startPostgres({ durable: true })
    try {
      return await compareServers(peer, postgres)
    } finally {
      await postgres.stop()
      peer.remove()
    }
  },
}

const sides = ['Unleash', 'Express', 'node:http', 'node:http without cached responses'] as const
type Side = (typeof sides)[number]
type Servers = Readonly<Record<Side, RunningServer>>

async function compareServers(peer: InstalledUnleash, postgres: PostgresServer): Promise<Comparison[]> {
  const connection = { ...postgres.connection, database: 'unleash' }
  await createDatabase(postgres.connection, 'unleash')
  const open: Readonly<Record<Side, () => Promise<RunningServer>>> = {
    Unleash: () => peer.start(connection),
    Express: () => startOurs('express', postgres.connection),
    'node:http': () => startOurs('node', postgres.connection),
    'node:http without cached responses': () => startOurs('uncached', postgres.connection),
  }
  const coldStarts = await startsOf(open)
  const servers: Servers = {
    Unleash: await open.Unleash(),
    Express: await open.Express(),
    'node:http': await open['node:http'](),
    'node:http without cached responses': await open['node:http without cached responses'](),
  }
  using loadGenerator = startLoadGenerator()
  try {
    await fill(servers, loadGenerator)
    const idle = memories(servers)
    const calls = [
      ...(await compareCall(servers, loadGenerator, 'get a flag', getFlag)),
      ...(await compareCall(servers, loadGenerator, 'list 100 flags', listAll)),
      ...(await compareCall(servers, loadGenerator, 'patch a flag', patchFlag)),
      ...(await createAndDelete(servers, loadGenerator)),
    ]
    return [
      ...calls,
      ...coldStarts,
      ...comparisonsOf('memory after the start', idle),
      ...comparisonsOf('memory after the load', memories(servers)),
    ]
  } finally {
    for (const server of Object.values(servers)) await server.stop()
  }
}

async function createDatabase(connection: PostgresConnection, database: string): Promise<void> {
  const client = new pg.Client({ ...connection })
  await client.connect()
  await client.query(`create database ${database}`)
  await client.end()
}

async function startOurs(
  kind: 'express' | 'node' | 'uncached',
  connection: PostgresConnection,
): Promise<RunningServer> {
  const port = await freePort()
  const script = fileURLToPath(new URL('../halyard-server.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, kind, String(port), JSON.stringify(connection), ourToken], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return waitForServer(child, port, '/readyz')
}

/**
 * Starts and stops each server several times, and compares their fastest starts. The first start of each server
 * migrates its database and is not counted.
 */
async function startsOf(open: Readonly<Record<Side, () => Promise<RunningServer>>>): Promise<Comparison[]> {
  const best: Record<string, number> = {}
  for (let round = 0; round <= starts; round++) {
    for (const [side, start] of Object.entries(open)) {
      const server = await start()
      await server.stop()
      if (round > 0) best[side] = Math.min(best[side] ?? Number.POSITIVE_INFINITY, server.startMs)
    }
  }
  return comparisonsOf('start to the first answer', mapSides(best, (ms) => 1000 / ms) as Readonly<Record<Side, number>>)
}

/** Returns how many processes fit into 1 GB of memory. In the results of all suites a higher number is better. */
function memories(servers: Servers): Readonly<Record<Side, number>> {
  return mapSides(servers, (server) => 1000 / server.memory())
}

function noRates(): Record<Side, number[]> {
  return { Unleash: [], Express: [], 'node:http': [], 'node:http without cached responses': [] }
}

function mapSides<T>(
  values: Readonly<Record<string, T>>,
  change: (value: T) => number,
): Readonly<Record<Side, number>> {
  return Object.fromEntries(Object.entries(values).map(([side, value]) => [side, change(value)])) as Record<
    Side,
    number
  >
}

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: object
}

/** The same call in the API of each server. */
type CallsOfSides = Readonly<Record<'theirs' | 'ours', Call>>

const theirFeatures = '/api/admin/projects/default/features'
const ourFlags = '/api/v2/flags/web'
const description = [{ op: 'replace', path: '/description', value: 'Change {number} of the checkout' }]

const getFlag: CallsOfSides = {
  theirs: { method: 'GET', path: `${theirFeatures}/flag-{hundredth}` },
  ours: { method: 'GET', path: `${ourFlags}/flag-{hundredth}` },
}
const listAll: CallsOfSides = {
  theirs: { method: 'GET', path: theirFeatures },
  ours: { method: 'GET', path: `${ourFlags}?limit=100` },
}
const patchFlag: CallsOfSides = {
  theirs: { method: 'PATCH', path: `${theirFeatures}/flag-{hundredth}`, body: description },
  ours: { method: 'PATCH', path: `${ourFlags}/flag-{hundredth}`, body: description },
}
const createFlag: CallsOfSides = {
  theirs: { method: 'POST', path: theirFeatures, body: { name: 'new-{number}', type: 'release' } },
  ours: { method: 'POST', path: ourFlags, body: { key: 'new-{number}', name: 'New {number}' } },
}
/**
 * Time between archiving flags and deleting them, ms. After its response, Unleash records the archiving in another
 * table. Unleash ends if the flag no longer exists at that moment.
 */
const archivingMs = 4_000

/** Unleash deletes only archived flags, and archiving is a separate call. */
const archiveFlag: Call = { method: 'DELETE', path: `${theirFeatures}/new-{number}` }
const deleteFlag: CallsOfSides = {
  theirs: { method: 'DELETE', path: '/api/admin/archive/new-{number}' },
  ours: { method: 'DELETE', path: `${ourFlags}/new-{number}` },
}

async function compareCall(
  servers: Servers,
  loadGenerator: LoadGenerator,
  name: string,
  calls: CallsOfSides,
): Promise<Comparison[]> {
  const rates = noRates()
  for (let round = 0; round <= rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const { perSecond } = await sendLoad(servers, loadGenerator, side, calls, {
        ms: round === 0 ? warmUpMs : roundMs,
      })
      // The first round warms up JIT compilers and caches.
      if (round > 0) rates[side].push(perSecond)
    }
  }
  return comparisonsOf(name, mapSides(rates, median))
}

/** Each server deletes some of the flags that it created in a round before the next round. */
async function createAndDelete(servers: Servers, loadGenerator: LoadGenerator): Promise<Comparison[]> {
  const createRates = noRates()
  const deleteRates = noRates()
  let first = 0
  for (let round = 0; round <= rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const ms = round === 0 ? warmUpMs : roundMs
      const creation = await sendLoad(servers, loadGenerator, side, createFlag, { ms, first, limit: maxCreated })
      // The last requests that were sent may not have been processed.
      const limit = Math.min(maxDeleted, creation.sent - 16)
      const load = { ms: roundMs * 10, first, limit }
      const archiving =
        side === 'Unleash' &&
        (await sendLoad(servers, loadGenerator, side, { theirs: archiveFlag, ours: archiveFlag }, load))
      if (archiving) await delay(archivingMs)
      const deletion = await sendLoad(servers, loadGenerator, side, deleteFlag, load)
      first += creation.sent
      if (round > 0) {
        createRates[side].push(creation.perSecond)
        // The time for a flag is the sum of the times of both calls.
        const archivingSeconds = archiving ? 1 / archiving.perSecond : 0
        deleteRates[side].push(1 / (archivingSeconds + 1 / deletion.perSecond))
      }
    }
  }
  return [
    ...comparisonsOf('create a flag', mapSides(createRates, median)),
    ...comparisonsOf('delete a flag', mapSides(deleteRates, median)),
  ]
}

async function sendLoad(
  servers: Servers,
  loadGenerator: LoadGenerator,
  side: Side,
  calls: CallsOfSides,
  load: { readonly ms: number; readonly first?: number; readonly limit?: number },
): Promise<LoadResult> {
  const isTheirs = side === 'Unleash'
  const request = requestText(isTheirs ? calls.theirs : calls.ours, isTheirs ? unleashToken : ourToken)
  return loadGenerator.load({ ...load, port: servers[side].port, request, connections: 16, pipelined: 1 })
}

/** Returns the request as text. Numbers in a body have a fixed length, so that its length is known. */
function requestText({ method, path, body }: Call, token: string): string {
  const head = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${token}\r\n`
  if (body === undefined) return `${head}\r\n`
  const text = JSON.stringify(body)
  const length = text.replaceAll('{number}', '12345678').replaceAll('{hundredth}', '12').length
  return `${head}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${text}`
}

/** Creates a segment, and flags with five rules or strategies each. */
async function fill(servers: Servers, loadGenerator: LoadGenerator): Promise<void> {
  await call(servers, 'Unleash', 'POST', '/api/admin/segments', {
    name: 'beta',
    constraints: [{ contextName: 'userId', operator: 'IN', values: fifty, inverted: false, caseInsensitive: false }],
  })
  await call(servers, 'node:http', 'POST', '/api/v2/projects', { key: 'web', name: 'Web' })
  await call(servers, 'node:http', 'POST', '/api/v2/segments/web/production', { key: 'beta', name: 'Beta' })
  for (let i = 0; i < flagCount; i++) {
    const key = `flag-${String(i).padStart(2, '0')}`
    await call(servers, 'Unleash', 'POST', theirFeatures, { name: key, type: 'release' })
    for (let n = 0; n < 5; n++) {
      await call(servers, 'Unleash', 'POST', `${theirFeatures}/${key}/environments/production/strategies`, {
        name: 'flexibleRollout',
        parameters: { rollout: '50', stickiness: 'default', groupId: key },
        constraints: [
          { contextName: 'userId', operator: 'IN', values: [`user-${n}`], inverted: false, caseInsensitive: false },
        ],
      })
    }
    await call(servers, 'node:http', 'POST', ourFlags, { key, name: key })
    await call(servers, 'node:http', 'PATCH', `${ourFlags}/${key}`, [
      { op: 'add', path: '/environments/production/rules', value: fiveRules },
    ])
  }
  // Reads each flag once, so that an error of the setup is reported before the measurement.
  for (const side of sides) await sendLoad(servers, loadGenerator, side, getFlag, { ms: 10_000, limit: flagCount })
}

const fifty = Array.from({ length: 50 }, (_, i) => `user-${i}`)

const fiveRules = Array.from({ length: 5 }, (_, n) => ({
  rollout: {
    variations: [
      { variation: 0, weight: 50_000 },
      { variation: 1, weight: 50_000 },
    ],
  },
  clauses: [{ contextKind: 'user', attribute: 'key', op: 'in', values: [`user-${n}`], negate: false }],
}))

async function call(servers: Servers, side: Side, method: string, path: string, body: object): Promise<void> {
  const headers = {
    authorization: side === 'Unleash' ? unleashToken : ourToken,
    'content-type': 'application/json',
  }
  const url = `http://127.0.0.1:${servers[side].port}${path}`
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${side}: ${method} ${path} is ${response.status}: ${await response.text()}`)
  await response.body?.cancel()
}

function comparisonsOf(name: string, rates: Readonly<Record<Side, number>>): Comparison[] {
  const ours = sides.filter((side) => side !== 'Unleash')
  return ours.map((side) => ({
    suite,
    case: `${name}, ${side}`,
    peer: 'Unleash 8.2.0',
    opsPerSecond: rounded(rates[side]),
    peerOpsPerSecond: rounded(rates.Unleash),
    ratio: Math.round((rates[side] / rates.Unleash) * 1000) / 1000,
  }))
}

function rounded(value: number): number {
  return value < 100 ? Number(value.toPrecision(3)) : Math.round(value)
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number
}
