import { describe, expect, it } from 'vitest'
import { checkout, failureOf, segmentsOf, start, viewAccount } from './test/view-account.ts'

const { projectKey } = checkout

describe('linking flags', () => {
  it('returns the linked flags with every property', async () => {
    const { link, newFlag } = await viewAccount()
    await newFlag('price')
    await newFlag('cart')
    expect(await link({ keys: ['price', 'cart', 'price'] })).toEqual({
      successCount: 2,
      failureCount: 0,
      linkedResources: {
        items: ['cart', 'price'].map((key) => ({
          _links: {
            self: { href: `/api/v2/flags/web/${key}`, type: 'application/json' },
            parent: { href: '/api/v2/projects/web/views/checkout/linked/flags', type: 'application/json' },
          },
          resourceKey: key,
          resourceType: 'flag',
          linkedAt: String(start),
        })),
        totalCount: 2,
        _links: { self: { href: '/api/v2/projects/web/views/checkout/linked/flags', type: 'application/json' } },
      },
      failedResources: [],
    })
  })

  it('links named flags and those that a filter matches, each once', async () => {
    const { link, keys, newFlag } = await viewAccount()
    await newFlag('a', { tags: ['pay'] })
    await newFlag('b', { tags: ['pay'] })
    await newFlag('c')
    await newFlag('d')
    expect(await link({ keys: ['a', 'c'], filter: 'tags:pay' })).toMatchObject({ successCount: 3 })
    expect(await keys({ sort: 'name' })).toEqual(['a', 'b', 'c'])
    expect(await link({ filter: 'tags:pay,key:b' })).toMatchObject({ successCount: 1 })
    expect(await link({ keys: [] })).toMatchObject({ successCount: 0, linkedResources: { items: [], totalCount: 0 } })
  })

  it('evaluates a filter once and does not link later matches', async () => {
    const { link, keys, newFlag } = await viewAccount()
    await newFlag('a', { tags: ['pay'] })
    await link({ filter: 'tags:pay' })
    await newFlag('b', { tags: ['pay'] })
    expect(await keys()).toEqual(['a'])
  })

  it('succeeds partially with status 200, and reports unknown flags', async () => {
    const { newFlag, send } = await viewAccount()
    await newFlag('price')
    const path = '/api/v2/projects/web/views/checkout/link/flags'
    const response = await send('POST', path, { body: { keys: ['none', 'price', 'none', 'gone'] } })
    expect(response.status).toBe(200)
    expect(JSON.parse(response.body as string)).toMatchObject({
      successCount: 1,
      failureCount: 2,
      linkedResources: { items: [{ resourceKey: 'price' }], totalCount: 1 },
      failedResources: ['none', 'gone'].map((resourceKey) => ({
        resourceKey,
        resourceType: 'flag',
        errorMessage: 'The project has no flag with this key',
      })),
    })
  })

  it('counts existing links as successes, and leaves them unchanged', async () => {
    const { api, as, link, newFlag, pass, view } = await viewAccount()
    await newFlag('price')
    await link({ keys: ['price'] })
    const entries = async () => (await api.listChangeLog({ limit: 20 }, { as })).items.length
    const before = await entries()
    pass(1_000)
    const secondLink = await link({ keys: ['price'] })
    expect(secondLink).toMatchObject({ successCount: 1, linkedResources: { items: [{ linkedAt: String(start) }] } })
    expect(await entries()).toBe(before)
    expect((await api.getView(checkout, { as })).version).toBe(view.version)
  })

  it('records new links only in the change log, with the comment', async () => {
    const { api, as, link, newFlag, pass } = await viewAccount()
    for (const key of ['a', 'b', 'c']) await newFlag(key)
    await link({ keys: ['a'] })
    pass(1)
    await link({ keys: ['a', 'b', 'c'], comment: 'launch' })
    const { items } = await api.listChangeLog({ limit: 1 }, { as })
    expect(items[0]).toMatchObject({
      kind: 'view',
      name: 'Checkout',
      comment: 'launch',
      accesses: [{ action: 'linkFlagToView', resource: 'proj/web:view/checkout' }],
      delta: [{ resource: 'proj/web:view/checkout', members: { set: 'flags', added: ['b', 'c'], removed: [] } }],
    })
  })

  it('links 10,000 flags that one filter matches, and lists the first hundred', async () => {
    const { link, linked, storage, newFlag } = await viewAccount()
    await newFlag('model', { tags: ['many'] })
    const id = { collection: 'flag', scope: 'proj/web:env/*', key: 'model' }
    const model = (await storage.get(id))?.body as object
    const copies = Array.from({ length: 9_999 }, (_, i) => ({ ...id, key: `copy-${String(i).padStart(5, '0')}` }))
    const fields = { name: 'copy', tags: ['many'], state: 'live' }
    await storage.commit(
      copies.map((copy) => ({ do: 'insert', id: copy, body: { ...model, key: copy.key, version: 1 }, fields })),
    )
    const response = await link({ filter: 'tags:many' })
    expect(response).toMatchObject({ successCount: 10_000, failureCount: 0, linkedResources: { totalCount: 10_000 } })
    expect(response.linkedResources.items).toHaveLength(100)
    expect((await linked({ limit: 5 })).totalCount).toBe(10_000)
    expect((await linked({ filter: 'query:MODEL' })).items).toHaveLength(1)
  })

  it('rejects a filter that matches more than 20,000 flags', async () => {
    const { link, linksStored, storage } = await viewAccount()
    await storage.commit(
      Array.from({ length: 20_001 }, (_, i) => ({
        do: 'insert',
        id: { collection: 'flag', scope: 'proj/web:env/*', key: `f${i}` },
        body: { version: 1 },
        fields: { tags: ['many'] },
      })),
    )
    expect(await failureOf(link({ filter: 'tags:many' }))).toMatchObject({
      errors: [{ attribute: 'filter', reason: 'must match at most 20000 resources, not 20001' }],
    })
    expect(await linksStored()).toEqual([0, 0, 0, 0])
  })

  it('omits archived flags unless the filter includes them, but links named ones', async () => {
    const { api, as, link, keys, newFlag } = await viewAccount()
    for (const flagKey of ['old', 'older', 'oldest']) {
      await newFlag(flagKey, { tags: ['pay'] })
      const body = [{ op: 'replace', path: '/archived', value: true }] as never
      await api.patchFlag({ projectKey, flagKey, body }, { as })
    }
    expect(await link({ filter: 'tags:pay', keys: ['old'] })).toMatchObject({ successCount: 1 })
    expect(await link({ filter: 'archived:true,key:older' })).toMatchObject({ successCount: 1 })
    expect(await keys()).toEqual(['old', 'older'])
  })
})

