import { createMemoryStorage } from '@halyard/storage-memory'
import { createTestEngine, type TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import { ApiError, createEngine, type Engine } from '../../index.ts'
import type { Sample, Storage } from '../../storage/port.ts'

const project = { projectKey: 'web' }
const flag = { ...project, flagKey: 'checkout' }
const production = { ...project, environmentKey: 'production' }
const ann = { kind: 'user', key: 'ann' }
const owner = { role: 'owner' } as const

/**
 * Returns an engine with a flag, and the time at which the flag was created; the clock of the engine is a second later.
 */
async function openAccount() {
  const engine = await createTestEngine()
  await engine.given.project('web')
  await engine.given.flag('web', 'checkout', { name: 'Checkout', tags: ['old'] })
  const start = engine.now()
  engine.advance(1_000)
  return { engine, as: engine.admin, start }
}

const tag = (engine: Engine, value: string, as: string | typeof owner = owner) =>
  engine.api.patchFlag({ ...flag, body: [{ op: 'add', path: '/tags/-', value }] }, { as })

const turnOn = (engine: TestEngine) =>
  engine.api.patchFlag(
    { ...flag, body: { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] } },
    { as: engine.admin },
  )

/** Returns the first validation error of a call that is refused. */
async function refusal(call: () => unknown): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, ...error.errors?.[0] }
    throw error
  }
  throw new Error('the call was not refused')
}

