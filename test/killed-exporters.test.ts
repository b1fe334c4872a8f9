import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEngine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createPgliteStorage } from '@halyard/storage-pglite'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { type Child, killChildren, startChild } from './processes/child.ts'
import { bundledProgram } from './setup/bundled-program.ts'
import { longTests } from './setup/long-tests.ts'
import { ownDatabase } from './setup/own-database.ts'
import { pgliteStorages } from './setup/pglite-storages.ts'

const eventCount = longTests ? 100_000 : 4_000
const kills = longTests ? 10 : 2

/** Number of requests of an exporter before it is killed: all killed exporters together send half of the events. */
const requestsBeforeKill = Math.max(1, Math.floor(eventCount / 500 / 2 / kills))

/** Longer than the lease of a task, ms. */
const beyondLeaseMs = 600_000

const environment = { projectKey: 'web', environmentKey: 'production' }
const pglite = pgliteStorages()
afterEach(killChildren)
afterAll(pglite.dispose)

interface TestDatabase {
  readonly option: string
  readonly storage: Storage
  drop(): Promise<void>
}

const databases: Readonly<Record<string, () => Promise<TestDatabase>>> = {
  async PGlite() {
    const dataDir = pglite.copySnapshot()
    return { option: `pglite:${dataDir}`, storage: createPgliteStorage({ dataDir }), drop: async () => {} }
  },
  async Postgres() {
    const { url, pool, drop } = await ownDatabase()
    return { option: url, storage: createPostgresStorage({ pool }), drop }
  },
}

describe.each(Object.entries(databases).filter(([name]) => longTests || name !== 'PGlite'))(
  'exporters on %s',
  (_, openDatabase) => {
    it(
      `that are killed ${kills} times send every event at least once, and none before an earlier one`,
      async () => {
        const database = await openDatabase()
        const destination = await startDestination()
        try {
          await storeEvents(database.storage, destination.url)
          await exportAndKill(database.option, destination)
          const received = destination.numbers
          console.log(`${kills} kills, ${eventCount} events, ${received.length - new Set(received).size} of them again`)
          expect([...new Set(received)]).toEqual(Array.from({ length: eventCount }, (_, n) => n))
          expect(destination.unanswered).toBe(kills / 2)
        } finally {
          await killChildren()
          destination.server.close()
          await database.drop()
        }
      },
      longTests ? 900_000 : 180_000,
    )
  },
)

/** Stores the events that wait for the destination. */
async function storeEvents(storage: Storage, url: string): Promise<void> {
  const engine = createEngine({ storage, exporters: [] })
  const as = { role: 'owner' } as const
  await engine.migrate()
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const body = { name: 'Events', kind: 'http-ndjson' as const, config: { url }, on: true }
  await engine.api.createDestination({ ...environment, body }, { as })
  for (let n = 0; n < eventCount; n++) {
    engine.track('number', { kind: 'user', key: `user-${n % 100}` }, { value: n }, environment)
    if (n % 10_000 === 9_999) await engine.sdk.flush()
  }
  await engine.close()
}

interface Destination {
  readonly url: string
  readonly server: Server
  /** The numbers of all received events, in the order of their arrival. */
  readonly numbers: number[]
  /** Number of requests that got no response, because the exporter was killed first. */
  unanswered: number
  /** Resolves when this many more requests have arrived; the last of them waits for `respond`. */
  hold(requests: number): Promise<{ respond(): Promise<void> }>
  /** Resolves when all events have arrived. */
  complete(): Promise<void>
}

async function startDestination(): Promise<Destination> {
  const numbers: number[] = []
  let heldResponse: { remaining: number; resolve(response: ServerResponse): void } | undefined
  let onRequest = () => {}
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const lines = Buffer.concat(chunks).toString().trimEnd().split('\n')
    numbers.push(...lines.map((line) => (JSON.parse(line) as { metricValue: number }).metricValue))
    if (heldResponse && --heldResponse.remaining === 0) {
      heldResponse.resolve(response)
      heldResponse = undefined
    } else {
      response.writeHead(204).end()
    }
    onRequest()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const destination: Destination = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    server,
    numbers,
    unanswered: 0,
    async hold(remaining) {
      const response = await new Promise<ServerResponse>((resolve) => {
        heldResponse = { remaining, resolve }
      })
      destination.unanswered++
      return {
        respond() {
          destination.unanswered--
          return new Promise((resolve) => response.writeHead(204).end(resolve))
        },
      }
    },
    complete: () =>
      new Promise((resolve) => {
        onRequest = () => {
          if (new Set(numbers).size === eventCount) resolve()
        }
        onRequest()
      }),
  }
  return destination
}

/**
 * Starts one exporter after the other, and kills each except the last. Half of these exporters are killed before they
 * receive the response to a request. The other half are killed directly after the response, when most exporters have
 * not recorded the delivery yet.
 */
async function exportAndKill(option: string, destination: Destination): Promise<void> {
  const program = bundledProgram('test/processes/exporter.ts')
  const start = (run: number) => startChild(program, [option, String(run * beyondLeaseMs)], { waits: true })
  let next: Child = start(0)
  for (let run = 0; run < kills; run++) {
    const exporter = next
    const holding = destination.hold(requestsBeforeKill)
    exporter.writeLine('go')
    next = start(run + 1)
    const { respond } = await holding
    if (run % 2 === 0) await respond()
    await exporter.kill()
  }
  next.writeLine('go')
  await destination.complete()
  await next.kill()
}
