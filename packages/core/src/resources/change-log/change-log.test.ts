import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import fjp, { type Operation } from 'fast-json-patch'
import { describe, expect, it } from 'vitest'
import { type ApiError, createEngine, type Storage } from '../../index.ts'

const start = Date.UTC(2026, 0, 31, 12)
const as = { role: 'owner', memberId: 'ada' } as const

function account(storage: Storage = createMemoryStorage()) {
  let now = start
  const engine = createEngine({ storage, clock: () => now++ })
  return { engine, storage, api: engine.api }
}

const createWeb = { body: { key: 'web', name: 'Web', environments: [{ key: 'test', name: 'Test', color: '000000' }] } }

describe('the change log', () => {
  it('says who did what to what, when, why, and how to undo it', async () => {
    const { api } = account()
    await api.createProject(createWeb, { as })
    const body = { comment: 'it has a new name', patch: [{ op: 'replace', path: '/name', value: 'Shop' }] }
    await api.patchProject({ projectKey: 'web', body }, { as })
    const { items } = await api.listChangeLog({}, { as })
    expect(items).toHaveLength(2)
    expect(items[0]).toMatchObject({
      kind: 'project',
      name: 'Shop',
      titleVerb: 'updated the project',
      comment: 'it has a new name',
      accesses: [{ action: 'updateProjectName', resource: 'proj/web' }],
      member: { _id: 'ada' },
      target: { name: 'Shop', resources: ['proj/web'] },
    })
    expect(items[0]?.delta[0]?.inverse).toContainEqual({ op: 'replace', path: '/name', value: 'Web' })
    expect(items[1]).toMatchObject({
      titleVerb: 'created the project',
      accesses: [
        { action: 'createProject', resource: 'proj/web' },
        { action: 'createProject', resource: 'proj/web:env/test' },
      ],
    })
    expect(await api.getChangeLogEntry({ id: items[0]?._id ?? '' }, { as })).toEqual(items[0])
  })

  it('has nothing of what was refused, or changed nothing', async () => {
    const { api } = account()
    await api.createProject(createWeb, { as })
    const rename = (value: string) => ({ projectKey: 'web', body: [{ op: 'replace', path: '/name', value }] })
    await expect(api.patchProject(rename('X'), { as: { role: 'reader' } })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(api.patchProject(rename('Y'), { as, ifMatch: '"9"' })).rejects.toMatchObject({ status: 409 })
    await expect(api.createProject(createWeb, { as })).rejects.toMatchObject({ status: 409 })
    await api.patchProject(rename('Web'), { as })
    expect((await api.listChangeLog({}, { as })).items).toHaveLength(1)
  })

  it('holds no secret', async () => {
    const { api, engine, storage } = account()
    const token = (await engine.bootstrap())?.token as string
    const project = await api.createProject(createWeb, { as: token })
    const place = { projectKey: 'web', environmentKey: 'test' }
    const [before] = project.environments?.items ?? []
    const after = await api.resetSdkKey(place, { as: token })
    const made = await api.createToken({ body: { name: 'CI' } }, { as: token })
    const reset = await api.resetToken({ id: made._id, expiry: start + 3_600_000 }, { as: token })
    const entries = await storage
      .account('default')
      .newest({ series: { name: 'change-log', scope: 'acct' }, limit: 100 })
    expect(entries).toHaveLength(4)
    const text = JSON.stringify(entries)
    // Nor what a secret is found by: the hash of a value, present or retired.
    expect(text).not.toMatch(/"(\/?hash|\/?retiredHash)"/)
    for (const secret of [before?.apiKey, before?.mobileKey, after.apiKey, made.token, reset.token, token]) {
      expect(secret).toMatch(/^(sdk|mob|api)-[0-9a-f]{40}/)
      expect(text).not.toContain(secret)
    }
  })

  it('is paged newest first, filtered by address and time, and never repeats or skips', async () => {
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

  it('is for those who may view it, and knows no entry that there is not', async () => {
    const { api } = account()
    const maker = { policy: [{ effect: 'allow', actions: ['*'], resources: ['proj/*'] }] } as const
    await expect(api.listChangeLog({}, { as: maker })).rejects.toMatchObject({ code: 'forbidden' })
    for (const id of ['nothing', 'zzz-zzz', 'a-b']) {
      await expect(api.getChangeLogEntry({ id }, { as })).rejects.toMatchObject({ code: 'not_found' })
    }
    await expect(api.listChangeLog({ cursor: 'x' }, { as })).rejects.toMatchObject({ code: 'invalid_request' })
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

it('has one entry for each call that changed something, and replayed it leads to the state there is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 20 }), async (calls) => {
      const { api, storage } = account()
      await api.createProject(createWeb, { as })
      const place = { projectKey: 'web' }
      // The project's own entry is there already.
      let count = 1
      for (const one of calls) {
        const flag = { ...place, featureFlagKey: one.key }
        const made = {
          create: () =>
            api.createFlag({ ...place, body: { key: one.key, name: 'name' in one ? one.name : '' } }, { as }),
          tag: () =>
            api.patchFlag(
              { ...flag, body: [{ op: 'add', path: '/tags/-', value: 'tag' in one ? one.tag : '' }] },
              { as },
            ),
          toggle: () => {
            const kind = 'on' in one && one.on ? 'turnFlagOn' : 'turnFlagOff'
            return api.patchFlag({ ...flag, body: { environmentKey: 'test', instructions: [{ kind }] } }, { as })
          },
          delete: () => api.deleteFlag(flag, { as }),
        }[one.do]
        const before = await stateOf(storage)
        await made().catch((error: ApiError) => expect(error.status).toBeLessThan(500))
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

/** Every flag and configuration that is stored, by its address. */
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

/** The state that an entry's patches make of another, after checking that its inverses lead back. */
function replayed(before: State, { changes }: Entry): State {
  const state: State = { ...before }
  for (const { kind, resource, patch, inverse } of changes) {
    const place = `${kind} ${resource}`
    const then = state[place]
    const now = applied(then, patch)
    expect(applied(now, inverse)).toEqual(then)
    if (now === undefined) delete state[place]
    else state[place] = now
  }
  return state
}

function applied(value: unknown, patch: Operation[]): unknown {
  const [first] = patch
  if (first?.path === '') return first.op === 'remove' ? undefined : (first as { value: unknown }).value
  return fjp.applyPatch(structuredClone(value), structuredClone(patch)).newDocument
}
