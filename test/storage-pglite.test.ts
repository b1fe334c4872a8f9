import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { storageConformance } from '@halyard/conformance'
import { isStorageUnavailable, type Storage } from '@halyard/core/storage'
import { createPgliteStorage } from '@halyard/storage-pglite'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { longTests } from './setup/long-tests.ts'
import { type PgliteProcess, startPgliteProcess } from './setup/pglite-process.ts'
import { pgliteStorages } from './setup/pglite-storages.ts'
import { runsAllCases, selectClientCases } from './setup/runs-all-cases.ts'

const storages = pgliteStorages()
afterAll(() => storages.dispose())

describe('storage on PGlite', () => {
  // PGlite is Postgres, and its storage has the same statements.
  const cases = selectClientCases(storageConformance(storages))
  for (const { group, name, run } of cases) it(`${group}: ${name}`, run, 60_000)
})

function open(dataDir: string): Storage {
  const storage = createPgliteStorage({ dataDir })
  onTestFinished(() => storage.close())
  return storage
}

function startTestProcess(dataDir: string, writes?: string): PgliteProcess {
  const otherProcess = startPgliteProcess(dataDir, writes)
  onTestFinished(() => otherProcess.kill())
  return otherProcess
}

/** Calls migrate() on a storage that cannot be used, and returns the message of the error. */
async function errorOf(storage: Storage): Promise<string> {
  const error = await storage.migrate().catch((thrown: unknown) => thrown)
  expect(isStorageUnavailable(error)).toBe(true)
  return String(error)
}

describe.runIf(longTests)('a data directory', () => {
  it('is refused to a second process with the pid of the first', async () => {
    const dataDir = storages.copySnapshot()
    const otherProcess = startTestProcess(dataDir)
    expect(await otherProcess.next()).toEqual({ opened: true })
    const error = await errorOf(open(dataDir))
    expect(error).toContain(dataDir)
    expect(error).toContain(`process ${otherProcess.pid}`)
  })

  it('can be opened after its process was killed', async () => {
    const dataDir = storages.copySnapshot()
    const otherProcess = startTestProcess(dataDir)
    expect(await otherProcess.next()).toEqual({ opened: true })
    await otherProcess.kill()
    expect(existsSync(`${dataDir}.lock`)).toBe(true)
    await open(dataDir).migrate()
  })

  it('is opened by exactly one of several processes that find a stale lock', async () => {
    const dataDir = storages.copySnapshot()
    const deadProcess = startTestProcess(dataDir)
    await deadProcess.next()
    await deadProcess.kill()
    const otherProcesses = Array.from({ length: 3 }, () => startTestProcess(dataDir))
    const reports = await Promise.all(otherProcesses.map((otherProcess) => otherProcess.next()))
    expect(reports.filter((report) => report && 'opened' in report)).toHaveLength(1)
    expect(reports.filter((report) => report && 'refused' in report)).toHaveLength(2)
  })

  it('is opened by one storage only within a process, under any of its names', async () => {
    const dataDir = storages.copySnapshot()
    const first = open(dataDir)
    await first.migrate()
    const alias = `${dataDir}-alias`
    symlinkSync(dataDir, alias)
    for (const name of [dataDir, `${dataDir}${path.sep}`, path.relative('.', dataDir), `file://${dataDir}`, alias]) {
      expect(await errorOf(open(name))).toContain(`in use by process ${process.pid}`)
    }
  })

  it('is released by close, so that a refused storage can open it', async () => {
    const dataDir = storages.copySnapshot()
    const [first, second] = [open(dataDir), open(dataDir)]
    await first.migrate()
    await errorOf(second)
    await first.close()
    await second.migrate()
    await second.close()
    const remainingFiles = readdirSync(path.dirname(dataDir)).filter((name) =>
      name.startsWith(`${path.basename(dataDir)}.`),
    )
    expect(remainingFiles).toEqual([])
  })

  it('locked by another host is refused, because the state of that process is unknown', async () => {
    const dataDir = storages.copySnapshot()
    const lock = `${dataDir}.lock`
    const lockContent = JSON.stringify({ id: 'x', pid: 1, host: 'elsewhere', started: null })
    writeFileSync(lock, lockContent)
    expect(await errorOf(open(dataDir))).toMatch(/process 1 on host elsewhere.*remove/)
    expect(readFileSync(lock, 'utf8')).toBe(lockContent)
  })

  it('locked by a dead process is opened although its pid was reused', async () => {
    const dataDir = storages.copySnapshot()
    const first = createPgliteStorage({ dataDir })
    await first.migrate()
    const lock = readFileSync(`${dataDir}.lock`, 'utf8')
    await first.close()
    writeFileSync(`${dataDir}.lock`, JSON.stringify({ ...JSON.parse(lock), started: 'before this one' }))
    await open(dataDir).migrate()
  })

  it('that cannot be created is refused with the reason', async () => {
    const file = `${storages.copySnapshot()}-file`
    writeFileSync(file, '')
    expect(await errorOf(open(file))).toContain(`${file} cannot be used: EEXIST`)
    expect(await errorOf(open(path.join(file, 'below')))).toContain('ENOTDIR')
  })

  it('in memory needs no directory and no lock file', async () => {
    const storage = open('memory://halyard')
    await storage.migrate()
    await storage.ping()
    expect(readdirSync('.').filter((name) => name.startsWith('memory'))).toEqual([])
  })
})

describe('a client of the host', () => {
  it('stays open when the storage is closed', async () => {
    let closed = false
    const client = {
      query: async () => ({ rows: [], affectedRows: 0 }),
      transaction: () => Promise.reject(new Error('must not be called')),
      close: async () => {
        closed = true
      },
    }
    const storage = createPgliteStorage({ client })
    await storage.account('acme').countKeys({ name: 'set', scope: '' })
    await storage.close()
    expect(closed).toBe(false)
  })
})

describe.runIf(runsAllCases)('a process that is killed while it writes', () => {
  const rounds = longTests ? 10 : 1
  it(`keeps every acknowledged commit, ${rounds === 1 ? 'once' : `${rounds} times`}`, async () => {
    const dataDir = storages.copySnapshot()
    const acknowledged: string[] = []
    for (let round = 0; round < rounds; round++) {
      const writer = startTestProcess(dataDir, `round-${round}`)
      expect(await writer.next()).toEqual({ opened: true })
      for (let n = 0; n < 8 + 5 * round; n++) acknowledged.push(committedName(await writer.next()))
      await writer.kill()
      // The reports that the writer sent before it was killed count too.
      for (let report = await writer.next(); report; report = await writer.next())
        acknowledged.push(committedName(report))
    }
    const account = open(dataDir).account('acme')
    const keysOf = async (scope: string) => {
      const { items } = await account.list({ collection: 'pairs', scope, limit: 100_000, select: 'fields' })
      return items.map(({ key }) => key)
    }
    const written = await keysOf('left')
    expect(acknowledged.filter((name) => !written.includes(name))).toEqual([])
    expect(await keysOf('right')).toEqual(written)
    expect(await account.pageKeys({ name: 'names', scope: '' }, { limit: 100_000 })).toEqual(written)
    const samples = await account.newest({ series: { name: 'times', scope: '' }, limit: 100_000 })
    expect(samples.map(({ id }) => id).sort()).toEqual(written)
  }, 180_000)

  function committedName(report: Awaited<ReturnType<PgliteProcess['next']>>): string {
    if (report && 'committed' in report) return report.committed
    throw new Error(`expected a commit, got ${JSON.stringify(report)}`)
  }
})
