import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createEngine } from '@halyard/core'
import type { Sample, Storage } from '@halyard/core/storage'
import { createPgliteStorage } from '@halyard/storage-pglite'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { createWebhookSender } from '@halyard/webhook-sender'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type AcknowledgedChange, deletedPrefix } from './processes/acknowledged.ts'
import { type Child, killChildren, startChild } from './processes/child.ts'
import { replayedState, storedState } from './processes/replayed-log.ts'
import { bundledProgram } from './setup/bundled-program.ts'
import { longTests } from './setup/long-tests.ts'
import { ownDatabase } from './setup/own-database.ts'
import { pgliteStorages } from './setup/pglite-storages.ts'

const kills = longTests ? 100 : 3
const maxRunMs = 400

/** A duration that is longer than the lease of any task, ms. */
const beyondLeaseMs = 600_000

const pglite = pgliteStorages()
afterEach(killChildren)
afterAll(pglite.dispose)

/** Database that the writers use, and how the test opens it after they were killed. */
interface TestDatabase {
  readonly option: string
  /** Ends everything that the killed writers had sent, and then opens the storage. */
  open(): Promise<Storage>
  close(storage: Storage): Promise<void>
}

const databases: Readonly<Record<string, () => Promise<TestDatabase>>> = {
  async PGlite() {
    const dataDir = pglite.copySnapshot()
    return {
      option: `pglite:${dataDir}`,
      open: async () => createPgliteStorage({ dataDir }),
      close: (change) => change.close(),
    }
  },
  async Postgres() {
    const { url, pool, othersEnded, drop } = await ownDatabase()
    const open = () => othersEnded().then(() => createPostgresStorage({ pool }))
    return { option: url, open, close: (change) => change.close().then(drop) }
  },
}

describe.each(Object.entries(databases).filter(([name]) => longTests || name !== 'PGlite'))(
  `writers on %s, killed ${kills} times`,
  (_, openDatabase) => {
    let account: ReturnType<Storage['account']>
    let log: readonly Sample[] = []
    let acknowledged: readonly AcknowledgedChange[] = []
    let receiver: Receiver | undefined
    let close = async () => {}

    beforeAll(async () => {
      receiver = await startReceiver()
      const database = await openDatabase()
      acknowledged = await writeAndKill(database.option, receiver?.url)
      const storage = await database.open()
      close = () => database.close(storage)
      account = storage.account('default')
      log = await account.newest({ series: { name: 'change-log', scope: 'acct' }, limit: 1_000_000 })
      if (receiver) await deliverAll(storage, receiver, log)
    }, kills * 20_000)

    afterAll(async () => {
      await close()
      receiver?.server.close()
    })

    it('leave every change that they acknowledged', async () => {
      const { items } = await account.list({ collection: 'flag', scope: '', deep: true, limit: 1e6, select: 'bodies' })
      const flags = new Map(items.map(({ key, body }) => [key, body as { tags: string[]; revision: number }]))
      const missing = acknowledged.filter((change) => {
        const flag = flags.get(change.key)
        if (change.did === 'delete') return flag !== undefined
        // The writer may have deleted the flag and been killed before it acknowledged that.
        if (!flag) return !(change.key.startsWith(deletedPrefix) && isDeletedIn(log, change.key))
        if (change.did === 'tag') return !flag.tags.includes(change.tag)
        return change.did === 'turn on' && flag.revision === 0
      })
      console.log(`${kills} kills, ${acknowledged.length} changes acknowledged, ${log.length} logged`)
      expect(missing).toEqual([])
      const killedLate = Array.from({ length: kills }, (_, run) => run).filter((run) => !mayDieBeforeFirstWrite(run))
      expect(acknowledged.length).toBeGreaterThanOrEqual(killedLate.length)
    })

    it('leave exactly the state that the change log describes', async () => {
      expect(await storedState(account)).toEqual(replayedState(log))
    })

    it('log each acknowledged change once, and at most one more for each concurrent client of a killed writer', () => {
      const ids = log.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      const unacknowledged = log.filter(isOfFlag).length - acknowledged.length
      expect(unacknowledged).toBeGreaterThanOrEqual(0)
      expect(unacknowledged).toBeLessThanOrEqual(kills * 4)
    })

    it('notify the receiver of every change, and retry deliveries that were in progress', () => {
      expect(undeliveredEntries(log, receiver).map(({ id }) => id)).toEqual([])
    })
  },
)

/** Returns true for changes that the writers made after the webhook was created. */
function isOfFlag({ body }: Sample): boolean {
  return (body as { operation: string }).operation.endsWith('Flag')
}

function undeliveredEntries(log: readonly Sample[], receiver: Receiver | undefined): readonly Sample[] {
  return log.filter((entry) => isOfFlag(entry) && !receiver?.deliveredIds.has(`${entry.at.toString(36)}-${entry.id}`))
}

function isDeletedIn(log: readonly Sample[], key: string): boolean {
  return log.some(({ label, body }) => {
    return label.endsWith(`/${key}`) && (body as { operation: string }).operation === 'deleteFlag'
  })
}

/**
 * Returns the changes that all writers together acknowledged. Each writer is loaded while the previous one writes, and
 * starts to write when the previous writer was killed.
 */
async function writeAndKill(option: string, receiver: string | undefined): Promise<AcknowledgedChange[]> {
  const program = bundledProgram('test/processes/writer.ts')
  const start = (run: number) =>
    startChild(program, [option, `run${run}`, ...(receiver ? [receiver] : [])], { waits: true })
  const acknowledged: AcknowledgedChange[] = []
  let next: Child = start(0)
  for (let run = 0; run < kills; run++) {
    const writer = next
    writer.writeLine('go')
    if (run + 1 < kills) next = start(run + 1)
    // On a machine of any speed, most writers are killed while they write, and some before their first change is
    // stored.
    await writer.printed(mayDieBeforeFirstWrite(run) ? /writes\n/ : /^\{.*\n/m)
    await delay(randomInt(maxRunMs))
    await writer.kill()
    const changes = writer.lines().filter((line) => line.startsWith('{'))
    for (const line of changes) acknowledged.push(JSON.parse(line) as AcknowledgedChange)
  }
  return acknowledged
}

/** Returns true for writers that may be killed before their first change. */
function mayDieBeforeFirstWrite(run: number): boolean {
  return run % 5 === 4
}

interface Receiver {
  readonly url: string
  readonly server: Server
  /** Ids of the entries that were delivered. */
  readonly deliveredIds: Set<string>
}

async function startReceiver(): Promise<Receiver> {
  const deliveredIds = new Set<string>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    deliveredIds.add((JSON.parse(Buffer.concat(chunks).toString()) as { _id: string })._id)
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server, deliveredIds }
}

/** Delivers the remaining tasks of the killed writers, after the leases of these tasks have ended. */
async function deliverAll(storage: Storage, receiver: Receiver, log: readonly Sample[]): Promise<void> {
  const send = createWebhookSender({ allowPrivate: true })
  const engine = createEngine({ storage, clock: () => Date.now() + beyondLeaseMs, webhooks: { send } })
  const deadline = performance.now() + 60_000
  while (undeliveredEntries(log, receiver).length > 0 && performance.now() < deadline)
    await engine.runDueTasks({ limit: 100 })
  await send.close()
}
