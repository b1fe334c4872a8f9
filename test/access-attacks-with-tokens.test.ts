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

describe('values that are not a valid token', () => {
  const read = (attempt: Attempt) => account.send('GET', '/api/v2/projects', attempt)

  it('the keys and the id of an environment get 401', async () => {
    const environmentKeys = { projectKey: 'web', environmentKey: 'production' }
    const { apiKey, mobileKey, _id } = await account.api.getEnvironment(environmentKeys, account.by)
    for (const as of [apiKey, mobileKey, _id]) expectRefusal(await read({ as }), 401)
  })

  it('the id, the last four characters and the hash of a token get 401', async () => {
    const { _id, token } = await account.tokenOf(view)
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
    const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    for (const as of [_id, token.slice(-4), hash, `api-${hash}`, `token/${_id}`]) expectRefusal(await read({ as }), 401)
  })

  it.each<[string, (token: string) => string]>([
    ['Basic', (token) => `Basic ${btoa(`:${token}`)}`],
    ['Token', (token) => `Token ${token}`],
    ['the scheme Bearer twice', (token) => `Bearer Bearer ${token}`],
    ['Bearer without a space', (token) => `Bearer${token}`],
    ['Bearer with a colon', (token) => `Bearer: ${token}`],
    ['Bearer without a token', () => 'Bearer'],
    ['Bearer with a list of tokens', (token) => `Bearer ${token}, ${token}`],
    ['quotation marks', (token) => `"${token}"`],
    ['capitals', (token) => token.toUpperCase()],
    ['the token without its last character', (token) => token.slice(0, -1)],
    ['the token with one more character', (token) => `${token}0`],
    ['a wildcard instead of the last character', (token) => `${token.slice(0, -1)}*`],
    ['the word undefined', () => 'undefined'],
  ])('%s gets 401', async (_, headerOf) => {
    expect((await read({ as: `Bearer ${account.owner}` })).status).toBe(200)
    expectRefusal(await read({ as: headerOf(account.owner) }), 401)
  })

  it.each<[string, (token: string) => string]>([
    ['a NUL after the token', (token) => `${token}\0`],
    ['a NUL inside the token', (token) => `${token.slice(0, 8)}\0${token.slice(8)}`],
    ['full-width letters', (token) => token.replace('api', 'ａｐｉ')],
    ['an invisible character', (token) => `${token.slice(0, 8)}\u200b${token.slice(8)}`],
    ['a lone surrogate', (token) => `${token}\ud800`],
    ['nothing', () => ''],
    ['a million characters', () => 'a'.repeat(1_000_000)],
  ])('%s gets 401, even from a transport that does not validate headers', async (_, headerOf) => {
    expectRefusal(await account.sendRaw('GET', '/api/v2/projects', { as: headerOf(account.owner) }), 401)
  })

  it('an Authorization header sent twice gets 401 in either order', async () => {
    for (const as of [`api-0, ${account.owner}`, `${account.owner}, api-0`]) expectRefusal(await read({ as }), 401)
  })

  it('a token in a cookie, another header or the query gets 401', async () => {
    const { owner } = account
    const headers = { cookie: `authorization=${owner}`, 'x-api-key': owner, 'proxy-authorization': owner }
    expectRefusal(await read({ as: '', headers }), 401)
    expectRefusal(await account.send('GET', `/api/v2/projects?authorization=${owner}`, { as: '' }), 401)
  })

  it('a query with names of Object.prototype gets 401 from a transport that keeps headers in an object', async () => {
    const header = (name: string) => ({ 'svc-api-version': 'beta' })[name] as string | undefined
    const response = await account.engine.handle({
      method: 'GET',
      path: '/api/v2/projects',
      query: '__proto__=x&constructor=y',
      header,
      body: { kind: 'parsed', value: undefined },
    })
    expect(response.status).toBe(401)
  })
})