describe('linking segments', () => {
  async function accountWithSegments() {
    const account = await viewAccount()
    await account.newSegment('beta', { tags: ['early'] })
    await account.newSegment('alpha', { tags: ['early'] })
    await account.newSegment('beta', { tags: ['early'] }, 'test')
    const link = (body: object) => account.link(body, account.as, segmentsOf())
    const unlink = (body: object) => account.unlink(body, account.as, segmentsOf())
    return { ...account, link, unlink }
  }

  it('accepts environment ids with keys, and a filter in one environment', async () => {
    const { link, production, test } = await accountWithSegments()
    const response = await link({
      segmentIdentifiers: [{ environmentId: test, segmentKey: 'beta' }],
      filter: 'tags anyOf ["early"]',
      environmentId: production,
    })
    const item = (environmentId: string, environmentKey: string, resourceKey: string) => ({
      _links: {
        self: { href: `/api/v2/segments/web/${environmentKey}/${resourceKey}`, type: 'application/json' },
        parent: { href: '/api/v2/projects/web/views/checkout/linked/segments', type: 'application/json' },
      },
      resourceKey,
      environmentId,
      environmentKey,
      resourceType: 'segment',
      linkedAt: String(start),
    })
    expect(response).toEqual({
      successCount: 3,
      failureCount: 0,
      linkedResources: {
        items: [
          item(test, 'test', 'beta'),
          item(production, 'production', 'alpha'),
          item(production, 'production', 'beta'),
        ],
        totalCount: 3,
        _links: { self: { href: '/api/v2/projects/web/views/checkout/linked/segments', type: 'application/json' } },
      },
      failedResources: [],
    })
  })

  it('reports each unknown segment, with the unknown part of its identifier', async () => {
    const { link, production, test, api, as } = await accountWithSegments()
    await api.createProject({ body: { key: 'app', name: 'App' } }, { as })
    const other = await api.getEnvironment({ projectKey: 'app', environmentKey: 'test' }, { as })
    const response = await link({
      segmentIdentifiers: [
        { environmentId: test, segmentKey: 'alpha' },
        { environmentId: 'nowhere', segmentKey: 'beta' },
        { environmentId: other._id, segmentKey: 'beta' },
        { environmentId: production, segmentKey: 'beta' },
      ],
    })
    expect(response).toMatchObject({ successCount: 1, failureCount: 3 })
    const failed = (environmentId: string, resourceKey: string, errorMessage: string) => ({
      resourceKey,
      environmentId,
      resourceType: 'segment',
      errorMessage,
    })
    expect(response.failedResources).toEqual([
      failed(test, 'alpha', 'The environment has no segment with this key'),
      failed('nowhere', 'beta', 'The project has no environment with this id'),
      failed(other._id, 'beta', 'The project has no environment with this id'),
    ])
  })

  it('is recorded in the change log with its own action', async () => {
    const { link, unlink, api, as, pass, production } = await accountWithSegments()
    const body = { segmentIdentifiers: [{ environmentId: production, segmentKey: 'beta' }] }
    pass(1)
    await link(body)
    const newest = async () => (await api.listChangeLog({ limit: 1 }, { as })).items[0]
    expect(await newest()).toMatchObject({
      accesses: [{ action: 'linkSegmentToView' }],
      delta: [{ members: { set: 'segments', added: ['production/beta'], removed: [] } }],
    })
    pass(1)
    await unlink(body)
    expect(await newest()).toMatchObject({ accesses: [{ action: 'unlinkSegmentFromView' }] })
  })

  it('lists the linked segments with their details, by name or by time', async () => {
    const { link, pass, production, test, linked } = await accountWithSegments()
    const linkSegment = (environmentId: string, segmentKey: string) =>
      link({ segmentIdentifiers: [{ environmentId, segmentKey }] })
    await linkSegment(test, 'beta')
    pass(1)
    await linkSegment(production, 'beta')
    pass(1)
    await linkSegment(production, 'alpha')
    const listNames = async (query: object) =>
      (await linked(query, segmentsOf())).items.map(
        ({ environmentKey, resourceKey }) => `${environmentKey} ${resourceKey}`,
      )
    expect(await listNames({})).toEqual(['test beta', 'production beta', 'production alpha'])
    expect(await listNames({ sort: '-linkedAt' })).toEqual(['production alpha', 'production beta', 'test beta'])
    expect(await listNames({ sort: 'name' })).toEqual(['production alpha', 'production beta', 'test beta'])
    expect(await listNames({ filter: 'keys anyOf [beta]', sort: '-linkedAt' })).toEqual([
      'production beta',
      'test beta',
    ])
    expect(await listNames({ query: 'ALP' })).toEqual(['production alpha'])
    const { items } = await linked({ expand: 'resourceDetails', limit: 1 }, segmentsOf())
    expect(items[0]?.resourceDetails).toEqual({
      segment: { key: 'beta', name: 'beta', tags: ['early'], creationDate: String(start) },
    })
    expect(await failureOf(linked({ filter: 'view equals checkout' }, segmentsOf()))).toMatchObject({
      errors: [{ attribute: 'filter', reason: expect.stringContaining('must not name views') }],
    })
  })
})
