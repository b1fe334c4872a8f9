import { describe, expect, it } from 'vitest'
import { checkout, failureOf, flagsOf, segmentsOf, start, viewAccount } from './test/view-account.ts'

const { projectKey } = checkout

describe('linking flags', () => {
  it('answers with what is linked, and with every field', async () => {
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

  it('links what is named, and what a filter matches, each once', async () => {
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

  it('matches a filter once: what comes later is not linked', async () => {
    const { link, keys, newFlag } = await viewAccount()
    await newFlag('a', { tags: ['pay'] })
    await link({ filter: 'tags:pay' })
    await newFlag('b', { tags: ['pay'] })
    expect(await keys()).toEqual(['a'])
  })

  it('succeeds in part: what is not there is told, with status 200', async () => {
    const { newFlag, send } = await viewAccount()
    await newFlag('price')
    const path = '/api/v2/projects/web/views/checkout/link/flags'
    const answer = await send('POST', path, { body: { keys: ['none', 'price', 'none', 'gone'] } })
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body as string)).toMatchObject({
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

  it('counts what is linked already as success, and leaves it as it is', async () => {
    const { api, as, link, newFlag, pass, view } = await viewAccount()
    await newFlag('price')
    await link({ keys: ['price'] })
    const entries = async () => (await api.listChangeLog({ limit: 20 }, { as })).items.length
    const before = await entries()
    pass(1_000)
    const again = await link({ keys: ['price'] })
    expect(again).toMatchObject({ successCount: 1, linkedResources: { items: [{ linkedAt: String(start) }] } })
    expect(await entries()).toBe(before)
    expect((await api.getView(checkout, { as })).version).toBe(view.version)
  })

  it('tells the change log what came, with its comment, and nothing that was there', async () => {
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

  it('links 10,000 flags that one filter matches, and says so with the first hundred', async () => {
    const { link, linked, storage, newFlag } = await viewAccount()
    await newFlag('model', { tags: ['many'] })
    const id = { collection: 'flag', scope: 'proj/web:env/*', key: 'model' }
    const model = (await storage.get(id))?.body as object
    const copies = Array.from({ length: 9_999 }, (_, i) => ({ ...id, key: `copy-${String(i).padStart(5, '0')}` }))
    const fields = { name: 'copy', tags: ['many'], state: 'live' }
    await storage.commit(
      copies.map((copy) => ({ do: 'insert', id: copy, body: { ...model, key: copy.key, version: 1 }, fields })),
    )
    const answer = await link({ filter: 'tags:many' })
    expect(answer).toMatchObject({ successCount: 10_000, failureCount: 0, linkedResources: { totalCount: 10_000 } })
    expect(answer.linkedResources.items).toHaveLength(100)
    expect((await linked({ limit: 5 })).totalCount).toBe(10_000)
    expect((await linked({ filter: 'query:MODEL' })).items).toHaveLength(1)
  })

  it('refuses a filter that matches more than 20,000', async () => {
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
      errors: [{ attribute: 'filter', reason: 'must match at most 20000, not 20001' }],
    })
    expect(await linksStored()).toEqual([0, 0, 0, 0])
  })

  it('leaves archived flags out unless the filter speaks of them; named ones are linked', async () => {
    const { api, as, link, keys, newFlag } = await viewAccount()
    for (const featureFlagKey of ['old', 'older', 'oldest']) {
      await newFlag(featureFlagKey, { tags: ['pay'] })
      const body = [{ op: 'replace', path: '/archived', value: true }] as never
      await api.patchFlag({ projectKey, featureFlagKey, body }, { as })
    }
    expect(await link({ filter: 'tags:pay', keys: ['old'] })).toMatchObject({ successCount: 1 })
    expect(await link({ filter: 'archived:true,key:older' })).toMatchObject({ successCount: 1 })
    expect(await keys()).toEqual(['old', 'older'])
  })
})

describe('linking segments', () => {
  async function shelf() {
    const account = await viewAccount()
    await account.newSegment('beta', { tags: ['early'] })
    await account.newSegment('alpha', { tags: ['early'] })
    await account.newSegment('beta', { tags: ['early'] }, 'test')
    const link = (body: object) => account.link(body, account.as, segmentsOf())
    const unlink = (body: object) => account.unlink(body, account.as, segmentsOf())
    return { ...account, link, unlink }
  }

  it('names them by environment id and key, and finds more by a filter in one environment', async () => {
    const { link, production, test } = await shelf()
    const answer = await link({
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
    expect(answer).toEqual({
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

  it('tells of each that is not there, and which part of its name is wrong', async () => {
    const { link, production, test, api, as } = await shelf()
    await api.createProject({ body: { key: 'app', name: 'App' } }, { as })
    const other = await api.getEnvironment({ projectKey: 'app', environmentKey: 'test' }, { as })
    const answer = await link({
      segmentIdentifiers: [
        { environmentId: test, segmentKey: 'alpha' },
        { environmentId: 'nowhere', segmentKey: 'beta' },
        { environmentId: other._id, segmentKey: 'beta' },
        { environmentId: production, segmentKey: 'beta' },
      ],
    })
    expect(answer).toMatchObject({ successCount: 1, failureCount: 3 })
    const failed = (environmentId: string, resourceKey: string, errorMessage: string) => ({
      resourceKey,
      environmentId,
      resourceType: 'segment',
      errorMessage,
    })
    expect(answer.failedResources).toEqual([
      failed(test, 'alpha', 'The environment has no segment with this key'),
      failed('nowhere', 'beta', 'The project has no environment with this id'),
      failed(other._id, 'beta', 'The project has no environment with this id'),
    ])
  })

  it('tells the change log of segments, under their own action', async () => {
    const { link, unlink, api, as, pass, production } = await shelf()
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

  it('lists them with what they are, by name or by time', async () => {
    const { link, pass, production, test, linked } = await shelf()
    const one = (environmentId: string, segmentKey: string) =>
      link({ segmentIdentifiers: [{ environmentId, segmentKey }] })
    await one(test, 'beta')
    pass(1)
    await one(production, 'beta')
    pass(1)
    await one(production, 'alpha')
    const places = async (query: object) =>
      (await linked(query, segmentsOf())).items.map(
        ({ environmentKey, resourceKey }) => `${environmentKey} ${resourceKey}`,
      )
    expect(await places({})).toEqual(['test beta', 'production beta', 'production alpha'])
    expect(await places({ sort: '-linkedAt' })).toEqual(['production alpha', 'production beta', 'test beta'])
    expect(await places({ sort: 'name' })).toEqual(['production alpha', 'production beta', 'test beta'])
    expect(await places({ filter: 'keys anyOf [beta]', sort: '-linkedAt' })).toEqual(['production beta', 'test beta'])
    expect(await places({ query: 'ALP' })).toEqual(['production alpha'])
    const { items } = await linked({ expand: 'resourceDetails', limit: 1 }, segmentsOf())
    expect(items[0]?.resourceDetails).toEqual({
      segment: { key: 'beta', name: 'beta', tags: ['early'], creationDate: String(start) },
    })
    expect(await failureOf(linked({ filter: 'view equals checkout' }, segmentsOf()))).toMatchObject({
      errors: [{ attribute: 'filter', reason: expect.stringContaining('must not name views') }],
    })
  })
})

describe('a link request', () => {
  it.each<[string, 'flags' | 'segments', object, string, string]>([
    ['nothing', 'flags', {}, '', 'must have keys, segmentIdentifiers or a filter'],
    ['a member that it has not', 'flags', { keys: [], color: 1 }, 'color', 'is not a known member'],
    ['both kinds of names', 'flags', { keys: [], segmentIdentifiers: [] }, 'segmentIdentifiers', 'must be left out'],
    ['keys in an environment', 'flags', { keys: [], environmentId: 'x' }, 'environmentId', 'must be left out'],
    ['segments among flags', 'flags', { segmentIdentifiers: [] }, 'segmentIdentifiers', 'is for segments'],
    ['keys among segments', 'segments', { keys: [] }, 'keys', 'is for flags'],
    ['no environment', 'segments', { filter: 'query equals a' }, 'environmentId', 'must be present'],
    [
      'an unknown environment',
      'segments',
      { filter: 'query equals a', environmentId: 'x' },
      'environmentId',
      'must be the id',
    ],
    ['a key that can be none', 'flags', { keys: ['a/b'] }, 'keys.0', 'must be 1 to 256 letters'],
    ['a list of other things', 'flags', { keys: [{}] }, 'keys.0', 'must be a string'],
    ['too many names', 'flags', { keys: Array.from({ length: 1_001 }, (_, i) => `f${i}`) }, 'keys', 'at most 1000'],
    [
      'half a name',
      'segments',
      { segmentIdentifiers: [{ segmentKey: 'a' }] },
      'segmentIdentifiers.0.environmentId',
      'must be present',
    ],
    ['an empty filter', 'flags', { filter: ' ' }, 'filter', 'must not be empty'],
    ['a filter of the other kind', 'flags', { filter: 'tags anyOf ["a"]' }, 'filter', 'column 5: must be ":"'],
    [
      'a filter of the other kind',
      'segments',
      { filter: 'tags:a', environmentId: 'x' },
      'filter',
      'column 5: must be one of equals',
    ],
    [
      'a field that flags have not',
      'flags',
      { filter: 'tags:a,followerId:b' },
      'filter',
      'column 8: must be one of query, key',
    ],
  ])('is refused with %s (%s)', async (_, resourceType, body, attribute, reason) => {
    const { send } = await viewAccount()
    const path = `/api/v2/projects/web/views/checkout/link/${resourceType}`
    for (const method of ['POST', 'DELETE']) {
      const answer = await send(method, path, { body })
      expect(answer.status).toBe(400)
      expect(JSON.parse(answer.body as string)).toMatchObject({
        code: 'invalid_request',
        message: 'validation failed',
        errors: expect.arrayContaining([{ attribute, reason: expect.stringContaining(reason) }]),
      })
    }
  })

  it('is told all its faults at once', async () => {
    const { api, as } = await viewAccount()
    const body = { keys: ['a'], filter: 'colour equals a', environmentId: undefined }
    const failure = await failureOf(api.linkResource({ ...segmentsOf(), body }, { as }))
    expect(failure.errors?.map(({ attribute }) => attribute)).toEqual(['keys', 'environmentId', 'filter'])
  })

  it.each(['aiConfigs', 'flag', 'FLAGS', '__proto__', 'constructor'])('finds nothing of the type %s', async (type) => {
    const { api, as, link, linked, viewsOf } = await viewAccount()
    const place = { ...checkout, resourceType: type }
    expect(await failureOf(link({ keys: [] }, as, place))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(linked({}, place))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(viewsOf(type, 'a'))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(api.unlinkResource({ ...place, body: { keys: [] } }, { as }))).toMatchObject({
      code: 'not_found',
    })
  })

  it('takes hostile keys for what they are', async () => {
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

  it('needs the view and the project', async () => {
    const { link, as } = await viewAccount()
    for (const place of [
      { ...flagsOf(), viewKey: 'none' },
      { ...flagsOf(), projectKey: 'none' },
    ]) {
      expect(await failureOf(link({ keys: ['a'] }, as, place))).toMatchObject({ code: 'not_found' })
    }
  })
})

describe('unlinking', () => {
  it('is the opposite, and succeeds for what was not linked', async () => {
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

describe('what is linked', () => {
  it('is listed in pages, by time, by name, and by what flags are now', async () => {
    const { api, as, link, keys, linked, newFlag, pass } = await viewAccount()
    await newFlag('a', { name: 'Zoo', tags: ['x'] })
    await newFlag('b', { name: 'Yard' })
    await newFlag('c', { name: 'Attic', tags: ['x'] })
    for (const key of ['b', 'c', 'a']) {
      await link({ keys: [key] })
      pass(1)
    }
    expect(await keys()).toEqual(['b', 'c', 'a'])
    expect(await keys({ sort: '-linkedAt' })).toEqual(['a', 'c', 'b'])
    expect(await keys({ sort: 'name' })).toEqual(['c', 'b', 'a'])
    expect(await keys({ sort: '-name' })).toEqual(['a', 'b', 'c'])
    expect(await keys({ filter: 'tags:x' })).toEqual(['c', 'a'])
    expect(await keys({ query: 'yArD' })).toEqual(['b'])
    const body = [{ op: 'replace', path: '/name', value: 'Barn' }] as never
    await api.patchFlag({ projectKey, featureFlagKey: 'a', body }, { as })
    expect(await keys({ sort: 'name', offset: 1, limit: 1 })).toEqual(['a'])
    const page = await linked({ limit: 1, offset: 1 })
    expect(page).toMatchObject({ totalCount: 3, items: [{ resourceKey: 'c' }] })
    expect(Object.keys(page._links)).toEqual(['self', 'first', 'prev', 'next', 'last'])
  })

  it('shows what things are where that is asked for', async () => {
    const { link, linked, newFlag } = await viewAccount()
    await newFlag('a', { name: 'Zoo', description: 'Animals', tags: ['x'] })
    await link({ keys: ['a'] })
    expect(Object.keys((await linked()).items[0] ?? {})).not.toContain('resourceDetails')
    const { items } = await linked({ expand: 'resourceDetails' })
    expect(items[0]?.resourceDetails).toEqual({
      flag: { key: 'a', name: 'Zoo', description: 'Animals', tags: ['x'], creationDate: String(start) },
    })
  })

  it.each([
    ['sort', 'key'],
    ['limit', 101],
    ['expand', 'flag'],
    ['filter', 'colour:red'],
  ])('is not listed with %s=%s', async (name, value) => {
    const { linked } = await viewAccount()
    expect(await failureOf(linked({ [name]: value }))).toMatchObject({
      errors: [{ attribute: expect.stringMatching(`^${name}`) }],
    })
  })

  it('knows its views, of which the caller sees some', async () => {
    const { link, newFlag, newView, newSegment, production, test, as, viewsOf, api } = await viewAccount()
    await newFlag('a')
    await newView('cart')
    await newSegment('beta')
    const cart = { ...checkout, viewKey: 'cart' }
    const body = { segmentIdentifiers: [{ environmentId: production, segmentKey: 'beta' }] }
    for (const view of [checkout, cart]) {
      await link({ keys: ['a'] }, as, flagsOf(view))
      await link(body, as, segmentsOf(view))
    }
    expect(await viewsOf('flags', 'a')).toEqual(['cart', 'checkout'])
    expect(await viewsOf('flags', 'a', { offset: 1 })).toEqual(['checkout'])
    expect(await viewsOf('segments', 'beta', { environmentId: production })).toEqual(['cart', 'checkout'])
    expect(await failureOf(viewsOf('segments', 'beta'))).toMatchObject({ errors: [{ attribute: 'environmentId' }] })
    for (const environmentId of [test, 'nowhere']) {
      expect(await failureOf(viewsOf('segments', 'beta', { environmentId }))).toMatchObject({ code: 'not_found' })
    }
    expect(await failureOf(viewsOf('flags', 'none'))).toMatchObject({ code: 'not_found' })
    const some = {
      policy: [
        { effect: 'allow', actions: ['viewProject'], resources: ['proj/*'] },
        { effect: 'allow', actions: ['viewView'], resources: ['proj/*:view/cart'] },
      ],
    } as const
    const seen = await api.listLinkedViews({ projectKey, resourceType: 'flags', resourceKey: 'a' }, { as: some })
    expect(seen).toMatchObject({ totalCount: 1, items: [{ key: 'cart', projectKey: 'web' }] })
  })
})