describe('tokens that no longer grant access', () => {
  const read = (as: string) => account.send('GET', '/api/v2/projects', { as })

  it('a token that was reset gets 401', async () => {
    const { _id, token } = await account.tokenOf(view)
    expect((await read(token)).status).toBe(200)
    await account.api.resetToken({ id: _id }, account.by)
    expectRefusal(await read(token), 401)
  })

  it('a token that was reset with an expiry gets 401 from the expiry on', async () => {
    const { _id, token } = await account.tokenOf(view)
    await account.api.resetToken({ id: _id, expiry: startTime + 1000 }, account.by)
    account.advanceClock(999)
    expect((await read(token)).status).toBe(200)
    account.advanceClock(1)
    expectRefusal(await read(token), 401)
  })

  it('a token that was reset twice gets 401 although the first expiry has not passed', async () => {
    const { _id, token } = await account.tokenOf(view)
    const second = await account.api.resetToken({ id: _id, expiry: startTime + 1000 }, account.by)
    expect((await read(token)).status).toBe(200)
    await account.api.resetToken({ id: _id }, account.by)
    expectRefusal(await read(second.token), 401)
    expectRefusal(await read(token), 401)
  })

  it('a deleted token gets 401', async () => {
    const { _id, token } = await account.tokenOf(view)
    expect((await read(token)).status).toBe(200)
    await account.api.deleteToken({ id: _id }, account.by)
    expectRefusal(await read(token), 401)
  })

  it('a token of a deleted member gets 401', async () => {
    const { token } = await account.api.createToken({ body: { role: 'admin' } }, account.by)
    expect((await read(token)).status).toBe(200)
    await account.setMember(undefined)
    expectRefusal(await read(token), 401)
  })

  it('a token of a member whose rights were reduced gets 403', async () => {
    const { token } = await account.api.createToken({ body: { role: 'admin' } }, account.by)
    await account.setMember({ role: 'reader' })
    expectRefusal(await account.send('DELETE', '/api/v2/projects/web', { as: token }), 403)
  })

  it('a custom role that was deleted and recreated grants nothing to a token that had the old one', async () => {
    const role = (...policy: ReturnType<typeof allow>[]) => ({ body: { key: 'ops', name: 'Ops', policy } })
    await account.api.createRole(role(allow(['*'], 'proj/*')), account.by)
    const body = { customRoleIds: ['ops'], serviceToken: true }
    const { token } = await account.api.createToken({ body }, account.by)
    expect((await account.send('GET', '/api/v2/projects/secret', { as: token })).status).toBe(200)
    account.advanceClock(1)
    await account.api.deleteRole({ roleKey: 'ops', detach: true }, account.by)
    await account.api.createRole(role(allow(['*'], 'proj/*')), account.by)
    await account.remember()
    expectRefusal(await account.send('GET', '/api/v2/projects/secret', { as: token }), 403)
    expectRefusal(await account.send('DELETE', '/api/v2/projects/secret', { as: token }), 403)
    await account.expectNothingChanged()
  })
})

