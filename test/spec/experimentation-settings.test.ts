import { describe, expect, it } from 'vitest'
import { createShopAccount, start } from './account.ts'
import { expectError, type SpecOperation, sendTo, specTests } from './conformance.ts'
import { linksTo } from './shape.ts'

const put: SpecOperation = {
  id: 'putExperimentationSettings',
  method: 'PUT',
  path: '/api/v2/projects/{projectKey}/experimentation-settings',
  status: 200,
  errors: ['invalid_request', 'unauthorized', 'forbidden', 'not_found', 'method_not_allowed', 'rate_limited'],
  async setUp({ api, caller }) {
    await api.putContextKind(
      { projectKey: 'web', key: 'org', body: { name: 'Company', hideInTargeting: true } },
      caller,
    )
    const randomizationUnits = [
      { randomizationUnit: 'user', default: true, standardRandomizationUnit: 'user' },
      { randomizationUnit: 'org', default: false, standardRandomizationUnit: 'organization' },
    ]
    return { params: { projectKey: 'web' }, body: { randomizationUnits } }
  },
  response: {
    _projectId: 'string',
    _projectKey: 'string',
    randomizationUnits: [
      { randomizationUnit: 'string', default: 'boolean', _hidden: 'boolean', _displayName: 'string' },
    ],
    _creationDate: 'ms-string',
    _links: linksTo('self', 'parent'),
  },
  required: ['randomizationUnits', 'randomizationUnits.0.randomizationUnit'],
}

specTests(put)

const unit = (randomizationUnit: unknown, isDefault: unknown = false) => ({ randomizationUnit, default: isDefault })

describe('putExperimentationSettings', () => {
  it('returns the values that were set, with those of the context kinds', async () => {
    const account = await createShopAccount()
    const response = await sendTo(put, account, await put.setUp(account))
    const { _id } = await account.api.getProject({ projectKey: 'web' }, account.caller)
    const self = '/api/v2/projects/web/experimentation-settings'
    expect(response.body).toEqual({
      _projectId: _id,
      _projectKey: 'web',
      randomizationUnits: [
        { randomizationUnit: 'user', default: true, _hidden: false, _displayName: expect.stringMatching(/^user$/i) },
        { randomizationUnit: 'org', default: false, _hidden: true, _displayName: 'Company' },
      ],
      _creationDate: String(start),
      _links: {
        self: { href: self, type: 'application/json' },
        parent: { href: '/api/v2/projects/web', type: 'application/json' },
      },
    })
    const read = await account.send('GET', self)
    expect(read).toMatchObject({ status: 200, body: response.body as object })
  })

  it.each([
    ['randomizationUnits', []],
    ['randomizationUnits', 'user'],
    ['randomizationUnits', [unit('user')]],
    ['randomizationUnits', [unit('user', true), unit('org', true)]],
    ['randomizationUnits.1.randomizationUnit', [unit('user', true), unit('user')]],
    ['randomizationUnits.1.randomizationUnit', [unit('user', true), unit('device')]],
    ['randomizationUnits.0.randomizationUnit', [unit(7, true)]],
    ['randomizationUnits.0.default', [unit('user', 'yes')]],
    ['randomizationUnits.0.standardRandomizationUnit', [{ ...unit('user', true), standardRandomizationUnit: 7 }]],
    ['randomizationUnits.0._hidden', [{ ...unit('user', true), _hidden: true }]],
  ])('gets 400 at %s for %j', async (attribute, randomizationUnits) => {
    const account = await createShopAccount()
    const { params = {} } = await put.setUp(account)
    expect(await sendTo(put, account, { params, body: { randomizationUnits } })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', message: 'validation failed', errors: [{ attribute }] },
    })
  })

  it.each(['POST', 'PATCH', 'DELETE'])('the path gets method_not_allowed for %s', async (method) => {
    const account = await createShopAccount()
    const response = await account.send(method, '/api/v2/projects/web/experimentation-settings')
    expectError(response, 'method_not_allowed')
    expect(response.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(['GET', 'PUT']))
  })
})
