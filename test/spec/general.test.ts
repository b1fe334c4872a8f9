import { describe, expect, it } from 'vitest'
import { account, createShopAccount, pathOf, start } from './account.ts'
import { expectError } from './conformance.ts'
import { specOperations } from './spec-operations.ts'

const beta = { 'SVC-API-Version': 'beta' }
const project = '/api/v2/projects/web'

describe('General rules', () => {
  it('every operation of docs/specification.md exists with its method and path', async () => {
    const { engine } = await account()
    const operationKeys = new Set(engine.operations.map(({ method, path }) => `${method} ${path}`))
    expect(specOperations).toHaveLength(20)
    expect(
      specOperations
        .map(({ method, path }) => `${method} ${path}`)
        .filter((operationKey) => !operationKeys.has(operationKey)),
    ).toEqual([])
  })

  it('beta operations are marked as in docs/specification.md, and the others are not', async () => {
    const { engine } = await account()
    const betaMarks = new Map(engine.operations.map(({ method, path, beta: mark }) => [`${method} ${path}`, mark]))
    for (const { method, path, beta: mark } of specOperations) {
      expect([path, betaMarks.get(`${method} ${path}`)]).toEqual([path, mark])
    }
  })

  it('request and response bodies are JSON', async () => {
    const { send } = await createShopAccount()
    const response = await send('GET', project)
    expect(response.headers.get('content-type')).toBe('application/json')
    const path = `${project}/experimentation-settings`
    const body = JSON.stringify({ randomizationUnits: [{ randomizationUnit: 'user', default: true }] })
    for (const type of ['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON']) {
      expect((await send('PUT', path, { body, headers: { 'content-type': type } })).status).toBe(200)
    }
    for (const type of ['text/plain', 'application/xml', 'multipart/form-data']) {
      const rejected = await send('PUT', path, { body, headers: { 'content-type': type } })
      expect(rejected).toMatchObject({ status: 415, body: { code: 'invalid_request' } })
    }
  })

  it('a body beyond the limit gets 413', async () => {
    const { send } = await createShopAccount({ bodyLimit: 100 })
    const response = await send('PUT', `${project}/experimentation-settings`, { body: ' '.repeat(101) })
    expect(response).toMatchObject({ status: 413, body: { code: 'invalid_request' } })
  })

  it('path parameters are strings, so that a number is a valid key', async () => {
    const { api, caller, send } = await createShopAccount()
    await api.createProject({ body: { key: '7', name: 'Seven' } }, caller)
    expect(await send('GET', '/api/v2/projects/7')).toMatchObject({ status: 200, body: { key: '7' } })
  })

  it('partial updates support the six operations of JSON Patch', async () => {
    const { api, caller, send } = await createShopAccount()
    const settings = { name: 'Console', description: '', redirectUri: 'https://example.com' }
    const { _clientId } = await api.createOAuthClient({ body: settings }, caller)
    const body = [
      { op: 'test', path: '/name', value: 'Console' },
      { op: 'copy', from: '/name', path: '/description' },
      { op: 'replace', path: '/name', value: 'Terminal' },
      { op: 'remove', path: '/description' },
      { op: 'add', path: '/description', value: 'Ours' },
      { op: 'move', from: '/description', path: '/name' },
      { op: 'add', path: '/description', value: 'Theirs' },
    ]
    const response = await send('PATCH', `/api/v2/oauth/clients/${_clientId}`, { body })
    expect(response).toMatchObject({ status: 200, body: { name: 'Ours', description: 'Theirs' } })
  })
})

