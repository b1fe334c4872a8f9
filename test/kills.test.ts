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
import { type Acknowledged, goingPrefix } from './processes/acknowledged.ts'
import { type Child, endChildren, startChild } from './processes/child.ts'
import { replayedState, storedState } from './processes/replayed-log.ts'
import { bundledProgram } from './setup/bundled-program.ts'
import { longTests } from './setup/long-tests.ts'
import { ownDatabase } from './setup/own-database.ts'
import { pgliteStorages } from './setup/pglite-storages.ts'

const kills = longTests ? 100 : 5
const longestRunMs = 400

/** Longer than anybody has a task, ms. */
const leaseOver = 600_000

const pglite = pgliteStorages()
afterEach(endChildren)
afterAll(pglite.dispose)

/** Where the writers write, and how the test looks at it when they are gone. */
interface Place {
  readonly option: string
  open(): Storage
  close(storage: Storage): Promise<void>
}

const places: Readonly<Record<string, () => Promise<Place>>> = {
  async PGlite() {
    const dataDir = pglite.copySnapshot()
    return { option: `pglite:${dataDir}`, open: () => createPgliteStorage({ dataDir }), close: (one) => one.close() }
  },
  async Postgres() {
    const { url, pool, drop } = await ownDatabase()
    return { option: url, open: () => createPostgresStorage({ pool }), close: (one) => one.close().then(drop) }
  },
}

describe.each(Object.entries(places))(`writers on %s, killed ${kills} times`, (_, prepare) => {
  let account: ReturnType<Storage['account']>
  let log: readonly Sample[] = []
  let acknowledged: readonly Acknowledged[] = []
  let receiver: Receiver | undefined
  let close = async () => {}

  beforeAll(async () => {
    receiver = await startReceiver()
    const place = await prepare()
    acknowledged = await writeAndKill(place.option, receiver?.url)
    const storage = place.open()
    close = () => place.close(storage)
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
    const missing = acknowledged.filter((one) => {
      const flag = flags.get(one.key)
      if (one.did === 'delete') return flag !== undefined
      // Its end may be done and not acknowledged.
      if (!flag) return !(one.key.startsWith(goingPrefix) && isDeletedIn(log, one.key))
      if (one.did === 'tag') return !flag.tags.includes(one.tag)
      return one.did === 'turn on' && flag.revision === 0
    })
    console.log(`${kills} kills, ${acknowledged.length} changes acknowledged, ${log.length} logged`)
    expect(missing).toEqual([])
    const late = Array.from({ length: kills }, (_, run) => run).filter((run) => !isEarly(run))
    expect(acknowledged.length).toBeGreaterThanOrEqual(late.length)
  })

  it('leave what their log says, and nothing half-written', async () => {
    expect(await storedState(account)).toEqual(replayedState(log))
  })

  it('log each acknowledged change once, and at most one besides for each lane of a killed writer', () => {
    const ids = log.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const unacknowledged = log.filter(isOfFlag).length - acknowledged.length
    expect(unacknowledged).toBeGreaterThanOrEqual(0)
    expect(unacknowledged).toBeLessThanOrEqual(kills * 4)
  })

  it('tell the receiver of every change, those that were under way to it again', () => {
    expect(untold(log, receiver).map(({ id }) => id)).toEqual([])
  })
})

/** What the writers did once the webhook was there. */
function isOfFlag({ body }: Sample): boolean {
  return (body as { operation: string }).operation.endsWith('Flag')
}

function untold(log: readonly Sample[], receiver: Receiver | undefined): readonly Sample[] {
  return log.filter((entry) => isOfFlag(entry) && !receiver?.told.has(`${entry.at.toString(36)}-${entry.id}`))
}

function isDeletedIn(log: readonly Sample[], key: string): boolean {
  return log.some(({ label, body }) => {
    return label.endsWith(`/${key}`) && (body as { operation: string }).operation === 'deleteFlag'
  })
}

/** What all writers together acknowledged. The next one is loaded while one writes, and goes on once that is gone. */
async function writeAndKill(option: string, receiver: string | undefined): Promise<Acknowledged[]> {
  const program = bundledProgram('test/processes/writer.ts')
  const start = (run: number) =>
    startChild(program, [option, `run${run}`, ...(receiver ? [receiver] : [])], { waits: true })
  const acknowledged: Acknowledged[] = []
  let next: Child = start(0)
  for (let run = 0; run < kills; run++) {
    const writer = next
    writer.tell('go')
    if (run + 1 < kills) next = start(run + 1)
    // Most are killed among their changes, however slow the machine is; some before the first one is done.
    await writer.printed(isEarly(run) ? /writes\n/ : /^\{.*\n/m)
    await delay(randomInt(longestRunMs))
    await writer.kill()
    const changes = writer.lines().filter((line) => line.startsWith('{'))
    for (const line of changes) acknowledged.push(JSON.parse(line) as Acknowledged)
  }
  return acknowledged
}

/** Whether a writer is killed whether or not it has done anything. */
function isEarly(run: number): boolean {
  return run % 5 === 4
}

interface Receiver {
  readonly url: string
  readonly server: Server
  /** Ids of the entries that came. */
  readonly told: Set<string>
}

async function startReceiver(): Promise<Receiver> {
  const told = new Set<string>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    told.add((JSON.parse(Buffer.concat(chunks).toString()) as { _id: string })._id)
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server, told }
}

/** Delivers what the killed writers left behind, when nothing is theirs any more. */
async function deliverAll(storage: Storage, receiver: Receiver, log: readonly Sample[]): Promise<void> {
  const send = createWebhookSender({ allowPrivate: true })
  const engine = createEngine({ storage, clock: () => Date.now() + leaseOver, webhooks: { send } })
  const until = performance.now() + 60_000
  while (untold(log, receiver).length > 0 && performance.now() < until) await engine.runDueTasks({ limit: 100 })
  await send.close()
}
