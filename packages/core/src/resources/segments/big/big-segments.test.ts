import { describe, expect, it } from 'vitest'
import { bigAccount } from '../test/big-account.ts'
import {
  clause,
  editor,
  environmentKeys,
  failureOf,
  keyList,
  keysOf,
  segmentAccount,
  start,
} from '../test/segment-account.ts'

const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })

describe('a segment that grows beyond 15,000 entries', () => {
  it('is still a standard segment with 15,000 entries', async () => {
    const { create, get, patch } = await segmentAccount()
    await create('beta')
    await patch('beta', [replace('/included', keyList(15_000))])
    const segment = await get('beta')
    expect(segment).toMatchObject({ unbounded: false, generation: 1 })
    expect(segment.included).toHaveLength(15_000)
    expect(Object.keys(segment)).not.toContain('_unboundedMetadata')
  })

  it('becomes a big segment when a patch gives it 15,001 entries', async () => {
    const { api, as, create, get, pass, patch } = await segmentAccount()
    await create('beta', { description: 'All of them' })
    pass(1_000)
    await patch('beta', [replace('/included', keyList(15_001))])
    const { _access, _links, ...segment } = await get('beta')
    const environment = await api.getEnvironment(environmentKeys, { as })
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
    ['users of both lists', 8_000, 7_001, 'user', { included: 8_000, excluded: 7_001 }],
    ['contexts of another kind', 15_001, 0, 'org', { included: 15_001, excluded: 0 }],
    ['contexts of both lists', 1, 15_000, 'org', { included: 1, excluded: 15_000 }],
  ])('adds up the numbers of %s', async (_, included, excluded, kind, counts) => {
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

  it('is converted by instructions as well', async () => {
    const { create, instruct, patch } = await segmentAccount()
    await create('beta')
    await patch('beta', [replace('/included', keyList(15_000))])
    const unchanged = await instruct('beta', [{ kind: 'addIncludedUsers', values: ['user-0'] }])
    expect(unchanged.unbounded).toBe(false)
    const converted = await instruct('beta', [{ kind: 'addExcludedUsers', values: ['one more'] }])
    expect(converted).toMatchObject({
      unbounded: true,
      _unboundedMetadata: { includedCount: 15_000, excludedCount: 1 },
    })
  })

  it('is converted even if the caller may not change the list that stays the same', async () => {
    const { create, instruct, patch } = await segmentAccount()
    await create('beta')
    await patch('beta', [replace('/included', keyList(15_000))])
    const instructions = [{ kind: 'addExcludedUsers', values: ['one more'] }]
    expect(await failureOf(instruct('beta', instructions, editor('updateIncluded')))).toMatchObject({
      code: 'forbidden',
    })
    expect(await instruct('beta', instructions, editor('updateExcluded'))).toMatchObject({ unbounded: true })
  })

  it('is rejected with several context kinds or with rules', async () => {
    const { create, get, patch } = await segmentAccount()
    await create('beta')
    const failure = await failureOf(
      patch('beta', [
        replace('/included', keyList(15_000)),
        replace('/includedContexts', [{ contextKind: 'org', values: ['acme'] }]),
        replace('/rules', [{ clauses: [clause()] }]),
      ]),
    )
    expect(failure.errors?.map((error) => error.attribute)).toEqual(['includedContexts', 'rules'])
    expect(await get('beta')).toMatchObject({ version: 1, unbounded: false })
  })
})

describe('a segment that was created as a big segment', () => {
  it('is empty, with the context kind user by default', async () => {
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

  it('has no list of excluded keys in its response', async () => {
    const { get } = await bigAccount('org')
    const segment = await get('big')
    expect(segment.unboundedContextKind).toBe('org')
    expect(Object.keys(segment)).not.toContain('excluded')
  })

  it.each([
    ['included', [{ op: 'add', path: '/included/-', value: 'a' }]],
    ['excludedContexts', [{ op: 'add', path: '/excludedContexts/-', value: { contextKind: 'org', values: ['a'] } }]],
    ['included', [{ op: 'replace', path: '/included', value: [] }]],
    ['rules', [{ op: 'add', path: '/rules/-', value: { clauses: [] } }]],
  ])('rejects %s in a JSON Patch: %j', async (attribute, operations) => {
    const { patch } = await bigAccount()
    const failure = await failureOf(patch('big', operations))
    expect(failure).toMatchObject({ code: 'invalid_request', errors: [{ attribute }] })
  })

  it('keeps its keys when it is renamed', async () => {
    const { metadata, patch, update } = await bigAccount()
    await update({ included: { add: ['a'] } })
    const before = await metadata()
    await patch('big', [replace('/name', 'Bigger')])
    expect(await metadata()).toEqual(before)
  })

  it('has a higher generation than a deleted segment with its key', async () => {
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

  it('leaves none of its keys behind when it is deleted', async () => {
    const { api, as, create, membership, update } = await bigAccount()
    await update({ included: { add: ['a'] } })
    await api.deleteSegment(keysOf('big'), { as })
    await create('big', { unbounded: true })
    expect(await membership('a')).toEqual({ userKey: 'a', included: false, excluded: false })
  })
})
