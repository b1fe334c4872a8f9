import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { clause, editor, failureOf, keyList, keysOf, place, segmentAccount, start } from './test/segment-account.ts'

const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })

describe('a segment of more than 15,000 entries (D24)', () => {
  it('is a standard one up to there', async () => {
    const { create, get, patch } = await segmentAccount()
    await create('beta')
    await patch('beta', [replace('/included', keyList(15_000))])
    const segment = await get('beta')
    expect(segment).toMatchObject({ unbounded: false, generation: 1 })
    expect(segment.included).toHaveLength(15_000)
    expect(Object.keys(segment)).not.toContain('_unboundedMetadata')
  })

  it('is a big one with one more', async () => {
    const { api, as, create, get, pass, patch } = await segmentAccount()
    await create('beta', { description: 'All of them' })
    pass(1_000)
    await patch('beta', [replace('/included', keyList(15_001))])
    const { _access, _links, ...segment } = await get('beta')
    const environment = await api.getEnvironment(place, { as })
    const { segmentId } = segment._unboundedMetadata!
    expect(segmentId).toMatch(/^[0-9a-f]{24}$/)
    expect(segment).toEqual({
      name: 'beta',
      description: 'All of them',
      key: 'beta',
      tags: [],
      rules: [],
      creationDate: String(start),
      lastModifiedDate: String(start + 1_000),
      version: segment.version,
      deleted: false,
      generation: 1,
      included: [],
      includedContexts: [],
      excludedContexts: [],
      _flags: [],
      unbounded: true,
      unboundedContextKind: 'user',
      _importInProgress: false,
      _unboundedMetadata: {
        envId: environment._id,
        segmentId,
        version: 2,
        includedCount: 15_001,
        excludedCount: 0,
        lastModified: start + 1_000,
        deleted: false,
      },
    })
    const membership = (key: string) => api.getSegmentMembershipForUser({ ...keysOf('beta'), userKey: key }, { as })
    expect(await membership('user-15000')).toEqual({ userKey: 'user-15000', included: true, excluded: false })
    expect(await membership('user-15001')).toEqual({ userKey: 'user-15001', included: false, excluded: false })
  })

  it.each([
    ['users of both sides', 8_000, 7_001, 'user', { included: 8_000, excluded: 7_001 }],
    ['contexts of another kind', 15_001, 0, 'org', { included: 15_001, excluded: 0 }],
    ['contexts of both sides', 1, 15_000, 'org', { included: 1, excluded: 15_000 }],
  ])('counts %s together', async (_, included, excluded, kind, counts) => {
    const { create, patch } = await segmentAccount()
    await create('beta')
    const path = (side: string) => (kind === 'user' ? `/${side}` : `/${side}Contexts`)
    const value = (keys: readonly string[]) => (kind === 'user' ? keys : [{ contextKind: kind, values: keys }])
    const segment = await patch('beta', [
      replace(path('included'), value(keyList(included))),
      replace(path('excluded'), value(keyList(excluded, 'out'))),
    ])
    expect(segment).toMatchObject({ unbounded: true, unboundedContextKind: kind })
    const { includedCount, excludedCount } = segment._unboundedMetadata!
    expect({ included: includedCount, excluded: excludedCount }).toEqual(counts)
  })

  it('becomes one by instructions as well', async () => {
    const { create, instruct, patch } = await segmentAccount()
    await create('beta')
    await patch('beta', [replace('/included', keyList(15_000))])
    const again = await instruct('beta', [{ kind: 'addIncludedUsers', values: ['user-0'] }])
    expect(again.unbounded).toBe(false)
    const grown = await instruct('beta', [{ kind: 'addExcludedUsers', values: ['one more'] }])
    expect(grown).toMatchObject({ unbounded: true, _unboundedMetadata: { includedCount: 15_000, excludedCount: 1 } })
  })

  it('takes no right to the side that was left alone', async () => {
    const { create, instruct, patch } = await segmentAccount()
    await create('beta')
    await patch('beta', [replace('/included', keyList(15_000))])
    const excluding = [{ kind: 'addExcludedUsers', values: ['one more'] }]
    expect(await failureOf(instruct('beta', excluding, editor('updateIncluded')))).toMatchObject({ code: 'forbidden' })
    expect(await instruct('beta', excluding, editor('updateExcluded'))).toMatchObject({ unbounded: true })
  })

  it('has one kind of context and no rules', async () => {
    const { create, get, patch } = await segmentAccount()
    await create('beta')
    const failure = await failureOf(
      patch('beta', [
        replace('/included', keyList(15_000)),
        replace('/includedContexts', [{ contextKind: 'org', values: ['acme'] }]),
        replace('/rules', [{ clauses: [clause()] }]),
      ]),
    )
    expect(failure.errors?.map((fault) => fault.attribute)).toEqual(['includedContexts', 'rules'])
    expect(await get('beta')).toMatchObject({ version: 1, unbounded: false })
  })
})

