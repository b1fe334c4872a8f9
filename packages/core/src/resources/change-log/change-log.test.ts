import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import fjp, { type Operation } from 'fast-json-patch'
import { describe, expect, it } from 'vitest'
import type { Storage } from '../../entries/storage.ts'
import { type ApiError, createEngine } from '../../index.ts'

const start = Date.UTC(2026, 0, 31, 12)
const as = { role: 'owner', memberId: 'ada' } as const

function account(storage: Storage = createMemoryStorage()) {
  let now = start
  const engine = createEngine({ storage, clock: () => now++ })
  return { engine, storage, api: engine.api }
}

const createWeb = { body: { key: 'web', name: 'Web', environments: [{ key: 'test', name: 'Test', color: '000000' }] } }

describe('the change log', () => {
  it('records the actor, the resource, the time, the comment and the inverse of a change', async () => {
    const { api } = account()
    await api.createProject(createWeb, { as })
    const body = { comment: 'it has a new name', patch: [{ op: 'replace', path: '/name', value: 'Shop' }] }
    await api.patchProject({ projectKey: 'web', body }, { as })
    const { items } = await api.listChangeLog({}, { as })
    expect(items).toHaveLength(2)
    expect(items[0]).toMatchObject({
      kind: 'project',
      name: 'Shop',
      titleVerb: 'renamed Web to Shop',
      title: 'ada renamed Web to Shop',
      comment: 'it has a new name',
      accesses: [{ action: 'updateProjectName', resource: 'proj/web' }],
      member: { _id: 'ada' },
      target: { name: 'Shop', resources: ['proj/web'] },
    })
    expect(items[0]?.delta[0]?.inverse).toContainEqual({ op: 'replace', path: '/name', value: 'Web' })
    expect(items[1]).toMatchObject({
      titleVerb: 'created the project Web',
      accesses: [
        { action: 'createProject', resource: 'proj/web' },
        { action: 'createProject', resource: 'proj/web:env/test' },
      ],
    })
    expect(await api.getChangeLogEntry({ id: items[0]?._id ?? '' }, { as })).toEqual(items[0])
  })

  it('records no rejected call and no call that changed nothing', async () => {
    const { api } = account()
    await api.createProject(createWeb, { as })
    const rename = (value: string) => ({ projectKey: 'web', body: [{ op: 'replace', path: '/name', value }] })
    await expect(api.patchProject(rename('X'), { as: { role: 'reader' } })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(api.patchProject(rename('Y'), { as, ifMatch: '"9"' })).rejects.toMatchObject({ status: 409 })
    await expect(api.createProject(createWeb, { as })).rejects.toMatchObject({ status: 409 })
    await api.patchProject(rename('Web'), { as })
    expect((await api.listChangeLog({}, { as })).items).toHaveLength(1)
  })

  it('contains no secret', async () => {
    const { api, engine, storage } = account()
    const token = (await engine.bootstrap())?.token as string
    const project = await api.createProject(createWeb, { as: token })
    const keys = { projectKey: 'web', environmentKey: 'test' }
    const [before] = project.environments?.items ?? []
    const after = await api.resetSdkKey(keys, { as: token })
    const created = await api.createToken({ body: { name: 'CI' } }, { as: token })
    const reset = await api.resetToken({ id: created._id, expiry: start + 3_600_000 }, { as: token })
    const entries = await storage
      .account('default')
      .newest({ series: { name: 'change-log', scope: 'acct' }, limit: 100 })
    expect(entries).toHaveLength(4)
    const text = JSON.stringify(entries)
    // The change log does not contain the hashes by which current or retired secrets are looked up.
    expect(text).not.toMatch(/"(\/?hash|\/?retiredHash)"/)
    for (const secret of [before?.apiKey, before?.mobileKey, after.apiKey, created.token, reset.token, token]) {
      expect(secret).toMatch(/^(sdk|mob|api)-[0-9a-f]{40}/)
      expect(text).not.toContain(secret)
    }
  })

  it('lists entries newest first, filtered by address and time, without repeating or skipping one', async () => {
    const { api } = account()
    await api.createProject(createWeb, { as })
    for (let i = 0; i < 7; i++) {
      await api.patchProject({ projectKey: 'web', body: [{ op: 'replace', path: '/name', value: `N${i}` }] }, { as })
    }
    await api.createRole({ body: { key: 'dev', name: 'Dev', policy: [] } }, { as }).catch((error: ApiError) => error)
    const names: string[] = []
    let cursor: string | undefined
    do {
      const page = await api.listChangeLog({ limit: 3, cursor, spec: 'proj/web' }, { as })
      names.push(...page.items.map((item) => item.name))
      cursor = page._links.next ? page.items.at(-1)?._id : undefined
    } while (cursor)
    expect(names).toEqual(['N6', 'N5', 'N4', 'N3', 'N2', 'N1', 'N0', 'Web'])
    const all = (await api.listChangeLog({ spec: 'proj/web' }, { as })).items
    const [third, fifth] = [Number(all[2]?.date), Number(all[4]?.date)]
    const between = await api.listChangeLog({ spec: 'proj/web', after: fifth, before: third }, { as })
    expect(between.items.map((item) => item.name)).toEqual(['N3', 'N2'])
  })

  it('requires the right to view it, and returns 404 for an unknown entry', async () => {
    const { api } = account()
    const projectEditor = { policy: [{ effect: 'allow', actions: ['*'], resources: ['proj/*'] }] } as const
    await expect(api.listChangeLog({}, { as: projectEditor })).rejects.toMatchObject({ code: 'forbidden' })
    for (const id of ['nothing', 'zzz-zzz', 'a-b']) {
      await expect(api.getChangeLogEntry({ id }, { as })).rejects.toMatchObject({ code: 'not_found' })
    }
    await expect(api.listChangeLog({ cursor: 'x' }, { as })).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('filters of the change log', () => {
  async function shop(options: object = {}) {
    let now = start
    const storage = createMemoryStorage()
    const engine = createEngine({ storage, clock: () => (now += 1000), ...options })
    const { api } = engine
    await api.createProject(createWeb, { as })
    await api.createEnvironment({ projectKey: 'web', body: { key: 'prod-eu', name: 'EU', color: '000000' } }, { as })
    await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout page' } }, { as })
    const flag = { projectKey: 'web', flagKey: 'checkout' }
    const turnOn = (environmentKey: string) =>
      api.patchFlag(
        { ...flag, body: { environmentKey, instructions: [{ kind: 'turnFlagOn' }], comment: 'Go-live!' } },
        { as: { role: 'owner', memberId: 'bob' } },
      )
    await turnOn('test')
    await turnOn('prod-eu')
    await api.patchFlag({ ...flag, body: [{ op: 'replace', path: '/name', value: 'Till' }] }, { as: { role: 'owner' } })
    const search = async (query: object) =>
      (await api.listChangeLog(query, { as })).items.map(({ titleVerb }) => titleVerb)
    return { api, engine, found: search, advanceClock: (ms: number) => (now += ms) }
  }
  const renamedEntry = 'renamed Checkout page to Till'
  const turnedEntries = ['turned on Checkout page in EU', 'turned on Checkout page in Test'] as const
  const [turnedEntry, turnedInTest] = turnedEntries
  const created = 'created the flag Checkout page'

  it('finds the entries of a resource by addresses with wildcards', async () => {
    const { found: search } = await shop()
    expect(await search({ spec: 'proj/web:env/prod-eu:flag/checkout' })).toEqual([renamedEntry, turnedEntry, created])
    expect(await search({ spec: 'proj/web:env/prod*:flag/check*' })).toEqual([renamedEntry, turnedEntry, created])
    expect(await search({ spec: 'proj/*:env/test:flag/*' })).toEqual([renamedEntry, turnedInTest, created])
    expect(await search({ spec: 'proj/web:env/*:flag/checkout' })).toEqual([renamedEntry, ...turnedEntries, created])
    expect(await search({ spec: 'proj/web:env/other:flag/*' })).toEqual([renamedEntry, created])
    expect(await search({ spec: 'proj/web:env/prod-eu,role/x' })).toEqual(['created the environment EU'])
    expect(await search({ spec: 'proj/we:env/*:flag/*' })).toEqual([])
  })

  it('finds all entries without a specifier or a text, and with the specifier of every resource', async () => {
    const { found: search } = await shop()
    const all = await search({})
    expect(all.length).toBeGreaterThan(4)
    for (const query of [{ spec: '*' }, { spec: '' }, { q: '' }, { q: ' ' }, { spec: 'role/x,*' }]) {
      expect(await search(query)).toEqual(all)
    }
  })

  it('finds the entries of the resources that currently have given tags, properties or a view', async () => {
    const { api, found: search } = await shop()
    const flag = { projectKey: 'web', flagKey: 'checkout' }
    await api.patchFlag({ ...flag, body: [{ op: 'replace', path: '/tags', value: ['pay', 'web'] }] }, { as })
    await api.createFlag({ projectKey: 'web', body: { key: 'other', name: 'Other', tags: ['web'] } }, { as })
    await api.patchEnvironment(
      { projectKey: 'web', environmentKey: 'prod-eu', body: [{ op: 'replace', path: '/critical', value: true }] },
      { as },
    )
    const entriesOfFlag = [expect.stringContaining('tag'), renamedEntry, ...turnedEntries, created]
    expect(await search({ spec: 'proj/*:env/*:flag/*;pay' })).toEqual(entriesOfFlag)
    expect(await search({ spec: 'proj/*:env/*:flag/*;pay,web' })).toEqual(entriesOfFlag)
    expect(await search({ spec: 'proj/*:env/*:flag/*;pay,none' })).toEqual([])
    expect(await search({ spec: 'proj/*:env/*:flag/*;web' })).toEqual(['created the flag Other', ...entriesOfFlag])
    expect(await search({ spec: 'proj/*:env/test:flag/ch*;pay' })).toEqual([
      entriesOfFlag[0],
      renamedEntry,
      turnedInTest,
      created,
    ])
    expect(await search({ spec: 'proj/web:env/*;{critical:true}:flag/checkout' })).toEqual([
      entriesOfFlag[0],
      renamedEntry,
      turnedEntry,
      created,
    ])
    expect(await search({ spec: 'role/x,proj/*:env/*:flag/*;pay,web,team/y' })).toEqual(entriesOfFlag)
    await api.deleteFlag(flag, { as })
    expect(await search({ spec: 'proj/*:env/*:flag/*;pay' })).toEqual([])
  })

  it('finds entries by action, member, kind and words, and by a combination of them', async () => {
    const { found: search } = await shop()
    expect(await search({ action: 'createFlag,updateName' })).toEqual([renamedEntry, created])
    expect(await search({ member: 'bob' })).toEqual(turnedEntries)
    expect(await search({ kind: 'flag' })).toEqual([renamedEntry, created])
    expect(await search({ q: 'LIVE go' })).toEqual(turnedEntries)
    expect(await search({ q: 'page' })).toEqual([...turnedEntries, created])
    expect(await search({ q: 'go', member: 'bob', spec: 'proj/web:env/test:flag/checkout' })).toEqual([turnedInTest])
    expect(await search({ q: 'go', kind: 'flag' })).toEqual([])
  })

  it('reports all errors of a query together', async () => {
    const { api } = await shop()
    const spec = 'proj/${roleAttribute/project}'
    const wrong = { spec, q: '--', cursor: '!' }
    const errors = [
      { attribute: 'spec', reason: `\`${spec}\` must not contain attributes of roles` },
      { attribute: 'q', reason: 'must contain a word' },
      { attribute: 'cursor', reason: 'must be the _id of an entry' },
    ]
    await expect(api.listChangeLog(wrong, { as })).rejects.toMatchObject({ code: 'invalid_request', errors })
  })

  it('continues after the cursor without skipping an entry when a filter is checked entry by entry', async () => {
    const { api, found: search } = await shop()
    const spec = 'proj/web:env/p*:flag/c*'
    const first = await api.listChangeLog({ spec, limit: 1 }, { as })
    expect(first._links.next).toBeDefined()
    expect(await search({ spec, cursor: first.items[0]?._id })).toEqual([turnedEntry, created])
  })

  it('returns the current names of members, and the role of a host application', async () => {
    const { api } = await shop()
    const { items } = await api.createMembers({ body: [{ email: 'ann@example.test', firstName: 'Ann' }] }, { as })
    const memberId = items[0]?._id as string
    await api.createRole({ body: { key: 'dev', name: 'Dev', policy: [] } }, { as: { role: 'owner', memberId } })
    const rename = [{ op: 'replace', path: '/firstName', value: 'Anna' }] as never
    await api.patchMember({ id: memberId, body: rename }, { as: { role: 'owner' } })
    const [patched, created] = (await api.listChangeLog({ limit: 2 }, { as })).items
    expect(created?.member).toMatchObject({ _id: memberId, email: 'ann@example.test', firstName: 'Anna' })
    expect(created).not.toHaveProperty('app')
    expect(patched?.app).toEqual({ _id: 'role/owner', name: 'owner' })
    expect(created?.title).toBe('Anna created the role Dev')
  })

  it('keeps entries forever, or deletes those older than `changeLogDays` when `compact` runs', async () => {
    const unlimited = await shop()
    const trimmed = await shop({ changeLogDays: 1 })
    for (const { advanceClock } of [unlimited, trimmed]) advanceClock(2 * 86_400_000)
    for (const { api } of [unlimited, trimmed])
      await api.createRole({ body: { key: 'x', name: 'X', policy: [] } }, { as })
    expect(await trimmed.found({})).toHaveLength(7)
    for (const { engine } of [unlimited, trimmed]) await engine.compact()
    expect(await unlimited.found({})).toHaveLength(7)
    expect(await trimmed.found({})).toEqual(['created the role X'])
    expect(await trimmed.found({ kind: 'flag' })).toEqual([])
    expect(() => createEngine({ storage: createMemoryStorage(), changeLogDays: 0 })).toThrow(RangeError)
  })
})

/** Calls of all kinds, many of which fail. */
const call = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    key: fc.constantFrom('a', 'b'),
    name: fc.string({ minLength: 1, maxLength: 5 }),
  }),
  fc.record({
    do: fc.constant('tag' as const),
    key: fc.constantFrom('a', 'b'),
    tag: fc.constantFrom('x', 'y', 'not a tag'),
  }),
  fc.record({ do: fc.constant('toggle' as const), key: fc.constantFrom('a', 'b'), on: fc.boolean() }),
  fc.record({ do: fc.constant('delete' as const), key: fc.constantFrom('a', 'b') }),
)

it('the change log has one entry for each call that changed something, and replaying the entries results in the stored state', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 20 }), async (calls) => {
      const { api, storage } = account()
      await api.createProject(createWeb, { as })
      const keys = { projectKey: 'web' }
      // Begins at 1, because the creation of the project has an entry.
      let count = 1
      for (const step of calls) {
        const flag = { ...keys, flagKey: step.key }
        const created = {
          create: () =>
            api.createFlag({ ...keys, body: { key: step.key, name: 'name' in step ? step.name : '' } }, { as }),
          tag: () =>
            api.patchFlag(
              { ...flag, body: [{ op: 'add', path: '/tags/-', value: 'tag' in step ? step.tag : '' }] },
              { as },
            ),
          toggle: () => {
            const kind = 'on' in step && step.on ? 'turnFlagOn' : 'turnFlagOff'
            return api.patchFlag({ ...flag, body: { environmentKey: 'test', instructions: [{ kind }] } }, { as })
          },
          delete: () => api.deleteFlag(flag, { as }),
        }[step.do]
        const before = await stateOf(storage)
        await created().catch((error: ApiError) => expect(error.status).toBeLessThan(500))
        const after = await stateOf(storage)
        const entries = await storage
          .account('default')
          .newest({ series: { name: 'change-log', scope: 'acct' }, limit: 100 })
        const [entry, ...others] = entries.slice(0, entries.length - count)
        count = entries.length
        expect(others).toEqual([])
        if (JSON.stringify(before) === JSON.stringify(after)) expect(entry).toBeUndefined()
        else expect(replayed(before, entry?.body as never)).toEqual(after)
      }
    }),
    { numRuns: 60 },
  )
})

