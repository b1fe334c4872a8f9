import { createEngine, type Engine, type PendingChange } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HostDatabase, onPglite, onPostgres } from './setup/host-database.ts'

const as = { role: 'admin' } as const
const flag = { projectKey: 'web', flagKey: 'checkout' }
const tag = (value: string) => ({ ...flag, body: [{ op: 'add' as const, path: '/tags/-', value }] })

describe.each([
  ['Postgres', onPostgres],
  ['PGlite', onPglite],
])('statements that a hook adds to a commit on %s', (_, open) => {
  let database: HostDatabase
  let engine: Engine
  let hook: (change: PendingChange) => void | Promise<void>
  let round = 0

  beforeAll(async () => {
    database = await open()
    await database.storage().migrate()
  })
  afterAll(() => database.dispose())
  beforeEach(async () => {
    hook = () => {}
    const hooks = { beforeCommit: (change: PendingChange) => hook(change) }
    engine = createEngine({ storage: database.storage(), account: `account ${round++}`, hooks })
    await database.query('delete from orders')
    await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
    hook = insertRow
    return () => engine.close()
  })

  const insertRow = (change: PendingChange) =>
    change.addStatement(`insert into ${database.table} (id) values ($1)`, [change.resources.length])
  const rows = async () => (await database.query('select id from orders')).rows.length
  const tags = async () => (await engine.api.getFlag(flag, { as })).tags

  it('are written with the change, once', async () => {
    await engine.api.patchFlag(tag('a'), { as })
    expect([await rows(), await tags()]).toEqual([1, ['a']])
  })

  it('are not written when the change is refused by a later hook or in a dry run', async () => {
    hook = (change) => {
      insertRow(change)
      throw new Error('no')
    }
    await expect(engine.api.patchFlag(tag('a'), { as })).rejects.toMatchObject({ code: 'internal_error' })
    hook = insertRow
    await engine.api.patchFlag({ ...tag('a'), dryRun: true }, { as })
    expect([await rows(), await tags()]).toEqual([0, []])
  })

  it.each(['insert into no_such_table values (1)', 'do $$ begin raise unique_violation; end $$'])(
    'undo the change when they fail: %s',
    async (text) => {
      hook = (change) => {
        insertRow(change)
        change.addStatement(text)
      }
      await expect(engine.api.patchFlag(tag('a'), { as })).rejects.toMatchObject({ code: 'internal_error' })
      expect([await rows(), await tags()]).toEqual([0, []])
      hook = () => {}
      await engine.api.patchFlag(tag('b'), { as })
      expect(await tags()).toEqual(['b'])
    },
  )

  it('are written once for a change that lost a race and was computed again', async () => {
    let calls = 0
    hook = async (change) => {
      insertRow(change)
      if (++calls > 1) return
      hook = insertRow
      await engine.api.patchFlag(tag('between'), { as })
      hook = (again) => {
        calls++
        insertRow(again)
      }
    }
    await engine.api.patchFlag(tag('a'), { as })
    expect(calls).toBe(2)
    expect([await rows(), (await tags()).toSorted()]).toEqual([2, ['a', 'between']])
  })

  it('are written once for a list of changes', async () => {
    const changes = ['a', 'b'].map((value) => {
      const { body, ...parameters } = tag(value)
      return { operation: 'patchFlag', parameters, body }
    })
    await engine.api.applyChanges({ body: { changes } }, { as })
    expect([await rows(), await tags()]).toEqual([1, ['a', 'b']])
  })

  it('are part of a transaction of the host, and of its rollback', async () => {
    const change = (isCommitted: boolean) =>
      database.transact(async (transaction) => {
        await engine.with({ transaction }).api.patchFlag(tag(String(isCommitted)), { as })
        if (!isCommitted) throw new Error('rolled back')
      })
    await expect(change(false)).rejects.toThrow('rolled back')
    expect([await rows(), await tags()]).toEqual([0, []])
    await change(true)
    // The database notifies the engine that is outside of the transaction after the commit.
    await expect.poll(async () => [await rows(), await tags()]).toEqual([1, ['true']])
  })

  it('cannot be added when the hook has ended', async () => {
    let late: PendingChange | undefined
    hook = (change) => {
      late = change
    }
    await engine.api.patchFlag(tag('a'), { as })
    expect(() => late?.addStatement('select 1')).toThrow(TypeError)
  })
})

it('a hook cannot add a statement where the storage has no SQL', async () => {
  let error: unknown
  const hooks = {
    beforeCommit(change: PendingChange) {
      try {
        change.addStatement('select 1')
      } catch (thrown) {
        error = thrown
      }
    },
  }
  await using engine = createEngine({ storage: createMemoryStorage(), hooks })
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  expect(error).toBeInstanceOf(TypeError)
})
