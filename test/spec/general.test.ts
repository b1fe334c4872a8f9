import { describe, expect, it } from 'vitest'
import { account, pathOf, shop, start } from './account.ts'
import { expectError } from './conformance.ts'
import { specOperations } from './spec-operations.ts'

const beta = { 'SVC-API-Version': 'beta' }
const project = '/api/v2/projects/web'

describe('General rules', () => {
  it('every operation of docs/specification.md exists with its method and path', async () => {
    const { engine } = await account()
    const known = new Set(engine.operations.map(({ method, path }) => `${method} ${path}`))
    expect(specOperations).toHaveLength(20)
    expect(specOperations.map(({ method, path }) => `${method} ${path}`).filter((one) => !known.has(one))).toEqual([])
  })

  it('beta operations are marked as in docs/specification.md, and the others are not', async () => {
    const { engine } = await account()
    const marks = new Map(engine.operations.map(({ method, path, beta: mark }) => [`${method} ${path}`, mark]))
    for (const { method, path, beta: mark } of specOperations) {
      expect([path, marks.get(`${method} ${path}`)]).toEqual([path, mark])
    }
  })

  it('request and response bodies are JSON', async () => {
    const { send } = await shop()
    const answer = await send('GET', project)
    expect(answer.headers.get('content-type')).toBe('application/json')
    const path = `${project}/experimentation-settings`
    const body = JSON.stringify({ randomizationUnits: [{ randomizationUnit: 'user', default: true }] })
    for (const type of ['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON']) {
      expect((await send('PUT', path, { body, headers: { 'content-type': type } })).status).toBe(200)
    }
    for (const type of ['text/plain', 'application/xml', 'multipart/form-data']) {
      const refused = await send('PUT', path, { body, headers: { 'content-type': type } })
      expect(refused).toMatchObject({ status: 415, body: { code: 'invalid_request' } })
    }
  })

  it('a body beyond the limit gets 413', async () => {
    const { send } = await shop({ bodyLimit: 100 })
    const answer = await send('PUT', `${project}/experimentation-settings`, { body: ' '.repeat(101) })
    expect(answer).toMatchObject({ status: 413, body: { code: 'invalid_request' } })
  })

  it('path parameters are strings, so that a number is a valid key', async () => {
    const { api, by, send } = await shop()
    await api.createProject({ body: { key: '7', name: 'Seven' } }, by)
    expect(await send('GET', '/api/v2/projects/7')).toMatchObject({ status: 200, body: { key: '7' } })
  })

  it('partial updates support the six operations of JSON Patch', async () => {
    const { api, by, send } = await shop()
    const settings = { name: 'Console', description: '', redirectUri: 'https://example.com' }
    const { _clientId } = await api.createOAuthClient({ body: settings }, by)
    const body = [
      { op: 'test', path: '/name', value: 'Console' },
      { op: 'copy', from: '/name', path: '/description' },
      { op: 'replace', path: '/name', value: 'Terminal' },
      { op: 'remove', path: '/description' },
      { op: 'add', path: '/description', value: 'Ours' },
      { op: 'move', from: '/description', path: '/name' },
      { op: 'add', path: '/description', value: 'Theirs' },
    ]
    const answer = await send('PATCH', `/api/v2/oauth/clients/${_clientId}`, { body })
    expect(answer).toMatchObject({ status: 200, body: { name: 'Ours', description: 'Theirs' } })
  })
})

