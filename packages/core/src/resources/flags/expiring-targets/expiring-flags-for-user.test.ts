import { describe, expect, it } from 'vitest'
import type { As } from '../../../index.ts'
import { allow, failureOf, flagProject, start } from '../test/flag-project.ts'

const day = 24 * 60 * 60 * 1000
const add = { kind: 'addExpireUserTargetDate', value: start + day }
const production = { projectKey: 'web', environmentKey: 'production' } as const

/** Creates the flags `a`, `b` and `c`, whose first variations target the users u1 and u2 and the organization u1. */
async function project() {
  const base = await flagProject()
  const { api, as, create, instruct } = base
  const variationIds = new Map<string, string>()
  for (const flagKey of ['a', 'b', 'c']) {
    const variationId = (await create(flagKey)).variations[0]?._id as string
    variationIds.set(flagKey, variationId)
    await instruct(flagKey, [
      { kind: 'addTargets', values: ['u1', 'u2'], variationId },
      { kind: 'addTargets', contextKind: 'org', values: ['u1'], variationId },
    ])
  }
  const withVariation = (instruction: { readonly flagKey?: string }) => ({
    variationId: variationIds.get(instruction.flagKey ?? '') ?? 'none',
    ...instruction,
  })
  return {
    ...base,
    variationIds,
    edit: (instructions: readonly object[], input: object = {}, caller: As = as) =>
      api.patchExpiringFlagsForUser(
        { ...production, userKey: 'u1', body: { instructions: instructions.map(withVariation) } as never, ...input },
        { as: caller },
      ),
    /** Changes the dates of one flag. */
    editFlag: (flagKey: string, instruction: object) => {
      const instructions = [{ variationId: variationIds.get(flagKey), ...instruction }]
      return api.patchExpiringTargets({ ...production, flagKey, body: { instructions } as never }, { as })
    },
    dates: async (userKey = 'u1', keys: object = {}) =>
      (await api.getExpiringFlagsForUser({ ...production, userKey, ...keys }, { as })).items.map(
        ({ _resourceId, expirationDate }) => [_resourceId.key, Number(expirationDate)] as const,
      ),
    newest: async () => (await api.listChangeLog({ limit: 1 }, { as })).items[0],
  }
}

