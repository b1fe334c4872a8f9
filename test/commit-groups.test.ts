import type { AccountStorage, Change, CommitOutcome, TouchedRecords } from '@halyard/core/storage'
import { createPgliteStorage } from '@halyard/storage-pglite'
import { createPostgresStorage } from '@halyard/storage-postgres'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { countedPool } from './setup/counted-pool.ts'
import { openPgliteClient } from './setup/pglite-client.ts'
import { postgresStorages, uniqueSchema } from './setup/postgres-storages.ts'

const storages = postgresStorages()
const { pool } = storages
const schema = uniqueSchema()
const countingPool = countedPool(pool)
const storage = createPostgresStorage({ pool: countingPool, schema })
let accounts = 0
const ownAccount = () => storage.account(`account-${accounts++}`)

beforeAll(() => storage.migrate())
afterAll(async () => {
  await storage.close()
  await pool.query(`drop schema ${schema} cascade`)
  await storages.dispose()
})

const documentId = (key: string) => ({ collection: 'flags', scope: 'proj/p', key })
const insert = (key: string): Change => ({ do: 'insert', id: documentId(key), body: { key }, fields: { name: key } })
const replace = (key: string, version: number): Change => ({
  do: 'replace',
  id: documentId(key),
  version,
  body: { key, after: version },
  fields: { name: key },
})
const series = { name: 'change-log', scope: 'acct' }
const appendEntry = (id: string, terms?: readonly string[]): Change => ({
  do: 'append',
  series,
  samples: [{ id, at: 1, label: 'l', values: [], body: { id }, ...(terms && { terms }) }],
})
const queue = { name: 'deliveries', scope: 'webhook/w' }
const enqueueTask = (id: string): Change => ({
  do: 'enqueue',
  queue,
  tasks: [{ id, lane: id, at: 1, due: 1, body: { id } }],
})
const keys = Array.from({ length: 20 }, (_, i) => `k${String(i).padStart(2, '0')}`)
const forEachKey = <T>(items: readonly T[], work: (item: T) => Promise<CommitOutcome>) => Promise.all(items.map(work))