describe('Authentication', () => {
  it('accepts a token without a prefix and after Bearer', async () => {
    const { send, owner } = await shop()
    for (const as of [owner, `Bearer ${owner}`, `bearer ${owner}`])
      expect((await send('GET', project, { as })).status).toBe(200)
    expectError(await send('GET', project, { as: `Basic ${owner}` }), 'unauthorized')
    expectError(await send('GET', project, { as: `${owner}x` }), 'unauthorized')
  })

  it('ignores tokens in other headers, cookies and the query', async () => {
    const { send, owner } = await shop()
    const headers = { 'x-api-key': owner, cookie: `authorization=${owner}` }
    expectError(await send('GET', project, { as: '', headers, query: { authorization: owner } }), 'unauthorized')
  })

  it('refuses a deleted token', async () => {
    const { api, by, send } = await shop()
    const { _id, token: as } = await api.createToken({ body: { role: 'reader' } }, by)
    expect((await send('GET', project, { as: as as string })).status).toBe(200)
    await api.deleteToken({ id: _id }, by)
    expectError(await send('GET', project, { as: as as string }), 'unauthorized')
  })

  it('returns a token completely when it is created or reset, and as its last four characters otherwise', async () => {
    const { api, by, send } = await shop()
    const made = await api.createToken({ body: { role: 'reader' } }, by)
    expect(made.token).toMatch(/^api-[0-9a-f]{64}$/)
    const read = () => send('GET', `/api/v2/tokens/${made._id}`)
    expect(await read()).toMatchObject({ status: 200, body: { token: made.token.slice(-4) } })
    const reset = await api.resetToken({ id: made._id }, by)
    expect(reset.token).toMatch(/^api-[0-9a-f]{64}$/)
    expect(reset.token).not.toBe(made.token)
    expect(await read()).toMatchObject({ status: 200, body: { token: reset.token.slice(-4) } })
  })

  it('supports personal and service tokens, base roles, custom roles and inline roles', async () => {
    const { api, by } = await shop()
    const policy = [{ effect: 'allow' as const, actions: ['viewProject'], resources: ['proj/*'] }]
    await api.createRole({ body: { key: 'viewer', name: 'Viewer', policy } }, by)
    const [personal, service, custom, inline] = await Promise.all([
      api.createToken({ body: { role: 'reader' } }, by),
      api.createToken({ body: { role: 'writer', serviceToken: true } }, by),
      api.createToken({ body: { customRoleIds: ['viewer'] } }, by),
      api.createToken({ body: { inlineRole: policy } }, by),
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
    const { api, by, send } = await shop()
    const as = (await api.createToken({ body: { role: 'reader' } }, by)).token
    expect((await send('GET', `${project}/experimentation-settings`, { as })).status).toBe(200)
    const body = { randomizationUnits: [{ randomizationUnit: 'user', default: true }] }
    expectError(await send('PUT', `${project}/experimentation-settings`, { as, body }), 'forbidden')
  })
})

describe('Versioning', () => {
  it('all paths begin with /api/v2/', async () => {
    const { engine, send } = await account()
    expect(engine.operations.filter(({ path }) => !path.startsWith('/api/v2/'))).toEqual([])
    for (const path of ['/api/v1/projects', '/projects', '/api/v2', '/api/v2/']) {
      expectError(await send('GET', path), 'not_found')
    }
  })

  it('operations accept the version beta, dates if they are not beta, and no other version', async () => {
    const { send } = await shop()
    for (const version of ['beta', '20160426', '20191212', '20210729', '20220603', '20240415']) {
      expect((await send('GET', project, { headers: { 'SVC-API-Version': version } })).status).toBe(200)
    }
    for (const path of [project, `${project}/views`]) {
      for (const version of ['BETA', 'alpha', '20200101', '2', 'beta,beta']) {
        const answer = await send('GET', path, { headers: { 'SVC-API-Version': version } })
        const errors = [{ attribute: 'SVC-API-Version', reason: 'must be a known version' }]
        const body = { code: 'invalid_request', message: 'validation failed', errors }
        expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body })
      }
    }
  })

  it('each call to a beta operation needs the header', async () => {
    const { send } = await shop()
    expect((await send('GET', `${project}/views`, { headers: beta })).status).toBe(200)
    expect((await send('GET', `${project}/views`)).status).toBe(403)
  })

  it('an access token has a defaultApiVersion in the form of a date', async () => {
    const { api, by } = await shop()
    const preset = await api.createToken({ body: { role: 'reader' } }, by)
    expect(preset.defaultApiVersion).toBe(20240415)
    const older = await api.createToken({ body: { role: 'reader', defaultApiVersion: 20220603 } }, by)
    expect(older.defaultApiVersion).toBe(20220603)
  })

  it('pipelines and teams count revisions in _version, segments and AI configs in version', async () => {
    const { api, by } = await shop()
    const phases = [{ name: 'One', audiences: [{ environmentKey: 'test', name: 'All' }] }]
    const body = { key: 'usual', name: 'Usual', phases }
    const pipeline = await api.createReleasePipeline({ projectKey: 'web', body }, by)
    const team = await api.createTeam({ body: { key: 'growth', name: 'Growth' } }, by)
    const place = { projectKey: 'web', environmentKey: 'production', segmentKey: 'beta' }
    const segment = await api.getSegment(place, by)
    const config = await api.createAIConfig({ projectKey: 'web', body: { key: 'helper', name: 'Helper' } }, by)
    expect([pipeline._version, team._version, segment.version, config.version]).toEqual([1, 1, 1, 1])
    const renaming = [{ op: 'replace', path: '/name', value: 'New' }] as const
    expect(
      await api.patchReleasePipeline({ projectKey: 'web', pipelineKey: 'usual', body: renaming }, by),
    ).toMatchObject({
      _version: 2,
    })
    expect(await api.patchSegment({ ...place, body: renaming }, by)).toMatchObject({ version: 2 })
  })
})

