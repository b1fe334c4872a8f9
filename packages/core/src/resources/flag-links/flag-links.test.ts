import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { allow, failureOf, faultOf, flagProject, start, turns } from '../flags/test/flag-project.ts'

const beta = { 'svc-api-version': 'beta' }
const path = '/api/v2/flag-links/projects/web/flags/checkout'

/** The project `web` with the flag `checkout`, and ways to its links. */
async function linking() {
  const project = await flagProject()
  await project.create('checkout', { tags: ['shop'] })
  const keys = { projectKey: 'web', featureFlagKey: 'checkout' }
  const { api, as } = project
  const list = async (query: object = {}) => (await api.listFlagLinks({ ...keys, ...query }, { as })).items
  return {
    ...project,
    keys,
    link: (body: object = {}, by: As = as) =>
      api.createFlagLink({ ...keys, body: { deepLink: 'https://example.com/1', ...body } }, { as: by }),
    change: (id: string, operations: readonly object[], by: As = as) =>
      api.updateFlagLink({ ...keys, id, body: operations as never }, { as: by }),
    remove: (id: string, by: As = as) => api.deleteFlagLink({ ...keys, id }, { as: by }),
    list,
    titles: async () => (await list()).map(({ title }) => title),
  }
}

const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }]

describe('createFlagLink', () => {
  it('answers 201 with every field of the link', async () => {
    const { send, memberId } = await linking()
    const body = {
      key: 'ticket',
      integrationKey: 'tickets',
      timestamp: 1_655_342_199_935,
      deepLink: 'https://example.com/tickets/1?a=b#c',
      title: 'Ticket 1',
      description: 'Why',
      metadata: { project: 'SHOP', empty: '' },
    }
    const answer = await send('POST', path, { body, headers: beta })
    expect(answer.status).toBe(201)
    const made = JSON.parse(answer.body as string)
    expect(made).toEqual({
      _links: {
        self: { href: `${path}/${made._id}`, type: 'application/json' },
        parent: { href: path, type: 'application/json' },
      },
      _id: expect.stringMatching(/^id-\d+$/),
      _key: 'ticket',
      _integrationKey: 'tickets',
      _deepLink: 'https://example.com/tickets/1?a=b#c',
      _timestamp: {
        milliseconds: 1_655_342_199_935,
        seconds: 1_655_342_199,
        rfc3339: '2022-06-16T01:16:39Z',
        simple: '2022-06-16 01:16:39',
      },
      title: 'Ticket 1',
      description: 'Why',
      _metadata: { project: 'SHOP', empty: '' },
      _createdAt: String(start),
      _member: {
        _links: { self: { href: `/api/v2/members/${memberId}`, type: 'application/json' } },
        _id: memberId,
        firstName: '',
        lastName: '',
      },
    })
    expect(answer.headers.etag).toBe('"1"')
  })

  it('wants nothing but an address', async () => {
    const { link } = await linking()
    const made = await link()
    expect(made).toMatchObject({ _key: made._id, title: '', description: '', _deepLink: 'https://example.com/1' })
    expect(made._timestamp).toMatchObject({ milliseconds: start, rfc3339: '2026-11-02T09:30:00Z' })
    expect(Object.keys(made)).not.toContain('_integrationKey')
    expect(Object.keys(made)).not.toContain('_metadata')
  })

  it.each([
    [0, '1970-01-01 00:00:00', 0],
    [999, '1970-01-01 00:00:00', 0],
    [1000, '1970-01-01 00:00:01', 1],
    [253_402_300_799_999, '9999-12-31 23:59:59', 253_402_300_799],
  ])('spells out the timestamp %s', async (timestamp, simple, seconds) => {
    const { link } = await linking()
    expect((await link({ timestamp }))._timestamp).toEqual({
      milliseconds: timestamp,
      seconds,
      simple,
      rfc3339: `${simple.replace(' ', 'T')}Z`,
    })
  })

  it('names its maker only while there is one', async () => {
    const { api, as, link, list, pass } = await linking()
    const policy = [allow(['*'], ['proj/*', 'proj/*:env/*:flag/*'])]
    const { items } = await api.createMembers({ body: [{ email: 'bob@example.com', firstName: 'Bob' }] }, { as })
    const memberId = items[0]?._id as string
    await link({ title: 'nobody' }, { policy })
    pass(1)
    await link({ title: 'Bob' }, { policy, memberId })
    const makers = async () => (await list()).map(({ _member }) => _member?.firstName)
    expect(await makers()).toEqual([undefined, 'Bob'])
    await api.deleteMember({ id: memberId }, { as })
    expect(await makers()).toEqual([undefined, undefined])
  })

  it('is 400 when the key is taken, also by one who came at the same time', async () => {
    const { link, list, remove } = await linking()
    const first = await link({ key: 'ticket' })
    const taken = { attribute: 'key', reason: 'must not be the key of another link' }
    expect(await faultOf(link({ key: 'ticket' }))).toEqual(taken)
    expect(
      await faultOf(link({ key: first._id, deepLink: 'https://example.com/2' }).then(() => link({ key: first._id }))),
    ).toEqual(taken)
    const both = await Promise.allSettled([link({ key: 'race' }), link({ key: 'race' })])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await remove(first._id)
    await link({ key: 'ticket' })
    expect((await list()).map(({ _key }) => _key).sort()).toEqual([first._id, 'race', 'ticket'].sort())
  })

  it('lets links of other flags have the key', async () => {
    const { api, as, create, link } = await linking()
    await create('search')
    await link({ key: 'ticket' })
    const body = { key: 'ticket', deepLink: 'https://example.com' }
    const made = await api.createFlagLink({ projectKey: 'web', featureFlagKey: 'search', body }, { as })
    expect(made._key).toBe('ticket')
  })

  it.each<[string, object, string]>([
    ['no address', { deepLink: undefined }, 'deepLink'],
    ['a path', { deepLink: '/tickets/1' }, 'deepLink'],
    ['another scheme', { deepLink: 'ftp://example.com' }, 'deepLink'],
    ['a script', { deepLink: 'javascript:alert(1)' }, 'deepLink'],
    ['no host', { deepLink: 'https://' }, 'deepLink'],
    ['a space', { deepLink: 'https://example.com/a b' }, 'deepLink'],
    ['a space before it', { deepLink: ' https://example.com' }, 'deepLink'],
    ['a line break', { deepLink: 'https://example.com/\na' }, 'deepLink'],
    ['a long address', { deepLink: `https://example.com/${'a'.repeat(2048)}` }, 'deepLink'],
    ['a key that is none', { key: 'a/b' }, 'key'],
    ['an empty key', { key: '' }, 'key'],
    ['a time that is none', { timestamp: 'now' }, 'timestamp'],
    ['half a millisecond', { timestamp: 1.5 }, 'timestamp'],
    ['a time before 1970', { timestamp: -1 }, 'timestamp'],
    ['a year of five digits', { timestamp: 253_402_300_800_000 }, 'timestamp'],
    ['a title that is no text', { title: 1 }, 'title'],
    ['a long description', { description: 'x'.repeat(10_001) }, 'description'],
    ['metadata without an integration', { metadata: { a: 'b' } }, 'metadata'],
    ['an integration without metadata', { integrationKey: 'tickets' }, 'metadata'],
    ['metadata that is no text', { integrationKey: 'tickets', metadata: { a: 1 } }, 'metadata.a'],
    ['metadata that is a list', { integrationKey: 'tickets', metadata: ['a'] }, 'metadata'],
    ['a stranger', { _id: 'x' }, '_id'],
    ['NUL', { title: 'a\0b' }, '/title'],
    ['half a character', { title: '\ud800' }, '/title'],
  ])('refuses %s', async (_, body, attribute) => {
    const { link, list } = await linking()
    expect(await faultOf(link(body))).toMatchObject({ attribute })
    expect(await list()).toEqual([])
  })

  it('refuses a prototype and too much metadata', async () => {
    const { link } = await linking()
    const integrationKey = 'tickets'
    const polluted = JSON.parse('{"__proto__":"x"}')
    expect((await failureOf(link({ integrationKey, metadata: polluted }))).code).toBe('invalid_request')
    const much = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, 'x']))
    expect(await faultOf(link({ integrationKey, metadata: much(101) }))).toMatchObject({ attribute: 'metadata' })
    expect((await link({ integrationKey, metadata: much(100) }))._metadata).toEqual(much(100))
  })

  it('tells all faults at once', async () => {
    const { link } = await linking()
    const { errors } = await failureOf(link({ key: '', deepLink: 1, title: 2 }))
    expect(errors?.map(({ attribute }) => attribute).sort()).toEqual(['deepLink', 'key', 'title'])
  })

  it('is 404 for an unknown flag or project', async () => {
    const { api, as } = await linking()
    for (const keys of [
      { projectKey: 'web', featureFlagKey: 'nothing' },
      { projectKey: 'nowhere', featureFlagKey: 'checkout' },
    ]) {
      const body = { deepLink: 'https://example.com' }
      expect((await failureOf(api.createFlagLink({ ...keys, body }, { as }))).code).toBe('not_found')
      expect((await failureOf(api.listFlagLinks(keys, { as }))).code).toBe('not_found')
    }
  })

  it('leaves nothing behind at a flag that goes at the same time', async () => {
    for (let lead = 0; lead < 12; lead++) {
      const { api, as, keys, link, create, list } = await linking()
      const making = link().catch(() => undefined)
      await turns(lead)
      await api.deleteFlag(keys, { as }).catch(() => undefined)
      await making
      await api.deleteFlag(keys, { as }).catch(() => undefined)
      await create('checkout')
      expect(await list()).toEqual([])
    }
  })
})

