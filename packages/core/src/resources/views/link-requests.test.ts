import { describe, expect, it } from 'vitest'
import { checkout, failureOf, flagsOf, segmentsOf, viewAccount } from './test/view-account.ts'

describe('a link request', () => {
  it.each<[string, 'flags' | 'segments', object, string, string]>([
    ['nothing', 'flags', {}, '', 'must have keys, segmentIdentifiers or a filter'],
    ['an unknown property', 'flags', { keys: [], color: 1 }, 'color', 'is not a known member'],
    ['names of both kinds', 'flags', { keys: [], segmentIdentifiers: [] }, 'segmentIdentifiers', 'must be left out'],
    [
      'keys together with an environment',
      'flags',
      { keys: [], environmentId: 'x' },
      'environmentId',
      'must be left out',
    ],
    ['segment identifiers for flags', 'flags', { segmentIdentifiers: [] }, 'segmentIdentifiers', 'is for segments'],
    ['keys for segments', 'segments', { keys: [] }, 'keys', 'is for flags'],
    ['no environment', 'segments', { filter: 'query equals a' }, 'environmentId', 'must be present'],
    [
      'an unknown environment',
      'segments',
      { filter: 'query equals a', environmentId: 'x' },
      'environmentId',
      'must be the id',
    ],
    ['an invalid key', 'flags', { keys: ['a/b'] }, 'keys.0', 'must be 1 to 256 letters'],
    ['an array of objects instead of keys', 'flags', { keys: [{}] }, 'keys.0', 'must be a string'],
    ['too many keys', 'flags', { keys: Array.from({ length: 1_001 }, (_, i) => `f${i}`) }, 'keys', 'at most 1000'],
    [
      'an incomplete identifier',
      'segments',
      { segmentIdentifiers: [{ segmentKey: 'a' }] },
      'segmentIdentifiers.0.environmentId',
      'must be present',
    ],
    ['an empty filter', 'flags', { filter: ' ' }, 'filter', 'must not be empty'],
    [
      'a filter in the syntax of the other kind',
      'flags',
      { filter: 'tags anyOf ["a"]' },
      'filter',
      'column 5: must be ":"',
    ],
    [
      'a filter in the syntax of the other kind',
      'segments',
      { filter: 'tags:a', environmentId: 'x' },
      'filter',
      'column 5: must be one of equals',
    ],
    [
      'a field that flags do not have',
      'flags',
      { filter: 'tags:a,targeting:b' },
      'filter',
      'column 8: must be one of query, key',
    ],
  ])('is rejected with %s (%s)', async (_, resourceType, body, attribute, reason) => {
    const { send } = await viewAccount()
    const path = `/api/v2/projects/web/views/checkout/link/${resourceType}`
    for (const method of ['POST', 'DELETE']) {
      const response = await send(method, path, { body })
      expect(response.status).toBe(400)
      expect(JSON.parse(response.body as string)).toMatchObject({
        code: 'invalid_request',
        message: 'validation failed',
        errors: expect.arrayContaining([{ attribute, reason: expect.stringContaining(reason) }]),
      })
    }
  })

  it('reports all validation errors together', async () => {
    const { api, as } = await viewAccount()
    const body = { keys: ['a'], filter: 'colour equals a', environmentId: undefined }
    const failure = await failureOf(api.linkResource({ ...segmentsOf(), body }, { as }))
    expect(failure.errors?.map(({ attribute }) => attribute)).toEqual(['keys', 'environmentId', 'filter'])
  })

  it.each(['aiConfigs', 'flag', 'FLAGS', '__proto__', 'constructor'])('returns 404 for the type %s', async (type) => {
    const { api, as, link, linked, viewsOf } = await viewAccount()
    const keys = { ...checkout, resourceType: type }
    expect(await failureOf(link({ keys: [] }, as, keys))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(linked({}, keys))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(viewsOf(type, 'a'))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(api.unlinkResource({ ...keys, body: { keys: [] } }, { as }))).toMatchObject({
      code: 'not_found',
    })
  })

  it('treats names of built-in properties as ordinary keys, and rejects invalid keys', async () => {
    const { link, newFlag } = await viewAccount()
    for (const key of ['constructor', 'toString']) await newFlag(key)
    expect(await link({ keys: ['constructor', 'toString', 'hasOwnProperty'] })).toMatchObject({
      successCount: 2,
      failureCount: 1,
    })
    for (const key of ['__proto__', 'a\u0000', 'a\ud800', 'k'.repeat(257)]) {
      expect(await failureOf(link({ keys: [key] }))).toMatchObject({ code: 'invalid_request' })
    }
  })

  it('returns 404 for an unknown view or project', async () => {
    const { link, as } = await viewAccount()
    for (const keys of [
      { ...flagsOf(), viewKey: 'none' },
      { ...flagsOf(), projectKey: 'none' },
    ]) {
      expect(await failureOf(link({ keys: ['a'] }, as, keys))).toMatchObject({ code: 'not_found' })
    }
  })
})

describe('unlinking', () => {
  it('removes links, and succeeds for resources without a link', async () => {
    const { api, as, link, unlink, keys, newFlag, pass, viewsOf } = await viewAccount()
    for (const key of ['a', 'b', 'c']) await newFlag(key, { tags: ['x'] })
    await link({ keys: ['a', 'b'] })
    pass(1)
    expect(await unlink({ keys: ['b', 'c', 'none'] })).toEqual({
      successCount: 2,
      failureCount: 1,
      failedResources: [
        { resourceKey: 'none', resourceType: 'flag', errorMessage: 'The project has no flag with this key' },
      ],
    })
    expect(await keys()).toEqual(['a'])
    expect(await viewsOf('flags', 'b')).toEqual([])
    const { items } = await api.listChangeLog({ limit: 1 }, { as })
    expect(items[0]?.delta.at(-1)).toMatchObject({ members: { set: 'flags', added: [], removed: ['b'] } })
    const version = (await api.getView(checkout, { as })).version
    await unlink({ keys: ['c'] })
    expect((await api.getView(checkout, { as })).version).toBe(version)
    await unlink({ filter: 'tags:x' })
    expect(await keys()).toEqual([])
  })
})

it('a filter by the status in an environment selects the flags to link, and the linked flags to list', async () => {
  const { api, as, link, keys, newFlag } = await viewAccount()
  for (const flagKey of ['a', 'b', 'c']) await newFlag(flagKey)
  const turnOn = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' as const }] }
  for (const flagKey of ['a', 'b']) await api.patchFlag({ projectKey: 'web', flagKey, body: turnOn }, { as })
  await link({ filter: 'status:active,filterEnv:production' })
  expect(await keys()).toEqual(['a', 'b'])
  expect(await keys({ filter: 'status:active,filterEnv:production,key:b' })).toEqual(['b'])
  expect(await keys({ filter: 'status:active,filterEnv:test' })).toEqual([])
  expect(await failureOf(link({ filter: 'status:active' }))).toMatchObject({
    code: 'invalid_request',
    errors: [{ attribute: 'filter', reason: 'must contain filterEnv when it contains status' }],
  })
})
