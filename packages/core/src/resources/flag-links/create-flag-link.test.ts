import { describe, expect, it } from 'vitest'
import { allow, awaitTurns, failureOf, start, validationErrorOf } from '../flags/test/flag-project.ts'
import { beta, flagLinkProject, path } from './test/flag-link-project.ts'

describe('createFlagLink', () => {
  it('returns 201 with every property of the link', async () => {
    const { send, memberId } = await flagLinkProject()
    const body = {
      key: 'ticket',
      integrationKey: 'tickets',
      timestamp: 1_655_342_199_935,
      deepLink: 'https://example.com/tickets/1?a=b#c',
      title: 'Ticket 1',
      description: 'Why',
      metadata: { project: 'SHOP', empty: '' },
    }
    const response = await send('POST', path, { body, headers: beta })
    expect(response.status).toBe(201)
    const created = JSON.parse(response.body as string)
    expect(created).toEqual({
      _links: {
        self: { href: `${path}/${created._id}`, type: 'application/json' },
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
    expect(response.headers.etag).toBe('"1"')
  })

  it('requires only an address', async () => {
    const { link } = await flagLinkProject()
    const created = await link()
    expect(created).toMatchObject({ _key: created._id, title: '', description: '', _deepLink: 'https://example.com/1' })
    expect(created._timestamp).toMatchObject({ milliseconds: start, rfc3339: '2026-11-02T09:30:00Z' })
    expect(Object.keys(created)).not.toContain('_integrationKey')
    expect(Object.keys(created)).not.toContain('_metadata')
  })

  it.each([
    [0, '1970-01-01 00:00:00', 0],
    [999, '1970-01-01 00:00:00', 0],
    [1000, '1970-01-01 00:00:01', 1],
    [253_402_300_799_999, '9999-12-31 23:59:59', 253_402_300_799],
  ])('returns the timestamp %s in all its formats', async (timestamp, simple, seconds) => {
    const { link } = await flagLinkProject()
    expect((await link({ timestamp }))._timestamp).toEqual({
      milliseconds: timestamp,
      seconds,
      simple,
      rfc3339: `${simple.replace(' ', 'T')}Z`,
    })
  })

  it('names the member who created a link while that member exists', async () => {
    const { api, as, link, list, pass } = await flagLinkProject()
    const policy = [allow(['*'], ['proj/*', 'proj/*:env/*:flag/*'])]
    const { items } = await api.createMembers({ body: [{ email: 'bob@example.com', firstName: 'Bob' }] }, { as })
    const memberId = items[0]?._id as string
    await link({ title: 'nobody' }, { policy })
    pass(1)
    await link({ title: 'Bob' }, { policy, memberId })
    const creators = async () => (await list()).map(({ _member }) => _member?.firstName)
    expect(await creators()).toEqual([undefined, 'Bob'])
    await api.deleteMember({ id: memberId }, { as })
    expect(await creators()).toEqual([undefined, undefined])
  })

  it('returns 400 when the key is taken, also by a concurrent request', async () => {
    const { link, list, remove } = await flagLinkProject()
    const first = await link({ key: 'ticket' })
    const taken = { attribute: 'key', reason: 'must not be the key of another link of the flag' }
    expect(await validationErrorOf(link({ key: 'ticket' }))).toEqual(taken)
    expect(
      await validationErrorOf(
        link({ key: first._id, deepLink: 'https://example.com/2' }).then(() => link({ key: first._id })),
      ),
    ).toEqual(taken)
    const both = await Promise.allSettled([link({ key: 'race' }), link({ key: 'race' })])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await remove(first._id)
    await link({ key: 'ticket' })
    expect((await list()).map(({ _key }) => _key).sort()).toEqual([first._id, 'race', 'ticket'].sort())
  })

  it('accepts a key that a link of another flag has', async () => {
    const { api, as, create, link } = await flagLinkProject()
    await create('search')
    await link({ key: 'ticket' })
    const body = { key: 'ticket', deepLink: 'https://example.com' }
    const created = await api.createFlagLink({ projectKey: 'web', flagKey: 'search', body }, { as })
    expect(created._key).toBe('ticket')
  })

  it.each<[string, object, string]>([
    ['no address', { deepLink: undefined }, 'deepLink'],
    ['a path', { deepLink: '/tickets/1' }, 'deepLink'],
    ['another scheme', { deepLink: 'ftp://example.com' }, 'deepLink'],
    ['a javascript: URL', { deepLink: 'javascript:alert(1)' }, 'deepLink'],
    ['no host', { deepLink: 'https://' }, 'deepLink'],
    ['a space', { deepLink: 'https://example.com/a b' }, 'deepLink'],
    ['a leading space', { deepLink: ' https://example.com' }, 'deepLink'],
    ['a line break', { deepLink: 'https://example.com/\na' }, 'deepLink'],
    ['a long address', { deepLink: `https://example.com/${'a'.repeat(2048)}` }, 'deepLink'],
    ['an invalid key', { key: 'a/b' }, 'key'],
    ['an empty key', { key: '' }, 'key'],
    ['an invalid time', { timestamp: 'now' }, 'timestamp'],
    ['a fraction of a millisecond', { timestamp: 1.5 }, 'timestamp'],
    ['a time before 1970', { timestamp: -1 }, 'timestamp'],
    ['a year with five digits', { timestamp: 253_402_300_800_000 }, 'timestamp'],
    ['a title that is not a string', { title: 1 }, 'title'],
    ['a long description', { description: 'x'.repeat(10_001) }, 'description'],
    ['metadata without an integration key', { metadata: { a: 'b' } }, 'metadata'],
    ['an integration key without metadata', { integrationKey: 'tickets' }, 'metadata'],
    ['metadata whose value is not a string', { integrationKey: 'tickets', metadata: { a: 1 } }, 'metadata.a'],
    ['metadata that is an array', { integrationKey: 'tickets', metadata: ['a'] }, 'metadata'],
    ['an integration that is not registered', { integrationKey: 'none', metadata: {} }, 'integrationKey'],
    ['an integration without links', { integrationKey: 'chat', metadata: {} }, 'integrationKey'],
    ['an unknown property', { _id: 'x' }, '_id'],
    ['NUL', { title: 'a\0b' }, '/title'],
    ['an unpaired surrogate', { title: '\ud800' }, '/title'],
  ])('rejects %s', async (_, body, attribute) => {
    const { link, list } = await flagLinkProject()
    expect(await validationErrorOf(link(body))).toMatchObject({ attribute })
    expect(await list()).toEqual([])
  })

  it('rejects a prototype name and more than 100 metadata entries', async () => {
    const { link } = await flagLinkProject()
    const integrationKey = 'tickets'
    const polluted = JSON.parse('{"__proto__":"x"}')
    expect((await failureOf(link({ integrationKey, metadata: polluted }))).code).toBe('invalid_request')
    const metadataOf = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 'x']))
    expect(await validationErrorOf(link({ integrationKey, metadata: metadataOf(101) }))).toMatchObject({
      attribute: 'metadata',
    })
    expect((await link({ integrationKey, metadata: metadataOf(100) }))._metadata).toEqual(metadataOf(100))
  })

  it('reports all validation errors together', async () => {
    const { link } = await flagLinkProject()
    const { errors } = await failureOf(link({ key: '', deepLink: 1, title: 2 }))
    expect(errors?.map(({ attribute }) => attribute).sort()).toEqual(['deepLink', 'key', 'title'])
  })

  it('returns 404 for an unknown flag or project', async () => {
    const { api, as } = await flagLinkProject()
    for (const keys of [
      { projectKey: 'web', flagKey: 'nothing' },
      { projectKey: 'nowhere', flagKey: 'checkout' },
    ]) {
      const body = { deepLink: 'https://example.com' }
      expect((await failureOf(api.createFlagLink({ ...keys, body }, { as }))).code).toBe('not_found')
      expect((await failureOf(api.listFlagLinks(keys, { as }))).code).toBe('not_found')
    }
  })

  it('stores no link for a flag that is deleted concurrently', async () => {
    for (let turnCount = 0; turnCount < 12; turnCount++) {
      const { api, as, keys, link, create, list } = await flagLinkProject()
      const creation = link().catch(() => undefined)
      await awaitTurns(turnCount)
      await api.deleteFlag(keys, { as }).catch(() => undefined)
      await creation
      await api.deleteFlag(keys, { as }).catch(() => undefined)
      await create('checkout')
      expect(await list()).toEqual([])
    }
  })
})