describe('Authentication', () => {
  it('accepts a token without a prefix and after Bearer', async () => {
    const { send, owner } = await createShopAccount()
    for (const as of [owner, `Bearer ${owner}`, `bearer ${owner}`])
      expect((await send('GET', project, { as })).status).toBe(200)
    expectError(await send('GET', project, { as: `Basic ${owner}` }), 'unauthorized')
    expectError(await send('GET', project, { as: `${owner}x` }), 'unauthorized')
  })

  it('ignores tokens in other headers, cookies and the query', async () => {
    const { send, owner } = await createShopAccount()
    const headers = { 'x-api-key': owner, cookie: `authorization=${owner}` }
    expectError(await send('GET', project, { as: '', headers, query: { authorization: owner } }), 'unauthorized')
  })

  it('refuses a deleted token', async () => {
    const { api, caller, send } = await createShopAccount()
    const { _id, token: as } = await api.createToken({ body: { role: 'reader' } }, caller)
    expect((await send('GET', project, { as: as as string })).status).toBe(200)
    await api.deleteToken({ id: _id }, caller)
    expectError(await send('GET', project, { as: as as string }), 'unauthorized')
  })

  it('returns a token completely when it is created or reset, and as its last four characters otherwise', async () => {
    const { api, caller, send } = await createShopAccount()
    const created = await api.createToken({ body: { role: 'reader' } }, caller)
    expect(created.token).toMatch(/^api-[0-9a-f]{64}$/)
    const read = () => send('GET', `/api/v2/tokens/${created._id}`)
    expect(await read()).toMatchObject({ status: 200, body: { token: created.token.slice(-4) } })
    const reset = await api.resetToken({ id: created._id }, caller)
    expect(reset.token).toMatch(/^api-[0-9a-f]{64}$/)
    expect(reset.token).not.toBe(created.token)
    expect(await read()).toMatchObject({ status: 200, body: { token: reset.token.slice(-4) } })
  })

  it('supports personal and service tokens, base roles, custom roles and inline roles', async () => {
    const { api, caller } = await createShopAccount()
    const policy = [{ effect: 'allow' as const, actions: ['viewProject'], resources: ['proj/*'] }]
    await api.createRole({ body: { key: 'viewer', name: 'Viewer', policy } }, caller)
    const [personal, service, custom, inline] = await Promise.all([
      api.createToken({ body: { role: 'reader' } }, caller),
      api.createToken({ body: { role: 'writer', serviceToken: true } }, caller),
      api.createToken({ body: { customRoleIds: ['viewer'] } }, caller),
      api.createToken({ body: { inlineRole: policy } }, caller),
    ])
    expect([personal, service].map(({ serviceToken, role }) => [serviceToken, role])).toEqual([
      [false, 'reader'],
      [true, 'writer'],
    ])
    expect(custom.customRoleIds).toHaveLength(1)
    expect(inline.inlineRole).toMatchObject(policy)
    expect([custom, inline].map(({ role }) => role)).toEqual([undefined, undefined])
  })

  it('a reader may read and not write', async () => {
    const { api, caller, send } = await createShopAccount()
    const as = (await api.createToken({ body: { role: 'reader' } }, caller)).token
    expect((await send('GET', `${project}/experimentation-settings`, { as })).status).toBe(200)
    const body = { randomizationUnits: [{ randomizationUnit: 'user', default: true }] }
    expectError(await send('PUT', `${project}/experimentation-settings`, { as, body }), 'forbidden')
  })
})

