import { describe, expect, it } from 'vitest'
import type { As } from '../../../index.ts'
import { allow, editor, failureOf, flagProject, start, validationErrorOf } from '../test/flag-project.ts'

const day = 24 * 60 * 60 * 1000
const json = 'application/json'
const add = { kind: 'addExpiringTarget', contextKind: 'user', contextKey: 'u1', value: start + day }

/** Creates the flag `f`, whose first variation targets the users u1 and u2 and the organization o1 in production. */
async function project() {
  const base = await flagProject()
  const { api, as, create, instruct, keysOf } = base
  const [first, second] = (await create('f')).variations
  const variationId = first?._id as string
  await instruct('f', [
    { kind: 'addTargets', values: ['u1', 'u2'], variationId },
    { kind: 'addTargets', contextKind: 'org', values: ['o1'], variationId },
  ])
  const configKeys = { ...keysOf('f'), environmentKey: 'production' }
  return {
    ...base,
    variationId,
    otherId: second?._id as string,
    place: configKeys,
    dates: (overrides: object = {}) => api.getExpiringTargets({ ...configKeys, ...overrides }, { as }),
    edit: (instructions: readonly object[], overrides: object = {}, caller: As = as) => {
      const filled = instructions.map((instruction) => ({ variationId, ...instruction }))
      return api.patchExpiringTargets(
        { ...configKeys, body: { ...overrides, instructions: filled } as never },
        { as: caller },
      )
    },
    editUsers: (instructions: readonly object[], caller: As = as) => {
      const filled = instructions.map((instruction) => ({ variationId, ...instruction }))
      return api.patchExpiringUserTargets({ ...configKeys, body: { instructions: filled } as never }, { as: caller })
    },
    targets: async () => {
      const { targets, contextTargets } = (await base.get('f')).environments?.production ?? {}
      return [...(targets ?? []), ...(contextTargets ?? [])].map(({ values }) => values)
    },
  }
}

describe('the expiring targets of a flag', () => {
  it('have every property, with the earliest date first', async () => {
    const { edit, dates, variationId } = await project()
    const late = { ...add, contextKey: 'u2', value: start + 2 * day }
    const org = { ...add, contextKind: 'org', contextKey: 'o1', value: start + day / 2 }
    const response = await edit([late, add, org])
    const common = {
      _id: expect.any(String),
      _version: 1,
      variationId,
      _resourceId: { kind: 'flag', projectKey: 'web', environmentKey: 'production', key: 'f' },
    }
    expect(response).toEqual({
      items: [
        { ...common, expirationDate: String(start + day / 2), contextKind: 'org', contextKey: 'o1' },
        { ...common, expirationDate: String(start + day), contextKind: 'user', contextKey: 'u1' },
        { ...common, expirationDate: String(start + 2 * day), contextKind: 'user', contextKey: 'u2' },
      ],
      _links: { self: { href: '/api/v2/flags/web/f/expiring-targets/production', type: json } },
      totalInstructions: 3,
      successfulInstructions: 3,
      failedInstructions: 0,
      errors: [],
    })
    const { items, _links } = response
    expect(await dates()).toEqual({ items, _links })
    expect((await dates({ environmentKey: 'test' })).items).toEqual([])
  })

  it('have a userKey in the operations on users', async () => {
    const { edit, editUsers, api, place: configKeys, as, variationId } = await project()
    await edit([{ ...add, contextKind: 'org', contextKey: 'o1' }])
    const value = start + day
    const { items } = await editUsers([{ kind: 'addExpireUserTargetDate', userKey: 'u1', value }])
    expect(items).toMatchObject([{ userKey: 'u1', variationId, expirationDate: String(value) }])
    expect(items[0]).not.toHaveProperty('contextKey')
    expect(await api.getExpiringUserTargets(configKeys, { as })).toEqual({
      items,
      _links: { self: { href: '/api/v2/flags/web/f/expiring-user-targets/production', type: json } },
    })
    await editUsers([{ kind: 'updateExpireUserTargetDate', userKey: 'u1', value: value + 1, version: 1 }])
    expect((await editUsers([{ kind: 'removeExpireUserTargetDate', userKey: 'u1' }])).items).toEqual([])
  })

  it('can be updated and removed; an instruction that results in the current state changes nothing', async () => {
    const { edit, dates, get } = await project()
    const [created] = (await edit([add])).items
    const { _version } = await get('f')
    expect((await edit([add])).items).toEqual([created])
    expect((await get('f'))._version).toBe(_version)
    const update = { ...add, kind: 'updateExpiringTarget', value: start + 5 }
    expect((await edit([update])).items).toEqual([{ ...created, _version: 2, expirationDate: String(start + 5) }])
    const { value: _, ...name } = add
    expect((await edit([{ ...name, kind: 'removeExpiringTarget' }])).items).toEqual([])
    expect((await edit([{ ...name, kind: 'removeExpiringTarget' }])).items).toEqual([])
    expect((await dates()).items).toEqual([])
  })
})

