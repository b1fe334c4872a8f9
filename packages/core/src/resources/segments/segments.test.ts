import { describe, expect, it } from 'vitest'
import { allow, clause, editor, failureOf, keysOf, place, segmentAccount, start } from './test/segment-account.ts'

describe('getSegment', () => {
  it('shows a standard segment with every field of spec.md', async () => {
    const { create, get, patch, pass } = await segmentAccount()
    await create('beta', { name: 'Beta users', description: 'They asked for it', tags: ['beta', 'growth'] })
    pass(5_000)
    const rule = {
      _id: 'r-1',
      clauses: [{ ...clause(), _id: 'c-1' }],
      weight: 25_000,
      rolloutContextKind: 'org',
      bucketBy: 'country',
      description: 'Colleagues',
    }
    await patch('beta', [
      { op: 'add', path: '/rules/-', value: rule },
      { op: 'replace', path: '/included', value: ['ada', 'bob'] },
      { op: 'replace', path: '/excluded', value: ['eve'] },
      { op: 'replace', path: '/includedContexts', value: [{ contextKind: 'org', values: ['acme'] }] },
      { op: 'replace', path: '/excludedContexts', value: [{ contextKind: 'device', values: ['d1'] }] },
    ])
    const { _access, ...segment } = await get('beta')
    expect(segment).toEqual({
      name: 'Beta users',
      tags: ['beta', 'growth'],
      creationDate: String(start),
      lastModifiedDate: String(start + 5_000),
      key: 'beta',
      _links: {
        self: { href: '/api/v2/segments/web/production/beta', type: 'application/json' },
        parent: { href: '/api/v2/segments/web/production', type: 'application/json' },
      },
      rules: [rule],
      version: 2,
      deleted: false,
      generation: 1,
      description: 'They asked for it',
      included: ['ada', 'bob'],
      excluded: ['eve'],
      includedContexts: [{ contextKind: 'org', values: ['acme'] }],
      excludedContexts: [{ contextKind: 'device', values: ['d1'] }],
      _flags: [],
      unbounded: false,
    })
    expect(_access.denied).toEqual([])
    expect(_access.allowed.map((entry) => entry.action)).toContain('updateIncluded')
  })

  it('omits a description that was not provided', async () => {
    const { create, get } = await segmentAccount()
    await create('plain')
    const segment = await get('plain')
    expect(Object.keys(segment)).not.toContain('description')
    expect(segment).toMatchObject({ tags: [], rules: [], included: [], excluded: [] })
  })

  it('names the flags that target it, with their links and pages', async () => {
    const { api, as, create, get, instruct, target } = await segmentAccount()
    await create('beta')
    await target('checkout', 'beta')
    expect((await get('beta'))._flags).toEqual([
      {
        name: 'Flag checkout',
        key: 'checkout',
        _links: {
          self: { href: '/api/v2/flags/web/checkout', type: 'application/json' },
          parent: { href: '/api/v2/flags/web', type: 'application/json' },
        },
        _site: { href: '/web/production/features/checkout', type: 'text/html' },
      },
    ])
    const patched = await instruct('beta', [{ kind: 'updateName', value: 'Other' }])
    expect(Object.keys(patched)).not.toContain('_flags')
    const { items } = await api.listSegments(place, { as })
    expect(items.map((item) => '_flags' in item)).toEqual([false])
  })
})