describe('Limits', () => {
  it('insight groups: a page has 20 by default, and 1 to 20', async () => {
    const { api, by, send } = await shop()
    for (let at = 0; at < 22; at++) {
      const key = `group-${String(at).padStart(2, '0')}`
      const body = { key, name: key, projectKey: 'web', environmentKey: 'production' }
      await api.createInsightGroup({ body }, by)
    }
    const list = async (query: Record<string, string>) => {
      const answer = await send('GET', '/api/v2/engineering-insights/insights/groups', { headers: beta, query })
      return { status: answer.status, body: answer.body as { items: { key: string }[]; totalCount: number } }
    }
    const preset = await list({})
    expect([preset.body.items.length, preset.body.totalCount]).toEqual([20, 22])
    expect((await list({ limit: '20' })).body.items).toHaveLength(20)
    expect((await list({ limit: '1' })).body.items).toHaveLength(1)
    expect((await list({ offset: '10' })).body.items[0]?.key).toBe('group-10')
    for (const limit of ['0', '21', '-1', 'all', '1.5']) {
      const answer = await list({ limit })
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ attribute: 'limit' }] } })
    }
  })

  it('lead time chart: the default is the last 7 days in buckets of 86400000 ms', async () => {
    const { send } = await shop()
    const query = { projectKey: 'web', environmentKey: 'production' }
    const chart = async (more: Record<string, string>) => {
      const path = '/api/v2/engineering-insights/charts/lead-time'
      const { status, body } = await send('GET', path, { headers: beta, query: { ...query, ...more } })
      expect(status).toBe(200)
      return body as { series: { data: { x: number }[] }[] }
    }
    const preset = await chart({})
    const xs = preset.series[0]?.data.map(({ x }) => x) ?? []
    expect(xs).toEqual(Array.from({ length: 7 }, (_, at) => start - (7 - at) * 86_400_000))
    const said = { from: String(start - 7 * 86_400_000), to: String(start), bucketMs: '86400000' }
    expect((await chart({ ...said, bucketType: 'rolling', groupBy: 'stage' })).series).toEqual(preset.series)
  })

  it('big segments: a segment with more than 15,000 entries is big and returns empty lists', async () => {
    const { api, by } = await shop()
    const place = { projectKey: 'web', environmentKey: 'production', segmentKey: 'beta' }
    const put = (count: number) => {
      const value = Array.from({ length: count }, (_, at) => `user-${at}`)
      return api.patchSegment({ ...place, body: [{ op: 'replace', path: '/included', value }] }, by)
    }
    await put(15_000)
    const standard = await api.getSegment(place, by)
    expect([standard.unbounded ?? false, standard.included?.length]).toEqual([false, 15_000])
    await put(15_001)
    const big = await api.getSegment(place, by)
    expect([big.unbounded, big.included ?? [], big.excluded ?? []]).toEqual([true, [], []])
  })

  it('rate limits: headers have the remaining requests, and a 429 the time to wait', async () => {
    const { send } = await shop({ rateLimit: { route: 2, account: 10, windowMs: 10_000 } })
    const answers = [await send('GET', project), await send('GET', project), await send('GET', project)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    const told = (name: string) => answers.map(({ headers }) => headers.get(name))
    expect(told('x-ratelimit-route-remaining')).toEqual(['1', '0', '0'])
    expect(told('x-ratelimit-global-remaining')).toEqual(['9', '8', '8'])
    const reset = start - (start % 10_000) + 10_000
    expect(told('x-ratelimit-reset')).toEqual([String(reset), String(reset), String(reset)])
    expect(told('ratelimit')[0]).toBe('"account";r=9;t=10, "route";r=1;t=10')
    expect(told('ratelimit-policy')[0]).toBe('"account";q=10;w=10, "route";q=2;w=10')
    expect(told('retry-after')).toEqual([null, null, '10'])
  })

  it('pages: totalCount counts all items, and an offset of 10 skips the first ten', async () => {
    const { api, by, send } = await shop()
    for (let at = 0; at < 25; at++) {
      const key = `config-${String(at).padStart(2, '0')}`
      await api.createAIConfig({ projectKey: 'web', body: { key, name: key } }, by)
    }
    const path = pathOf('/api/v2/projects/{projectKey}/ai-configs', { projectKey: 'web' })
    const { status, body } = await send('GET', path, {
      headers: beta,
      query: { limit: '10', offset: '10', sort: 'key' },
    })
    expect(status).toBe(200)
    const page = body as { items: { key: string }[]; totalCount: number; _links: Record<string, { href: string }> }
    expect(page.totalCount).toBe(25)
    expect(page.items.map(({ key }) => key)).toEqual(Array.from({ length: 10 }, (_, at) => `config-${10 + at}`))
    expect(Object.keys(page._links).sort()).toEqual(['first', 'last', 'next', 'prev', 'self'])
    expect(page._links.next?.href).toBe(`${path}?sort=key&limit=10&offset=20`)
  })
})
