import { type Callable, createEngine, type Engine } from '@halyard/core'
import type { Change, Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HostDatabase, onPglite, onPostgres } from './setup/host-database.ts'

const as = { role: 'admin' } as const
const web = { projectKey: 'web' }

describe.each([
  ['Postgres', onPostgres],
  ['PGlite', onPglite],
])('a transaction of the host on %s', (_name, open) => {
  let database: HostDatabase
  let storage: Storage
  let engine: Engine
  let round = 0

  beforeAll(async () => {
    database = await open()
    await database.storage().migrate()
  })
  afterAll(() => database.dispose())
  beforeEach(async () => {
    storage = database.storage()
    engine = createEngine({ storage, account: `account ${round++}` })
    await database.query('delete from orders')
    await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    return () => engine.close()
  })

  const createFlag = (engineOrInner: Callable, key: string) =>
    engineOrInner.api.createFlag({ ...web, body: { key, name: key } }, { as })
  const flagKeys = async (engineOrInner: Callable) =>
    (await engineOrInner.api.listFlags({ ...web }, { as })).items.map(({ key }) => key).sort()
  const orders = async () => (await database.query('select id from orders order by id')).rows
  /** Returns the number of entries in the change log. */
  async function countLogEntries(): Promise<number> {
    const log = { name: 'change-log', scope: 'acct' }
    return (await storage.account(`account ${round - 1}`).newest({ series: log, limit: 100 })).length
  }

  it('makes all changes visible when it commits', async () => {
    const before = await countLogEntries()
    expect(before).toBeGreaterThan(0)
    await database.transact(async (transaction) => {
      await transaction.query('insert into orders values (1)')
      const inner = engine.with({ transaction })
      await createFlag(inner, 'a')
      await transaction.query('insert into orders values (2)')
      await createFlag(inner, 'b')
    })
    expect(await flagKeys(engine)).toEqual(['a', 'b'])
    expect(await orders()).toEqual([{ id: 1 }, { id: 2 }])
    expect(await countLogEntries()).toBe(before + 2)
  })

  it('evaluates flags with its pending changes; other evaluators use them after the commit', async () => {
    const production = { ...web, environmentKey: 'production' }
    const user = { kind: 'user', key: 'ann' }
    const valueIn = ({ evaluateAll }: Pick<Engine, 'evaluateAll'>) => evaluateAll(user, production).a?.value
    const turn = (engineOrInner: Callable, kind: 'turnFlagOn' | 'turnFlagOff') => {
      const body = { environmentKey: 'production', instructions: [{ kind }] }
      return engineOrInner.api.patchFlag({ ...web, flagKey: 'a', body }, { as })
    }
    await createFlag(engine, 'a')
    await engine.evaluator(production).ready()
    await database.transact(async (transaction) => {
      const inner = engine.with({ transaction })
      await inner.evaluator(production).ready()
      expect(valueIn(inner)).toBe(false)
      await turn(inner, 'turnFlagOn')
      expect([valueIn(inner), valueIn(engine)]).toEqual([true, false])
      await turn(inner, 'turnFlagOff')
      await turn(inner, 'turnFlagOn')
      expect([valueIn(inner), valueIn(engine)]).toEqual([true, false])
    })
    // Postgres sends the notification after the commit.
    await expect.poll(() => valueIn(engine)).toBe(true)
  })

  it('can simulate a change of a flag that the transaction created', async () => {
    await database.transact(async (transaction) => {
      const inner = engine.with({ transaction })
      const { variations } = await createFlag(inner, 'a')
      const change = {
        ...web,
        environmentKey: 'production',
        flagKey: 'a',
        instructions: [{ kind: 'turnFlagOn' }],
        contexts: [{ kind: 'user', key: 'ann' }],
      } as const
      const simulation = await inner.simulate(change, { as })
      expect(simulation.contexts[0]).toMatchObject({ before: { value: false }, after: { value: true }, changed: true })
      expect(simulation.contexts[0]?.after.variationId).toBe(variations[0]?._id)
      expect((await inner.api.getFlag({ ...web, flagKey: 'a' }, { as }))._version).toBe(1)
      const byReader = inner.simulate(change, { as: { role: 'reader' } })
      await expect(byReader).rejects.toMatchObject({ code: 'forbidden' })
    })
    expect(await flagKeys(engine)).toEqual(['a'])
  })

  it('rolls back the change, its log entry and the rows of the host when the host throws', async () => {
    const before = await countLogEntries()
    const failing = database.transact(async (transaction) => {
      await transaction.query('insert into orders values (1)')
      await createFlag(engine.with({ transaction }), 'a')
      throw new Error('out of stock')
    })
    await expect(failing).rejects.toThrow('out of stock')
    expect(await flagKeys(engine)).toEqual([])
    expect(await orders()).toEqual([])
    expect(await countLogEntries()).toBe(before)
  })

  it('calls the hooks before a commit, and leaves those after it to the host', async () => {
    const calls: string[] = []
    const hooked = createEngine({
      storage,
      account: `account ${round - 1}`,
      hooks: {
        beforeCommit: ({ operation, dryRun }) => void calls.push(`before ${operation} ${dryRun}`),
        afterCommit: ({ operation }) => void calls.push(`after ${operation}`),
      },
    })
    await database.transact(async (transaction) => createFlag(hooked.with({ transaction }), 'a'))
    expect(calls).toEqual(['before createFlag false'])
    expect(await flagKeys(engine)).toEqual(['a'])
  })

  it('shows its pending changes to other engines in the same transaction', async () => {
    await database.transact(async (transaction) => {
      await createFlag(engine.with({ transaction }), 'a')
      expect(await flagKeys(engine.with({ transaction }))).toEqual(['a'])
    })
  })

  it('continues after a refused change', async () => {
    await createFlag(engine, 'taken')
    await database.transact(async (transaction) => {
      const inner = engine.with({ transaction })
      await transaction.query('insert into orders values (1)')
      await expect(createFlag(inner, 'taken')).rejects.toMatchObject({ code: 'optimistic_locking_error' })
      await expect(createFlag(inner, '???')).rejects.toMatchObject({ code: 'invalid_request' })
      await transaction.query('insert into orders values (2)')
      await createFlag(inner, 'b')
    })
    expect(await flagKeys(engine)).toEqual(['b', 'taken'])
    expect(await orders()).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('continues after a batch that the database refused, with one statement and with several', async () => {
    const id = { collection: 'things', scope: '', key: 'a' }
    const insert: Change = { do: 'insert', id, body: 1, fields: {} }
    const set = { name: 'set', scope: '' }
    await database.transact(async (transaction) => {
      const account = storage.within?.(transaction).account('batches')
      expect(await account?.commit([insert])).toEqual({ outcome: 'committed', counts: [1] })
      expect(await account?.commit([insert])).toEqual({ outcome: 'exists', change: 0 })
      const batch: Change[] = [{ do: 'add-keys', set, keys: ['x'] }, insert]
      expect(await account?.commit(batch)).toEqual({ outcome: 'exists', change: 1 })
      expect(await account?.countKeys(set)).toBe(0)
      expect(await account?.commit([{ do: 'replace', id, version: 1, body: 2, fields: {} }])).toMatchObject({
        outcome: 'committed',
      })
    })
    expect(await storage.account('batches').get(id)).toMatchObject({ version: 2, body: 2 })
  })

  it('serves concurrent calls of two engines', async () => {
    const otherEngine = createEngine({ storage, account: `other ${round}` })
    await otherEngine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    const keys = Array.from({ length: 10 }, (_, i) => `k${i}`)
    await database.transact(async (transaction) => {
      const [firstInner, secondInner] = [engine.with({ transaction }), otherEngine.with({ transaction })]
      const outcomes = await Promise.allSettled([
        ...keys.flatMap((key) => [createFlag(firstInner, key), createFlag(secondInner, key), flagKeys(firstInner)]),
        createFlag(firstInner, 'k0'),
      ])
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    })
    expect(await flagKeys(engine)).toEqual(keys)
    expect(await flagKeys(otherEngine)).toEqual(keys)
  })

  it('serves requests of a transport and explains access decisions', async () => {
    const token = (await engine.bootstrap())?.token as string
    const request = () => new Request('http://localhost/api/v2/flags/web/a', { headers: { authorization: token } })
    await database.transact(async (transaction) => {
      const inner = engine.with({ transaction })
      await createFlag(inner, 'a')
      expect((await createFetchHandler(inner)(request())).status).toBe(200)
      const query = { as: token, action: 'viewProject', resource: 'proj/web' }
      expect((await inner.explain(query)).allowed).toBe(true)
    })
  })

  it('leaves no rolled back data in the caches of the engine', async () => {
    const { token } = (await engine.bootstrap()) as { token: string }
    const role = { key: 'reader', name: 'Reader', policy: [{ effect: 'allow', resources: ['proj/*'], actions: ['*'] }] }
    await engine.api.createRole({ body: role as never }, { as: token })
    const reader = await engine.api.createToken(
      { body: { name: 'r', customRoleIds: ['reader'], serviceToken: true } },
      { as: token },
    )
    const readerToken = (reader as { token: string }).token
    const view = (engineOrInner: Callable) => engineOrInner.api.getProject(web, { as: readerToken })
    await view(engine)
    const rolledBack = database.transact(async (transaction) => {
      const inner = engine.with({ transaction })
      await view(inner)
      const path = '/policy/0/effect'
      await inner.api.patchRole({ roleKey: 'reader', body: [{ op: 'replace', path, value: 'deny' }] }, { as: token })
      await expect(view(inner)).rejects.toMatchObject({ status: expect.toSatisfy((status) => status >= 403) })
      throw new Error('undone')
    })
    await expect(rolledBack).rejects.toThrow('undone')
    await view(engine)
  })

  it('notifies watchers on commit, and never of changes that were rolled back', async () => {
    const account = storage.account('watched')
    const simulation: unknown[] = []
    const subscription = account.watch?.((touched) => simulation.push(touched))
    await expect.poll(() => subscription?.live()).toBe(true)
    simulation.length = 0
    const id = (key: string) => ({ collection: 'things', scope: '', key })
    const insert = (key: string): Change => ({ do: 'insert', id: id(key), body: 1, fields: {} })
    const rolledBack = database.transact(async (transaction) => {
      await storage
        .within?.(transaction)
        .account('watched')
        .commit([insert('undone')])
      throw new Error('undone')
    })
    await expect(rolledBack).rejects.toThrow('undone')
    await database.transact(async (transaction) => {
      const inner = storage.within?.(transaction).account('watched')
      expect(inner?.watch).toBeUndefined()
      await inner?.commit([insert('a')])
      expect(await inner?.commit([insert('a')])).toMatchObject({ outcome: 'exists' })
      expect(simulation).toEqual([])
    })
    await expect.poll(() => simulation).toEqual([[{ kind: 'document', id: id('a') }]])
    await subscription?.stop()
  })

  it('rejects calls after it has ended, and writes nothing', async () => {
    let retained: Callable | undefined
    await database.transact(async (transaction) => {
      retained = engine.with({ transaction })
      await createFlag(retained, 'a')
    })
    const afterCommit = retained as Callable
    await expect(createFlag(afterCommit, 'late')).rejects.toMatchObject({ code: 'service_unavailable' })
    await expect(flagKeys(afterCommit)).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(await flagKeys(engine)).toEqual(['a'])
  })

  it('rejects calls after it has failed', async () => {
    const failing = database.transact(async (transaction) => {
      await transaction.query('select 1 / 0').catch(() => {})
      await expect(flagKeys(engine.with({ transaction }))).rejects.toMatchObject({ code: 'service_unavailable' })
      throw new Error('given up')
    })
    await expect(failing).rejects.toThrow()
    expect(await flagKeys(engine)).toEqual([])
  })

  it.each([[undefined], [null], ['begin'], [{}], [{ query: 'select' }]])('cannot be %j', (transaction) => {
    expect(() => engine.with({ transaction })).toThrow(TypeError)
  })
})

it('an engine with memory storage throws for a transaction of the host', async () => {
  await using engine = createEngine({ storage: createMemoryStorage() })
  expect(() => engine.with({ transaction: {} })).toThrow('the memory storage does not support transactions of the host')
})
