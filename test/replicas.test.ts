import { storageConformance } from '@halyard/conformance'
import type { Storage } from '@halyard/core/storage'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { longTests } from './setup/long-tests.ts'
import { at, insert } from './setup/postgres-records.ts'
import { readingOnReplica, replicatedStorages } from './setup/replicated-storages.ts'

const storages = await replicatedStorages()
afterAll(() => storages.dispose())

const page = { collection: 'flags', scope: '', limit: 1000, select: 'fields' } as const

/** Returns the keys that a read finds. The read may run on the replica. */
async function recentKeys(storage: Storage): Promise<readonly string[]> {
  const result = await storage.account('acme').recent?.list(page)
  return result?.items.map(({ key }) => key) ?? []
}

/** Reads until a read runs on the replica, and returns what each read found. */
async function readsUntilOnReplica(storage: Storage): Promise<readonly (readonly string[])[]> {
  const readings: (readonly string[])[] = []
  for (const before = storages.readsOfReplica(); storages.readsOfReplica() === before; ) {
    readings.push(await recentKeys(storage))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return readings
}

describe('the reads of a storage with a replica', () => {
  const onReplica = (storage: Storage) => readingOnReplica(storage, storages.readsOfReplica)
  const originals = new WeakMap<Storage, Storage>()
  const wrapped = (storage: Storage) => {
    const reading = onReplica(storage)
    originals.set(reading, storage)
    return reading
  }
  const cases = storageConformance({
    open: async () => wrapped(await storages.open()),
    reopen: async (storage) => wrapped(await storages.reopen(originals.get(storage) as Storage)),
    openSecond: async (storage) => wrapped(await storages.openSecond(originals.get(storage) as Storage)),
  })
  // All cases run on Postgres itself. A replica can only break reads after a write, and the storage never reads tasks
  // on a replica.
  const selected = longTests
    ? cases
    : cases.filter(({ group }, i) => !/task|scale/.test(group) && cases.findIndex((one) => one.group === group) === i)
  for (const { group, name, run } of selected) it(`${group}: ${name}`, run, 60_000)

  it('run on the replica', () => {
    expect(storages.readsOfReplica()).toBeGreaterThan(selected.length)
  })
})

describe('a replica that is behind', () => {
  afterEach(() => storages.closeAll())
  const delayMs = 300

  it('is not read before it contains the commits of the storage, and those of which the storage was notified', async () => {
    const here = await storages.open()
    const there = await storages.openSecond(here)
    const notified: unknown[] = []
    const watch = here.account('acme').watch?.((touched) => notified.push(touched))
    await expect.poll(() => watch?.live(), { timeout: 10_000 }).toBe(true)
    await storages.delayReplay(delayMs)
    for (let round = 0; round < (longTests ? 30 : 4); round++) {
      await here.account('acme').commit([insert(`own-${round}`, '')])
      for (const keys of await readsUntilOnReplica(here)) expect(keys).toContain(`own-${round}`)
      notified.length = 0
      await there.account('acme').commit([insert(`foreign-${round}`, '')])
      await expect.poll(() => JSON.stringify(notified), { timeout: 10_000, interval: 1 }).toContain(`foreign-${round}`)
      for (const keys of await readsUntilOnReplica(here)) expect(keys).toContain(`foreign-${round}`)
    }
    await storages.delayReplay(0)
  }, 60_000)

  it('serves reads of other accounts, if it has all of their commits', async () => {
    const storage = await storages.open()
    await readsUntilOnReplica(storage)
    await storages.delayReplay(60_000)
    await storage.account('other').commit([insert('new', '')])
    const before = storages.readsOfReplica()
    expect(await recentKeys(storage)).toEqual([])
    expect(storages.readsOfReplica()).toBe(before + 1)
    expect((await storage.account('other').recent?.list(page))?.items).toHaveLength(1)
    expect(storages.readsOfReplica()).toBe(before + 1)
    await storages.delayReplay(0)
  })

  it('does not hide a document that another process created without a change notification', async () => {
    const here = await storages.open()
    await readsUntilOnReplica(here)
    await storages.delayReplay(60_000)
    const silent = await storages.openWithoutNotifications(here)
    await silent.account('acme').commit([insert('silent', '')])
    expect(await here.account('acme').recent?.get(at('silent', ''))).toMatchObject({ key: 'silent' })
    await storages.delayReplay(0)
  })
})

describe('a replica that does not answer', () => {
  afterEach(() => storages.closeAll())

  it('leaves its reads to the primary', async () => {
    const storage = await storages.open()
    await readsUntilOnReplica(storage)
    await storages.standby.kill()
    const before = storages.readsOfReplica()
    expect(await recentKeys(storage)).toEqual([])
    await storages.standby.restart()
    await readsUntilOnReplica(storage)
    expect(storages.readsOfReplica()).toBeGreaterThan(before)
  }, 30_000)

  it('is no longer read once it was promoted to a primary', async () => {
    const storage = await storages.open()
    await readsUntilOnReplica(storage)
    await storages.promote()
    for (let round = 0; round < 3; round++) {
      await storage.account('acme').commit([insert(`${round}`, '')])
      expect(await recentKeys(storage)).toHaveLength(round + 1)
    }
  })
})

it('replicas without change notifications are refused', () => {
  const pool = new pg.Pool()
  const make = (options: { watch?: boolean; notify?: boolean }) => () =>
    createPostgresStorage({ pool, replicas: [pool], ...options })
  expect(make({ watch: false })).toThrow('replicas: need `watch` and `notify`')
  expect(make({ notify: false })).toThrow(TypeError)
})
