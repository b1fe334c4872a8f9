import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { editor, failureOf, keyList, keysOf, place, segmentAccount, semantic, start } from './test/segment-account.ts'

const day = 86_400_000
const keys = { ...place, segmentKey: 'beta' }

const adding = (more: object = {}) => ({
  kind: 'addExpiringTarget',
  targetType: 'included',
  contextKind: 'user',
  contextKey: 'ada',
  value: start + day,
  ...more,
})

/** The segment `beta`, with a user and a company in it and a user out of it. */
async function expiring() {
  const account = await segmentAccount()
  const { api, as } = account
  await account.create('beta')
  await account.patch('beta', [
    { op: 'replace', path: '/included', value: ['ada', 'bob'] },
    { op: 'replace', path: '/excluded', value: ['eve'] },
    { op: 'replace', path: '/includedContexts', value: [{ contextKind: 'org', values: ['acme'] }] },
  ])
  return {
    ...account,
    follow: (instructions: readonly object[], more: object = {}, by: As = as) =>
      api.patchExpiringTargetsForSegment({ ...keys, body: { instructions, ...more } as never }, { as: by }),
    followUsers: (...instructions: readonly object[]) =>
      api.patchExpiringUserTargetsForSegment({ ...keys, body: { instructions } as never }, { as }),
    dates: () => api.getExpiringTargetsForSegment(keys, { as }),
    userDates: () => api.getExpiringUserTargetsForSegment(keys, { as }),
    stored: async () =>
      (await account.storage.get({ collection: 'segment', scope: 'proj/web:env/production', key: 'beta' }))?.body as {
        included: string[]
        expiringTargets: object[]
        version: number
      },
  }
}

