import type { ErrorBody } from '@halyard/core'
import { describe, expect, it } from 'vitest'
import { type Account, createShopAccount, start } from './account.ts'
import { expectError, type SpecOperation, sendTo, specTests } from './conformance.ts'
import { linksTo, type Shape } from './shape.ts'

const flagLink: Shape = {
  _links: linksTo('self', 'parent'),
  _id: 'string',
  _deepLink: 'url',
  _timestamp: { milliseconds: 'integer', seconds: 'integer', rfc3339: 'string', simple: 'string' },
  _createdAt: 'ms-string',
  _key: 'string',
  _integrationKey: 'string',
  title: 'string',
  description: 'string',
  _metadata: 'object',
  _member: { _links: linksTo('self'), _id: 'string', firstName: 'string', lastName: 'string' },
}

const linksPath = '/api/v2/flag-links/projects/{projectKey}/flags/{flagKey}'
const keys = { projectKey: 'web', flagKey: 'checkout' }
const settings = {
  key: 'ticket-1',
  integrationKey: 'tickets',
  timestamp: 1_655_342_199_935,
  deepLink: 'https://example.com/tickets/1',
  title: 'Ticket 1',
  description: 'Why there is this flag',
  metadata: { project: 'SHOP' },
}

const create: SpecOperation = {
  id: 'createFlagLink',
  method: 'POST',
  path: linksPath,
  beta: 'tagged',
  status: 201,
  errors: ['invalid_request', 'unauthorized', 'forbidden', 'not_found', 'rate_limited'],
  setUp: async () => ({ params: keys, body: settings }),
  response: flagLink,
  required: ['deepLink'],
}

const patch: SpecOperation = {
  id: 'updateFlagLink',
  method: 'PATCH',
  path: `${linksPath}/{id}`,
  beta: 'tagged',
  status: 200,
  errors: ['invalid_request', 'unauthorized', 'forbidden', 'not_found', 'optimistic_locking_error', 'rate_limited'],
  async setUp({ api, caller }) {
    const { _id } = await api.createFlagLink({ ...keys, body: settings }, caller)
    return { params: { ...keys, id: _id }, body: [replaceOperation('/title', 'Ticket 2')] }
  },
  response: flagLink,
}

const replaceOperation = (path: string, value: unknown) => ({ op: 'replace', path, value })

specTests(create)
specTests(patch)

const createLink = async (body: object) => {
  const account = await createShopAccount()
  return (await sendTo(create, account, { params: keys, body })).body as Record<string, unknown>
}

const validationFailure = (attribute: string) => ({
  status: 400,
  body: { code: 'invalid_request', message: 'validation failed', errors: [{ attribute }] },
})

describe('createFlagLink', () => {
  it('returns the values that the link was created with', async () => {
    const account = await createShopAccount()
    const { body } = await sendTo(create, account, { params: keys, body: settings })
    const { _id } = body as { _id: string }
    const parent = '/api/v2/flag-links/projects/web/flags/checkout'
    const { items } = await account.api.listMembers({}, account.caller)
    expect(body).toEqual({
      _links: {
        self: { href: `${parent}/${_id}`, type: 'application/json' },
        parent: { href: parent, type: 'application/json' },
      },
      _id,
      _key: 'ticket-1',
      _integrationKey: 'tickets',
      _deepLink: settings.deepLink,
      _timestamp: {
        milliseconds: 1_655_342_199_935,
        seconds: 1_655_342_199,
        rfc3339: '2022-06-16T01:16:39Z',
        simple: '2022-06-16 01:16:39',
      },
      _createdAt: String(start),
      title: 'Ticket 1',
      description: 'Why there is this flag',
      _metadata: { project: 'SHOP' },
      _member: expect.objectContaining({ _id: items[0]?._id, firstName: items[0]?.firstName }),
    })
  })

  it('sets the timestamp to the creation time by default', async () => {
    const link = await createLink({ deepLink: 'https://example.com' })
    expect(link._timestamp).toMatchObject({ milliseconds: start, seconds: start / 1000 })
    expect(link._createdAt).toBe(String(start))
  })

  it('returns neither integration nor metadata for a plain URL, and the id as key', async () => {
    const link = await createLink({ deepLink: 'https://example.com' })
    expect(Object.keys(link)).not.toContain('_integrationKey')
    expect(Object.keys(link)).not.toContain('_metadata')
    expect(link._key).toBe(link._id)
  })

  it.each([
    ['deepLink', { deepLink: 'ftp://example.com' }],
    ['deepLink', { deepLink: '/tickets/1' }],
    ['deepLink', { deepLink: 7 }],
    ['timestamp', { timestamp: 'now' }],
    ['timestamp', { timestamp: 1.5 }],
    ['title', { title: 7 }],
    ['description', { description: [] }],
    ['key', { key: 'a b' }],
    ['integrationKey', { integrationKey: 7 }],
    ['metadata', { metadata: [] }],
    ['metadata', { metadata: undefined }],
    ['metadata', { integrationKey: undefined }],
    ['_id', { _id: 'mine' }],
  ])('gets 400 for the invalid %s in %j', async (attribute, change) => {
    const account = await createShopAccount()
    const body = { ...settings, ...change }
    expect(await sendTo(create, account, { params: keys, body })).toMatchObject(validationFailure(attribute))
  })

  it('gets 400 for a key that another link of the flag has', async () => {
    const account = await createShopAccount()
    await sendTo(create, account, { params: keys, body: settings })
    expect(await sendTo(create, account, { params: keys, body: settings })).toMatchObject(validationFailure('key'))
  })
})

