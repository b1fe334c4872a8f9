import { describe, expect, it } from 'vitest'
import { account, accountForEachTest, allow, deny, expectRefusal, view } from './setup/attacked-account.ts'

accountForEachTest()

describe('paths that disguise another resource', () => {
  it.each([
    ['an encoded separator', '/api/v2/projects/web%2F..%2Fsecret'],
    ['a separator encoded twice', '/api/v2/projects/web%252F..%252Fsecret'],
    ['an encoded resource specifier', '/api/v2/projects/secret%3Aenv%2Fproduction'],
    ['a wildcard for a key', '/api/v2/projects/*'],
    ['an encoded wildcard', '/api/v2/flags/%2A/checkout'],
    ['a qualifier after the key', '/api/v2/projects/secret;web'],
    ['an encoded qualifier', '/api/v2/projects/secret%3Bweb'],
    ['a NUL after the key', '/api/v2/projects/secret%00'],
    ['a space after the key', '/api/v2/projects/secret%20'],
    ['full-width letters', `/api/v2/projects/${encodeURIComponent('ｓecret')}`],
    ['a letter of another alphabet', `/api/v2/projects/${encodeURIComponent('sеcret')}`],
    ['an overlong UTF-8 encoding of a letter', '/api/v2/projects/%C1%B3ecret'],
    ['broken percent-encoding', '/api/v2/projects/secret%2'],
    ['the key in upper case', '/api/v2/projects/SECRET'],
    ['the path in upper case', '/API/V2/projects/secret'],
    ['an extra slash at the end', '/api/v2/projects/secret/'],
    ['an extra slash in the middle', '/api/v2/projects//secret'],
    ['a placeholder from the route template', '/api/v2/projects/{projectKey}'],
  ])('%s gets 404', async (_, path) => {
    const as = await account.tokenWith(allow(['*'], 'proj/*'), deny(['*'], 'proj/secret'))
    expectRefusal(await account.send('GET', path, { as }), 404)
  })

  it.each([
    ['dots', '/api/v2/projects/web/../secret'],
    ['encoded dots', '/api/v2/projects/web/%2e%2e/secret'],
    ['backslashes', '/api/v2/projects/web\\..\\secret'],
  ])('%s, which the URL parser resolves before authorization, get 403', async (_, path) => {
    expectRefusal(await account.send('GET', path, { as: await account.webToken() }), 403)
  })

  it.each(['/api/v2/projects/web/../secret', '/api/v2/projects/web/%2e%2e/secret', '/api/v2/projects/web\\..\\secret'])(
    '%s gets 404 from a transport that does not resolve dot segments',
    async (path) => {
      expectRefusal(await account.sendRaw('GET', path, { as: await account.webToken() }), 404)
    },
  )

  it('a flag or segment requested under another project gets 404', async () => {
    await account.api.createFlag({ projectKey: 'secret', body: { key: 'hidden', name: 'Hidden' } }, account.by)
    const environmentKeys = { projectKey: 'secret', environmentKey: 'production' }
    await account.api.createSegment({ ...environmentKeys, body: { key: 'hidden', name: 'Hidden' } }, account.by)
    const as = await account.webToken()
    expectRefusal(await account.send('GET', '/api/v2/flags/web/hidden', { as }), 404)
    expectRefusal(await account.send('GET', '/api/v2/segments/web/production/hidden', { as }), 404)
    expectRefusal(await account.send('DELETE', '/api/v2/segments/web/production/hidden', { as }), 404)
    await account.expectNothingChanged()
  })

  it('a repository name with separators or wildcards gets 403', async () => {
    for (const name of ['mine', 'private']) await account.api.createRepository({ body: { name } }, account.by)
    const as = await account.tokenWith(allow(['*'], 'code-reference-repository/mine'))
    for (const name of ['private', 'mine%2F..%2Fprivate', 'mine%3Aprivate', '%2A', 'm%2A']) {
      expectRefusal(await account.send('GET', `/api/v2/code-refs/repositories/${name}`, { as }), 403)
      expectRefusal(await account.send('DELETE', `/api/v2/code-refs/repositories/${name}`, { as }), 403)
    }
    await account.expectNothingChanged()
  })

  it('a query parameter sent twice gets 403 when the second value is forbidden', async () => {
    const as = await account.webToken()
    const query = 'environmentKey=production&projectKey=web&projectKey=secret'
    expectRefusal(await account.send('GET', `/api/v2/engineering-insights/charts/lead-time?${query}`, { as }), 403)
  })

  it('a query parameter whose name is percent-encoded is authorized like a plain one', async () => {
    const query = 'environmentKey=production&projectKey=web&project%4Bey=secret'
    const as = await account.webToken()
    expectRefusal(await account.send('GET', `/api/v2/engineering-insights/deployments?${query}`, { as }), 403)
  })
})

describe('headers that try to override the method or the path', () => {
  it.each(['x-http-method-override', 'x-http-method', 'x-method-override'])(
    'a method in the header %s is ignored',
    async (name) => {
      const as = await account.tokenWith(view)
      const response = await account.send('GET', '/api/v2/projects/web', { as, headers: { [name]: 'DELETE' } })
      expect(response).toMatchObject({ status: 200, body: { key: 'web' } })
      expect((await account.send('POST', '/api/v2/projects/web', { headers: { [name]: 'DELETE' } })).status).toBe(405)
      await account.send('GET', '/api/v2/projects/web?_method=DELETE', { as: account.owner })
      await account.expectNothingChanged()
    },
  )

  it.each(['x-original-url', 'x-rewrite-url', 'x-forwarded-path', 'x-forwarded-prefix'])(
    'a path in the header %s is ignored',
    async (name) => {
      const headers = { [name]: '/api/v2/projects/secret' }
      const response = await account.send('GET', '/api/v2/projects/web', { as: await account.webToken(), headers })
      expect(response).toMatchObject({ status: 200, body: { key: 'web' } })
      expect(response.text).not.toContain('secret')
    },
  )

  it.each(['get', 'Delete', 'GET ', 'TRACE', '__proto__'])('the unknown method %j gets 405', async (method) => {
    const response = await account.sendRaw(method, '/api/v2/projects/secret', { as: await account.webToken() })
    expect(response).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
    await account.expectNothingChanged()
  })

  it('HEAD gets the same response for a hidden project as for a missing one', async () => {
    const as = await account.webToken()
    const [hidden, missing] = [
      await account.send('HEAD', '/api/v2/projects/secret', { as }),
      await account.send('HEAD', '/api/v2/projects/no-such', { as }),
    ]
    expect(hidden.status).toBe(403)
    expect(hidden).toEqual(missing)
  })

  it.each(['BETA', 'beta, beta', 'beta;q=1', 'bêta', '20240415, beta', 'true'])(
    'the API version %j does not give access to beta operations',
    async (version) => {
      const headers = { 'svc-api-version': encodeURI(version) }
      const path = '/api/v2/engineering-insights/deployments?projectKey=web&environmentKey=production'
      expect((await account.send('GET', path, { headers })).body).toMatchObject({ code: 'invalid_request' })
    },
  )

  it('an API version in the query or in another header is ignored', async () => {
    const path = '/api/v2/engineering-insights/deployments?projectKey=web&environmentKey=production&version=beta'
    const headers = { 'svc-api-version': '', 'api-version': 'beta', 'x-svc-api-version': 'beta' }
    expect(await account.send('GET', path, { headers })).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })
})