describe('the expiry dates of a user', () => {
  it('include the dates of all flags in the environment, the nearest first', async () => {
    const { api, as, edit, variationIds } = await project()
    await edit([
      { ...add, flagKey: 'a', value: start + 2 * day },
      { ...add, flagKey: 'b' },
    ])
    const { items, _links } = await api.getExpiringFlagsForUser({ ...production, userKey: 'u1' }, { as })
    const item = (key: string, expirationDate: string) => ({
      _id: expect.any(String),
      _version: 1,
      expirationDate,
      variationId: variationIds.get(key),
      userKey: 'u1',
      _resourceId: { kind: 'flag', ...production, key },
    })
    expect(items).toEqual([item('b', String(start + day)), item('a', String(start + 2 * day))])
    expect(_links.self?.href).toBe('/api/v2/users/web/u1/expiring-user-targets/production')
  })

  it('equal the dates that each flag lists', async () => {
    const { api, as, edit, editFlag, dates } = await project()
    await editFlag('a', { kind: 'addExpiringTarget', contextKind: 'user', contextKey: 'u1', value: start + day })
    await editFlag('c', { kind: 'addExpiringTarget', contextKind: 'user', contextKey: 'u2', value: start + day })
    await editFlag('c', { kind: 'addExpiringTarget', contextKind: 'org', contextKey: 'u1', value: start + day })
    expect(await dates()).toEqual([['a', start + day]])
    await edit([{ ...add, flagKey: 'c', value: start + 3 * day }])
    expect(await dates()).toEqual([
      ['a', start + day],
      ['c', start + 3 * day],
    ])
    const ofFlag = await api.getExpiringUserTargets({ ...production, flagKey: 'c' }, { as })
    expect(ofFlag.items.map(({ userKey, expirationDate }) => [userKey, expirationDate])).toEqual([
      ['u2', String(start + day)],
      ['u1', String(start + 3 * day)],
    ])
    expect(await dates('u1', { environmentKey: 'test' })).toEqual([])
    expect(await dates('unknown')).toEqual([])
  })

  it('are no longer listed once they have passed', async () => {
    const { edit, dates, pass } = await project()
    await edit([{ ...add, flagKey: 'a' }])
    pass(day - 1)
    expect(await dates()).toEqual([['a', start + day]])
    pass(1)
    expect(await dates()).toEqual([])
  })

  it('are found for a user whom the index omits because the flag has too many users', async () => {
    const { api, as, variationIds, instruct, dates } = await project()
    const variationId = variationIds.get('a') as string
    const users = Array.from({ length: 1_001 }, (_, index) => `many-${index}`)
    await instruct('a', [{ kind: 'addTargets', values: users, variationId }])
    for (const part of [users.slice(0, 1_000), users.slice(1_000)]) {
      const instructions = part.map((userKey) => ({ ...add, userKey, variationId }))
      await api.patchExpiringUserTargets({ ...production, flagKey: 'a', body: { instructions } as never }, { as })
    }
    expect(await dates('many-1000')).toEqual([['a', start + day]])
    expect(await dates('u1')).toEqual([])
  })

  it('are found in rows that earlier versions stored without users', async () => {
    const { account, edit, dates } = await project()
    await edit([{ ...add, flagKey: 'a' }])
    const id = { collection: 'flag-config', scope: 'proj/web:env/production', key: 'a' }
    const [stored] = await account.getMany([id])
    const { version = 0, body } = stored ?? {}
    const later = { ...(body as object), version: version + 1 }
    await account.commit([{ do: 'replace', id, version, body: later, fields: { nextExpiry: start + day } }])
    expect(await dates()).toEqual([['a', start + day]])
  })

  it('are refused with 404 for an unknown environment', async () => {
    const { dates, edit } = await project()
    const keys = { environmentKey: 'other' }
    expect(await failureOf(dates('u1', keys))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(edit([{ ...add, flagKey: 'a' }], keys))).toMatchObject({ code: 'not_found' })
  })

  it('are found for a key with any characters', async () => {
    const { variationIds, instruct, edit, dates } = await project()
    const userKey = 'a/b:c %*é'
    await instruct('a', [{ kind: 'addTargets', values: [userKey], variationId: variationIds.get('a') }])
    await edit([{ ...add, flagKey: 'a' }], { userKey })
    expect(await dates(userKey)).toEqual([['a', start + day]])
  })
})