describe('updateFlagLink', () => {
  it('changes the patched fields and keeps the others', async () => {
    const account = await createShopAccount()
    const { params = {} } = await patch.setUp(account)
    const body = [
      replaceOperation('/title', 'Ticket 2'),
      replaceOperation('/description', 'Another'),
      replaceOperation('/deepLink', 'http://example.org/2'),
      replaceOperation('/timestamp', 1_700_000_000_000),
      { op: 'add', path: '/metadata/board', value: 'B' },
    ]
    expect(await sendTo(patch, account, { params, body })).toMatchObject({
      status: 200,
      body: {
        _id: params.id,
        _key: 'ticket-1',
        title: 'Ticket 2',
        description: 'Another',
        _deepLink: 'http://example.org/2',
        _timestamp: { milliseconds: 1_700_000_000_000, rfc3339: '2023-11-14T22:13:20Z' },
        _metadata: { project: 'SHOP', board: 'B' },
        _createdAt: String(start),
      },
    })
  })

  it.each(['/_id', '/key', '/_key', '/integrationKey', '/_createdAt', '/createdAt', '/_member', '/memberId', ''])(
    'gets 400 for the path %j and names it',
    async (path) => {
      const account = await createShopAccount()
      const { params = {} } = await patch.setUp(account)
      const response = await sendTo(patch, account, { params, body: [replaceOperation(path, 'other')] })
      expect(response).toMatchObject(validationFailure('0.path'))
      expect(JSON.stringify(response.body)).toContain(path)
    },
  )

  it('gets optimistic_locking_error when another patch is committed first', async () => {
    const account = await createShopAccount()
    const { params = {} } = await patch.setUp(account)
    const patchTitle = (title: string) => sendTo(patch, account, { params, body: [replaceOperation('/title', title)] })
    const [before] = (await account.api.listFlagLinks(keys, account.caller)).items
    await beforeNextCommit(account, () => patchTitle('First'))
    const response = await patchTitle('Second')
    const { conflicts, ...body } = response.body as ErrorBody
    expectError({ ...response, body }, 'optimistic_locking_error')
    expect(conflicts).toEqual([{ path: '/title', base: before?.title, yours: 'Second', theirs: 'First' }])
    const { items } = await account.api.listFlagLinks(keys, account.caller)
    expect(items.map(({ title }) => title)).toEqual(['First'])
  })

  it('gets optimistic_locking_error for a failed test and for If-Match with another version', async () => {
    const account = await createShopAccount()
    const { params = {} } = await patch.setUp(account)
    const body = [{ op: 'test', path: '/title', value: 'Other' }, replaceOperation('/title', 'Ticket 2')]
    expectError(await sendTo(patch, account, { params, body }), 'optimistic_locking_error')
    const headers = { 'if-match': '"7"' }
    const patchInput = { params, body: [replaceOperation('/title', 'Ticket 2')] }
    expectError(await sendTo(patch, account, patchInput, { headers }), 'optimistic_locking_error')
  })
})

/** Runs a change just before the next commit. */
async function beforeNextCommit({ hooks }: Account, change: () => Promise<unknown>): Promise<void> {
  hooks.before = async (verb) => {
    if (verb !== 'commit') return
    hooks.before = () => undefined
    await change()
  }
}