describe('the date of a target', () => {
  it('is shown with all that is known of it', async () => {
    const { follow, dates } = await expiring()
    const answer = await follow([adding()])
    const self = '/api/v2/segments/web/beta/expiring-targets/production'
    const items = [
      {
        _id: answer.items[0]?._id,
        _version: 1,
        expirationDate: String(start + day),
        contextKind: 'user',
        contextKey: 'ada',
        targetType: 'included',
        _resourceId: { kind: 'segment', projectKey: 'web', environmentKey: 'production', key: 'beta' },
      },
    ]
    const _links = { self: { href: self, type: 'application/json' } }
    const counts = { totalInstructions: 1, successfulInstructions: 1, failedInstructions: 0, errors: [] }
    expect(answer).toEqual({ items, _links, ...counts })
    expect(await dates()).toEqual({ items, _links })
  })

  it('comes before later ones, whatever the target is', async () => {
    const { follow } = await expiring()
    const { items } = await follow([
      adding({ contextKind: 'org', contextKey: 'acme', value: start + 3 * day }),
      adding({ value: start + 2 * day }),
      adding({ targetType: 'excluded', contextKey: 'eve', value: String(start + day) }),
    ])
    expect(items.map(({ contextKey }) => contextKey)).toEqual(['eve', 'ada', 'acme'])
  })

  it('of a user has another name where there are users only', async () => {
    const { follow, followUsers, userDates, dates } = await expiring()
    await follow([adding({ contextKind: 'org', contextKey: 'acme' })])
    const user = { targetType: 'included', userKey: 'bob' }
    const value = start + day
    const { items, totalInstructions } = await followUsers({ kind: 'addExpireUserTargetDate', ...user, value })
    expect(totalInstructions).toBe(1)
    expect(items).toEqual([
      {
        _id: items[0]?._id,
        _version: 1,
        expirationDate: String(start + day),
        userKey: 'bob',
        targetType: 'included',
        _resourceId: { kind: 'segment', projectKey: 'web', environmentKey: 'production', key: 'beta' },
      },
    ])
    const self = '/api/v2/segments/web/beta/expiring-user-targets/production'
    expect(await userDates()).toEqual({ items, _links: { self: { href: self, type: 'application/json' } } })
    expect((await dates()).items).toHaveLength(2)
    await followUsers({ kind: 'updateExpireUserTargetDate', ...user, value: value + 1, version: 1 })
    expect((await userDates()).items).toMatchObject([{ _version: 2, expirationDate: String(value + 1) }])
    await followUsers({ kind: 'removeExpireUserTargetDate', ...user })
    expect((await userDates()).items).toEqual([])
  })

  it('can be changed and taken away', async () => {
    const { follow } = await expiring()
    await follow([adding()])
    const changed = await follow([adding({ kind: 'updateExpiringTarget', value: start + 2 * day })])
    expect(changed.items).toMatchObject([{ _version: 2, expirationDate: String(start + 2 * day) }])
    const { value: _, ...removing } = adding({ kind: 'removeExpiringTarget' })
    expect((await follow([removing])).items).toEqual([])
  })

  it('that is so already stays, and nothing is written', async () => {
    const { follow, get } = await expiring()
    await follow([adding()])
    const { version } = await get('beta')
    const { value: _, ...removing } = adding({ kind: 'removeExpiringTarget', contextKey: 'bob' })
    await follow([adding(), adding({ kind: 'updateExpiringTarget' }), removing])
    expect((await get('beta')).version).toBe(version)
  })

  it.each([
    ['contextKey', adding({ contextKey: 'nobody' }), 'must be a target already'],
    ['contextKey', adding({ targetType: 'excluded' }), 'must be a target already'],
    ['contextKey', adding({ contextKind: 'org' }), 'must be a target already'],
    ['contextKey', adding({ kind: 'updateExpiringTarget', contextKey: 'bob' }), 'has no date that could be changed'],
    ['contextKey', adding({ value: start + 2 * day }), 'has a date already, which can be changed'],
    ['value', adding({ contextKey: 'bob', value: start }), 'must be in the future'],
    ['value', adding({ contextKey: 'bob', value: -1 }), 'must not be negative'],
    ['value', adding({ contextKey: 'bob', value: 'tomorrow' }), 'must be integer Unix milliseconds'],
    ['targetType', adding({ targetType: 'both' }), 'must be one of "included", "excluded"'],
    ['colour', adding({ colour: 'red' }), 'is not a known member'],
  ])('is refused naming %s: %j', async (member, instruction, reason) => {
    const { follow, followUsers, dates } = await expiring()
    await follow([adding()])
    const sound = adding({ contextKind: 'org', contextKey: 'acme' })
    const failure = await failureOf(follow([sound, instruction]))
    expect(failure).toEqual({
      code: 'invalid_request',
      message: 'validation failed',
      errors: [{ attribute: `instructions.1.${member}`, reason }],
    })
    expect((await dates()).items).toHaveLength(1)
    if (reason === 'must be a target already') {
      const user = { kind: 'addExpireUserTargetDate', targetType: 'included', userKey: 'nobody', value: start + day }
      const { errors } = await failureOf(followUsers(user))
      expect(errors?.[0]?.attribute).toBe('instructions.0.userKey')
    }
  })

  it('tells all faults at once', async () => {
    const { follow } = await expiring()
    const { errors } = await failureOf(follow([adding({ contextKey: 'x' }), adding({ value: 1 })]))
    expect(errors?.map(({ attribute }) => attribute)).toEqual(['instructions.0.contextKey', 'instructions.1.value'])
  })

  it('is not changed over the head of somebody else', async () => {
    const { follow, dates } = await expiring()
    await follow([adding()])
    const late = { kind: 'updateExpiringTarget', value: start + 3 * day, version: 1 }
    await follow([adding({ ...late, value: start + 2 * day })])
    expect(await failureOf(follow([adding(late)]))).toMatchObject({
      code: 'optimistic_locking_error',
      errors: [{ attribute: 'instructions.0.version', reason: 'must be 2: the date has been changed' }],
    })
    expect((await dates()).items).toMatchObject([{ expirationDate: String(start + 2 * day) }])
  })

  it('takes the right to dates, and no other', async () => {
    const { follow, get } = await expiring()
    const others = editor('updateIncluded', 'updateExcluded', 'updateExpiringRules')
    expect(await failureOf(follow([adding()], {}, others))).toMatchObject({ code: 'forbidden' })
    expect((await follow([adding()], {}, editor('updateExpiringTargets'))).items).toHaveLength(1)
    expect((await get('beta'))._access.allowed.map(({ action }) => action)).toContain('updateExpiringTargets')
  })

  it('wants a comment where the environment does', async () => {
    const { api, as, follow, pass } = await expiring()
    const required = [{ op: 'replace', path: '/requireComments', value: true }]
    await api.patchEnvironment({ ...place, body: required }, { as })
    expect((await failureOf(follow([adding()]))).errors?.[0]?.attribute).toBe('comment')
    pass(1)
    expect((await follow([adding()], { comment: 'A trial' })).items).toHaveLength(1)
    const [entry] = (await api.listChangeLog({}, { as })).items
    expect(entry).toMatchObject({ comment: 'A trial', kind: 'segment' })
  })

  it('may come by either media type', async () => {
    const { send } = await expiring()
    for (const type of ['application/json', semantic]) {
      const path = '/api/v2/segments/web/beta/expiring-targets/production'
      const answer = await send('PATCH', path, { body: { instructions: [adding()] }, 'content-type': type })
      expect(answer.status).toBe(200)
    }
  })

  it('is for standard segments', async () => {
    const { api, as, create } = await expiring()
    await create('big', { unbounded: true })
    const body = { instructions: [adding()] } as never
    const failure = await failureOf(api.patchExpiringTargetsForSegment({ ...keysOf('big'), body }, { as }))
    expect(failure.errors).toEqual([{ attribute: 'instructions.0.contextKey', reason: 'must be a target already' }])
  })
})