async function bigAccount(contextKind?: string) {
  const account = await segmentAccount()
  await account.create('big', { unbounded: true, ...(contextKind ? { unboundedContextKind: contextKind } : {}) })
  const { api, as } = account
  return {
    ...account,
    update: (body: object, by: As = as) => api.updateBigSegmentContextTargets({ ...keysOf('big'), body }, { as: by }),
    membership: (contextKey: string) => api.getSegmentMembershipForContext({ ...keysOf('big'), contextKey }, { as }),
    metadata: async () => (await account.get('big'))._unboundedMetadata,
  }
}

describe('a segment made big', () => {
  it('is empty at first, and for users where no kind is named', async () => {
    const { get } = await bigAccount()
    expect(await get('big')).toMatchObject({
      version: 1,
      generation: 1,
      unbounded: true,
      unboundedContextKind: 'user',
      included: [],
      _unboundedMetadata: { version: 1, includedCount: 0, excludedCount: 0, lastModified: start, deleted: false },
    })
  })

  it('has no list of excluded keys to show', async () => {
    const { get } = await bigAccount('org')
    const segment = await get('big')
    expect(segment.unboundedContextKind).toBe('org')
    expect(Object.keys(segment)).not.toContain('excluded')
  })

  it.each([
    ['included', [{ op: 'add', path: '/included/-', value: 'a' }]],
    ['included', [{ op: 'add', path: '/excludedContexts/-', value: { contextKind: 'org', values: ['a'] } }]],
    ['rules', [{ op: 'add', path: '/rules/-', value: { clauses: [] } }]],
  ])('takes no %s by a JSON Patch: %j', async (attribute, operations) => {
    const { patch } = await bigAccount()
    const failure = await failureOf(patch('big', operations))
    expect(failure).toMatchObject({ code: 'invalid_request', errors: [{ attribute }] })
  })

  it('can be renamed, and has the same keys then', async () => {
    const { metadata, patch, update } = await bigAccount()
    await update({ included: { add: ['a'] } })
    const before = await metadata()
    await patch('big', [replace('/name', 'Bigger')])
    expect(await metadata()).toEqual(before)
  })

  it('is another generation when it was there before', async () => {
    const { api, as, create, get, update } = await bigAccount()
    for (const generation of [2, 3]) {
      await update({ included: { add: ['a'] } })
      await api.deleteSegment(keysOf('big'), { as })
      await create('big', { unbounded: true })
      expect(await get('big')).toMatchObject({ generation, _unboundedMetadata: { includedCount: 0 } })
    }
    await api.deleteSegment(keysOf('big'), { as })
    await create('big')
    expect(await get('big')).toMatchObject({ generation: 1, unbounded: false })
  })

  it('leaves none of its keys behind', async () => {
    const { api, as, create, membership, update } = await bigAccount()
    await update({ included: { add: ['a'] } })
    await api.deleteSegment(keysOf('big'), { as })
    await create('big', { unbounded: true })
    expect(await membership('a')).toEqual({ userKey: 'a', included: false, excluded: false })
  })
})