describe('Versioning', () => {
  it('all paths begin with /api/v2/, but for the URLs of triggers', async () => {
    const { engine, send } = await account()
    const others = engine.operations.filter(({ path }) => !`${path}/`.startsWith('/api/v2/'))
    expect(others.map(({ id }) => id)).toEqual(['invokeFlagTrigger'])
    for (const path of ['/api/v1/projects', '/projects']) {
      expectError(await send('GET', path), 'not_found')
    }
  })

  it('operations accept the version beta, dates if they are not beta, and no other version', async () => {
    const { send } = await createShopAccount()
    for (const version of ['beta', '20160426', '20191212', '20210729', '20220603', '20240415']) {
      expect((await send('GET', project, { headers: { 'SVC-API-Version': version } })).status).toBe(200)
    }
    for (const path of [project, `${project}/views`]) {
      for (const version of ['BETA', 'alpha', '20200101', '2', 'beta,beta']) {
        const response = await send('GET', path, { headers: { 'SVC-API-Version': version } })
        const errors = [{ attribute: 'SVC-API-Version', reason: 'must be a known version' }]
        const body = { code: 'invalid_request', message: 'validation failed', errors }
        expect({ status: response.status, body: response.body }).toEqual({ status: 400, body })
      }
    }
  })

  it('each call to a beta operation needs the header', async () => {
    const { send } = await createShopAccount()
    expect((await send('GET', `${project}/views`, { headers: beta })).status).toBe(200)
    expect((await send('GET', `${project}/views`)).status).toBe(403)
  })

  it('an access token has a defaultApiVersion in the form of a date', async () => {
    const { api, caller } = await createShopAccount()
    const byDefault = await api.createToken({ body: { role: 'reader' } }, caller)
    expect(byDefault.defaultApiVersion).toBe(20240415)
    const withVersion = await api.createToken({ body: { role: 'reader', defaultApiVersion: 20220603 } }, caller)
    expect(withVersion.defaultApiVersion).toBe(20220603)
  })

  it('pipelines and teams count revisions in _version, segments and AI configs in version', async () => {
    const { api, caller } = await createShopAccount()
    const phases = [{ name: 'One', audiences: [{ environmentKey: 'test', name: 'All' }] }]
    const body = { key: 'usual', name: 'Usual', phases }
    const pipeline = await api.createReleasePipeline({ projectKey: 'web', body }, caller)
    const team = await api.createTeam({ body: { key: 'growth', name: 'Growth' } }, caller)
    const segmentKeys = { projectKey: 'web', environmentKey: 'production', segmentKey: 'beta' }
    const segment = await api.getSegment(segmentKeys, caller)
    const config = await api.createAIConfig({ projectKey: 'web', body: { key: 'helper', name: 'Helper' } }, caller)
    expect([pipeline._version, team._version, segment.version, config.version]).toEqual([1, 1, 1, 1])
    const renamePatch = [{ op: 'replace', path: '/name', value: 'New' }] as const
    expect(
      await api.patchReleasePipeline({ projectKey: 'web', pipelineKey: 'usual', body: renamePatch }, caller),
    ).toMatchObject({
      _version: 2,
    })
    expect(await api.patchSegment({ ...segmentKeys, body: renamePatch }, caller)).toMatchObject({ version: 2 })
  })
})