describe('a target whose date has come', () => {
  it('is gone for whoever looks, from that very millisecond', async () => {
    const { api, as, follow, get, pass, dates, stored } = await expiring()
    await follow([adding(), adding({ contextKind: 'org', contextKey: 'acme' })])
    await follow([adding({ targetType: 'excluded', contextKey: 'eve', value: start + 2 * day })])
    pass(day - 1)
    expect(await get('beta')).toMatchObject({ included: ['ada', 'bob'] })
    pass(1)
    expect(await get('beta')).toMatchObject({ included: ['bob'], includedContexts: [], excluded: ['eve'] })
    expect((await api.listSegments(place, { as })).items[0]).toMatchObject({ included: ['bob'] })
    expect((await dates()).items.map(({ contextKey }) => contextKey)).toEqual(['eve'])
    pass(day)
    expect(await get('beta')).toMatchObject({ included: ['bob'], excluded: [] })
    expect((await stored()).included).toEqual(['ada', 'bob'])
  })

  it('goes from storage with the next change, which needs no right to it', async () => {
    const { follow, pass, instruct, stored } = await expiring()
    await follow([adding()])
    pass(day)
    const rename = [{ kind: 'updateName', value: 'Renamed' }]
    expect(await instruct('beta', rename, editor('updateName'))).toMatchObject({ included: ['bob'] })
    expect(await stored()).toMatchObject({ included: ['bob'], expiringTargets: [] })
  })

  it('is no target for a patch any more', async () => {
    const { follow, pass, patch } = await expiring()
    await follow([adding()])
    pass(day)
    const segment = await patch('beta', [
      { op: 'test', path: '/included/0', value: 'bob' },
      { op: 'add', path: '/included/-', value: 'ada' },
    ])
    expect(segment.included).toEqual(['bob', 'ada'])
    pass(10 * day)
  })

  it('can be one again, without a date', async () => {
    const { follow, pass, instruct, dates, get } = await expiring()
    await follow([adding()])
    pass(day)
    await instruct('beta', [{ kind: 'addIncludedUsers', values: ['ada'] }])
    pass(day)
    expect((await get('beta')).included).toEqual(['bob', 'ada'])
    expect((await dates()).items).toEqual([])
  })

  it('changes what tells one answer from the next', async () => {
    const { follow, pass, send } = await expiring()
    await follow([adding()])
    for (const path of [
      'web/production/beta',
      'web/beta/expiring-targets/production',
      'web/beta/expiring-user-targets/production',
    ]) {
      const fetch = (etag?: string) => send('GET', `/api/v2/segments/${path}`, { 'if-none-match': etag })
      const before = await fetch()
      expect((await fetch(before.headers.etag)).status).toBe(304)
      pass(day)
      const after = await fetch(before.headers.etag)
      expect(after.status).toBe(200)
      expect((await fetch(after.headers.etag)).status).toBe(304)
      pass(-day)
    }
  })

  it('is part of what a patch relies on', async () => {
    const { follow, pass, send } = await expiring()
    await follow([adding()])
    const path = '/api/v2/segments/web/production/beta'
    const { etag } = (await send('GET', path)).headers
    pass(day)
    const body = [{ op: 'replace', path: '/name', value: 'x' }]
    const patching = { 'if-match': etag, body }
    expect((await send('PATCH', path, patching)).status).toBe(409)
  })
})

describe('a target that is taken out', () => {
  it('has no date any more, and needs no right to dates for it', async () => {
    const { follow, instruct, dates, stored } = await expiring()
    await follow([adding()])
    await instruct('beta', [{ kind: 'removeIncludedUsers', values: ['ada'] }], editor('updateIncluded'))
    expect((await dates()).items).toEqual([])
    expect((await stored()).expiringTargets).toEqual([])
    await instruct('beta', [{ kind: 'addIncludedUsers', values: ['ada'] }])
    expect((await dates()).items).toEqual([])
  })
})

it('a segment with dates does not become a big one, which has none', async () => {
  const { follow, patch } = await expiring()
  await follow([adding()])
  const failure = await failureOf(
    patch('beta', [
      { op: 'replace', path: '/includedContexts', value: [] },
      { op: 'replace', path: '/included', value: ['ada', ...keyList(15_000)] },
    ]),
  )
  expect(failure.errors).toEqual([
    { attribute: 'included', reason: 'must have no targets that expire where a segment has more than 15000' },
  ])
})
