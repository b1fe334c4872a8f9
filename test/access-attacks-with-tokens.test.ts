import { describe, expect, it } from 'vitest'
import {
  type Answer,
  type Attempt,
  account,
  accountForEachTest,
  allow,
  deny,
  expectRefusal,
  patching,
  start,
  view,
} from './setup/attacked-account.ts'

accountForEachTest()

describe('something else for a token', () => {
  const read = (attempt: Attempt) => account.send('GET', '/api/v2/projects', attempt)

  it('the keys and the id of an environment', async () => {
    const place = { projectKey: 'web', environmentKey: 'production' }
    const { apiKey, mobileKey, _id } = await account.api.getEnvironment(place, account.by)
    for (const as of [apiKey, mobileKey, _id]) expectRefusal(await read({ as }), 401)
  })

  it('the id of a token, its last four characters, its hash', async () => {
    const { _id, token } = await account.tokenOf(view)
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
    const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    for (const as of [_id, token.slice(-4), hash, `api-${hash}`, `token/${_id}`]) expectRefusal(await read({ as }), 401)
  })

  it.each<[string, (token: string) => string]>([
    ['Basic', (token) => `Basic ${btoa(`:${token}`)}`],
    ['Token', (token) => `Token ${token}`],
    ['Bearer twice', (token) => `Bearer Bearer ${token}`],
    ['Bearer without a space', (token) => `Bearer${token}`],
    ['Bearer with a colon', (token) => `Bearer: ${token}`],
    ['Bearer alone', () => 'Bearer'],
    ['Bearer with a list', (token) => `Bearer ${token}, ${token}`],
    ['quotation marks', (token) => `"${token}"`],
    ['capitals', (token) => token.toUpperCase()],
    ['a part of it', (token) => token.slice(0, -1)],
    ['more than it', (token) => `${token}0`],
    ['a wildcard', (token) => `${token.slice(0, -1)}*`],
    ['the word undefined', () => 'undefined'],
  ])('%s', async (_, write) => {
    expect((await read({ as: `Bearer ${account.owner}` })).status).toBe(200)
    expectRefusal(await read({ as: write(account.owner) }), 401)
  })

  it.each<[string, (token: string) => string]>([
    ['a NUL behind it', (token) => `${token}\0`],
    ['a NUL in it', (token) => `${token.slice(0, 8)}\0${token.slice(8)}`],
    ['full-width letters', (token) => token.replace('api', 'ａｐｉ')],
    ['an invisible character', (token) => `${token.slice(0, 8)}\u200b${token.slice(8)}`],
    ['a lone surrogate', (token) => `${token}\ud800`],
    ['nothing', () => ''],
    ['a million characters', () => 'a'.repeat(1_000_000)],
  ])('%s, from a transport that checks no headers', async (_, write) => {
    expectRefusal(await account.sendRaw('GET', '/api/v2/projects', { as: write(account.owner) }), 401)
  })

  it('the header twice, a bad token before the good one and behind it', async () => {
    for (const as of [`api-0, ${account.owner}`, `${account.owner}, api-0`]) expectRefusal(await read({ as }), 401)
  })

  it('a token where none is looked for', async () => {
    const { owner } = account
    const headers = { cookie: `authorization=${owner}`, 'x-api-key': owner, 'proxy-authorization': owner }
    expectRefusal(await read({ as: '', headers }), 401)
    expectRefusal(await account.send('GET', `/api/v2/projects?authorization=${owner}`, { as: '' }), 401)
  })

  it('names that every object has, from a transport that keeps headers in one', async () => {
    const header = (name: string) => ({ 'svc-api-version': 'beta' })[name] as string | undefined
    const answer = await account.engine.handle({
      method: 'GET',
      path: '/api/v2/projects',
      query: '__proto__=x&constructor=y',
      header,
      body: { kind: 'parsed', value: undefined },
    })
    expect(answer.status).toBe(401)
  })
})