describe('listFlagLinks', () => {
  it('shows the links of one flag in the order in which they were made, page by page', async () => {
    const { api, as, keys, link, pass, titles } = await linking()
    for (const title of ['c', 'a', 'b']) {
      await link({ title })
      pass(1)
    }
    expect(await titles()).toEqual(['c', 'a', 'b'])
    const page = await api.listFlagLinks({ ...keys, limit: 1, offset: 1 }, { as })
    expect(page).toMatchObject({ totalCount: 3, items: [{ title: 'a' }] })
    expect(Object.keys(page._links).sort()).toEqual(['first', 'last', 'next', 'prev', 'self'])
  })

  it('shows what creation has answered', async () => {
    const { link, list } = await linking()
    const made = await link({ title: 'a' })
    expect(await list()).toEqual([made])
  })
})

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
    ['title, which goes', [{ op: 'remove', path: '/title' }], { title: '' }],
    ['nothing', [{ op: 'test', path: '/title', value: 'Old' }], {}],
  ])('changes the %s, and nothing else', async (_, operations, changed) => {
    const { link, change, list, pass } = await linking()
    const before = await link({ key: 'k', title: 'Old', integrationKey: 'tickets', metadata: { a: '1' } })
    pass(1000)
    const after = await change(before._id, operations)
    expect(after).toEqual({ ...before, ...changed })
    expect(await list()).toEqual([after])
  })

  it('answers 200 with the version as ETag', async () => {
    const { link, send } = await linking()
    const { _id } = await link()
    const answer = await send('PATCH', `${path}/${_id}`, { body: replace('/title', 'New'), headers: beta })
    expect([answer.status, answer.headers.etag]).toEqual([200, '"2"'])
  })

  it('takes a comment with the patch, which the log keeps at the flag', async () => {
    const { api, as, link, keys, pass } = await linking()
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
  ])('does not touch /%s', async (member) => {
    const { link, change } = await linking()
    const { _id } = await link()
    expect(await faultOf(change(_id, replace(`/${member}`, 'x')))).toEqual({
      attribute: '0.path',
      reason: `/${member} cannot be changed`,
    })
  })

  it.each<[string, readonly object[], string]>([
    ['an address that is none', replace('/deepLink', 'mailto:a@example.com'), 'deepLink'],
    ['no address', [{ op: 'remove', path: '/deepLink' }], 'deepLink'],
    ['no time', [{ op: 'remove', path: '/timestamp' }], 'timestamp'],
    ['a title that is no text', replace('/title', null), 'title'],
    ['metadata of a plain link', [{ op: 'add', path: '/metadata', value: { a: 'b' } }], 'metadata'],
    ['a place that is not there', replace('/metadata/a', 'b'), '0'],
  ])('refuses %s', async (_, operations, attribute) => {
    const { link, change } = await linking()
    const { _id } = await link()
    expect(await faultOf(change(_id, operations))).toMatchObject({ attribute })
  })

  it('keeps the metadata of an integration', async () => {
    const { link, change } = await linking()
    const { _id } = await link({ integrationKey: 'tickets', metadata: {} })
    expect(await faultOf(change(_id, [{ op: 'remove', path: '/metadata' }]))).toEqual({
      attribute: 'metadata',
      reason: 'must be present in a link of an integration',
    })
  })

  it('is 409 for a test that fails, another ETag, and a race that is lost', async () => {
    const { link, change, send, titles } = await linking()
    const { _id } = await link({ title: 'Old' })
    const conflict = {
      code: 'optimistic_locking_error',
      message: 'Conflict. Optimistic lock error. Try again later.',
    }
    const testing = [{ op: 'test', path: '/title', value: 'New' }, ...replace('/title', 'Newer')]
    expect(await failureOf(change(_id, testing))).toMatchObject({ code: conflict.code })
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
    expect(await titles()).toEqual(race.filter((one) => one !== '409'))
  })

  it('is 404 for a link that is not there, or is another flag’s', async () => {
    const { api, as, create, link, change } = await linking()
    const { _id } = await link()
    expect((await failureOf(change('nothing', replace('/title', 'x')))).code).toBe('not_found')
    await create('search')
    const keys = { projectKey: 'web', featureFlagKey: 'search', id: _id }
    expect((await failureOf(api.updateFlagLink({ ...keys, body: [] }, { as }))).code).toBe('not_found')
    expect((await failureOf(api.deleteFlagLink(keys, { as }))).code).toBe('not_found')
  })
})