describe('engine.at', () => {
  it('returns each earlier state of a document', async () => {
    const { engine, as, start } = await openAccount()
    const times = [start]
    for (const value of ['a', 'b', 'c']) {
      await tag(engine, value)
      times.push(engine.now())
      engine.advance(1_000)
    }
    const tagsAt = async (time: number) => (await engine.at(time).api.getFlag(flag, { as })).tags
    expect(await Promise.all(times.map(tagsAt))).toEqual([
      ['old'],
      ['old', 'a'],
      ['old', 'a', 'b'],
      ['old', 'a', 'b', 'c'],
    ])
    expect((await engine.at(new Date(start)).as(as).getFlag(flag)).tags).toEqual(['old'])
    expect((await engine.at(new Date(start).toISOString()).as(as).getFlag(flag)).tags).toEqual(['old'])
  })

  it('lists, filters, sorts and counts documents in their past state', async () => {
    const { engine, as } = await openAccount()
    for (const key of ['b', 'd', 'a', 'c']) await engine.given.flag('web', key, { name: key.toUpperCase() })
    const start = engine.now()
    engine.advance(1_000)
    await engine.api.deleteFlag({ ...project, flagKey: 'b' }, { as })
    await engine.given.flag('web', 'e', { name: 'E', tags: ['old'] })
    await engine.api.patchFlag(
      { ...project, flagKey: 'a', body: [{ op: 'replace', path: '/name', value: 'Z' }] },
      { as },
    )
    await engine.api.patchFlag({ ...flag, body: [{ op: 'remove', path: '/tags/0' }] }, { as })
    const page = (query: object) => engine.at(start).api.listFlags({ ...project, ...query }, { as })
    const keys = async (query: object) => {
      const { items, totalCount } = await page(query)
      return [items.map(({ key }) => key), totalCount]
    }
    expect(await keys({ sort: 'name', limit: 3 })).toEqual([['a', 'b', 'c'], 5])
    expect(await keys({ sort: 'name', limit: 3, offset: 3 })).toEqual([['checkout', 'd'], 5])
    expect(await keys({ sort: '-name', limit: 2 })).toEqual([['d', 'checkout'], 5])
    expect(await keys({ tag: 'old' })).toEqual([['checkout'], 1])
    expect((await engine.api.listFlags({ ...project, tag: 'old' }, { as })).items.map(({ key }) => key)).toEqual(['e'])
  })

  it('returns a deleted document and the documents that were deleted with it', async () => {
    const { engine, as } = await openAccount()
    await turnOn(engine)
    await engine.api.createView({ ...project, body: { key: 'shop', name: 'Shop' } }, { as })
    await engine.api.linkResource(
      { ...project, viewKey: 'shop', resourceType: 'flags', body: { keys: ['checkout'] } },
      { as },
    )
    const start = engine.now()
    engine.advance(1_000)
    const before = await engine.api.getFlag(flag, { as })
    await engine.api.deleteProject(project, { as })
    await engine.given.project('web')
    await engine.given.flag('web', 'checkout', { name: 'Another' })
    const { environments, name } = await engine.at(start).api.getFlag(flag, { as })
    expect({ environments, name }).toEqual({ environments: before.environments, name: 'Checkout' })
    const links = engine
      .at(start)
      .api.listLinkedResources({ ...project, viewKey: 'shop', resourceType: 'flags' }, { as })
    expect((await links).items).toHaveLength(1)
  })

  it('omits links and references that were created later, and includes those that were removed later', async () => {
    const { engine, as } = await openAccount()
    await engine.given.segment('web', 'production', 'beta')
    await engine.given.segment('web', 'production', 'staff')
    const target = (segmentKey: string) => [
      {
        kind: 'replaceRules',
        rules: [
          {
            clauses: [{ attribute: 'segmentMatch', op: 'segmentMatch', values: [segmentKey] }],
            variationId: variation,
          },
        ],
      },
    ]
    const variation = (await engine.api.getFlag(flag, { as })).variations[0]?._id
    const change = (instructions: readonly object[]) =>
      engine.api.patchFlag({ ...flag, body: { environmentKey: 'production', instructions } } as never, { as })
    await change(target('beta'))
    const start = engine.now()
    engine.advance(1_000)
    await change(target('staff'))
    const flagsOf = async (segmentKey: string) => {
      const { _flags } = await engine.at(start).api.getSegment({ ...production, segmentKey }, { as })
      return _flags?.map(({ key }) => key) ?? []
    }
    expect(await flagsOf('beta')).toEqual(['checkout'])
    expect(await flagsOf('staff')).toEqual([])
  })

  it('evaluates flags and exports the account in their past state', async () => {
    const { engine, start } = await openAccount()
    await turnOn(engine)
    const past = engine.at(start)
    await past.evaluator(production).ready()
    expect(past.evaluate('checkout', ann, false, production).reason).toEqual({ kind: 'OFF' })
    expect(Object.keys(past.evaluateAll(ann, production))).toEqual(['checkout'])
    let text = ''
    for await (const piece of past.export()) text += piece
    const imported = createEngine({ storage: createMemoryStorage() })
    await imported.import([text], { token: 'api-administrator-0001' })
    const restored = await imported.api.getFlag(flag, { as: owner })
    expect(restored.environments?.production).toMatchObject({ on: false })
  })

  it('gives callers the rights that they currently have', async () => {
    const { engine, as, start } = await openAccount()
    const { token, _id } = await engine.api.createToken({ body: { name: 'later', role: 'reader' } }, { as })
    expect((await engine.at(start).api.getFlag(flag, { as: token })).key).toBe('checkout')
    const now = engine.now()
    engine.advance(1_000)
    await engine.api.deleteToken({ id: _id }, { as })
    expect(await refusal(() => engine.at(now).api.getFlag(flag, { as: token }))).toMatchObject({ status: 401 })
  })

  it('returns the state right after an entry, and a change log that ends with this entry', async () => {
    const { engine, as, start } = await openAccount()
    // Three changes in the same millisecond.
    for (const value of ['a', 'b', 'c']) await tag(engine, value)
    const { items } = await engine.api.listChangeLog({}, { as })
    const states = await Promise.all(
      items.slice(0, 4).map(async ({ _id }) => {
        const past = engine.at({ entry: _id }).as(as)
        return [(await past.getFlag(flag)).tags.length, (await past.listChangeLog()).items[0]?._id === _id]
      }),
    )
    expect(states).toEqual([
      [4, true],
      [3, true],
      [2, true],
      [1, true],
    ])
    expect((await engine.at(start).as(as).listChangeLog()).items).toHaveLength(items.length - 3)
  })

  it('refuses changes', async () => {
    const { engine, as, start } = await openAccount()
    const { api } = engine.at(start)
    const refused = { status: 400, attribute: 'time' }
    expect(await refusal(() => api.deleteFlag(flag, { as }))).toMatchObject(refused)
    expect(await refusal(() => api.deleteFlag({ ...flag, dryRun: true } as never, { as }))).toMatchObject(refused)
    expect((await engine.api.getFlag(flag, { as })).key).toBe('checkout')
  })

  it.each([
    ['in the future', (now: number) => now + 1, /must not be in the future/],
    ['no number', () => Number.NaN, /must be a time/],
    ['a text without a time zone', () => '2026-01-01T00:00', /must be a time/],
    ['a fraction', () => 1.5, /must be a time/],
    ['null', () => null, /must be the id of an entry/],
    ['before the change log', () => Date.UTC(2025, 0, 1), /which begins at 2026-01-01T00:00:00.000Z/],
    ['not the id of an entry', () => ({ entry: 'x' }), /must be the id of an entry/],
  ])('refuses a time that is %s', async (_, timeOf, reason) => {
    const { engine, as } = await openAccount()
    const call = () => engine.at(timeOf(engine.now()) as never).api.getFlag(flag, { as })
    expect(await refusal(call)).toMatchObject({
      status: 400,
      attribute: expect.stringMatching(/^time/),
      reason: expect.stringMatching(reason),
    })
  })

  it('reads the change log again when the host restores the storage', async () => {
    const { engine, as, start } = await openAccount()
    const snapshot = engine.save()
    await tag(engine, 'a')
    expect((await engine.at(start).api.getFlag(flag, { as })).tags).toEqual(['old'])
    engine.restore(snapshot)
    await tag(engine, 'b')
    expect((await engine.at(start).api.getFlag(flag, { as })).tags).toEqual(['old'])
    expect((await engine.at(engine.now()).api.getFlag(flag, { as })).tags).toEqual(['old', 'b'])
  })
})