describe('a token whose time is over', () => {
  const read = (as: string) => account.send('GET', '/api/v2/projects', { as })

  it('reset', async () => {
    const { _id, token } = await account.tokenOf(view)
    expect((await read(token)).status).toBe(200)
    await account.api.resetToken({ id: _id }, account.by)
    expectRefusal(await read(token), 401)
  })

  it('reset with time left, at the end of that time', async () => {
    const { _id, token } = await account.tokenOf(view)
    await account.api.resetToken({ id: _id, expiry: start + 1000 }, account.by)
    account.pass(999)
    expect((await read(token)).status).toBe(200)
    account.pass(1)
    expectRefusal(await read(token), 401)
  })

  it('reset with time left, once it is reset again', async () => {
    const { _id, token } = await account.tokenOf(view)
    const second = await account.api.resetToken({ id: _id, expiry: start + 1000 }, account.by)
    expect((await read(token)).status).toBe(200)
    await account.api.resetToken({ id: _id }, account.by)
    expectRefusal(await read(second.token), 401)
    expectRefusal(await read(token), 401)
  })

  it('deleted', async () => {
    const { _id, token } = await account.tokenOf(view)
    expect((await read(token)).status).toBe(200)
    await account.api.deleteToken({ id: _id }, account.by)
    expectRefusal(await read(token), 401)
  })

  it('made by a member who is gone', async () => {
    const { token } = await account.api.createToken({ body: { role: 'admin' } }, account.by)
    expect((await read(token)).status).toBe(200)
    await account.setMember(undefined)
    expectRefusal(await read(token), 401)
  })

  it('made by a member who may do less now', async () => {
    const { token } = await account.api.createToken({ body: { role: 'admin' } }, account.by)
    await account.setMember({ role: 'reader' })
    expectRefusal(await account.send('DELETE', '/api/v2/projects/web', { as: token }), 403)
  })

  it('with a custom role that was deleted, and made anew with less in it', async () => {
    const role = (...policy: ReturnType<typeof allow>[]) => ({ body: { key: 'ops', name: 'Ops', policy } })
    await account.api.createRole(role(allow(['*'], 'proj/*')), account.by)
    const body = { customRoleIds: ['ops'], serviceToken: true }
    const { token } = await account.api.createToken({ body }, account.by)
    expect((await account.send('GET', '/api/v2/projects/secret', { as: token })).status).toBe(200)
    account.pass(1)
    await account.api.deleteRole({ roleKey: 'ops' }, account.by)
    await account.api.createRole(role(allow(['*'], 'proj/web')), account.by)
    await account.remember()
    expectRefusal(await account.send('GET', '/api/v2/projects/secret', { as: token }), 403)
    expectRefusal(await account.send('DELETE', '/api/v2/projects/secret', { as: token }), 403)
    await account.expectNothingChanged()
  })
})

