import { describe, expect, it } from 'vitest'
import { allow, clause, environmentKeys, failureOf, keysOf, segmentAccount, start } from './test/segment-account.ts'

describe('getSegment', () => {
  it('returns a standard segment with every property of the specification', async () => {
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

  it('lists the flags that target it, with their links and pages', async () => {
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
    const { items } = await api.listSegments(environmentKeys, { as })
    expect(items.map((item) => '_flags' in item)).toEqual([false])
  })
})

describe('the response of getSegment over a transport', () => {
  const path = '/api/v2/segments/web/production/beta'

  it('is 200 with the version as ETag, and 304 when If-None-Match matches', async () => {
    const { create, send } = await segmentAccount()
    await create('beta')
    const response = await send('GET', path)
    expect(response).toMatchObject({ status: 200, headers: { etag: '"1"', 'content-type': 'application/json' } })
    expect(JSON.parse(response.body as string)).toMatchObject({ key: 'beta', creationDate: String(start) })
    expect((await send('GET', path, { 'if-none-match': '"1"' })).status).toBe(304)
  })

  it.each([
    ['unauthorized', 'an unknown token', { authorization: 'api-unknown' }, path, 401],
    ['not_found', 'an unknown segment', {}, '/api/v2/segments/web/production/gone', 404],
    ['not_found', 'an unknown environment', {}, '/api/v2/segments/web/nowhere/beta', 404],
    ['not_found', 'an unknown project', {}, '/api/v2/segments/gone/production/beta', 404],
    ['method_not_allowed', 'an unknown method', { method: 'PUT' }, path, 405],
  ])('is %s for %s', async (code, _, request, requestPath, status) => {
    const { create, send } = await segmentAccount()
    await create('beta')
    const { method = 'GET', ...headers } = request as { readonly method?: string }
    const response = await send(method, requestPath, headers)
    expect(response.status).toBe(status)
    expect(JSON.parse(response.body as string)).toMatchObject({ code })
  })

  it('is the same for an existing and an unknown segment when the caller may not view the project', async () => {
    const { api, create } = await segmentAccount()
    await create('beta')
    const callerWithoutView = { as: { policy: [allow(['viewProject'], ['proj/other'])] } }
    const denied = await failureOf(api.getSegment(keysOf('beta'), callerWithoutView))
    expect(denied).toEqual({ code: 'not_found', message: 'Invalid resource identifier' })
    expect(await failureOf(api.getSegment(keysOf('gone'), callerWithoutView))).toEqual(denied)
  })
})
