import { createHash } from 'node:crypto'
import { createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { branchAccount, branchIndexAccount } from '../packages/core/src/storage/branch/branch-names.ts'
import { everyStorage } from './setup/every-storage.ts'
import { longTests } from './setup/long-tests.ts'

const as = { role: 'owner' } as const
const shop = { projectKey: 'web' }
const production = { ...shop, environmentKey: 'production' }

const storages = everyStorage()

/**
 * Opens an engine with the project Web and three flags. Ids and random bytes follow from `seed`, and the clock stands
 * still, so that two accounts with the same changes have the same export.
 */
async function seededEngine(storage: Storage, account: string) {
  let [seed, draws] = ['set-up', 0]
  const digits = () => [...`${seed}/${draws++}`].reduce((sum, c) => (sum * 31 + (c.codePointAt(0) ?? 0)) % 1e9, 7)
  const engine = createEngine({
    storage,
    account,
    rateLimit: false,
    clock: () => Date.UTC(2026, 0, 31, 12),
    newId: () => `00000000-0000-4000-8000-${String(digits()).padStart(12, '0')}`,
    // An id of eight bytes distinguishes the engines that write a change log. The test has only one engine, so this id
    // may be constant.
    randomHex: (bytes) => (bytes === 8 ? 0 : digits()).toString(16).padStart(bytes * 2, '0'),
  })
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  for (const key of ['a', 'b', 'c']) await engine.api.createFlag({ ...shop, body: { key, name: key } }, { as })
  const setSeed = (next: string) => {
    ;[seed, draws] = [next, 0]
  }
  return { engine, setSeed }
}

type Step = (api: Engine['api']) => Promise<unknown>

const rename =
  (flagKey: string, value: string): Step =>
  (api) =>
    api.patchFlag({ ...shop, flagKey, body: [{ op: 'replace', path: '/name', value }] }, { as })

const inBranch: readonly Step[] = [
  (api) => api.createFlag({ ...shop, body: { key: 'new', name: 'New' } }, { as }),
  rename('new', 'Newer'),
  rename('a', 'A'),
  (api) => api.deleteFlag({ ...shop, flagKey: 'b' }, { as }),
]
const inTrunk: readonly Step[] = [
  rename('c', 'C'),
  (api) => api.createSegment({ ...production, body: { key: 'beta', name: 'Beta' } }, { as }),
]

async function exported(engine: Engine): Promise<string> {
  let text = ''
  for await (const piece of engine.export({ secrets: true })) text += piece
  return text
}

async function rowsOf(storage: Storage, account: string): Promise<number> {
  let rows = 0
  for await (const records of storage.account(account).dump()) rows += records.length
  return rows
}

describe.each(Object.entries(storages))('branches on %s', (_, open) => {
  it('add the rows that they changed, evaluate their own flags, merge, and leave no row', async () => {
    const storage = await open()
    await using engine = createEngine({ storage, rateLimit: false })
    const hash = createHash('sha256').update('default').digest('hex')
    await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    for (const key of ['a', 'b', 'c']) await engine.api.createFlag({ ...shop, body: { key, name: key } }, { as })
    const before = await rowsOf(storage, 'default')
    const branches = await Promise.all(['one', 'two', 'three'].map((name) => engine.branch(name)))
    const turnOn = { ...shop, body: { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' as const }] } }
    for (const [index, branch] of branches.entries())
      await branch.api.patchFlag({ ...turnOn, flagKey: 'abc'[index] as string }, { as })
    expect(await rowsOf(storage, 'default')).toBe(before)
    for (const { name } of branches) expect(await rowsOf(storage, branchAccount(hash, name))).toBeLessThan(10)
    const [one, two] = branches
    const isOn = async (of: typeof engine, key: string) => {
      await of.evaluator(production).ready()
      return of.evaluate(key, { kind: 'user', key: 'ann' }, false, production).value
    }
    expect([await isOn(engine, 'a'), await isOn(one as never, 'a'), await isOn(two as never, 'a')]).toEqual([
      false,
      true,
      false,
    ])
    await one?.merge({ as })
    expect([await isOn(engine, 'a'), await isOn(two as never, 'a')]).toEqual([true, true])
    await engine.api.patchFlag({ ...shop, flagKey: 'b', body: [{ op: 'replace', path: '/name', value: 'B' }] }, { as })
    await two?.merge({ as })
    expect((await engine.api.getFlag({ ...shop, flagKey: 'b' }, { as })).name).toBe('B')
    expect([await isOn(engine, 'b'), await engine.branches.delete('three')]).toEqual([true, true])
    for (const { name } of branches) expect(await rowsOf(storage, branchAccount(hash, name))).toBe(0)
    expect(await rowsOf(storage, branchIndexAccount(hash))).toBe(0)
  }, 120_000)

  it('leave the account as if their changes had been made directly', async () => {
    const storage = await open()
    const [split, direct] = [await seededEngine(storage, 'split'), await seededEngine(storage, 'direct')]
    const branch = await split.engine.branch('pr-1')
    for (const [index, step] of inBranch.entries()) {
      split.setSeed(`branch ${index}`)
      await step(branch.api)
    }
    for (const [index, step] of inTrunk.entries()) {
      for (const { engine, setSeed } of [split, direct]) {
        setSeed(`trunk ${index}`)
        await step(engine.api)
      }
    }
    await branch.merge({ as })
    for (const [index, step] of inBranch.entries()) {
      direct.setSeed(`branch ${index}`)
      await step(direct.engine.api)
    }
    expect(await exported(split.engine)).toBe(await exported(direct.engine))
    await storage.close()
  }, 120_000)

  it('leave no row when they have expired and due tasks have run', async () => {
    const storage = await open()
    let now = Date.UTC(2026, 0, 31, 12)
    await using engine = createEngine({ storage, rateLimit: false, clock: () => now })
    const hash = createHash('sha256').update('default').digest('hex')
    await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    for (const name of ['short', 'long']) {
      const branch = await engine.branch(name, { expiresIn: name === 'short' ? 60_000 : 120_000 })
      await branch.api.createFlag({ ...shop, body: { key: 'new', name: 'New' } }, { as })
    }
    now += 60_000
    await engine.runDueTasks()
    expect(await rowsOf(storage, branchAccount(hash, 'short'))).toBe(0)
    expect(await rowsOf(storage, branchAccount(hash, 'long'))).toBeGreaterThan(3)
    now += 60_000
    await engine.runDueTasks()
    expect(await rowsOf(storage, branchAccount(hash, 'long'))).toBe(0)
    expect(await rowsOf(storage, branchIndexAccount(hash))).toBe(0)
  }, 120_000)
})

it('a hundred branches over many flags add only the rows that they changed', async () => {
  const storage = createMemoryStorage()
  await using engine = createEngine({ storage, rateLimit: false })
  const hash = createHash('sha256').update('default').digest('hex')
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  for (let i = 0; i < (longTests ? 10_000 : 1_000); i++)
    await engine.api.createFlag({ ...shop, body: { key: `f${i}`, name: 'Flag' } }, { as })
  const before = await rowsOf(storage, 'default')
  let added = 0
  for (let i = 0; i < 100; i++) {
    const branch = await engine.branch(`b${i}`)
    await branch.api.patchFlag(
      { ...shop, flagKey: `f${i}`, body: [{ op: 'replace', path: '/name', value: 'New' }] },
      { as },
    )
    added += await rowsOf(storage, branchAccount(hash, `b${i}`))
  }
  // Each change stores four documents: the state of the branch, the flag, the recorded call, and the entry of the
  // change log.
  expect(added).toBe(100 * 4)
  expect(await rowsOf(storage, 'default')).toBe(before)
})

it('an account has a thousand branches and no more', async () => {
  await using engine = createEngine({ storage: createMemoryStorage() })
  for (let i = 0; i < 1000; i++) await engine.branch(`b${i}`)
  await expect(engine.branch('one-more')).rejects.toMatchObject({
    code: 'invalid_request',
    errors: [{ attribute: 'name' }],
  })
  await engine.branch('b0')
  await engine.branches.delete('b0')
  await engine.branch('one-more')
})
