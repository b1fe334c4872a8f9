import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killChildren } from './processes/child.ts'
import { hostileRequests } from './processes/hostile-requests.ts'
import { type Cluster, createAndDelete, emptyRecord, projectKey, readLists, startCluster } from './processes/load.ts'
import { halyardFile, type ServedEngine, serveHalyard } from './processes/served-engine.ts'
import { bundledProgram } from './setup/bundled-program.ts'
import { longTests } from './setup/long-tests.ts'
import { type OwnDatabase, ownDatabase } from './setup/own-database.ts'

/** Duration of the load: HALYARD_LOAD_SECONDS (600 by default) in long test runs, 3 seconds otherwise. */
const loadMs = longTests ? Number(process.env.HALYARD_LOAD_SECONDS ?? 600) * 1_000 : 3_000
const sampleMs = 1_000

/**
 * Size of the caches, MiB. They are so small that they are full when the server is warm, because more and more flags
 * are created and read.
 */
const cacheMiB = '8'

/**
 * Maximum size of the server's heap, MiB, as in a small container: with more memory V8 lets the heap grow for a long
 * time.
 */
const maxHeapMiB = 128

const token = 'api-mixed-load-0123456789'
const account = emptyRecord()
const counters = Array.from({ length: 4 }, (_, i) => `counter-${i}`)
/** For each flag, the last text that a response confirmed as written, and the number of confirmed writes. */
const lastWritten = new Map(counters.map((key) => [key, { text: '', count: 0 }]))
const statuses = new Map<number, number>()
/** Resident memory of the server, MiB, one value a second; empty where the platform does not report it. */
const resident: number[] = []

let database: OwnDatabase
let server: ServedEngine
let hostileCount = 0

beforeAll(async () => {
  database = await ownDatabase()
  const program = bundledProgram(halyardFile)
  const halyard = { ...program, nodeOptions: [...program.nodeOptions, `--max-old-space-size=${maxHeapMiB}`] }
  const start = () => serveHalyard(halyard, database.url, token, ['--remember', cacheMiB])
  const cluster = await startCluster(1, start)
  server = cluster.any()
  await server.send('POST', '/api/v2/projects', { body: { key: projectKey, name: 'Web' } })
  for (const key of [...counters, 'attacked'])
    await server.send('POST', `/api/v2/flags/${projectKey}`, { body: { key, name: key } })
  await load(cluster)
}, loadMs + 60_000)

afterAll(async () => {
  await killChildren()
  await database.drop()
})

async function load(cluster: Cluster): Promise<void> {
  const end = performance.now() + loadMs
  const over = () => performance.now() >= end
  const loadOptions = { cluster, account, counters, over }
  const sampleMemory = async () => {
    while (!over()) {
      const mib = residentOf(server.pid)
      if (mib !== undefined) resident.push(mib)
      await delay(Math.min(sampleMs, Math.max(0, end - performance.now())))
    }
  }
  await Promise.all([
    ...counters.map((key) => writeRepeatedly(key, over)),
    createAndDelete(loadOptions, 'made'),
    readLists(loadOptions),
    readLists(loadOptions),
    attack(over),
    sampleMemory(),
  ])
}

/** Replaces the description of a flag again and again. */
async function writeRepeatedly(key: string, over: () => boolean): Promise<void> {
  const path = `/api/v2/flags/${projectKey}/${key}`
  const last = lastWritten.get(key) as { text: string; count: number }
  while (!over()) {
    const text = `text ${last.count + 1}`
    const { status } = await server.send('PATCH', path, {
      body: [{ op: 'replace', path: '/description', value: text }],
    })
    if (status === 200) Object.assign(last, { text, count: last.count + 1 })
    else account.problems.push(`patch ${key}: ${status}`)
  }
}

/** Sends all hostile requests until more than 600 were sent and the time is over. */
async function attack(over: () => boolean): Promise<void> {
  do {
    for (const { method, path, type = 'application/json', body, headers } of hostileRequests()) {
      const init = { method, body, headers: { authorization: token, 'content-type': type, ...headers } }
      const response = await fetch(`${server.address}/api/v2${path}`, init)
      await response.arrayBuffer()
      hostileCount++
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      // Operations of the reference API that are not served respond with 501.
      if (response.status >= 500 && response.status !== 501)
        account.problems.push(`${method} ${path.slice(0, 80)}: ${response.status}`)
    }
  } while (!over() || hostileCount <= 600)
}

function residentOf(pid: number): number | undefined {
  try {
    const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kib === undefined ? undefined : Number(kib) / 1024
  } catch {
    return undefined
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

describe('a process under mixed load', () => {
  it('responds without a 5xx to more than 600 hostile requests and to all others', () => {
    const statusCounts = [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')
    console.log(`${account.requests} requests, ${hostileCount} of them hostile (${statusCounts})`)
    expect(hostileCount).toBeGreaterThan(600)
    expect(account.problems).toEqual([])
  })

  it('loses no write', async () => {
    for (const [key, { text, count }] of lastWritten) {
      const { body } = await server.send('GET', `/api/v2/flags/${projectKey}/${key}`)
      expect(count).toBeGreaterThan(0)
      expect(body).toMatchObject({ description: text, _version: 1 + count })
    }
    for (const key of account.created) {
      const { status } = await server.send('GET', `/api/v2/flags/${projectKey}/${key}`)
      expect([key, status]).toEqual([key, account.deleted.has(key) ? 404 : 200])
    }
  })

  it('uses no more memory at the end than after its warm-up', () => {
    const quarter = Math.floor(resident.length / 4)
    const [warm, end] = [median(resident.slice(quarter, 2 * quarter)), median(resident.slice(-quarter))]
    console.log(
      `resident: warm ${warm.toFixed(0)} MiB, at the end ${end.toFixed(0)} MiB, of ${resident.length} samples`,
    )
    // The heap of a process that has just started still grows, so that short runs only check that values exist.
    const maxGrowth = loadMs >= 120_000 ? 1.1 : 4
    if (resident.length > 0 && quarter > 0) expect(end / warm).toBeLessThan(maxGrowth)
  })
})
