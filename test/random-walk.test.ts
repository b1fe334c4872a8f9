import { adminToken, inProcessHarness, type TransportClient } from '@halyard/conformance'
import { createEngine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { afterAll, describe, expect, it } from 'vitest'
import { checkPast } from '../packages/conformance/src/operations/test/walk/checked-past.ts'
import {
  checkReplay,
  checkReverts,
  openWalk,
  type Walk,
  type WalkedAccount,
} from '../packages/conformance/src/operations/test/walk/checked-walk.ts'
import { killChildren } from './processes/child.ts'
import { halyardFile, serveHalyard } from './processes/served-engine.ts'
import { bundledProgram } from './setup/bundled-program.ts'
import { everyStorage } from './setup/every-storage.ts'
import { longTests } from './setup/long-tests.ts'
import { ownDatabase } from './setup/own-database.ts'

const seed = Number(process.env.HALYARD_TEST_SEED ?? 20_240_229)
const dataExportRoleArn = 'arn:aws:iam::123456789012:role/data-export'

const { memory, ...databases } = everyStorage()

/** Opens two engines on one storage. */
async function openEngines(storage: Storage) {
  const open = () => createEngine({ storage, dataExportRoleArn, rateLimit: false })
  const engines = [open(), open()]
  await engines[0]?.bootstrap({ token: adminToken })
  const clients = await Promise.all(engines.map((engine) => inProcessHarness.open(engine)))
  return { operations: (await engines[0]?.definitions()) ?? [], clients, account: storage.account('default'), engines }
}

describe.each(Object.entries(databases))('a random walk with two engines on %s', (_, openStorage) => {
  it('ends with the state of the change log, and with the first state after all reverts', async () => {
    const { engines, ...account } = await openEngines(await openStorage())
    const walk = await openWalk({ ...account, seed, reversible: true })
    await walk.run(40)
    const first = await walk.responses()
    const { length } = walk.committed()
    await walk.run(60)
    await checkReplay(walk)
    await checkReverts(walk, length)
    expect(walk.differences(first, await walk.responses())).toEqual([])
    await checkReplay(walk)
    await Promise.all(engines.map((engine) => engine.close()))
  }, 120_000)
})

it.each(Object.entries(databases))(
  'an engine that reads the past returns the documents and the responses of each moment of a random walk on %s',
  async (_, openStorage) => {
    await checkPast(await openStorage(), seed, { moments: 2, writes: 40 })
  },
  120_000,
)

/** Returns a function that prints a line for each thousand, with the time since the first of them. */
function progress(unit: string): (count: number, total: number) => void {
  const start = performance.now()
  return (count, total) => {
    const seconds = Math.round((performance.now() - start) / 1_000)
    if (count % 1_000 === 0 || count === total)
      process.stderr.write(`${count} of ${total} ${unit} after ${seconds} s\n`)
  }
}

/** Makes a number of writes, a thousand at a time, and prints the progress. */
async function inSteps(total: number, unit: string, run: (count: number) => Promise<unknown>): Promise<void> {
  const report = progress(unit)
  for (let done = 0; done < total; ) {
    const count = Math.min(1_000, total - done)
    await run(count)
    done += count
    report(done, total)
  }
}

/** Number of writes in the long run. */
const longWrites = Number(process.env.HALYARD_WALK_WRITES ?? 100_000)
const longTimeout = longWrites * 1_000

/** Opens the walks of three callers at the same time. */
function openWalks(account: WalkedAccount): Promise<Walk[]> {
  return Promise.all([0, 1, 2].map((i) => openWalk({ ...account, seed: seed + i })))
}

/** Makes the writes of the long run. Each walk makes the same share of them. */
async function runTogether(walks: readonly Walk[]): Promise<void> {
  await inSteps(longWrites, 'writes', (count) =>
    Promise.all(walks.map((walk) => walk.run(Math.ceil(count / walks.length)))),
  )
}

describe.runIf(longTests)('a random walk with two processes on one Postgres', () => {
  afterAll(killChildren)

  /** Starts two processes of `halyard serve` on a database of their own. */
  async function openProcesses() {
    const database = await ownDatabase()
    const start = () => serveHalyard(bundledProgram(halyardFile), database.url, adminToken)
    const servers = [await start(), await start()]
    const clients = servers.map(({ address }): TransportClient => {
      return {
        async send({ method, path, headers = {}, body }) {
          const init = { method, headers, ...(typeof body === 'string' ? { body } : {}) }
          const response = await fetch(`${address}${path}`, init)
          return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
        },
        close: async () => {},
      }
    })
    const storage = createPostgresStorage({ pool: database.pool })
    const { operations } = createEngine({ storage })
    return { operations, clients, account: storage.account('default'), database }
  }

  it(
    'ends with the state of the change log',
    async () => {
      const { database, ...account } = await openProcesses()
      const walks = await openWalks(account)
      await runTogether(walks)
      await checkReplay((walks as [Walk])[0])
      await database.drop()
    },
    longTimeout,
  )

  it(
    'ends with the first state after all reverts',
    async () => {
      const { database, ...account } = await openProcesses()
      // Only one caller makes changes, because two processes can commit in the same millisecond, and the change log
      // lists their commits in either order.
      const walk = await openWalk({ ...account, seed, reversible: true, workers: true })
      await walk.run(200)
      const first = await walk.responses()
      const { length } = walk.committed()
      await runTogether([walk])
      await checkReverts(walk, length, progress('reverts'))
      expect(walk.differences(first, await walk.responses())).toEqual([])
      await checkReplay(walk)
      await database.drop()
    },
    longTimeout,
  )
})
