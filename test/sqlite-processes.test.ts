import Database from 'libsql'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import type { CounterReport } from './processes/sqlite-counter.ts'
import { longTests } from './setup/long-tests.ts'
import { type ReportingProcess, startReportingProcess } from './setup/reporting-process.ts'
import { sqliteFiles } from './setup/sqlite-files.ts'

const files = sqliteFiles((file) => new Database(file))
afterAll(() => files.dispose())

/** Reports of the processes of a test. */
interface Tally {
  /** Number of acknowledged increments by prefix. */
  readonly committed: Map<string, number>
  readonly stale: string[]
}

function startCounter(file: string, prefix: string): ReportingProcess<CounterReport> {
  const counter = startReportingProcess<CounterReport>('test/processes/sqlite-counter.ts', [file, prefix])
  onTestFinished(() => counter.kill())
  return counter
}

/** Reads the reports of a process until it has ended, or has reported a number of increments. */
async function collect(
  counter: ReportingProcess<CounterReport>,
  prefix: string,
  tally: Tally,
  increments = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let report = await counter.next(); report; report = await counter.next()) {
    if ('stale' in report) tally.stale.push(report.stale)
    else {
      tally.committed.set(prefix, report.committed)
      if (report.committed >= increments) return
    }
  }
}

/** Checks that every acknowledged increment is stored, and at most one unacknowledged increment of each process. */
async function checkFile(file: string, { committed, stale }: Tally): Promise<void> {
  expect(stale).toEqual([])
  const account = (await files.openFile(file)).account('acme')
  const document = await account.get({ collection: 'counters', scope: '', key: 'shared' })
  const names = await account.pageKeys({ name: 'names', scope: '' }, { limit: 1_000_000 })
  const samples = await account.newest({ series: { name: 'times', scope: '' }, limit: 1_000_000 })
  expect(document?.body).toBe(names.length)
  expect(document?.version).toBe(names.length)
  expect(samples.map(({ id }) => id).sort()).toEqual([...names].sort())
  const acknowledged = [...committed].flatMap(([prefix, count]) =>
    Array.from({ length: count }, (_, i) => `${prefix}-${i + 1}`),
  )
  const stored = new Set(names)
  expect(acknowledged.filter((name) => !stored.has(name))).toEqual([])
  expect(names.length - acknowledged.length).toBeLessThanOrEqual(committed.size)
}

describe('a SQLite file', () => {
  const kills = longTests ? 100 : 4
  it(`keeps every acknowledged commit of a process that is killed while it writes, ${kills} times`, async () => {
    const file = files.newFile()
    const tally: Tally = { committed: new Map(), stale: [] }
    for (let round = 0; round < kills; round++) {
      const prefix = `round-${round}`
      const counter = startCounter(file, prefix)
      await collect(counter, prefix, tally, 1 + ((round * 7) % 40))
      await counter.kill()
      // The reports that the process sent before it was killed count too.
      await collect(counter, prefix, tally)
    }
    await checkFile(file, tally)
  }, 900_000)

  const replacements = longTests ? 6 : 2
  const increments = longTests ? 1_000 : 10
  it(`loses no update of four processes, of which ${replacements} are killed while all of them write`, async () => {
    const file = files.newFile()
    const tally: Tally = { committed: new Map(), stale: [] }
    const prefixes = Array.from({ length: 4 + replacements }, (_, i) => `process-${i}`)
    const start = (prefix: string) => ({ prefix, counter: startCounter(file, prefix) })
    const running = prefixes.splice(0, 4).map(start)
    for (let next = running.shift(); next; next = running.shift()) {
      const { prefix, counter } = next
      await collect(counter, prefix, tally, increments)
      await counter.kill()
      await collect(counter, prefix, tally)
      const replacement = prefixes.shift()
      if (replacement) running.push(start(replacement))
    }
    expect([...tally.committed.values()].filter((count) => count < increments)).toEqual([])
    expect(tally.committed.size).toBe(4 + replacements)
    await checkFile(file, tally)
  }, 900_000)
})