describe('what getSegment answers over a transport', () => {
  const path = '/api/v2/segments/web/production/beta'

  it('is 200 with its version as ETag, and 304 to whoever has it', async () => {
    const { create, send } = await segmentAccount()
    await create('beta')
    const answer = await send('GET', path)
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1"', 'content-type': 'application/json' } })
    expect(JSON.parse(answer.body as string)).toMatchObject({ key: 'beta', creationDate: String(start) })
    expect((await send('GET', path, { 'if-none-match': '"1"' })).status).toBe(304)
  })

  it.each([
    ['unauthorized', 'a token that nobody was given', { authorization: 'api-unknown' }, path, 401],
    ['not_found', 'a segment that is not there', {}, '/api/v2/segments/web/production/gone', 404],
    ['not_found', 'an environment that is not there', {}, '/api/v2/segments/web/nowhere/beta', 404],
    ['not_found', 'a project that is not there', {}, '/api/v2/segments/gone/production/beta', 404],
    ['method_not_allowed', 'another method', { method: 'PUT' }, path, 405],
  ])('is %s for %s', async (code, _, given, where, status) => {
    const { create, send } = await segmentAccount()
    await create('beta')
    const { method = 'GET', ...headers } = given as { readonly method?: string }
    const answer = await send(method, where, headers)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body as string)).toMatchObject({ code })
  })

  it('hides from whoever may not view the project that the segment is there', async () => {
    const { api, create } = await segmentAccount()
    await create('beta')
    const stranger = { as: { policy: [allow(['viewProject'], ['proj/other'])] } }
    const denied = await failureOf(api.getSegment(keysOf('beta'), stranger))
    expect(denied).toEqual({ code: 'not_found', message: 'Invalid resource identifier' })
    expect(await failureOf(api.getSegment(keysOf('gone'), stranger))).toEqual(denied)
  })
})

describe('createSegment', () => {
  it('makes a standard segment, 201', async () => {
    const { send } = await segmentAccount()
    const body = { key: 'beta', name: 'Beta', tags: ['t'] }
    const answer = await send('POST', '/api/v2/segments/web/production', { body })
    expect(answer).toMatchObject({ status: 201, headers: { etag: '"1"' } })
    expect(JSON.parse(answer.body as string)).toMatchObject({ ...body, unbounded: false, version: 1 })
  })

  it('refuses a second one under the same key', async () => {
    const { create } = await segmentAccount()
    await create('beta')
    const message = 'There is a segment beta already'
    expect(await failureOf(create('beta'))).toEqual({ code: 'optimistic_locking_error', message })
  })

  it('needs the environment', async () => {
    const { api, as } = await segmentAccount()
    const call = api.createSegment({ ...place, environmentKey: 'nowhere', body: { key: 'beta', name: 'B' } }, { as })
    expect(await failureOf(call)).toMatchObject({ code: 'not_found' })
  })

  it.each([
    ['key', {}],
    ['name', { name: '' }],
    ['key', { key: 'no spaces' }],
    ['tags', { tags: ['a', 'a'] }],
    ['included', { included: ['ada'] }],
    ['unboundedContextKind', { unboundedContextKind: 'org' }],
  ])('names %s when the body is wrong: %j', async (attribute, wrong) => {
    const { api, as } = await segmentAccount()
    const body = { name: 'Beta', ...(Object.keys(wrong).length > 0 ? { key: 'beta' } : {}), ...wrong }
    const failure = await failureOf(api.createSegment({ ...place, body: body as never }, { as }))
    expect(failure).toMatchObject({ code: 'invalid_request', message: 'validation failed' })
    expect(failure.errors?.map((fault) => fault.attribute)).toContain(attribute)
  })

  it('needs createSegment on the segment that the body names', async () => {
    const { api } = await segmentAccount()
    const by = (resource: string) => ({ as: { policy: [allow(['createSegment'], [resource])] } })
    const body = { key: 'beta', name: 'Beta' }
    const refused = api.createSegment({ ...place, body }, by('proj/web:env/production:segment/alpha'))
    expect(await failureOf(refused)).toMatchObject({ code: 'forbidden' })
    const made = await api.createSegment({ ...place, body }, by('proj/web:env/production:segment/be*'))
    expect(made.key).toBe('beta')
  })
})