describe('commits that arrive while two others are running', () => {
  it('are written by one statement, and each gets its own counts', async () => {
    const account = ownAccount()
    await account.commit([insert('project'), appendEntry('taken'), enqueueTask('told')])
    const { result, statements } = await countingPool.during(() =>
      forEachKey(keys, (key) =>
        account.commit([
          { do: 'expect', id: documentId('project'), version: 1 },
          insert(key),
          appendEntry(key === 'k07' ? 'taken' : key, key < 'k10' ? [`term ${key}`] : undefined),
          enqueueTask(key === 'k19' ? 'told' : key),
        ]),
      ),
    )
    expect(statements).toHaveLength(3)
    // Samples and tasks that exist already are not counted; all others are.
    const counts = keys.map((key) => [0, 1, key === 'k07' ? 0 : 1, key === 'k19' ? 0 : 1])
    expect(result).toEqual(counts.map((each) => ({ outcome: 'committed', counts: each })))
    const entries = await account.newest({ series, limit: 100 })
    const inLog = ['taken', ...keys.filter((key) => key !== 'k07')]
    expect(entries.map(({ id, body }) => [id, body]).sort()).toEqual(inLog.map((id) => [id, { id }]).sort())
    expect((await account.newest({ series, limit: 9, terms: [['term k03']] })).map(({ id }) => id)).toEqual(['k03'])
    const tasks = await account.listTasks(queue, { limit: 100 })
    expect(tasks.map(({ id }) => id).sort()).toEqual([...keys.filter((key) => key !== 'k19'), 'told'])
  })

  it('are written by one statement when they finish and postpone tasks', async () => {
    const account = ownAccount()
    await account.commit(keys.map(enqueueTask))
    const taken = await account.take({ name: queue.name, now: 1, until: 1000, limit: 100 })
    expect(taken.map(({ id }) => id).sort()).toEqual(keys)
    const { result, statements } = await countingPool.during(() =>
      forEachKey(keys, (task) =>
        account.commit([
          task < 'k10'
            ? { do: 'finish', queue, task, takes: 1 }
            : { do: 'postpone', queue, task, takes: 1, due: 4711, body: 'later' },
        ]),
      ),
    )
    expect(statements).toHaveLength(3)
    expect(result).toEqual(keys.map(() => ({ outcome: 'committed', counts: [1] })))
    const tasks = await account.listTasks(queue, { limit: 100 })
    expect(tasks.map(({ id, due, body }) => [id, due, body]).sort()).toEqual(
      keys.filter((key) => key >= 'k10').map((id) => [id, 4711, 'later']),
    )
  })

  it('are refused one by one, and the others in the group are written', async () => {
    const account = ownAccount()
    await account.commit([insert('k05'), insert('k09')])
    const batches = keys.map((key) => [key === 'k09' ? replace(key, 3) : insert(key), appendEntry(key)])
    const outcomes = await forEachKey(batches, (batch) => account.commit(batch))
    const expectedRefusals: Readonly<Record<string, CommitOutcome>> = {
      k05: { outcome: 'exists', change: 0 },
      k09: { outcome: 'conflict', change: 0 },
    }
    expect(outcomes).toEqual(keys.map((key) => expectedRefusals[key] ?? { outcome: 'committed', counts: [1, 1] }))
    const entries = await account.newest({ series, limit: 100 })
    expect(entries.map(({ id }) => id).sort()).toEqual(keys.filter((key) => !(key in expectedRefusals)))
  })

  it('are written by few statements when one of fifty is refused', async () => {
    const account = ownAccount()
    const fifty = Array.from({ length: 50 }, (_, i) => `f${i}`)
    await account.commit([insert('f20')])
    const { result, statements } = await countingPool.during(() =>
      forEachKey(fifty, (key) => account.commit([insert(key)])),
    )
    expect(result.filter(({ outcome }) => outcome === 'committed')).toHaveLength(49)
    expect(result[20]).toEqual({ outcome: 'exists', change: 0 })
    // 50 separate commits would take 50 statements. A refused group is divided at most six times, and failed statements
    // are not counted.
    expect(statements.length).toBeLessThan(20)
  })

  it('are refused without a statement when another commit replaces the same version of a document', async () => {
    const account = ownAccount()
    await account.commit([insert('a')])
    const replaceAll = (version: number) =>
      countingPool.during(() => forEachKey(keys, (key) => account.commit([appendEntry(key), replace('a', version)])))
    const refused = { outcome: 'conflict', change: 1 }
    const replaced = await replaceAll(1)
    expect(replaced.result).toEqual([{ outcome: 'committed', counts: [1, 1] }, ...keys.slice(1).map(() => refused)])
    expect(replaced.statements).toHaveLength(1)
    // The first batch reads which of its changes was refused. Failed statements are not counted.
    const outdated = await replaceAll(1)
    expect(outdated.result).toEqual(keys.map(() => refused))
    expect(outdated.statements).toHaveLength(1)
  })

  it('are sent when another commit that replaces the same version is refused for another reason', async () => {
    const account = ownAccount()
    await account.commit([insert('a'), insert('b')])
    const outcomes = await Promise.all([
      account.commit([insert('b'), replace('a', 1)]),
      account.commit([replace('a', 1), appendEntry('second')]),
      account.commit([replace('a', 1), appendEntry('third')]),
    ])
    expect(outcomes).toEqual([
      { outcome: 'exists', change: 0 },
      { outcome: 'committed', counts: [1, 1] },
      { outcome: 'conflict', change: 0 },
    ])
  })

  it('do not wait for a commit that waits for an unrelated lock', async () => {
    const account = ownAccount()
    await account.commit([insert('a'), insert('b'), insert('c')])
    const blocker = await pool.connect()
    onTestFinished(() => blocker.release())
    await blocker.query(`begin; select 1 from ${schema}.documents where key in ('a', 'b') for update`)
    const blocked = [account.commit([replace('a', 1)]), account.commit([replace('b', 1)])]
    const unblocked = await Promise.all([account.commit([replace('c', 1)]), account.commit([insert('d')])])
    expect(unblocked.map(({ outcome }) => outcome)).toEqual(['committed', 'committed'])
    await blocker.query('commit')
    expect((await Promise.all(blocked)).map(({ outcome }) => outcome)).toEqual(['committed', 'committed'])
  })

  it('are delayed at most half a second by a commit in their group that waits for a lock', async () => {
    const account = ownAccount()
    await account.commit([insert('a'), insert('b'), insert('c')])
    const blocker = await pool.connect()
    onTestFinished(() => blocker.release())
    await blocker.query(`begin; select 1 from ${schema}.documents where key in ('a', 'b', 'c') for update`)
    const blocked = ['a', 'b', 'c'].map((key) => account.commit([replace(key, 1)]))
    // The third commit waits for the first two. The commits below join its group.
    const unblocked = await forEachKey(keys, (key) => account.commit([insert(key)]))
    expect(unblocked).toEqual(keys.map(() => ({ outcome: 'committed', counts: [1] })))
    await blocker.query('commit')
    expect((await Promise.all(blocked)).map(({ outcome }) => outcome)).toEqual(['committed', 'committed', 'committed'])
  })

  it('notify another process of each commit', async () => {
    const elsewhere = createPostgresStorage({ pool, schema })
    onTestFinished(() => elsewhere.close())
    const account = ownAccount()
    const notifiedKeys = new Set<string>()
    const subscription = elsewhere
      .account(`account-${accounts - 1}`)
      .watch?.((touched: readonly TouchedRecords[] | 'anything') => {
        for (const change of touched === 'anything' ? [] : touched)
          if (change.kind === 'document') notifiedKeys.add(change.id.key)
      })
    await expect.poll(() => subscription?.live(), { timeout: 10_000 }).toBe(true)
    const { statements } = await countingPool.during(() => forEachKey(keys, (key) => account.commit([insert(key)])))
    expect(statements).toHaveLength(3)
    await expect.poll(() => [...notifiedKeys].sort(), { timeout: 10_000 }).toEqual(keys)
    await subscription?.stop()
  })
})