/** Returns a storage whose change log returns entries in another form, as earlier versions wrote them. */
function withEntries(storage: Storage, change: (body: Record<string, unknown>) => unknown): Storage {
  return {
    ...storage,
    account(name) {
      const account = storage.account(name)
      return {
        ...Object.fromEntries(
          Object.entries(account).map(([key, value]) => [
            key,
            typeof value === 'function' ? value.bind(account) : value,
          ]),
        ),
        newest: async (query: Parameters<typeof account.newest>[0]) =>
          (await account.newest(query)).map(
            (sample): Sample => ({ ...sample, body: change(sample.body as Record<string, unknown>) }),
          ),
      } as typeof account
    },
  }
}

describe('engine.at over HTTP', () => {
  const request = (engine: Engine, method: string, path: string, at: string) =>
    engine.handle({
      method,
      path,
      mountPath: '',
      query: '',
      header: (name) => ({ authorization: (engine as TestEngine).admin, 'halyard-at': at })[name],
      body: { kind: 'none' } as never,
    })

  it('reads the state at the time of the header Halyard-At', async () => {
    const { engine, start } = await openAccount()
    await tag(engine, 'a')
    const path = '/api/v2/flags/web/checkout'
    const { status, body } = await request(engine, 'GET', path, new Date(start).toISOString())
    expect([status, JSON.parse(body ?? '').tags]).toEqual([200, ['old']])
    for (const [method, at] of [
      ['DELETE', new Date(start).toISOString()],
      ['GET', 'yesterday'],
      ['GET', '2999-01-01T00:00Z'],
      ['GET', '1999-01-01T00:00Z'],
    ] as const) {
      const refused = await request(engine, method, path, at)
      expect([refused.status, JSON.parse(refused.body ?? '').errors?.[0].attribute]).toEqual([400, 'Halyard-At'])
    }
  })
})

describe('engine.at with incomplete change log entries', () => {
  it('refuses times before a deletion whose entry does not contain the deleted documents', async () => {
    const storage = createMemoryStorage()
    const old = withEntries(storage, ({ sentences: _, ...body }) => body)
    let now = Date.UTC(2026, 0, 1)
    const engine = createEngine({ storage: old, clock: () => now })
    await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as: owner })
    await engine.api.createFlag({ ...project, body: { key: 'checkout', name: 'Checkout' } }, { as: owner })
    const start = now
    now += 1_000
    await tag(engine, 'a')
    expect((await engine.at(start).api.getFlag(flag, { as: owner })).tags).toEqual([])
    now += 1_000
    await engine.api.createTeam({ body: { key: 'ops', name: 'Ops' } }, { as: owner })
    await engine.api.deleteTeam({ teamKey: 'ops' }, { as: owner })
    expect(await refusal(() => engine.at(start).api.getFlag(flag, { as: owner }))).toMatchObject({
      attribute: 'time',
      reason: expect.stringContaining('does not contain what was deleted'),
    })
    expect((await engine.at(now).api.getFlag(flag, { as: owner })).tags).toEqual(['a'])
  })

  it('orders the changes of a document by its versions when the clocks of processes differ', async () => {
    const storage = createMemoryStorage()
    const clocks = { fast: Date.UTC(2026, 0, 1), slow: Date.UTC(2026, 0, 1) }
    const fast = createEngine({ storage, clock: () => clocks.fast })
    const slow = createEngine({ storage, clock: () => clocks.slow })
    await fast.api.createProject({ body: { key: 'web', name: 'Web' } }, { as: owner })
    await fast.api.createFlag({ ...project, body: { key: 'checkout', name: 'Checkout' } }, { as: owner })
    const start = clocks.fast
    clocks.slow += 1_000
    clocks.fast += 5_000
    const reader = createEngine({ storage, clock: () => clocks.fast + 10_000 })
    await tag(fast, 'a')
    // The history is read before the entry with the earlier date exists.
    expect((await reader.at(start).api.getFlag(flag, { as: owner })).tags).toEqual([])
    await tag(slow, 'b')
    await tag(fast, 'c')
    const at = async (time: number) => (await reader.at(time).api.getFlag(flag, { as: owner })).tags
    expect(await at(start)).toEqual([])
    expect(await at(clocks.fast)).toEqual(['a', 'b', 'c'])
    // Between the two dates, the change that was made first has a later time than the change that depends on it.
    expect(await at(clocks.slow)).toEqual([])
  })
})
