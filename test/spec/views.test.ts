import { describe, expect, it } from 'vitest'
import { type Account, createShopAccount, start } from './account.ts'
import { expectError, type SpecOperation, sendTo, specTests } from './conformance.ts'
import { linksTo, oneOf, type Shape } from './shape.ts'

const linkResponse = (type: 'flag' | 'segment', extraFields: Shape & object): Shape => ({
  successCount: 'integer',
  failureCount: 'integer',
  linkedResources: {
    items: [
      {
        _links: linksTo('self', 'parent'),
        resourceKey: 'string',
        resourceType: oneOf(type),
        linkedAt: 'ms-string',
        ...(extraFields as Record<string, Shape>),
      },
    ],
    totalCount: 'integer',
    _links: linksTo('self'),
  },
  failedResources: [
    {
      resourceKey: 'string',
      resourceType: oneOf(type),
      errorMessage: 'string',
      ...(type === 'segment' ? { environmentId: 'string' } : {}),
    },
  ],
})

const viewKeys = { projectKey: 'web', viewKey: 'buying' }

async function newView({ api, caller }: Account) {
  await api.createView({ projectKey: 'web', body: { key: 'buying', name: 'Buying' } }, caller)
  return (await api.getEnvironment({ projectKey: 'web', environmentKey: 'production' }, caller))._id
}

const flags: SpecOperation = {
  id: 'linkResource',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/views/{viewKey}/link/{resourceType}',
  beta: 'declared',
  status: 200,
  errors: ['invalid_request', 'unauthorized', 'forbidden', 'not_found'],
  async setUp(account) {
    await newView(account)
    return {
      params: { ...viewKeys, resourceType: 'flags' },
      body: { keys: ['checkout', 'gone'], filter: 'tags:shop', comment: 'launch' },
    }
  },
  response: linkResponse('flag', {}),
}

const segments: SpecOperation = {
  ...flags,
  async setUp(account) {
    const environmentId = await newView(account)
    const segmentIdentifiers = [
      { environmentId, segmentKey: 'beta' },
      { environmentId, segmentKey: 'gone' },
    ]
    return {
      params: { ...viewKeys, resourceType: 'segments' },
      body: { segmentIdentifiers, filter: 'tags anyOf ["shop"]', environmentId, comment: 'launch' },
    }
  },
  response: linkResponse('segment', { environmentId: 'string', environmentKey: 'string' }),
  required: ['segmentIdentifiers.0.environmentId', 'segmentIdentifiers.0.segmentKey'],
}

specTests(flags)
describe('linkResource with segments', () => specTests(segments))

/** Creates a view and further flags, and returns a function that links resources to the view. */
async function createBuyingView() {
  const account = await createShopAccount()
  const { api, caller } = account
  await newView(account)
  const [maintainer] = (await api.listMembers({}, caller)).items
  await api.createTeam({ body: { key: 'growth', name: 'Growth' } }, caller)
  const createFlag = (key: string, extraFields: object) =>
    api.createFlag({ projectKey: 'web', body: { key, name: key, ...extraFields } }, caller)
  await createFlag('mine', { maintainerId: maintainer?._id })
  await createFlag('ours', { maintainerTeamKey: 'growth', tags: ['mail'] })
  await api.patchFlag(
    { projectKey: 'web', flagKey: 'ours', body: [{ op: 'replace', path: '/archived', value: true }] },
    caller,
  )
  return {
    account,
    maintainerId: maintainer?._id as string,
    async link(body: object, resourceType = 'flags') {
      const response = await sendTo(flags, account, { params: { ...viewKeys, resourceType }, body })
      expect(response).toMatchObject({ status: 200 })
      const { linkedResources } = response.body as { linkedResources: { items: { resourceKey: string }[] } }
      return linkedResources.items.map(({ resourceKey }) => resourceKey).sort()
    },
  }
}