describe('a patch of the expiry dates of a user', () => {
  it('changes several flags as one commit, and shows all dates of the user', async () => {
    const { edit, editFlag, newest } = await project()
    await editFlag('c', { kind: 'addExpiringTarget', contextKind: 'user', contextKey: 'u1', value: start + 5 * day })
    const response = await edit([
      { ...add, flagKey: 'a' },
      { ...add, flagKey: 'b' },
    ])
    expect(response.items.map(({ _resourceId }) => _resourceId.key)).toEqual(['a', 'b', 'c'])
    expect(response).toMatchObject({ totalInstructions: 2, successfulInstructions: 2, failedInstructions: 0 })
    const entry = await newest()
    expect(entry?.accesses).toEqual(
      ['a', 'b'].map((key) => ({
        action: 'updateExpiringTargets',
        resource: `proj/web:env/production:flag/${key}`,
      })),
    )
    expect(entry?.description.split('\n')).toEqual(
      ['a', 'b'].map((key) => `set the expiry date of u1 in ${key} in Production to 2026-11-03 09:30 UTC`),
    )
    const { items } = await edit([
      { kind: 'updateExpireUserTargetDate', flagKey: 'a', value: start + 9 * day },
      { kind: 'removeExpireUserTargetDate', flagKey: 'b' },
    ])
    expect(items.map(({ _resourceId, _version }) => [_resourceId.key, _version])).toEqual([
      ['c', 1],
      ['a', 2],
    ])
  })

  it('changes no flag when an instruction cannot be applied, and names each such instruction', async () => {
    const { edit, dates, newest } = await project()
    const before = await newest()
    const failure = await failureOf(
      edit([
        { ...add, flagKey: 'a' },
        { ...add, flagKey: 'b', value: start - 1 },
        { ...add, flagKey: 'a', variationId: 'other' },
      ]),
    )
    expect(failure).toMatchObject({
      code: 'invalid_request',
      errors: [
        { attribute: 'instructions.1.value', reason: 'must be in the future' },
        { attribute: 'instructions.2.contextKey', reason: 'must be a target already' },
      ],
    })
    const unknown = await failureOf(
      edit([
        { ...add, flagKey: 'a' },
        { ...add, flagKey: 'unknown' },
      ]),
    )
    const reason = 'must be the key of a flag of the project'
    expect(unknown).toMatchObject({ errors: [{ attribute: 'instructions.1.flagKey', reason }] })
    expect([await dates(), await newest()]).toEqual([[], before])
  })

  it('is refused when a date has another version than the caller names', async () => {
    const { edit, dates } = await project()
    await edit([{ ...add, flagKey: 'a' }])
    const failure = await failureOf(
      edit([
        { ...add, flagKey: 'b' },
        { kind: 'updateExpireUserTargetDate', flagKey: 'a', value: start + 2 * day, version: 7 },
      ]),
    )
    expect(failure).toMatchObject({
      code: 'optimistic_locking_error',
      errors: [{ attribute: 'instructions.1.version' }],
    })
    expect(await dates()).toEqual([['a', start + day]])
  })

  it('needs the right to each flag, also where nothing changes', async () => {
    const { edit, dates } = await project()
    const view = allow(['viewProject'], ['proj/web'])
    const caller = { policy: [view, allow(['updateExpiringTargets'], ['proj/web:env/production:flag/a'])] }
    await edit([{ ...add, flagKey: 'a' }], {}, caller)
    const both = [
      { ...add, flagKey: 'a', value: start + day },
      { kind: 'removeExpireUserTargetDate', flagKey: 'b' },
    ]
    expect(await failureOf(edit(both, {}, caller))).toMatchObject({ code: 'forbidden' })
    expect(await dates()).toEqual([['a', start + day]])
  })

  it('needs the approval that a change of each flag needs', async () => {
    const { api, as, edit, dates } = await project()
    const body = [{ op: 'replace', path: '/approvalSettings/required', value: true }] as never
    await api.patchEnvironment({ ...production, body }, { as })
    expect(await failureOf(edit([{ ...add, flagKey: 'a' }]))).toMatchObject({ code: 'method_not_allowed' })
    expect(await dates()).toEqual([])
    await edit([{ ...add, flagKey: 'a' }], { bypassRequiredApproval: true })
    expect(await dates()).toEqual([['a', start + day]])
  })

  it('names at most 100 flags', async () => {
    const { edit } = await project()
    const instructions = Array.from({ length: 101 }, (_, index) => ({ ...add, flagKey: `flag-${index}` }))
    const reason = 'must name at most 100 flags'
    expect(await failureOf(edit(instructions))).toMatchObject({ errors: [{ attribute: 'instructions', reason }] })
  })

  it('is undone in all flags by a revert', async () => {
    const { api, as, edit, dates, newest } = await project()
    await edit([
      { ...add, flagKey: 'a' },
      { ...add, flagKey: 'b' },
    ])
    await api.revertChangeLogEntry({ id: (await newest())?._id ?? '' }, { as })
    expect(await dates()).toEqual([])
  })
})