describe('Limits', () => {
  it('a page of insight groups has 20 items by default, and `limit` can be 1 to 20', async () => {
    const { api, caller, send } = await createShopAccount()
    for (let index = 0; index < 22; index++) {
      const key = `group-${String(index).padStart(2, '0')}`
      const body = { key, name: key, projectKey: 'web', environmentKey: 'production' }
      await api.createInsightGroup({ body }, caller)
    }
    const list = async (query: Record<string, string>) => {
      const response = await send('GET', '/api/v2/engineering-insights/insights/groups', { headers: beta, query })
      return { status: response.status, body: response.body as { items: { key: string }[]; totalCount: number } }
    }
    const byDefault = await list({})
    expect([byDefault.body.items.length, byDefault.body.totalCount]).toEqual([20, 22])
    expect((await list({ limit: '20' })).body.items).toHaveLength(20)
    expect((await list({ limit: '1' })).body.items).toHaveLength(1)
    expect((await list({ offset: '10' })).body.items[0]?.key).toBe('group-10')
    for (const limit of ['0', '21', '-1', 'all', '1.5']) {
      const response = await list({ limit })
      expect(response).toMatchObject({ status: 400, body: { errors: [{ attribute: 'limit' }] } })
    }
  })

  it('lead time chart: the default is the last 7 days in buckets of 86400000 ms', async () => {
    const { send } = await createShopAccount()
    const query = { projectKey: 'web', environmentKey: 'production' }
    const chart = async (overrides: Record<string, string>) => {
      const path = '/api/v2/engineering-insights/charts/lead-time'
      const { status, body } = await send('GET', path, { headers: beta, query: { ...query, ...overrides } })
      expect(status).toBe(200)
      return body as { series: { data: { x: number }[] }[] }
    }
    const byDefault = await chart({})
    const xs = byDefault.series[0]?.data.map(({ x }) => x) ?? []
    expect(xs).toEqual(Array.from({ length: 7 }, (_, index) => start - (7 - index) * 86_400_000))
    const explicitDefaults = { from: String(start - 7 * 86_400_000), to: String(start), bucketMs: '86400000' }
    expect((await chart({ ...explicitDefaults, bucketType: 'rolling', groupBy: 'stage' })).series).toEqual(
      byDefault.series,
    )
  })

  it('big segments: a segment with more than 15,000 entries is big and returns empty lists', async () => {
    const { api, caller } = await createShopAccount()
    const segmentKeys = { projectKey: 'web', environmentKey: 'production', segmentKey: 'beta' }
    const setIncluded = (count: number) => {
      const value = Array.from({ length: count }, (_, index) => `user-${index}`)
      return api.patchSegment({ ...segmentKeys, body: [{ op: 'replace', path: '/included', value }] }, caller)
    }
    await setIncluded(15_000)
    const standard = await api.getSegment(segmentKeys, caller)
    expect([standard.unbounded ?? false, standard.included?.length]).toEqual([false, 15_000])
    await setIncluded(15_001)
    const big = await api.getSegment(segmentKeys, caller)
    expect([big.unbounded, big.included ?? [], big.excluded ?? []]).toEqual([true, [], []])
  })

  it('rate limits: headers have the remaining requests, and a 429 the time to wait', async () => {
    const { send } = await createShopAccount({ rateLimit: { route: 2, account: 10, windowMs: 10_000 } })
    const responses = [await send('GET', project), await send('GET', project), await send('GET', project)]
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429])
    const headerValues = (name: string) => responses.map(({ headers }) => headers.get(name))
    expect(headerValues('x-ratelimit-route-remaining')).toEqual(['1', '0', '0'])
    expect(headerValues('x-ratelimit-global-remaining')).toEqual(['9', '8', '8'])
    const reset = start - (start % 10_000) + 10_000
    expect(headerValues('x-ratelimit-reset')).toEqual([String(reset), String(reset), String(reset)])
    expect(headerValues('ratelimit')[0]).toBe('"account";r=9;t=10, "route";r=1;t=10')
    expect(headerValues('ratelimit-policy')[0]).toBe('"account";q=10;w=10, "route";q=2;w=10')
    expect(headerValues('retry-after')).toEqual([null, null, '10'])
  })

  it('pages: totalCount counts all items, and an offset of 10 skips the first ten', async () => {
    const { api, caller, send } = await createShopAccount()
    for (let index = 0; index < 25; index++) {
      const key = `config-${String(index).padStart(2, '0')}`
      await api.createAIConfig({ projectKey: 'web', body: { key, name: key } }, caller)
    }
    const path = pathOf('/api/v2/projects/{projectKey}/ai-configs', { projectKey: 'web' })
    const { status, body } = await send('GET', path, {
      headers: beta,
      query: { limit: '10', offset: '10', sort: 'key' },
    })
    expect(status).toBe(200)
    const page = body as { items: { key: string }[]; totalCount: number; _links: Record<string, { href: string }> }
    expect(page.totalCount).toBe(25)
    expect(page.items.map(({ key }) => key)).toEqual(Array.from({ length: 10 }, (_, index) => `config-${10 + index}`))
    expect(Object.keys(page._links).sort()).toEqual(['first', 'last', 'next', 'prev', 'self'])
    expect(page._links.next?.href).toBe(`${path}?sort=key&limit=10&offset=20`)
  })
})
