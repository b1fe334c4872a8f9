import { describe, expect, it } from 'vitest'
import {
  type Attempt,
  type AttemptResponse,
  account,
  accountForEachTest,
  allow,
  deny,
  expectRefusal,
  patchOf,
  startTime,
  view,
} from './setup/attacked-account.ts'

accountForEachTest()

describe('resources whose existence is hidden from the caller', () => {
  const insights = '/api/v2/engineering-insights'

  async function expectSameResponse(
    method: string,
    hidden: string,
    missing: string,
    attempt: Attempt,
  ): Promise<AttemptResponse> {
    const [first, second] = [await account.send(method, hidden, attempt), await account.send(method, missing, attempt)]
    expect(first).toEqual(second)
    return first
  }

  it('a hidden segment gets the same response as a missing one', async () => {
    const attempt = { as: await account.webToken() }
    const response = await expectSameResponse(
      'GET',
      '/api/v2/segments/secret/production/beta',
      '/api/v2/segments/secret/production/no-such',
      attempt,
    )
    expectRefusal(response, 404)
    expectRefusal(await account.send('GET', '/api/v2/segments/no-such/production/beta', attempt), 404)
  })

  it.each([
    ['GET', '/api/v2/projects/', ''],
    ['GET', '/api/v2/projects/', '/environments'],
    ['GET', '/api/v2/projects/', '/environments/production'],
    ['GET', '/api/v2/flags/', ''],
    ['GET', '/api/v2/flags/', '/checkout'],
    ['GET', '/api/v2/segments/', '/production'],
    ['DELETE', '/api/v2/projects/', ''],
    ['DELETE', '/api/v2/flags/', '/checkout'],
    ['DELETE', '/api/v2/segments/', '/production/beta'],
    ['POST', '/api/v2/projects/', '/environments/production/apiKey'],
    ['GET', '/api/v2/code-refs/statistics/', ''],
    ['GET', `${insights}/deployments?environmentKey=production&projectKey=`, ''],
    ['GET', `${insights}/charts/lead-time?environmentKey=production&projectKey=`, ''],
  ])('a hidden project gets the same response as a missing one: %s %s…%s', async (method, head, tail) => {
    const attempt = { as: await account.webToken() }
    expectRefusal(await expectSameResponse(method, `${head}secret${tail}`, `${head}no-such${tail}`, attempt), 403)
    await account.expectNothingChanged()
  })

  it.each(['"1"', '"2"', '"0"', '*', '"no", "1"', 'W/"1"'])(
    'the revision of a hidden resource is not revealed by If-Match %s',
    async (ifMatch) => {
      const as = await account.webToken()
      const headers = { 'if-match': ifMatch }
      const body = patchOf('replace', '/name', 'A')
      for (const path of [
        '/api/v2/projects/secret',
        '/api/v2/segments/secret/test/beta',
        '/api/v2/flags/secret/checkout',
      ]) {
        expectRefusal(await account.send('PATCH', path, { as, headers, body }), 403)
        expectRefusal(await account.send('DELETE', path, { as, headers }), 403)
      }
      await account.expectNothingChanged()
    },
  )

  it('the revision of a hidden project is not revealed by If-None-Match', async () => {
    const as = await account.webToken()
    for (const match of ['*', '"1"', 'W/"1"']) {
      expectRefusal(
        await account.send('GET', '/api/v2/projects/secret', { as, headers: { 'if-none-match': match } }),
        403,
      )
    }
  })

  it('hidden projects are missing from lists, searches, filters, pages and counts', async () => {
    await account.api.patchProject({ projectKey: 'secret', body: patchOf('add', '/tags/-', 'x') }, account.by)
    const as = await account.webToken()
    for (const query of ['query=secr', 'keys=secret', 'tags=x', 'offset=1', 'query=secret&sort=-createdAt']) {
      const response = await account.send('GET', `/api/v2/projects?${query}`, { as })
      expect((response.body as { items: unknown[] }).items).toEqual([])
      expect(JSON.stringify((response.body as { items: unknown[] }).items)).not.toContain('secret')
    }
    const allProjects = await account.send('GET', '/api/v2/projects', { as })
    expect(allProjects.body).toMatchObject({ totalCount: 1, items: [{ key: 'web' }] })
    expect(allProjects.text).not.toContain('secret')
  })

  it('hidden tokens are missing from lists, counts and pages', async () => {
    const { token: as } = await account.tokenOf(allow(['viewToken'], 'service-token/none'))
    for (const query of ['', '?offset=1', '?limit=1']) {
      const response = await account.send('GET', `/api/v2/tokens${query}`, { as })
      expect(response.body).toMatchObject({ items: [], totalCount: 0 })
      expect(Object.keys((response.body as { _links: object })._links)).not.toContain('next')
    }
  })

  it('hidden roles are missing from lists, and reading one gets the same response as a missing role', async () => {
    await account.api.createRole({ body: { key: 'ops', name: 'Ops', policy: [view] } }, account.by)
    const as = await account.webToken()
    expect((await account.send('GET', '/api/v2/roles', { as })).body).toMatchObject({ items: [], totalCount: 0 })
    expectRefusal(await expectSameResponse('GET', '/api/v2/roles/ops', '/api/v2/roles/no-such', { as }), 403)
  })

  it('the query parameter `env` does not reveal environments of another project', async () => {
    const body = { key: 'vault', name: 'Vault', color: '000000' }
    await account.api.createEnvironment({ projectKey: 'secret', body }, account.by)
    const as = await account.webToken()
    for (const env of ['vault', 'secret:env%2Fvault', '..%2Fsecret%2Fvault', '*', '__proto__', 'vault,*']) {
      const first = await account.send('GET', `/api/v2/flags/web/checkout?env=${env}`, { as })
      expect(first.body).toMatchObject({ key: 'checkout', environments: {} })
      const list = await account.send('GET', `/api/v2/flags/web?summary=0&env=${env}`, { as })
      expect((list.body as { items: { environments: object }[] }).items[0]?.environments).toEqual({})
    }
  })

  it('a hidden deployment gets the same response as a missing one', async () => {
    const environmentKeys = { projectKey: 'secret', environmentKey: 'production' }
    const event = { ...environmentKeys, applicationKey: 'shop', version: '1', eventType: 'started' } as const
    await account.api.createDeploymentEvent({ body: event }, account.by)
    const { items } = await account.api.listDeployments(environmentKeys, account.by)
    const id = items[0]?.id as string
    const as = await account.webToken()
    const [hidden, missing] = [`${insights}/deployments/${id}`, `${insights}/deployments/${id.replace(/^./, 'x')}`]
    expectRefusal(await expectSameResponse('GET', hidden, missing, { as }), 404)
    expectRefusal(
      await expectSameResponse('GET', `${hidden}?expand=pullRequests`, `${missing}?expand=pullRequests`, { as }),
      404,
    )
    expectRefusal(
      await expectSameResponse('PATCH', hidden, missing, { as, body: patchOf('replace', '/archived', true) }),
      404,
    )
    expectRefusal(await expectSameResponse('DELETE', hidden, missing, { as }), 404)
    await account.expectNothingChanged()
  })

  it('a deployment event or lead time samples for a hidden project get 403', async () => {
    const as = await account.webToken()
    const environmentKeys = { projectKey: 'secret', environmentKey: 'production' }
    const event = { ...environmentKeys, applicationKey: 'shop', version: '1', eventType: 'started' }
    expectRefusal(await account.send('POST', `${insights}/deployment-events`, { as, body: event }), 403)
    const samples = [{ externalId: '1', applicationKey: 'shop', startedAt: 1, mergedAt: 2, deployedAt: 3 }]
    expectRefusal(
      await account.send('POST', `${insights}/lead-time-samples`, { as, body: { ...environmentKeys, samples } }),
      403,
    )
    await account.expectNothingChanged()
  })

  it('code reference endpoints do not reveal hidden projects', async () => {
    const { api, by } = account
    await api.createRepository({ body: { name: 'shop' } }, by)
    const hunks = [{ startingLineNumber: 1, projKey: 'secret', flagKey: 'checkout' }]
    const references = [{ path: 'a.ts', hunks }]
    const body = { name: 'main', head: 'abc', syncTime: startTime, references }
    await api.putBranch({ repo: 'shop', branch: 'main', body }, by)
    const as = await account.webToken()
    const root = await account.send('GET', '/api/v2/code-refs/statistics', { as })
    expect(root).toMatchObject({ status: 200, body: { projects: [] } })
    expectRefusal(await account.send('GET', '/api/v2/code-refs/statistics/secret?flagKey=checkout', { as }), 403)
    expect((await account.send('GET', '/api/v2/code-refs/extinctions?projKey=secret', { as })).body).toMatchObject({
      items: {},
    })
    expectRefusal(await account.send('GET', '/api/v2/code-refs/repositories/shop/branches/main', { as }), 403)
  })

  it('an invalid body for a hidden project gets 403: authorization runs before validation', async () => {
    const as = await account.webToken()
    for (const body of ['{', '[]', '{"instructions":0}', '"x"'.repeat(10)]) {
      expectRefusal(await account.send('PATCH', '/api/v2/projects/secret', { as, body }), 403)
    }
  })

  it('no operation reveals a name to a token that has no rights', async () => {
    const { token: as } = await account.tokenOf(deny(['*'], 'proj/*'))
    await account.remember()
    const statuses = new Set<number>()
    for (const { id, method, path } of account.engine.operations) {
      const requestPath = path.replace('{resourceType}', 'flags').replace(/\{[^}]+\}/g, 'web')
      const response = await account.send(method, requestPath, { as, body: method === 'GET' ? undefined : {} })
      expect(response.text, id).not.toMatch(/secret|checkout|ada@example/)
      statuses.add(response.status)
    }
    expect([...statuses].every((status) => [200, 400, 403, 404].includes(status))).toBe(true)
    await account.expectNothingChanged()
  })
})
