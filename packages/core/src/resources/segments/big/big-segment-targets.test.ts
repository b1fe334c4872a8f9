import { describe, expect, it } from 'vitest'
import { bigAccount } from '../test/big-account.ts'
import { editor, failureOf, keyList, keysOf, start } from '../test/segment-account.ts'

describe('updateBigSegmentContextTargets', () => {
  const path = '/api/v2/segments/web/production/big/contexts'

  it('adds and removes keys with exact counts, and returns 204', async () => {
    const { membership, metadata, pass, send, update } = await bigAccount('org')
    await update({ included: { add: ['a', 'b', 'c'] }, excluded: { add: ['x'] } })
    pass(500)
    const body = { included: { add: ['c', 'd', 'd'], remove: ['a', 'nobody'] }, excluded: { remove: ['x'] } }
    expect(await send('POST', path, { body })).toMatchObject({ status: 204, body: undefined, headers: { etag: '"3"' } })
    expect(await metadata()).toMatchObject({ includedCount: 3, excludedCount: 0, lastModified: start + 500 })
    const memberships = await Promise.all(['a', 'b', 'c', 'd', 'x'].map(membership))
    expect(memberships.map((entry) => entry.included)).toEqual([false, true, true, true, false])
    expect(memberships.map((entry) => entry.excluded)).toEqual([false, false, false, false, false])
  })

  it('changes nothing when the keys are already in the requested lists', async () => {
    const { get, pass, update } = await bigAccount()
    await update({ included: { add: ['a'] } })
    const before = await get('big')
    pass(1_000)
    await update({ included: { add: ['a'], remove: ['b'] } })
    await update({})
    expect(await get('big')).toEqual(before)
  })

  it('moves a key to the other list, and rejects a key in both lists', async () => {
    const { membership, metadata, update } = await bigAccount()
    await update({ included: { add: ['a'] } })
    for (const body of [{ excluded: { add: ['a'] } }, { included: { add: ['b'] }, excluded: { add: ['b'] } }]) {
      const failure = await failureOf(update(body))
      expect(failure).toMatchObject({ code: 'invalid_request', errors: [{ attribute: 'included' }] })
    }
    await update({ included: { remove: ['a'] }, excluded: { add: ['a'] } })
    expect(await membership('a')).toEqual({ userKey: 'a', included: false, excluded: true })
    expect(await metadata()).toMatchObject({ includedCount: 0, excludedCount: 1 })
  })

  it('requires the right to each list that it changes, also when the count stays the same', async () => {
    const { membership, update } = await bigAccount()
    await update({ included: { add: ['a'] } })
    const swap = { included: { add: ['b'], remove: ['a'] } }
    expect(await failureOf(update(swap, editor('updateExcluded')))).toMatchObject({ code: 'forbidden' })
    expect(await membership('a')).toMatchObject({ included: true })
    await update(swap, editor('updateIncluded'))
    expect(await membership('b')).toMatchObject({ included: true })
    const both = { included: { remove: ['b'] }, excluded: { add: ['x'] } }
    expect(await failureOf(update(both, editor('updateExcluded')))).toMatchObject({ code: 'forbidden' })
  })

  it('keeps the count exact with concurrent changes', async () => {
    const { membership, metadata, update } = await bigAccount()
    const keys = keyList(12)
    await Promise.allSettled(keys.map((key) => update({ included: { add: [key] } })))
    const memberships = await Promise.all(keys.map(membership))
    const includedCount = memberships.filter((entry) => entry.included).length
    expect(await metadata()).toMatchObject({ includedCount })
    expect(includedCount).toBeGreaterThan(0)
  })

  it.each([
    ['included', { included: { add: ['a'], remove: ['a'] } }],
    ['included.add.0', { included: { add: [''] } }],
    ['included.more', { included: { more: [] } }],
    ['', { included: { add: keyList(1_000) }, excluded: { add: keyList(501, 'x') } }],
  ])('reports %j for an invalid body', async (attribute, body) => {
    const { update } = await bigAccount()
    const failure = await failureOf(update(body))
    expect(failure.errors?.map((error) => error.attribute)).toEqual([attribute])
  })

  it('requires an existing big segment', async () => {
    const { api, as, create } = await bigAccount()
    await create('small')
    const call = (key: string) => failureOf(api.updateBigSegmentContextTargets({ ...keysOf(key), body: {} }, { as }))
    expect(await call('small')).toMatchObject({ code: 'invalid_request' })
    expect(await call('gone')).toMatchObject({ code: 'not_found' })
  })

  it('fails when If-Match names another revision', async () => {
    const { api, as } = await bigAccount()
    const body = { included: { add: ['a'] } }
    const call = api.updateBigSegmentContextTargets({ ...keysOf('big'), body }, { as, ifMatch: '"9"' })
    expect(await failureOf(call)).toMatchObject({ code: 'optimistic_locking_error' })
  })
})