describe('listSegments', () => {
  async function shelf() {
    const account = await segmentAccount()
    const { create, pass } = account
    await create('c', { name: 'Alpha', tags: ['web'] })
    pass(1)
    await create('b', { name: 'Gamma', tags: ['web', 'mobile'], description: 'phones' })
    pass(1)
    await create('a', { name: 'Beta', unbounded: true })
    pass(1)
    await account.patch('c', [{ op: 'add', path: '/description', value: 'first of all' }])
    const list = async (query: object) => {
      const answer = await account.api.listSegments({ ...place, ...query }, { as: account.as })
      return answer.items.map((item) => item.key)
    }
    return { ...account, list }
  }

  it.each([
    [undefined, ['c', 'a', 'b']],
    ['-name', ['b', 'a', 'c']],
    ['creationDate', ['c', 'b', 'a']],
    ['-creationDate', ['a', 'b', 'c']],
    ['lastModifiedDate', ['b', 'a', 'c']],
  ])('sorts by %s', async (sort, order) => {
    const { list } = await shelf()
    expect(await list({ sort })).toEqual(order)
  })

  it.each([
    ['query equals "PHONE"', ['b']],
    ['query equals alpha', ['c']],
    ['tags anyOf ["mobile", "none"]', ['b']],
    ['tags anyOf [web],unbounded equals false', ['c', 'b']],
    ['unbounded equals true', ['a']],
    ['external exists true', []],
    ['external exists false,query equals a', ['c', 'a', 'b']],
  ])('filters by %s', async (filter, order) => {
    const { list } = await shelf()
    expect(await list({ filter })).toEqual(order)
  })

  it('names the column where a filter is not understood', async () => {
    const { api, as } = await segmentAccount()
    const filter = 'tags anyOf ["a"],colour equals red'
    const failure = await failureOf(api.listSegments({ ...place, filter }, { as }))
    expect(failure.errors).toEqual([
      {
        attribute: 'filter',
        reason:
          'column 18: must be one of query, tags, keys, includedKeys, excludedKeys, unbounded, external, type, view',
      },
    ])
  })

  it('shows pages with their links', async () => {
    const { send } = await shelf()
    const answer = await send('GET', '/api/v2/segments/web/production?limit=1&offset=1&sort=-name')
    const { items, ...envelope } = JSON.parse(answer.body as string)
    const at = (offset: number) => ({
      href: `/api/v2/segments/web/production?sort=-name&limit=1&offset=${offset}`,
      type: 'application/json',
    })
    expect(items).toMatchObject([{ key: 'a' }])
    expect(envelope).toEqual({
      totalCount: 3,
      _links: {
        self: { href: '/api/v2/segments/web/production?limit=1&offset=1&sort=-name', type: 'application/json' },
        first: at(0),
        prev: at(0),
        next: at(2),
        last: at(2),
      },
    })
  })

  it.each([
    ['an environment that is not there', { environmentKey: 'nowhere' }, 'not_found'],
    ['an unknown order', { sort: 'colour' }, 'invalid_request'],
    ['a page that is too large', { limit: 101 }, 'invalid_request'],
  ])('refuses %s', async (_, query, code) => {
    const { api, as } = await segmentAccount()
    expect(await failureOf(api.listSegments({ ...place, ...query } as never, { as }))).toMatchObject({ code })
  })

  it('is refused to whoever may not view the project', async () => {
    const { api } = await segmentAccount()
    const as = { policy: [allow(['viewProject'], ['proj/other'])] }
    expect(await failureOf(api.listSegments(place, { as }))).toMatchObject({ code: 'forbidden' })
  })
})