describe('tokens that try to gain rights', () => {
  const manageTokens = allow(['*'], 'service-token/*', 'member/*:token/*')
  const deleteSecretProject = (as: string) => account.send('DELETE', '/api/v2/projects/secret', { as })

  const tokenIn = ({ body }: AttemptResponse) => (body as { token: string }).token

  it('a token cannot gain rights through a token that it creates', async () => {
    const { token: as } = await account.tokenOf(manageTokens)
    for (const serviceToken of [true, false]) {
      const created = await account.send('POST', '/api/v2/tokens', { as, body: { role: 'admin', serviceToken } })
      expect(created.status).toBe(201)
      expectRefusal(await deleteSecretProject(tokenIn(created)), 403)
    }
  })

  it('a token cannot gain rights through a chain of tokens', async () => {
    let { token: as } = await account.tokenOf(manageTokens)
    for (let depth = 0; depth < 3; depth++) {
      as = tokenIn(await account.send('POST', '/api/v2/tokens', { as, body: { role: 'admin', serviceToken: true } }))
    }
    expectRefusal(await deleteSecretProject(as), 403)
  })

  it('a token cannot gain rights by resetting one with more rights', async () => {
    const adminToken = await account.api.createToken({ body: { role: 'admin', serviceToken: true } }, account.by)
    const { token: as } = await account.tokenOf(manageTokens)
    const reset = await account.send('POST', `/api/v2/tokens/${adminToken._id}/reset`, { as })
    expectRefusal(await deleteSecretProject(tokenIn(reset)), 403)
  })

  it('a token cannot give itself another role', async () => {
    const { _id, token: as } = await account.tokenOf(manageTokens)
    await account.api.createRole({ body: { key: 'all', name: 'All', policy: [allow(['*'], 'proj/*')] } }, account.by)
    const bodies = [
      patchOf('add', '/role', 'admin'),
      patchOf('add', '/customRoleIds', ['all']),
      patchOf('add', '/inlineRole', [allow(['*'], 'proj/*')]),
      [{ op: 'remove', path: '/inlineRole' }, ...patchOf('add', '/role', 'admin')],
    ]
    for (const body of bodies) await account.send('PATCH', `/api/v2/tokens/${_id}`, { as, body })
    expectRefusal(await deleteSecretProject(as), 403)
  })

  it('a token cannot give another token more rights than its own', async () => {
    const readerToken = await account.api.createToken({ body: { role: 'reader', serviceToken: true } }, account.by)
    const { token: as } = await account.tokenOf(manageTokens)
    const body = patchOf('replace', '/role', 'admin')
    expect((await account.send('PATCH', `/api/v2/tokens/${readerToken._id}`, { as, body })).status).toBe(200)
    expectRefusal(await deleteSecretProject(readerToken.token), 403)
  })

  it.each(['/serviceToken', '/memberId', '/ceiling', '/ceiling/0', '/grant', '/hash', '/ownerId', '/lastFour'])(
    'a patch of %s of a token gets 400',
    async (path) => {
      const { _id, token: as } = await account.tokenOf(manageTokens)
      await account.remember()
      const body = patchOf('replace', path, [])
      expect((await account.send('PATCH', `/api/v2/tokens/${_id}`, { as, body })).status).toBe(400)
      await account.expectNothingChanged()
    },
  )

  it.each([
    ['a role that only members can have', { role: 'owner' }],
    ['a base role as a custom role', { customRoleIds: ['admin'] }],
    ['a role named like a property of Object.prototype', { role: 'constructor' }],
    ['a custom role named like a property of Object.prototype', { customRoleIds: ['__proto__'] }],
    ['its own ceiling', { ceiling: [], role: 'admin' }],
    ['another member', { memberId: 'somebody', role: 'admin' }],
  ])('creating a token with %s gets 400', async (_, body) => {
    await account.remember()
    expect((await account.send('POST', '/api/v2/tokens', { body })).status).toBe(400)
    await account.expectNothingChanged()
  })

  it.each([
    '{"inlineRole":[{"effect":"allow","actions":["*"],"resources":["proj/*"],"__proto__":{}}]}',
    '{"inlineRole":[{"__proto__":{"effect":"allow","actions":["*"],"resources":["proj/*"]}}]}',
    '{"__proto__":{"role":"admin"}}',
    '{"constructor":{"prototype":{"role":"admin"}}}',
  ])('a body that sets a prototype gets 400: %s', async (body) => {
    expect((await account.send('POST', '/api/v2/tokens', { body })).status).toBe(400)
    expect(({} as { role?: string }).role).toBeUndefined()
    await account.expectNothingChanged()
  })

  it('a placeholder named like a property of Object.prototype grants nothing', async () => {
    const names = ['constructor', '__proto__', 'toString', 'length']
    const { token: as } = await account.tokenOf(allow(['*'], ...names.map((name) => `proj/\${roleAttribute/${name}}`)))
    expectRefusal(await account.send('GET', '/api/v2/projects/secret', { as }), 403)
  })

  it('a wildcard in a role attribute of the member matches nothing else', async () => {
    await account.setMember({ roleAttributes: { mine: ['*', 's*', 'web', 'proj/*:env/*'] } })
    const body = { inlineRole: [allow(['*'], 'proj/${roleAttribute/mine}')] }
    const { token: as } = await account.api.createToken({ body }, account.by)
    expect((await account.send('GET', '/api/v2/projects/web', { as })).status).toBe(200)
    expectRefusal(await account.send('GET', '/api/v2/projects/secret', { as }), 403)
  })

  it('a service token keeps the denials that depend on role attributes of its creator', async () => {
    const policy = [allow(['*'], 'proj/*', 'service-token/*'), deny(['*'], 'proj/${roleAttribute/barred}')]
    await account.api.createRole({ body: { key: 'barred', name: 'Barred', policy } }, account.by)
    const { token: personalToken } = await account.api.createToken({ body: { role: 'admin' } }, account.by)
    await account.setMember({ role: 'no_access', customRoles: ['barred'], roleAttributes: { barred: ['secret'] } })
    expectRefusal(await deleteSecretProject(personalToken), 403)
    const created = await account.send('POST', '/api/v2/tokens', {
      as: personalToken,
      body: { role: 'admin', serviceToken: true },
    })
    expect((await account.send('GET', '/api/v2/projects/web', { as: tokenIn(created) })).status).toBe(200)
    expectRefusal(await deleteSecretProject(tokenIn(created)), 403)
  })

  it('a personal token that a service token creates resolves no role attributes', async () => {
    await account.setMember({ roleAttributes: { mine: ['secret'] } })
    const { token: as } = await account.tokenOf(manageTokens, allow(['*'], 'proj/${roleAttribute/mine}'))
    expectRefusal(await deleteSecretProject(as), 403)
    const created = await account.send('POST', '/api/v2/tokens', { as, body: { role: 'admin' } })
    expect(created.status).toBe(201)
    expectRefusal(await deleteSecretProject(tokenIn(created)), 403)
  })

  it('a token with rights to one kind of token cannot read or change the other kind', async () => {
    const service = await account.api.createToken({ body: { serviceToken: true } }, account.by)
    const personal = await account.api.createToken({ body: {} }, account.by)
    const { token: as } = await account.tokenOf(allow(['*'], 'service-token/*'))
    await account.remember()
    const path = (id: string) => `/api/v2/tokens/${id}`
    expectRefusal(await account.send('GET', path(personal._id), { as }), 403)
    expectRefusal(await account.send('DELETE', path(personal._id), { as }), 404)
    expectRefusal(await account.send('POST', `${path(personal._id)}/reset`, { as }), 404)
    expectRefusal(await account.send('POST', '/api/v2/tokens', { as, body: { role: 'reader' } }), 403)
    const { token: memberTokenManager } = await account.tokenOf(allow(['*'], 'member/*:token/*'))
    await account.remember()
    expectRefusal(await account.send('DELETE', path(service._id), { as: memberTokenManager }), 404)
    await account.expectNothingChanged()
  })
})
