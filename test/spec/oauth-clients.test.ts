import { describe, expect, it } from 'vitest'
import { type Account, createShopAccount, start } from './account.ts'
import { type SpecOperation, sendTo, specTests } from './conformance.ts'
import { linksTo, type Shape } from './shape.ts'

const client: Shape = {
  _links: linksTo('parent', 'self'),
  name: 'string',
  _accountId: 'string',
  _clientId: 'string',
  redirectUri: 'string',
  _creationDate: 'ms-string',
  description: 'string',
}

const path = '/api/v2/oauth/clients/{clientId}'
const settings = { name: 'Console', description: 'Ours', redirectUri: 'https://example.com/callback' }
const errors = ['invalid_request', 'unauthorized', 'forbidden', 'not_found'] as const

const newClient = ({ api, caller }: Account) => api.createOAuthClient({ body: settings }, caller)

const get: SpecOperation = {
  id: 'getOAuthClient',
  method: 'GET',
  path,
  status: 200,
  errors: errors.slice(1),
  setUp: async (account) => ({ params: { clientId: (await newClient(account))._clientId } }),
  response: client,
}

const patch: SpecOperation = {
  ...get,
  id: 'patchOAuthClient',
  method: 'PATCH',
  errors,
  setUp: async (account) => ({
    ...(await get.setUp(account)),
    body: [
      { op: 'replace', path: '/name', value: 'Terminal' },
      { op: 'replace', path: '/description', value: 'Theirs' },
      { op: 'replace', path: '/redirectUri', value: 'https://example.org/back' },
    ],
  }),
}

specTests(get)
specTests(patch)

describe('an OAuth 2.0 client', () => {
  it('returns the values that it was created with', async () => {
    const account = await createShopAccount()
    const input = await get.setUp(account)
    const { body } = await sendTo(get, account, input)
    const self = `/api/v2/oauth/clients/${input.params?.clientId}`
    expect(body).toEqual({
      ...settings,
      _accountId: 'default',
      _clientId: input.params?.clientId,
      _creationDate: String(start),
      _links: {
        self: { href: self, type: 'application/json' },
        parent: { href: '/api/v2/oauth/clients', type: 'application/json' },
      },
    })
  })

  it('returns its secret at creation only', async () => {
    const account = await createShopAccount()
    const created = await newClient(account)
    expect(created._clientSecret).toEqual(expect.any(String))
    const params = { clientId: created._clientId }
    const responses = [
      await sendTo(get, account, { params }),
      await sendTo(patch, account, { params, body: [{ op: 'replace', path: '/name', value: 'Terminal' }] }),
      await account.send('GET', '/api/v2/oauth/clients'),
    ]
    for (const { status, body } of responses) {
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toContain('_clientSecret')
      expect(JSON.stringify(body)).not.toContain(created._clientSecret as string)
    }
  })

  it('stores changes of name, description and redirectUri', async () => {
    const account = await createShopAccount()
    const input = await patch.setUp(account)
    const expected = { name: 'Terminal', description: 'Theirs', redirectUri: 'https://example.org/back' }
    expect((await sendTo(patch, account, input)).body).toMatchObject(expected)
    expect((await sendTo(get, account, input, { body: undefined as never })).body).toMatchObject(expected)
  })

  it.each(['_clientId', '_accountId', '_creationDate', '_clientSecret', '_links', 'secretHash', 'version'])(
    'gets 400 for a patch of %s and names it',
    async (property) => {
      const account = await createShopAccount()
      const { params = {} } = await get.setUp(account)
      const body = [{ op: 'replace', path: `/${property}`, value: 'other' }]
      expect(await sendTo(patch, account, { params, body })).toMatchObject({
        status: 400,
        body: {
          code: 'invalid_request',
          message: 'validation failed',
          errors: [{ attribute: '0.path', reason: `/${property} cannot be changed` }],
        },
      })
    },
  )

  it('gets 400 for a patch that is not an array of {op, path, value}', async () => {
    const account = await createShopAccount()
    const { params = {} } = await get.setUp(account)
    for (const body of [{ name: 'Terminal' }, [{ path: '/name', value: 'a' }], [{ op: 'replace', value: 'a' }], [7]]) {
      expect(await sendTo(patch, account, { params, body })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', message: 'validation failed' },
      })
    }
  })
})