describe('deleteSegment', () => {
  it('is 204 without a body, and then it is gone', async () => {
    const { create, get, send } = await segmentAccount()
    await create('beta')
    const path = '/api/v2/segments/web/production/beta'
    expect(await send('DELETE', path)).toMatchObject({ status: 204, body: undefined })
    expect(await failureOf(get('beta'))).toMatchObject({ code: 'not_found' })
    expect((await send('DELETE', path)).status).toBe(404)
  })

  it('needs deleteSegment, and the ETag when one is sent', async () => {
    const { api, as, create } = await segmentAccount()
    await create('beta')
    const editing = api.deleteSegment(keysOf('beta'), { as: editor('update*') })
    expect(await failureOf(editing)).toMatchObject({ code: 'forbidden' })
    const stale = api.deleteSegment(keysOf('beta'), { as, ifMatch: '"9"' })
    expect(await failureOf(stale)).toMatchObject({ code: 'optimistic_locking_error' })
    await api.deleteSegment(keysOf('beta'), { as: editor('deleteSegment'), ifMatch: '"1"' })
  })

  it('is refused while flags target it', async () => {
    const { api, as, create, target } = await segmentAccount()
    await create('beta')
    await target('checkout', 'beta')
    const failure = await failureOf(api.deleteSegment(keysOf('beta'), { as }))
    expect(failure).toEqual({ code: 'optimistic_locking_error', message: 'Flags refer to this segment: checkout' })
    await api.deleteFlag({ projectKey: 'web', featureFlagKey: 'checkout' }, { as })
    await api.deleteSegment(keysOf('beta'), { as })
  })

  it('goes with its environment', async () => {
    const { api, as, create, get } = await segmentAccount()
    await create('beta')
    await api.deleteEnvironment(place, { as })
    expect(await failureOf(get('beta'))).toMatchObject({ code: 'not_found' })
  })
})

describe('segments that refer to segments (D24)', () => {
  const match = (...values: string[]) => [
    { op: 'replace', path: '/rules', value: [{ clauses: [clause({ op: 'segmentMatch', attribute: '', values })] }] },
  ]

  it('must all be in the environment', async () => {
    const { api, as, create, patch } = await segmentAccount()
    await create('a')
    await create('b')
    await api.createSegment({ ...place, environmentKey: 'test', body: { key: 'elsewhere', name: 'E' } }, { as })
    const failure = await failureOf(patch('a', match('b', 'elsewhere', 'gone')))
    expect(failure.errors?.map((fault) => fault.attribute)).toEqual([
      'rules.0.clauses.0.values.1',
      'rules.0.clauses.0.values.2',
    ])
    expect(await patch('a', match('b'))).toMatchObject({ version: 2 })
  })

  it('never form a circle, however long', async () => {
    const { create, patch } = await segmentAccount()
    for (const key of ['a', 'b', 'c', 'd']) await create(key)
    await patch('a', match('b', 'c'))
    await patch('b', match('c'))
    await patch('c', match('d'))
    for (const [key, named] of [
      ['d', 'a'],
      ['d', 'd'],
      ['c', 'b'],
    ] as const) {
      const failure = await failureOf(patch(key, match(named)))
      const reason = 'must not lead back to the segment itself'
      expect(failure.errors).toEqual([{ attribute: 'rules', reason }])
    }
    await patch('a', match('d'))
    expect(await patch('b', match('a'))).toMatchObject({ key: 'b' })
  })

  it('never form a circle when both ends are tied at once', async () => {
    const { create, patch } = await segmentAccount()
    await create('a')
    await create('b')
    const outcomes = await Promise.allSettled([patch('a', match('b')), patch('b', match('a'))])
    expect(outcomes.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('cannot be deleted while they are referred to', async () => {
    const { api, as, create, patch } = await segmentAccount()
    for (const key of ['a', 'b', 'c']) await create(key)
    await patch('a', match('c'))
    await patch('b', match('c'))
    const failure = await failureOf(api.deleteSegment(keysOf('c'), { as }))
    const message = 'Segments refer to this segment: a, b'
    expect(failure).toEqual({ code: 'optimistic_locking_error', message })
    await patch('a', match())
    await patch('b', match())
    await api.deleteSegment(keysOf('c'), { as })
  })

  it('are not deleted while they get their first reference', async () => {
    const { api, as, create, get, patch } = await segmentAccount()
    await create('a')
    await create('b')
    await Promise.allSettled([patch('a', match('b')), api.deleteSegment(keysOf('b'), { as })])
    const { rules } = await get('a')
    const there = await get('b').then(
      () => true,
      () => false,
    )
    expect(there).toBe(rules.length > 0)
  })
})
