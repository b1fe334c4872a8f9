import { describe, expect, it } from 'vitest'
import { adding, day, expiring } from '../test/expiring-account.ts'
import { editor, failureOf, keyList, keysOf, place, semantic, start } from '../test/segment-account.ts'

describe('the expiry date of a target', () => {
  it('is returned with every property', async () => {
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

  it('is sorted by time, regardless of the target', async () => {
    const { follow } = await expiring()
    const { items } = await follow([
      adding({ contextKind: 'org', contextKey: 'acme', value: start + 3 * day }),
      adding({ value: start + 2 * day }),
      adding({ targetType: 'excluded', contextKey: 'eve', value: String(start + day) }),
    ])
    expect(items.map(({ contextKey }) => contextKey)).toEqual(['eve', 'ada', 'acme'])
  })

  it('of a user has a userKey in the operations on users', async () => {
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

  it('can be updated and removed', async () => {
    const { follow } = await expiring()
    await follow([adding()])
    const changed = await follow([adding({ kind: 'updateExpiringTarget', value: start + 2 * day })])
    expect(changed.items).toMatchObject([{ _version: 2, expirationDate: String(start + 2 * day) }])
    const { value: _, ...removing } = adding({ kind: 'removeExpiringTarget' })
    expect((await follow([removing])).items).toEqual([])
  })

  it('is not written when the instruction already holds', async () => {
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
    ['contextKey', adding({ kind: 'updateExpiringTarget', contextKey: 'bob' }), 'must have a date that can be updated'],
    ['contextKey', adding({ value: start + 2 * day }), 'must not have a date already: use an update instead'],
    ['value', adding({ contextKey: 'bob', value: start }), 'must be in the future'],
    ['value', adding({ contextKey: 'bob', value: -1 }), 'must not be negative'],
    ['value', adding({ contextKey: 'bob', value: 'tomorrow' }), 'must be integer Unix milliseconds'],
    ['targetType', adding({ targetType: 'both' }), 'must be one of "included", "excluded"'],
    ['colour', adding({ colour: 'red' }), 'is not a known member'],
  ])('is rejected with an error about %s: %j', async (member, instruction, reason) => {
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

  it('reports all validation errors at once', async () => {
    const { follow } = await expiring()
    const { errors } = await failureOf(follow([adding({ contextKey: 'x' }), adding({ value: 1 })]))
    expect(errors?.map(({ attribute }) => attribute)).toEqual(['instructions.0.contextKey', 'instructions.1.value'])
  })

  it('is not updated when its version has changed', async () => {
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

  it('requires the right to expiry dates only', async () => {
    const { follow, get } = await expiring()
    const others = editor('updateIncluded', 'updateExcluded', 'updateExpiringRules')
    expect(await failureOf(follow([adding()], {}, others))).toMatchObject({ code: 'forbidden' })
    expect((await follow([adding()], {}, editor('updateExpiringTargets'))).items).toHaveLength(1)
    expect((await get('beta'))._access.allowed.map(({ action }) => action)).toContain('updateExpiringTargets')
  })

  it('requires a comment when the environment requires one', async () => {
    const { api, as, follow, pass } = await expiring()
    const required = [{ op: 'replace', path: '/requireComments', value: true }]
    await api.patchEnvironment({ ...place, body: required }, { as })
    expect((await failureOf(follow([adding()]))).errors?.[0]?.attribute).toBe('comment')
    pass(1)
    expect((await follow([adding()], { comment: 'A trial' })).items).toHaveLength(1)
    const [entry] = (await api.listChangeLog({}, { as })).items
    expect(entry).toMatchObject({ comment: 'A trial', kind: 'segment' })
  })

  it('is accepted with either media type', async () => {
    const { send } = await expiring()
    for (const type of ['application/json', semantic]) {
      const path = '/api/v2/segments/web/beta/expiring-targets/production'
      const answer = await send('PATCH', path, { body: { instructions: [adding()] }, 'content-type': type })
      expect(answer.status).toBe(200)
    }
  })

  it('is rejected for big segments', async () => {
    const { api, as, create } = await expiring()
    await create('big', { unbounded: true })
    const body = { instructions: [adding()] } as never
    const failure = await failureOf(api.patchExpiringTargetsForSegment({ ...keysOf('big'), body }, { as }))
    expect(failure.errors).toEqual([{ attribute: 'instructions.0.contextKey', reason: 'must be a target already' }])
  })
})

it('a segment with expiry dates cannot be converted to a big segment, which has none', async () => {
  const { follow, patch } = await expiring()
  await follow([adding()])
  const failure = await failureOf(
    patch('beta', [
      { op: 'replace', path: '/includedContexts', value: [] },
      { op: 'replace', path: '/included', value: ['ada', ...keyList(15_000)] },
    ]),
  )
  expect(failure.errors).toEqual([
    { attribute: 'included', reason: 'must have no expiring targets when the segment has more than 15000 entries' },
  ])
})