describe('the operations on users of a big segment', () => {
  it('behave the same for a segment of users', async () => {
    const { api, as, membership } = await bigAccount()
    const userKey = 'ada@example.com'
    await api.updateBigSegmentTargets({ ...keysOf('big'), body: { included: { add: [userKey] } } }, { as })
    const expected = { userKey, included: true, excluded: false }
    expect(await membership(userKey)).toEqual(expected)
    expect(await api.getSegmentMembershipForUser({ ...keysOf('big'), userKey }, { as })).toEqual(expected)
  })

  it('are rejected for another context kind', async () => {
    const { api, as } = await bigAccount('org')
    const calls = [
      api.updateBigSegmentTargets({ ...keysOf('big'), body: {} }, { as }),
      api.getSegmentMembershipForUser({ ...keysOf('big'), userKey: 'a' }, { as }),
    ]
    for (const call of calls) expect(await failureOf(call)).toMatchObject({ code: 'invalid_request' })
  })

  it('find keys that are escaped in the path', async () => {
    const { send, update } = await bigAccount()
    await update({ included: { add: ['a b/ü'] } })
    const expected = await send('GET', '/api/v2/segments/web/production/big/users/a%20b%2F%C3%BC')
    expect(JSON.parse(expected.body as string)).toEqual({ userKey: 'a b/ü', included: true, excluded: false })
  })
})

describe('instructions about the keys of a big segment', () => {
  it('are applied in order', async () => {
    const { instruct, membership, metadata } = await bigAccount()
    await instruct('big', [
      { kind: 'addBigSegmentIncludedTargets', values: ['a', 'b', 'c'] },
      { kind: 'addBigSegmentExcludedTargets', values: ['x', 'y'] },
      { kind: 'removeBigSegmentIncludedTargets', values: ['a', 'b'] },
      { kind: 'addBigSegmentIncludedTargets', values: ['b'] },
      { kind: 'removeBigSegmentExcludedTargets', values: ['x'] },
    ])
    const memberships = await Promise.all(['a', 'b', 'c', 'x', 'y'].map(membership))
    expect(memberships.map((entry) => [entry.included, entry.excluded])).toEqual([
      [false, false],
      [true, false],
      [true, false],
      [false, false],
      [false, true],
    ])
    expect(await metadata()).toMatchObject({ includedCount: 2, excludedCount: 1 })
  })

  it('are applied together with other changes, or not at all', async () => {
    const { get, instruct, membership } = await bigAccount()
    const rename = { kind: 'updateName', value: 'Bigger' }
    const wrong = { kind: 'updateRuleDescription', ruleId: 'gone', description: '' }
    const add = { kind: 'addBigSegmentIncludedTargets', values: ['a'] }
    await failureOf(instruct('big', [add, rename, wrong]))
    expect(await membership('a')).toMatchObject({ included: false })
    const failure = await failureOf(instruct('big', [add, rename], editor('updateIncluded')))
    expect(failure).toMatchObject({ code: 'forbidden' })
    expect(await membership('a')).toMatchObject({ included: false })
    await instruct('big', [add, rename])
    expect(await get('big')).toMatchObject({ name: 'Bigger', version: 2, _unboundedMetadata: { includedCount: 1 } })
  })

  it('are equivalent to the instructions about the keys of a standard segment', async () => {
    const { instruct, membership } = await bigAccount()
    await instruct('big', [{ kind: 'addIncludedUsers', values: ['a', 'b'] }])
    await instruct('big', [{ kind: 'removeIncludedTargets', values: ['b'] }])
    expect(await membership('a')).toMatchObject({ included: true })
    expect(await membership('b')).toMatchObject({ included: false })
  })

  it('are rejected for contexts of another kind', async () => {
    const { instruct } = await bigAccount()
    const add = { kind: 'addIncludedTargets', contextKind: 'org', values: ['a'] }
    expect(await failureOf(instruct('big', [add]))).toMatchObject({
      code: 'invalid_request',
      errors: [{ attribute: 'instructions.0.contextKind', reason: expect.stringContaining('user') }],
    })
  })
})