describe('random concurrent batches', () => {
  const change = fc.record({ key: fc.integer({ min: 0, max: 5 }), verb: fc.constantFrom('replace', 'expect') })
  const batch = fc.uniqueArray(change, { selector: ({ key }) => key, minLength: 1, maxLength: 3 })
  const rounds = fc.array(fc.array(batch, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 })

  /**
   * Checks that each version equals the number of batches that were reported as committed: no write is lost or applied
   * twice.
   */
  async function versionsAddUp(
    account: AccountStorage,
    batchesOfRounds: readonly (readonly (readonly RandomChange[])[])[],
  ) {
    const versions = [0, 1, 2, 3, 4, 5].map(() => 1)
    const written = new Set<string>()
    await account.commit(versions.map((_, key) => insert(`${key}`)))
    for (const [round, batches] of batchesOfRounds.entries()) {
      const versionsBefore = [...versions]
      const outcomes = await Promise.all(
        batches.map((changes, i) =>
          account.commit([
            ...changes.map(({ key, verb }): Change => {
              const version = versionsBefore[key] as number
              return verb === 'expect'
                ? { do: 'expect', id: documentId(`${key}`), version }
                : replace(`${key}`, version)
            }),
            appendEntry(`${round}-${i}`),
          ]),
        ),
      )
      for (const [i, { outcome }] of outcomes.entries()) {
        if (outcome !== 'committed') continue
        for (const { key, verb } of batches[i] ?? [])
          if (verb === 'replace') versions[key] = (versions[key] as number) + 1
        written.add(`${round}-${i}`)
      }
      // At most one of the batches that expect the same version of a document commits.
      for (const [key, version] of versions.entries())
        expect(version - (versionsBefore[key] as number)).toBeLessThanOrEqual(1)
      const documents = await account.getMany(versions.map((_, key) => documentId(`${key}`)))
      expect(documents.map((document) => document?.version)).toEqual(versions)
      const entries = await account.newest({ series, limit: 1000 })
      expect(new Set(entries.map(({ id }) => id))).toEqual(written)
    }
  }

  it('leave each document at the version that the reported commits add up to, on Postgres', async () => {
    await fc.assert(
      fc.asyncProperty(rounds, (randomRounds) => versionsAddUp(ownAccount(), randomRounds)),
      { numRuns: 40 },
    )
  }, 60_000)

  it('leave each document at the version that the reported commits add up to, on PGlite', async () => {
    const client = await openPgliteClient()
    onTestFinished(() => client.close())
    const inProcess = createPgliteStorage({ client })
    await inProcess.migrate()
    let run = 0
    await fc.assert(
      fc.asyncProperty(rounds, (randomRounds) => versionsAddUp(inProcess.account(`run-${run++}`), randomRounds)),
      { numRuns: 15 },
    )
  }, 60_000)
})

interface RandomChange {
  readonly key: number
  readonly verb: 'replace' | 'expect'
}
