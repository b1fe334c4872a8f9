import { describe, expect, it } from 'vitest'
import { failureOf, validationErrorOf } from '../flags/test/flag-project.ts'
import { beta, flagLinkProject, path, replace } from './test/flag-link-project.ts'

describe('updateFlagLink', () => {
  it.each<[string, readonly object[], object]>([
    ['title', replace('/title', 'New'), { title: 'New' }],
    ['description', replace('/description', 'New'), { description: 'New' }],
    ['address', replace('/deepLink', 'http://example.org'), { _deepLink: 'http://example.org' }],
    [
      'time',
      replace('/timestamp', 1000),
      {
        _timestamp: { milliseconds: 1000, seconds: 1, rfc3339: '1970-01-01T00:00:01Z', simple: '1970-01-01 00:00:01' },
      },
    ],
    [
      'metadata',
      [
        { op: 'add', path: '/metadata/b', value: '2' },
        { op: 'remove', path: '/metadata/a' },
      ],
      { _metadata: { b: '2' } },
    ],
    ['metadata as a whole', replace('/metadata', { c: '3' }), { _metadata: { c: '3' } }],
    ['title, when it is removed', [{ op: 'remove', path: '/title' }], { title: '' }],
    ['nothing', [{ op: 'test', path: '/title', value: 'Old' }], {}],
  ])('changes the %s and nothing else', async (_, operations, changed) => {
    const { link, change, list, pass } = await flagLinkProject()
    const before = await link({ key: 'k', title: 'Old', integrationKey: 'tickets', metadata: { a: '1' } })
    pass(1000)
    const after = await change(before._id, operations)
    expect(after).toEqual({ ...before, ...changed })
    expect(await list()).toEqual([after])
  })

  it('returns 200 with the version as ETag', async () => {
    const { link, send } = await flagLinkProject()
    const { _id } = await link()
    const response = await send('PATCH', `${path}/${_id}`, { body: replace('/title', 'New'), headers: beta })
    expect([response.status, response.headers.etag]).toEqual([200, '"2"'])
  })

  it('accepts a comment with the patch, which the change log keeps with the flag', async () => {
    const { api, as, link, keys, pass } = await flagLinkProject()
    const { _id } = await link()
    pass(1)
    await api.updateFlagLink(
      { ...keys, id: _id, body: { comment: 'typo', patch: replace('/title', 'New') } as never },
      { as },
    )
    const { items } = await api.listChangeLog({}, { as })
    expect(items[0]).toMatchObject({
      kind: 'flag-link',
      comment: 'typo',
      accesses: [{ action: 'updateFlagLink', resource: 'proj/web:env/*:flag/checkout' }],
    })
  })

  it.each([
    '_id',
    '_key',
    'key',
    '_deepLink',
    '_timestamp',
    '_metadata',
    '_member',
    'integrationKey',
    'createdAt',
    'version',
    'memberId',
  ])('rejects a patch of /%s', async (property) => {
    const { link, change } = await flagLinkProject()
    const { _id } = await link()
    expect(await validationErrorOf(change(_id, replace(`/${property}`, 'x')))).toEqual({
      attribute: '0.path',
      reason: `/${property} cannot be changed`,
    })
  })

  it.each<[string, readonly object[], string]>([
    ['a URL with another scheme', replace('/deepLink', 'mailto:a@example.com'), 'deepLink'],
    ['no address', [{ op: 'remove', path: '/deepLink' }], 'deepLink'],
    ['no time', [{ op: 'remove', path: '/timestamp' }], 'timestamp'],
    ['a title that is not a string', replace('/title', null), 'title'],
    ['metadata of a link without an integration', [{ op: 'add', path: '/metadata', value: { a: 'b' } }], 'metadata'],
    ['a path that does not exist', replace('/metadata/a', 'b'), '0'],
  ])('rejects %s', async (_, operations, attribute) => {
    const { link, change } = await flagLinkProject()
    const { _id } = await link()
    expect(await validationErrorOf(change(_id, operations))).toMatchObject({ attribute })
  })

  it('rejects the removal of the metadata of an integration', async () => {
    const { link, change } = await flagLinkProject()
    const { _id } = await link({ integrationKey: 'tickets', metadata: {} })
    expect(await validationErrorOf(change(_id, [{ op: 'remove', path: '/metadata' }]))).toEqual({
      attribute: 'metadata',
      reason: 'must be present when the link has an integrationKey',
    })
  })

  it('returns 409 for a test operation that fails, another ETag, and a concurrent update', async () => {
    const { link, change, send, titles } = await flagLinkProject()
    const { _id } = await link({ title: 'Old' })
    const conflict = {
      code: 'optimistic_locking_error',
      message: 'Conflict. Optimistic lock error. Try again later.',
    }
    const failingTest = [{ op: 'test', path: '/title', value: 'New' }, ...replace('/title', 'Newer')]
    expect(await failureOf(change(_id, failingTest))).toMatchObject({ code: conflict.code })
    const headers = { ...beta, 'if-match': '"7"' }
    const stale = await send('PATCH', `${path}/${_id}`, { body: replace('/title', 'x'), headers })
    expect([stale.status, JSON.parse(stale.body as string)]).toEqual([409, conflict])
    const race = await Promise.all(
      ['a', 'b'].map((title) =>
        change(_id, replace('/title', title)).then(
          () => title,
          () => '409',
        ),
      ),
    )
    expect(race).toContain('409')
    expect(await titles()).toEqual(race.filter((title) => title !== '409'))
  })

  it('returns 404 for a link that does not exist or belongs to another flag', async () => {
    const { api, as, create, link, change } = await flagLinkProject()
    const { _id } = await link()
    expect((await failureOf(change('nothing', replace('/title', 'x')))).code).toBe('not_found')
    await create('search')
    const keys = { projectKey: 'web', flagKey: 'search', id: _id }
    expect((await failureOf(api.updateFlagLink({ ...keys, body: [] }, { as }))).code).toBe('not_found')
    expect((await failureOf(api.deleteFlagLink(keys, { as }))).code).toBe('not_found')
  })
})