describe('an expired target', () => {
  it('is omitted from every read', async () => {
    const { edit, targets, dates, get, pass, api, as } = await project()
    await edit([add])
    pass(day - 1)
    expect(await targets()).toEqual([['u1', 'u2'], ['o1']])
    pass(1)
    expect(await targets()).toEqual([['u2'], ['o1']])
    expect((await dates()).items).toEqual([])
    const { production } = (await get('f')).environments ?? {}
    expect(production?.lastModified).toBe(String(start + day))
    const list = await api.listFlags({ projectKey: 'web', env: 'production', summary: false }, { as })
    expect(list.items[0]?.environments?.production).toEqual(production)
  })

  it('changes the revision of the flag', async () => {
    const { edit, send, pass } = await project()
    await edit([add])
    const tags = async () => {
      const paths = ['/api/v2/flags/web/f', '/api/v2/flags/web/f/expiring-targets/production']
      return Promise.all(paths.map(async (path) => (await send('GET', path)).headers.etag as string))
    }
    const before = await tags()
    pass(day)
    const after = await tags()
    for (const [index, tag] of before.entries()) expect(after[index]).not.toBe(tag)
    const rename = { body: [{ op: 'replace', path: '/name', value: 'x' }] }
    const stale = { ...rename, headers: { 'if-match': before[0] as string } }
    expect((await send('PATCH', '/api/v2/flags/web/f', stale)).status).toBe(409)
    const fresh = { ...rename, headers: { 'if-match': after[0] as string } }
    expect((await send('PATCH', '/api/v2/flags/web/f', fresh)).status).toBe(200)
  })

  it('is removed from storage by the next change, which needs no right to targets', async () => {
    const { edit, instruct, targets, pass, account } = await project()
    await edit([add])
    pass(day)
    await instruct('f', [{ kind: 'turnFlagOn' }], {}, editor(['updateOn'], 'proj/web:env/production:flag/f'))
    expect(await targets()).toEqual([['u2'], ['o1']])
    const [stored] = await account.getMany([{ collection: 'flag-config', scope: 'proj/web:env/production', key: 'f' }])
    expect(stored?.body).toMatchObject({ targets: [{ values: ['u2'] }], expiringTargets: [] })
  })

  it('has no expiry date when it is added again', async () => {
    const { edit, instruct, targets, dates, variationId, pass } = await project()
    await edit([add])
    await instruct('f', [{ kind: 'removeTargets', values: ['u1'], variationId }])
    expect((await dates()).items).toEqual([])
    await instruct('f', [{ kind: 'addTargets', values: ['u1'], variationId }])
    expect((await dates()).items).toEqual([])
    pass(day)
    expect(await targets()).toEqual([['u2', 'u1'], ['o1']])
  })

  it('keeps its variation when variations are reordered, and in a clone', async () => {
    const { edit, patch, get, api, as, place: configKeys, dates, variationId, pass } = await project()
    await edit([add])
    const { variations } = await get('f')
    await patch('f', [{ op: 'replace', path: '/variations', value: variations.toReversed() }])
    expect((await dates()).items.map((instruction) => instruction.variationId)).toEqual([variationId])
    const clone = await api.createFlag({ projectKey: 'web', clone: 'f', body: { key: 'g', name: 'g' } }, { as })
    const { items } = await api.getExpiringTargets({ ...configKeys, flagKey: 'g' }, { as })
    expect(items.map((instruction) => instruction.variationId)).toEqual([clone.variations[1]?._id])
    pass(day)
    expect((await get('g')).environments?.production?.targets?.map(({ values }) => values)).toEqual([['u2']])
  })
})

