import { describe, expect, it } from 'vitest'
import { addInstruction, day, expiringAccount } from '../test/expiring-account.ts'
import {
  editor,
  environmentKeys,
  failureOf,
  keyList,
  keysOf,
  semanticPatchType,
  start,
} from '../test/segment-account.ts'

describe('the expiry date of a target', () => {
  it('is returned with every property', async () => {
    const { patchDates, dates } = await expiringAccount()
    const response = await patchDates([addInstruction()])
    const self = '/api/v2/segments/web/beta/expiring-targets/production'
    const items = [
      {
        _id: response.items[0]?._id,
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
    expect(response).toEqual({ items, _links, ...counts })
    expect(await dates()).toEqual({ items, _links })
  })

  it('is sorted by time, regardless of the target', async () => {
    const { patchDates } = await expiringAccount()
    const { items } = await patchDates([
      addInstruction({ contextKind: 'org', contextKey: 'acme', value: start + 3 * day }),
      addInstruction({ value: start + 2 * day }),
      addInstruction({ targetType: 'excluded', contextKey: 'eve', value: String(start + day) }),
    ])
    expect(items.map(({ contextKey }) => contextKey)).toEqual(['eve', 'ada', 'acme'])
  })

  it('of a user has a userKey in the operations on users', async () => {
    const { patchDates, patchUserDates, userDates, dates } = await expiringAccount()
    await patchDates([addInstruction({ contextKind: 'org', contextKey: 'acme' })])
    const user = { targetType: 'included', userKey: 'bob' }
    const value = start + day
    const { items, totalInstructions } = await patchUserDates({ kind: 'addExpireUserTargetDate', ...user, value })
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
    await patchUserDates({ kind: 'updateExpireUserTargetDate', ...user, value: value + 1, version: 1 })
    expect((await userDates()).items).toMatchObject([{ _version: 2, expirationDate: String(value + 1) }])
    await patchUserDates({ kind: 'removeExpireUserTargetDate', ...user })
    expect((await userDates()).items).toEqual([])
  })

  it('can be updated and removed', async () => {
    const { patchDates } = await expiringAccount()
    await patchDates([addInstruction()])
    const changed = await patchDates([addInstruction({ kind: 'updateExpiringTarget', value: start + 2 * day })])
    expect(changed.items).toMatchObject([{ _version: 2, expirationDate: String(start + 2 * day) }])
    const { value: _, ...removeInstruction } = addInstruction({ kind: 'removeExpiringTarget' })
    expect((await patchDates([removeInstruction])).items).toEqual([])
  })

  it('is not written when it already has the requested value', async () => {
    const { patchDates, get } = await expiringAccount()
    await patchDates([addInstruction()])
    const { version } = await get('beta')
    const { value: _, ...removeInstruction } = addInstruction({ kind: 'removeExpiringTarget', contextKey: 'bob' })
    await patchDates([addInstruction(), addInstruction({ kind: 'updateExpiringTarget' }), removeInstruction])
    expect((await get('beta')).version).toBe(version)
  })

  it.each([
    ['contextKey', addInstruction({ contextKey: 'nobody' }), 'must be a target already'],
    ['contextKey', addInstruction({ targetType: 'excluded' }), 'must be a target already'],
    ['contextKey', addInstruction({ contextKind: 'org' }), 'must be a target already'],
    [
      'contextKey',
      addInstruction({ kind: 'updateExpiringTarget', contextKey: 'bob' }),
      'must have a date that can be updated',
    ],
    ['contextKey', addInstruction({ value: start + 2 * day }), 'must not have a date already: use an update instead'],
    ['value', addInstruction({ contextKey: 'bob', value: start }), 'must be in the future'],
    ['value', addInstruction({ contextKey: 'bob', value: -1 }), 'must not be negative'],
    ['value', addInstruction({ contextKey: 'bob', value: 'tomorrow' }), 'must be integer Unix milliseconds'],
    ['targetType', addInstruction({ targetType: 'both' }), 'must be one of "included", "excluded"'],
    ['colour', addInstruction({ colour: 'red' }), 'is not a known member'],
  ])('is rejected with an error about %s: %j', async (property, instruction, reason) => {
    const { patchDates, patchUserDates, dates } = await expiringAccount()
    await patchDates([addInstruction()])
    const validInstruction = addInstruction({ contextKind: 'org', contextKey: 'acme' })
    const failure = await failureOf(patchDates([validInstruction, instruction]))
    expect(failure).toEqual({
      code: 'invalid_request',
      message: 'validation failed',
      errors: [{ attribute: `instructions.1.${property}`, reason }],
    })
    expect((await dates()).items).toHaveLength(1)
    if (reason === 'must be a target already') {
      const user = { kind: 'addExpireUserTargetDate', targetType: 'included', userKey: 'nobody', value: start + day }
      const { errors } = await failureOf(patchUserDates(user))
      expect(errors?.[0]?.attribute).toBe('instructions.0.userKey')
    }
  })

  it('reports all validation errors together', async () => {
    const { patchDates } = await expiringAccount()
    const { errors } = await failureOf(patchDates([addInstruction({ contextKey: 'x' }), addInstruction({ value: 1 })]))
    expect(errors?.map(({ attribute }) => attribute)).toEqual(['instructions.0.contextKey', 'instructions.1.value'])
  })

  it('is not updated when its version has changed', async () => {
    const { patchDates, dates } = await expiringAccount()
    await patchDates([addInstruction()])
    const update = { kind: 'updateExpiringTarget', value: start + 3 * day, version: 1 }
    await patchDates([addInstruction({ ...update, value: start + 2 * day })])
    expect(await failureOf(patchDates([addInstruction(update)]))).toMatchObject({
      code: 'optimistic_locking_error',
      errors: [{ attribute: 'instructions.0.version', reason: 'must be 2: the date has been changed' }],
    })
    expect((await dates()).items).toMatchObject([{ expirationDate: String(start + 2 * day) }])
  })

  it('requires the right to expiry dates only', async () => {
    const { patchDates, get } = await expiringAccount()
    const others = editor('updateIncluded', 'updateExcluded', 'updateExpiringRules')
    expect(await failureOf(patchDates([addInstruction()], {}, others))).toMatchObject({ code: 'forbidden' })
    expect((await patchDates([addInstruction()], {}, editor('updateExpiringTargets'))).items).toHaveLength(1)
    expect((await get('beta'))._access.allowed.map(({ action }) => action)).toContain('updateExpiringTargets')
  })

  it('requires a comment when the environment requires one', async () => {
    const { api, as, patchDates, pass } = await expiringAccount()
    const requireComments = [{ op: 'replace', path: '/requireComments', value: true }]
    await api.patchEnvironment({ ...environmentKeys, body: requireComments }, { as })
    expect((await failureOf(patchDates([addInstruction()]))).errors?.[0]?.attribute).toBe('comment')
    pass(1)
    expect((await patchDates([addInstruction()], { comment: 'A trial' })).items).toHaveLength(1)
    const [entry] = (await api.listChangeLog({}, { as })).items
    expect(entry).toMatchObject({ comment: 'A trial', kind: 'segment' })
  })

  it('is accepted with either media type', async () => {
    const { send } = await expiringAccount()
    for (const type of ['application/json', semanticPatchType]) {
      const path = '/api/v2/segments/web/beta/expiring-targets/production'
      const response = await send('PATCH', path, { body: { instructions: [addInstruction()] }, 'content-type': type })
      expect(response.status).toBe(200)
    }
  })

  it('is rejected for big segments', async () => {
    const { api, as, create } = await expiringAccount()
    await create('big', { unbounded: true })
    const body = { instructions: [addInstruction()] } as never
    const failure = await failureOf(api.patchExpiringTargetsForSegment({ ...keysOf('big'), body }, { as }))
    expect(failure.errors).toEqual([{ attribute: 'instructions.0.contextKey', reason: 'must be a target already' }])
  })
})

it('a segment with expiry dates cannot become a big segment, because big segments have no expiry dates', async () => {
  const { patchDates, patch } = await expiringAccount()
  await patchDates([addInstruction()])
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