describe('more than a token was given', () => {
  const tokenMaker = allow(['*'], 'service-token/*', 'member/*:token/*')
  const destroy = (as: string) => account.send('DELETE', '/api/v2/projects/secret', { as })

  const newValue = ({ body }: Answer) => (body as { token: string }).token

  it('by a stronger token that it makes', async () => {
    const { token: as } = await account.tokenOf(tokenMaker)
    for (const serviceToken of [true, false]) {
      const made = await account.send('POST', '/api/v2/tokens', { as, body: { role: 'admin', serviceToken } })
      expect(made.status).toBe(201)
      expectRefusal(await destroy(newValue(made)), 403)
    }
  })

  it('by a token that the token makes which it makes', async () => {
    let { token: as } = await account.tokenOf(tokenMaker)
    for (let depth = 0; depth < 3; depth++) {
      as = newValue(await account.send('POST', '/api/v2/tokens', { as, body: { role: 'admin', serviceToken: true } }))
    }
    expectRefusal(await destroy(as), 403)
  })

  it('by learning the new value of a stronger one', async () => {
    const strong = await account.api.createToken({ body: { role: 'admin', serviceToken: true } }, account.by)
    const { token: as } = await account.tokenOf(tokenMaker)
    const reset = await account.send('POST', `/api/v2/tokens/${strong._id}/reset`, { as })
    expectRefusal(await destroy(newValue(reset)), 403)
  })

  it('by giving itself another role', async () => {
    const { _id, token: as } = await account.tokenOf(tokenMaker)
    await account.api.createRole({ body: { key: 'all', name: 'All', policy: [allow(['*'], 'proj/*')] } }, account.by)
    const bodies = [
      patching('add', '/role', 'admin'),
      patching('add', '/customRoleIds', ['all']),
      patching('add', '/inlineRole', [allow(['*'], 'proj/*')]),
      [{ op: 'remove', path: '/inlineRole' }, ...patching('add', '/role', 'admin')],
    ]
    for (const body of bodies) await account.send('PATCH', `/api/v2/tokens/${_id}`, { as, body })
    expectRefusal(await destroy(as), 403)
  })

  it('by giving a weaker one another role', async () => {
    const weak = await account.api.createToken({ body: { role: 'reader', serviceToken: true } }, account.by)
    const { token: as } = await account.tokenOf(tokenMaker)
    const body = patching('replace', '/role', 'admin')
    expect((await account.send('PATCH', `/api/v2/tokens/${weak._id}`, { as, body })).status).toBe(200)
    expectRefusal(await destroy(weak.token), 403)
  })

  it.each(['/serviceToken', '/memberId', '/ceiling', '/ceiling/0', '/grant', '/hash', '/ownerId', '/lastFour'])(
    'by a patch of %s',
    async (path) => {
      const { _id, token: as } = await account.tokenOf(tokenMaker)
      await account.remember()
      const body = patching('replace', path, [])
      expect((await account.send('PATCH', `/api/v2/tokens/${_id}`, { as, body })).status).toBe(400)
      await account.expectNothingChanged()
    },
  )

  it.each([
    ['a role of members', { role: 'owner' }],
    ['a base role for a custom one', { customRoleIds: ['admin'] }],
    ['a role that every object has', { role: 'constructor' }],
    ['a custom role that every object has', { customRoleIds: ['__proto__'] }],
    ['limits of its own', { ceiling: [], role: 'admin' }],
    ['another member', { memberId: 'somebody', role: 'admin' }],
  ])('by asking for %s', async (_, body) => {
    await account.remember()
    expect((await account.send('POST', '/api/v2/tokens', { body })).status).toBe(400)
    await account.expectNothingChanged()
  })

  it.each([
    '{"inlineRole":[{"effect":"allow","actions":["*"],"resources":["proj/*"],"__proto__":{}}]}',
    '{"inlineRole":[{"__proto__":{"effect":"allow","actions":["*"],"resources":["proj/*"]}}]}',
    '{"__proto__":{"role":"admin"}}',
    '{"constructor":{"prototype":{"role":"admin"}}}',
  ])('by a body that reaches for prototypes: %s', async (body) => {
    expect((await account.send('POST', '/api/v2/tokens', { body })).status).toBe(400)
    expect(({} as { role?: string }).role).toBeUndefined()
    await account.expectNothingChanged()
  })

  it('by a placeholder for what every object has', async () => {
    const names = ['constructor', '__proto__', 'toString', 'length']
    const { token: as } = await account.tokenOf(allow(['*'], ...names.map((name) => `proj/\${roleAttribute/${name}}`)))
    expectRefusal(await account.send('GET', '/api/v2/projects/secret', { as }), 403)
  })

  it('by a wildcard among the attributes of the member', async () => {
    await account.setMember({ roleAttributes: { mine: ['*', 's*', 'web', 'proj/*:env/*'] } })
    const body = { inlineRole: [allow(['*'], 'proj/${roleAttribute/mine}')] }
    const { token: as } = await account.api.createToken({ body }, account.by)
    expect((await account.send('GET', '/api/v2/projects/web', { as })).status).toBe(200)
    expectRefusal(await account.send('GET', '/api/v2/projects/secret', { as }), 403)
  })

  it('by a service token of a member whose attributes hold it back', async () => {
    const policy = [allow(['*'], 'proj/*', 'service-token/*'), deny(['*'], 'proj/${roleAttribute/barred}')]
    await account.api.createRole({ body: { key: 'barred', name: 'Barred', policy } }, account.by)
    const { token: own } = await account.api.createToken({ body: { role: 'admin' } }, account.by)
    await account.setMember({ role: 'no_access', customRoles: ['barred'], roleAttributes: { barred: ['secret'] } })
    expectRefusal(await destroy(own), 403)
    const made = await account.send('POST', '/api/v2/tokens', { as: own, body: { role: 'admin', serviceToken: true } })
    expect((await account.send('GET', '/api/v2/projects/web', { as: newValue(made) })).status).toBe(200)
    expectRefusal(await destroy(newValue(made)), 403)
  })

  it('by a personal token that a service token makes, whose placeholders stand for nothing', async () => {
    await account.setMember({ roleAttributes: { mine: ['secret'] } })
    const { token: as } = await account.tokenOf(tokenMaker, allow(['*'], 'proj/${roleAttribute/mine}'))
    expectRefusal(await destroy(as), 403)
    const made = await account.send('POST', '/api/v2/tokens', { as, body: { role: 'admin' } })
    expect(made.status).toBe(201)
    expectRefusal(await destroy(newValue(made)), 403)
  })

  it('at the address of the other kind of token', async () => {
    const service = await account.api.createToken({ body: { serviceToken: true } }, account.by)
    const personal = await account.api.createToken({ body: {} }, account.by)
    const { token: as } = await account.tokenOf(allow(['*'], 'service-token/*'))
    await account.remember()
    const path = (id: string) => `/api/v2/tokens/${id}`
    expectRefusal(await account.send('GET', path(personal._id), { as }), 403)
    expectRefusal(await account.send('DELETE', path(personal._id), { as }), 404)
    expectRefusal(await account.send('POST', `${path(personal._id)}/reset`, { as }), 404)
    expectRefusal(await account.send('POST', '/api/v2/tokens', { as, body: { role: 'reader' } }), 403)
    const { token: other } = await account.tokenOf(allow(['*'], 'member/*:token/*'))
    await account.remember()
    expectRefusal(await account.send('DELETE', path(service._id), { as: other }), 404)
    await account.expectNothingChanged()
  })
})