describe('updateBigSegmentContextTargets', () => {
  const path = '/api/v2/segments/web/production/big/contexts'

  it('adds and removes keys, 204, with exact counts', async () => {
    const { membership, metadata, pass, send, update } = await bigAccount('org')
    await update({ included: { add: ['a', 'b', 'c'] }, excluded: { add: ['x'] } })
    pass(500)
    const body = { included: { add: ['c', 'd', 'd'], remove: ['a', 'nobody'] }, excluded: { remove: ['x'] } }
    expect(await send('POST', path, { body })).toMatchObject({ status: 204, body: undefined, headers: { etag: '"3"' } })
    expect(await metadata()).toMatchObject({ includedCount: 3, excludedCount: 0, lastModified: start + 500 })
    const seen = await Promise.all(['a', 'b', 'c', 'd', 'x'].map(membership))
    expect(seen.map((one) => one.included)).toEqual([false, true, true, true, false])
    expect(seen.map((one) => one.excluded)).toEqual([false, false, false, false, false])
  })

  it('changes nothing where everything is so already', async () => {
    const { get, pass, update } = await bigAccount()
    await update({ included: { add: ['a'] } })
    const before = await get('big')
    pass(1_000)
    await update({ included: { add: ['a'], remove: ['b'] } })
    await update({})
    expect(await get('big')).toEqual(before)
  })

  it('moves a key to the other side, and puts none on both', async () => {
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

  it('needs the right to each side that it changes, also for a swap that leaves the count', async () => {
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

  it('keeps its count right when many change it at once', async () => {
    const { membership, metadata, update } = await bigAccount()
    const keys = keyList(12)
    await Promise.allSettled(keys.map((key) => update({ included: { add: [key] } })))
    const found = await Promise.all(keys.map(membership))
    const present = found.filter((one) => one.included).length
    expect(await metadata()).toMatchObject({ includedCount: present })
    expect(present).toBeGreaterThan(0)
  })

  it.each([
    ['included', { included: { add: ['a'], remove: ['a'] } }],
    ['included.add.0', { included: { add: [''] } }],
    ['included.more', { included: { more: [] } }],
    ['', { included: { add: keyList(1_000) }, excluded: { add: keyList(501, 'x') } }],
  ])('names %j when the body is wrong', async (attribute, body) => {
    const { update } = await bigAccount()
    const failure = await failureOf(update(body))
    expect(failure.errors?.map((fault) => fault.attribute)).toEqual([attribute])
  })

  it('is for big segments that are there', async () => {
    const { api, as, create } = await bigAccount()
    await create('small')
    const call = (key: string) => failureOf(api.updateBigSegmentContextTargets({ ...keysOf(key), body: {} }, { as }))
    expect(await call('small')).toMatchObject({ code: 'invalid_request' })
    expect(await call('gone')).toMatchObject({ code: 'not_found' })
  })

  it('is refused to whoever has an older ETag', async () => {
    const { api, as } = await bigAccount()
    const body = { included: { add: ['a'] } }
    const call = api.updateBigSegmentContextTargets({ ...keysOf('big'), body }, { as, ifMatch: '"9"' })
    expect(await failureOf(call)).toMatchObject({ code: 'optimistic_locking_error' })
  })
})

describe('the operations about users of a big segment', () => {
  it('are the same for a segment of users', async () => {
    const { api, as, membership } = await bigAccount()
    const userKey = 'ada@example.com'
    await api.updateBigSegmentTargets({ ...keysOf('big'), body: { included: { add: [userKey] } } }, { as })
    const answer = { userKey, included: true, excluded: false }
    expect(await membership(userKey)).toEqual(answer)
    expect(await api.getSegmentMembershipForUser({ ...keysOf('big'), userKey }, { as })).toEqual(answer)
  })

  it('are refused for another kind of context', async () => {
    const { api, as } = await bigAccount('org')
    const calls = [
      api.updateBigSegmentTargets({ ...keysOf('big'), body: {} }, { as }),
      api.getSegmentMembershipForUser({ ...keysOf('big'), userKey: 'a' }, { as }),
    ]
    for (const call of calls) expect(await failureOf(call)).toMatchObject({ code: 'invalid_request' })
  })

  it('find keys that need escaping in a path', async () => {
    const { send, update } = await bigAccount()
    await update({ included: { add: ['a b/ü'] } })
    const answer = await send('GET', '/api/v2/segments/web/production/big/users/a%20b%2F%C3%BC')
    expect(JSON.parse(answer.body as string)).toEqual({ userKey: 'a b/ü', included: true, excluded: false })
  })
})

describe('instructions about the keys of a big segment', () => {
  it('are followed in order', async () => {
    const { instruct, membership, metadata } = await bigAccount()
    await instruct('big', [
      { kind: 'addBigSegmentIncludedTargets', values: ['a', 'b', 'c'] },
      { kind: 'addBigSegmentExcludedTargets', values: ['x', 'y'] },
      { kind: 'removeBigSegmentIncludedTargets', values: ['a', 'b'] },
      { kind: 'addBigSegmentIncludedTargets', values: ['b'] },
      { kind: 'removeBigSegmentExcludedTargets', values: ['x'] },
    ])
    const seen = await Promise.all(['a', 'b', 'c', 'x', 'y'].map(membership))
    expect(seen.map((one) => [one.included, one.excluded])).toEqual([
      [false, false],
      [true, false],
      [true, false],
      [false, false],
      [false, true],
    ])
    expect(await metadata()).toMatchObject({ includedCount: 2, excludedCount: 1 })
  })

  it('come with other changes, all or none', async () => {
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

  it('leave listed keys to standard segments', async () => {
    const { instruct } = await bigAccount()
    const failure = await failureOf(instruct('big', [{ kind: 'addIncludedUsers', values: ['a'] }]))
    expect(failure).toMatchObject({ code: 'invalid_request', errors: [{ attribute: 'included' }] })
  })
})