type State = Record<string, unknown>

/** Returns all stored flags and configurations by address. */
async function stateOf(storage: Storage): Promise<State> {
  const state: State = {}
  for (const collection of ['flag', 'flag-config']) {
    const query = { collection, scope: 'proj/web', deep: true, limit: 1000, select: 'bodies' } as const
    for (const { scope, key, body } of (await storage.account('default').list(query)).items) {
      state[`${collection} ${scope}:flag/${key}`] = JSON.parse(JSON.stringify(body))
    }
  }
  return state
}

interface Entry {
  readonly changes: readonly { resource: string; kind: string; patch: Operation[]; inverse: Operation[] }[]
}

/** Applies the patches of an entry to a state, after checking that its inverse patches restore that state. */
function replayed(before: State, { changes }: Entry): State {
  const state: State = { ...before }
  for (const { kind, resource, patch, inverse } of changes) {
    const address = `${kind} ${resource}`
    const earlier = state[address]
    const current = applied(earlier, patch)
    expect(applied(current, inverse)).toEqual(earlier)
    if (current === undefined) delete state[address]
    else state[address] = current
  }
  return state
}

function applied(value: unknown, patch: Operation[]): unknown {
  const [first] = patch
  if (first?.path === '') return first.op === 'remove' ? undefined : (first as { value: unknown }).value
  return fjp.applyPatch(structuredClone(value), structuredClone(patch)).newDocument
}
