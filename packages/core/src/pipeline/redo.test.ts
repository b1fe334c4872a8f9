import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import type { AccountStorage, Storage } from '../entries/storage.ts'
import { type ApiError, createEngine, type Engine } from '../index.ts'
import { laggingStorage } from '../storage/test/lagging-storage.ts'

const as = { role: 'admin' } as const
const keys = { projectKey: 'web', flagKey: 'f' }
const replace = (path: string, value: unknown) => ({ op: 'replace' as const, path, value })
const add = (path: string, value: unknown) => ({ op: 'add' as const, path, value })
const remove = (path: string) => ({ op: 'remove' as const, path })

type Patch = readonly { readonly op: string; readonly path: string; readonly value?: unknown }[]

/** Makes an engine with the flag `f`; `beforeCommit` runs once, directly before the next batch is committed. */
async function flagEngine(tags: readonly string[] = ['a', 'b']) {
  const memory = createMemoryStorage()
  const hooks: { beforeCommit?: () => Promise<unknown> } = {}
  const storage: Storage = {
    ...memory,
    account(name): AccountStorage {
      const account = memory.account(name)
      const commit: AccountStorage['commit'] = async (batch) => {
        const { beforeCommit } = hooks
        hooks.beforeCommit = undefined
        await beforeCommit?.()
        return account.commit(batch)
      }
      return { ...account, commit }
    },
  }
  const engine = createEngine({ storage })
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await engine.api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'F', tags } }, { as })
  const patch = (body: Patch) => engine.api.patchFlag({ ...keys, body }, { as })
  const tagsNow = async () => (await engine.api.getFlag(keys, { as })).tags
  /** Makes two calls. The second call is committed between the reads and the commit of the first one. */
  const race = async <T>(first: () => Promise<T>, second: () => Promise<unknown>): Promise<T | ApiError> => {
    hooks.beforeCommit = second
    return first().catch((error: ApiError) => error)
  }
  return { engine, patch, race, tagsNow }
}

const conflictsOf = (result: unknown) => (result as ApiError).conflicts