describe('a patch of expiry dates', () => {
  it.each([
    [{ ...add, contextKey: 'u3' }, 'contextKey', 'must be a target already'],
    [{ ...add, contextKind: 'org' }, 'contextKey', 'must be a target already'],
    [{ ...add, variationId: 'other' }, 'contextKey', 'must be a target already'],
    [{ ...add, value: start }, 'value', 'must be in the future'],
    [{ ...add, kind: 'updateExpiringTarget' }, 'contextKey', 'must have a date that can be updated'],
  ])('rejects %j', async (instruction, property, reason) => {
    const { edit, dates } = await project()
    expect(await validationErrorOf(edit([instruction]))).toEqual({ attribute: `instructions.0.${property}`, reason })
    expect((await dates()).items).toEqual([])
  })

  it('reports all errors together, and stores nothing when there is one', async () => {
    const { edit, editUsers, dates } = await project()
    const { errors } = await failureOf(edit([add, { ...add, contextKey: 'x' }, { ...add, contextKey: 'u2', value: 1 }]))
    expect(errors?.map(({ attribute }) => attribute)).toEqual(['instructions.1.contextKey', 'instructions.2.value'])
    expect((await dates()).items).toEqual([])
    const user = { kind: 'addExpireUserTargetDate', userKey: 'x', value: start + 1 }
    expect((await validationErrorOf(editUsers([user]))).attribute).toBe('instructions.0.userKey')
  })

  it.each([
    [{ instructions: {} }],
    [{ instructions: [{ ...add, variationId: 'v', kind: 'other' }] }],
    [{ instructions: [{ ...add }] }],
    [{ instructions: [{ ...add, variationId: 'v', contextKey: '' }] }],
    [{ instructions: [{ ...add, variationId: 'v', value: 'soon' }] }],
    [{ instructions: [{ ...add, variationId: 'v', more: 1 }] }],
    [{ instructions: Array.from({ length: 1001 }, () => ({ ...add, variationId: 'v' })) }],
    [[]],
    [{}],
  ])('%#: rejects a body of another shape', async (body) => {
    const { send } = await project()
    const response = await send('PATCH', '/api/v2/flags/web/f/expiring-targets/production', { body })
    expect([response.status, JSON.parse(response.body as string).code]).toEqual([400, 'invalid_request'])
  })

  it('returns 409 when `version` is not the current version of the date', async () => {
    const { edit } = await project()
    await edit([add])
    const update = { ...add, kind: 'updateExpiringTarget', value: start + 5 }
    const failure = await failureOf(edit([{ ...update, version: 2 }]))
    expect(failure.code).toBe('optimistic_locking_error')
    expect(failure.errors?.[0]?.attribute).toBe('instructions.0.version')
    expect((await edit([{ ...update, version: 1 }])).items[0]?._version).toBe(2)
  })

  it('requires a comment when the environment requires one', async () => {
    const { edit, api, as } = await project()
    const body = [{ op: 'replace', path: '/requireComments', value: true }]
    await api.patchEnvironment({ projectKey: 'web', environmentKey: 'production', body }, { as })
    expect((await validationErrorOf(edit([add]))).attribute).toBe('comment')
    expect((await edit([add], { comment: 'a trial' })).items).toHaveLength(1)
  })

  it('returns 404 for an unknown flag, environment or project', async () => {
    const { api, place: configKeys, as, variationId } = await project()
    const body = { instructions: [{ ...add, variationId }] } as never
    for (const where of [{ flagKey: 'x' }, { environmentKey: 'x' }, { projectKey: 'x' }]) {
      const keys = { ...configKeys, ...where }
      expect((await failureOf(api.getExpiringTargets(keys, { as }))).code).toBe('not_found')
      expect((await failureOf(api.patchExpiringTargets({ ...keys, body }, { as }))).code).toBe('not_found')
    }
  })

  it('requires updateExpiringTargets in the environment, and the right to view the project', async () => {
    const { edit } = await project()
    const resource = 'proj/web:env/production:flag/f'
    expect((await failureOf(edit([add], {}, editor(['updateTargets'], resource)))).code).toBe('forbidden')
    const callerWithoutView: As = { policy: [allow(['updateExpiringTargets'], [resource])] }
    expect((await failureOf(edit([add], {}, callerWithoutView))).code).toBe('forbidden')
    const elsewhere = editor(['updateExpiringTargets'], 'proj/web:env/test:flag/f')
    expect((await failureOf(edit([add], {}, elsewhere))).code).toBe('forbidden')
    expect((await edit([add], {}, editor(['updateExpiringTargets'], resource))).items).toHaveLength(1)
  })

  it('is stored, or fails because of a concurrent change of the flag', async () => {
    const { edit, dates } = await project()
    const edits = [add, { ...add, contextKey: 'u2' }].map((instruction) => edit([instruction]))
    const succeeded = (await Promise.allSettled(edits)).filter(({ status }) => status === 'fulfilled')
    expect((await dates()).items).toHaveLength(succeeded.length)
    expect(succeeded.length).toBeGreaterThan(0)
  })
})