describe('deleteFlagLink', () => {
  it('answers 204 and leaves the others', async () => {
    const { link, send, titles } = await linking()
    await link({ title: 'a' })
    const { _id } = await link({ title: 'b' })
    const answer = await send('DELETE', `${path}/${_id}`, { headers: beta })
    expect([answer.status, answer.body]).toEqual([204, undefined])
    expect(await titles()).toEqual(['a'])
  })

  it.each(['deleteFlag', 'an instruction'])('happens with the flag, by %s', async (way) => {
    const { api, as, keys, create, link, list } = await linking()
    await link({ key: 'ticket' })
    if (way === 'deleteFlag') await api.deleteFlag(keys, { as })
    else await api.patchFlag({ ...keys, body: { instructions: [{ kind: 'deleteFlag' }] } }, { as })
    await create('checkout')
    expect(await list()).toEqual([])
    await link({ key: 'ticket' })
  })
})

describe('rights', () => {
  const view = allow(['viewProject'], ['proj/*'])
  const may = (action: string, resource = 'proj/web:env/*:flag/checkout'): As => ({
    policy: [view, allow([action], [resource])],
  })

  it('ask the flag for each action', async () => {
    const { link, change, remove } = await linking()
    const { _id } = await link()
    const calls: Readonly<Record<string, (by: As) => Promise<unknown>>> = {
      createFlagLink: (by) => link({}, by),
      updateFlagLink: (by) => change(_id, replace('/title', 'x'), by),
      deleteFlagLink: (by) => remove(_id, by),
    }
    for (const [action, call] of Object.entries(calls)) {
      for (const other of Object.keys(calls).filter((one) => one !== action)) {
        expect((await failureOf(call(may(other)))).code).toBe('forbidden')
      }
      expect((await failureOf(call(may(action, 'proj/web:env/*:flag/other')))).code).toBe('forbidden')
      expect((await failureOf(call(may(action, 'proj/web:env/*:flag/*;other')))).code).toBe('forbidden')
      await call(may(action, 'proj/web:env/*:flag/*;shop'))
    }
  })

  it('ask for the right to see what is changed', async () => {
    const { link, change } = await linking()
    const { _id } = await link()
    const blind: As = { policy: [allow(['updateFlagLink'], ['proj/web:env/*:flag/*'])] }
    expect((await failureOf(change(_id, [], blind))).code).toBe('forbidden')
  })

  it('ask the project for the list', async () => {
    const { api, keys } = await linking()
    const as: As = { policy: [allow(['viewProject'], ['proj/other'])] }
    expect((await failureOf(api.listFlagLinks(keys, { as }))).code).toBe('forbidden')
  })
})