describe('a write that loses a race', () => {
  it('succeeds when the other write changed another part', async () => {
    const { patch, race, tagsNow } = await flagEngine()
    expect(
      await race(
        () => patch([add('/tags/-', 'c')]),
        () => patch([add('/tags/-', 'd')]),
      ),
    ).toMatchObject({ tags: ['a', 'b', 'd', 'c'] })
    await race(
      () => patch([replace('/name', 'New')]),
      () => patch([add('/tags/-', 'e')]),
    )
    expect(await tagsNow()).toEqual(['a', 'b', 'd', 'c', 'e'])
  })

  it('is rejected when both writes replace the same part, with its path in the response', async () => {
    const { patch, race } = await flagEngine()
    expect(
      conflictsOf(
        await race(
          () => patch([replace('/name', 'Mine')]),
          () => patch([replace('/name', 'Other')]),
        ),
      ),
    ).toEqual([{ path: '/name', base: 'F', yours: 'Mine', theirs: 'Other' }])
    const setRule = (values: readonly string[]) =>
      patch([replace('/environments/test/targets', [{ variation: 0, contextKind: 'user', values }])])
    expect(
      conflictsOf(
        await race(
          () => setRule(['me']),
          () => setRule(['other']),
        ),
      ),
    ).toMatchObject([{ path: '/environments/test/targets/0/values', base: [], theirs: ['other'], yours: ['me'] }])
  })

  it('is rejected when it replaces a whole list to which the other write has added an element', async () => {
    const { patch, race, tagsNow } = await flagEngine()
    const result = await race(
      () => patch([replace('/tags', ['a', 'x'])]),
      () => patch([add('/tags/-', 'c')]),
    )
    expect(conflictsOf(result)).toEqual([
      { path: '/tags', base: ['a', 'b'], theirs: ['a', 'b', 'c'], yours: ['a', 'x'] },
    ])
    expect(await tagsNow()).toEqual(['a', 'b', 'c'])
  })

  it('is rejected when its index refers to another element after the other write', async () => {
    const { patch, race, tagsNow } = await flagEngine()
    const result = await race(
      () => patch([remove('/tags/0')]),
      () => patch([remove('/tags/0')]),
    )
    expect(conflictsOf(result)).toEqual([{ path: '/tags/0', base: 'a', theirs: 'b' }])
    expect(await tagsNow()).toEqual(['b'])
  })

  it('adds an element that the other write has removed, or removes an element that the other write has added', async () => {
    const { engine, race, tagsNow } = await flagEngine()
    const instruct = (...instructions: { readonly kind: 'addTags' | 'removeTags'; readonly values: string[] }[]) =>
      engine.api.patchFlag({ ...keys, body: { instructions } }, { as })
    const addAgain = () => instruct({ kind: 'addTags', values: ['a', 'c'] })
    expect(await race(addAgain, () => instruct({ kind: 'removeTags', values: ['a'] }))).toMatchObject({
      tags: ['b', 'a', 'c'],
    })
    const removeAgain = () => instruct({ kind: 'removeTags', values: ['b', 'd'] })
    await race(removeAgain, () => instruct({ kind: 'addTags', values: ['d'] }))
    expect(await tagsNow()).toEqual(['a', 'c'])
  })

  it('is rejected when its `test` or `If-Match` no longer holds', async () => {
    const { engine, patch, race } = await flagEngine()
    const rename = () => patch([replace('/name', 'Other')])
    const tested = [{ op: 'test', path: '/name', value: 'F' }, add('/tags/-', 'c')]
    expect(await race(() => patch(tested), rename)).toMatchObject({
      code: 'optimistic_locking_error',
      conflicts: undefined,
    })
    const ifMatch = `"${(await engine.api.getFlag(keys, { as }))._version}"`
    const matched = () => engine.api.patchFlag({ ...keys, body: [add('/tags/-', 'c')] }, { as, ifMatch })
    expect(await race(matched, () => patch([add('/tags/-', 'd')]))).toMatchObject({
      code: 'optimistic_locking_error',
      conflicts: undefined,
    })
  })

  it('is refused as not found when the other write has deleted the resource', async () => {
    const { engine, patch, race } = await flagEngine()
    const result = await race(
      () => patch([add('/tags/-', 'c')]),
      () => engine.api.deleteFlag(keys, { as }),
    )
    expect(result).toMatchObject({ code: 'not_found' })
  })

  it('has a later time in the change log than the other write', async () => {
    let now = 1000
    const memory = createMemoryStorage()
    const engine = createEngine({ storage: memory, clock: () => now++ })
    await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    await engine.api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'F' } }, { as })
    const tags = Array.from({ length: 20 }, (_, i) => `tag-${i}`)
    await Promise.all(tags.map((tag) => engine.api.patchFlag({ ...keys, body: [add('/tags/-', tag)] }, { as })))
    const { tags: stored } = await engine.api.getFlag(keys, { as })
    const { items } = await engine.api.listChangeLog({ limit: 20 }, { as })
    const entries = await Promise.all(items.map(({ _id }) => engine.api.getChangeLogEntry({ id: _id }, { as })))
    const loggedTags = entries.map((entry) => /tag-\d+/.exec(JSON.stringify(entry.delta))?.[0])
    expect(loggedTags.reverse()).toEqual(stored)
    const dates = items.map(({ date }) => Number(new Date(date)))
    expect(dates).toEqual([...new Set(dates)].sort((first, second) => second - first))
  })

  it('names the property in the conflict as the response shows it, with the values of the response', async () => {
    const { engine, race } = await flagEngine()
    for (const key of ['one', 'two', 'three']) await engine.api.createTeam({ body: { key, name: key } }, { as })
    await engine.api.createView({ projectKey: 'web', body: { key: 'v', name: 'V', maintainerTeamKey: 'one' } }, { as })
    const setTeam = (maintainerTeamKey: string) =>
      engine.api.patchView({ projectKey: 'web', viewKey: 'v', body: { maintainerTeamKey } }, { as })
    const result = await race(
      () => setTeam('two'),
      () => setTeam('three'),
    )
    const maintainer = (id: string) => ({ kind: 'team', id })
    expect(conflictsOf(result)).toEqual([
      { path: '/maintainer', base: maintainer('one'), theirs: maintainer('three'), yours: maintainer('two') },
    ])
  })

  it('names secret properties in the conflict without their values', async () => {
    const { engine, race } = await flagEngine()
    const { _id: id } = await engine.api.createWebhook(
      { body: { url: 'https://example.com', sign: true, on: true, secret: 'first-secret-0123456789' } },
      { as },
    )
    const setSecret = (secret: string) => engine.api.patchWebhook({ id, body: [replace('/secret', secret)] }, { as })
    const result = await race(
      () => setSecret('second-secret-0123456789'),
      () => setSecret('third-secret-0123456789'),
    )
    expect(conflictsOf(result)).toEqual([{ path: '/secret' }])
  })
})

describe('a write on cached documents', () => {
  /** Makes two processes on one storage. After `storage.delay()` the second one is not notified of changes. */
  async function twoProcesses() {
    const memory = createMemoryStorage()
    const storage = laggingStorage(memory)
    const [other, engine] = [createEngine({ storage: memory }), createEngine({ storage })] as const
    await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    await engine.api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'F' } }, { as })
    const rename = (by: Engine, name: string) => by.api.patchFlag({ ...keys, body: [replace('/name', name)] }, { as })
    return { storage, other, engine, rename }
  }

  it('overwrites a change that another process made before the call began', async () => {
    const { storage, other, engine, rename } = await twoProcesses()
    await rename(engine, 'Cached')
    storage.delay()
    await rename(other, 'Earlier')
    expect(await rename(engine, 'Later')).toMatchObject({ name: 'Later' })
  })

  it('is rejected when this process has replaced the same part during the call', async () => {
    const { engine, rename } = await twoProcesses()
    await rename(engine, 'Cached')
    const outcomes = await Promise.allSettled([rename(engine, 'One'), rename(engine, 'Two')])
    expect(
      outcomes.map((outcome) => (outcome.status === 'rejected' ? conflictsOf(outcome.reason) : undefined)),
    ).toEqual([undefined, [{ path: '/name', base: 'Cached', yours: 'Two', theirs: 'One' }]])
  })
})