describe('linkResource', () => {
  it('returns the linked resources, and the failed ones with a message', async () => {
    const account = await createShopAccount()
    const { body } = await sendTo(flags, account, await flags.setUp(account))
    expect(body).toEqual({
      successCount: 1,
      failureCount: 1,
      linkedResources: {
        items: [
          {
            _links: {
              self: { href: expect.stringContaining('/checkout'), type: 'application/json' },
              parent: { href: '/api/v2/projects/web/views/buying/linked/flags', type: 'application/json' },
            },
            resourceKey: 'checkout',
            resourceType: 'flag',
            linkedAt: String(start),
          },
        ],
        totalCount: 1,
        _links: { self: { href: '/api/v2/projects/web/views/buying/linked/flags', type: 'application/json' } },
      },
      failedResources: [{ resourceKey: 'gone', resourceType: 'flag', errorMessage: expect.stringMatching(/./) }],
    })
  })

  it('filters flags by maintainerId, maintainerTeamKey, tags, state and query', async () => {
    const { link, maintainerId } = await createBuyingView()
    expect(await link({ filter: `maintainerId:${maintainerId}` })).toContain('mine')
    expect(await link({ filter: `maintainerId:${maintainerId}` })).not.toContain('ours')
    expect(await link({ filter: 'maintainerTeamKey:growth,state:archived' })).toEqual(['ours'])
    expect(await link({ filter: 'tags:shop' })).toEqual(['checkout'])
    expect(await link({ filter: 'state:archived' })).toEqual(['ours'])
    expect(await link({ filter: 'query:check' })).toEqual(['checkout'])
  })

  it('links resources that match the keys or the filter', async () => {
    const { link } = await createBuyingView()
    expect(await link({ keys: ['mine'], filter: 'tags:shop' })).toEqual(['checkout', 'mine'])
    expect(await link({ keys: ['checkout'], filter: 'tags:shop' })).toEqual(['checkout'])
    expect(await link({ keys: ['mine'] })).toEqual(['mine'])
  })

  it('filters segments by tags, query and unbounded', async () => {
    const { link, account } = await createBuyingView()
    const { api, caller } = account
    const { _id: environmentId } = await api.getEnvironment({ projectKey: 'web', environmentKey: 'production' }, caller)
    const body = { key: 'crowd', name: 'Crowd', unbounded: true, unboundedContextKind: 'user' }
    await api.createSegment({ projectKey: 'web', environmentKey: 'production', body }, caller)
    const linkSegments = (filter: string) => link({ filter, environmentId }, 'segments')
    expect(await linkSegments('tags anyOf ["shop"]')).toEqual(['beta'])
    expect(await linkSegments('query equals "cro"')).toEqual(['crowd'])
    expect(await linkSegments('unbounded equals true')).toEqual(['crowd'])
    expect(await linkSegments('unbounded equals false')).toEqual(['beta'])
  })

  it('accepts only the resource types flags and segments', async () => {
    const account = await createShopAccount()
    const { params, body } = await flags.setUp(account)
    for (const resourceType of ['flag', 'segment', 'aiConfigs', 'FLAGS']) {
      expectError(await sendTo(flags, account, { params: { ...params, resourceType }, body }), 'not_found')
    }
  })

  it.each([
    ['keys', { keys: 'checkout' }],
    ['keys.0', { keys: [7] }],
    ['filter', { filter: 7 }],
    ['filter', { filter: '' }],
    ['filter', { filter: 'colour:red' }],
    ['filter', { filter: 'state:asleep' }],
    ['comment', { keys: ['checkout'], comment: 7 }],
    ['everything', { keys: ['checkout'], everything: true }],
    ['', {}],
  ])('gets 400 at %j for %j', async (attribute, body) => {
    const account = await createShopAccount()
    const { params = {} } = await flags.setUp(account)
    expect(await sendTo(flags, account, { params, body })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', message: 'validation failed', errors: [{ attribute }] },
    })
  })
})
