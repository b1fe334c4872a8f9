import { createHmac } from 'node:crypto'
import { createTestEngine } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'
import { exportSPKI, type JWTPayload, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { type JwtIdentifierOptions, jwtIdentifier } from './index.ts'
import { newKey, sign, startIssuer } from './test/local-issuer.ts'

const audience = 'https://flags.example.com'
const now = () => Math.floor(Date.now() / 1000)

async function open(settings: Partial<JwtIdentifierOptions> = {}) {
  const key = await newKey('first')
  const issuer = await startIssuer(key)
  const engine = await createTestEngine()
  await engine.given.project('web')
  await engine.given.member('bob@x.io', { role: 'writer' })
  const identify = jwtIdentifier({ issuer: issuer.issuer, audience, ...settings })
  const handler = createFetchHandler(engine, { identify })
  const send = (token: string, method = 'GET', path = '/api/v2/projects', body?: unknown) =>
    handler(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    )
  const valid: JWTPayload = { iss: issuer.issuer, aud: audience, email: 'bob@x.io', email_verified: true, sub: 'u1' }
  return { key, issuer, engine, send, valid }
}

describe('a JSON Web Token', () => {
  it('identifies the member with its verified address, and the call has the rights of this member', async () => {
    const { key, send, valid, engine } = await open()
    const token = await sign(key, valid)
    const response = await send(token, 'POST', '/api/v2/projects', { key: 'shop', name: 'Shop' })
    expect(response.status).toBe(201)
    const { items } = await engine.api.listChangeLog({ limit: 1 }, { as: engine.admin })
    expect(items[0]).toMatchObject({ member: { email: 'bob@x.io' } })
    expect((await send(token, 'POST', '/api/v2/members', [{ email: 'c@x.io' }])).status).toBe(403)
  })

  it('is accepted with several audiences, with nbf in the past, and within the tolerance of the clocks', async () => {
    const { key, send, valid } = await open({ audience: ['other', audience] })
    const accepted: JWTPayload[] = [
      { aud: ['a', audience] },
      { aud: 'other' },
      { nbf: now() - 60 },
      { nbf: now() + 20 },
      { exp: now() - 20 },
    ]
    for (const claims of accepted) expect((await send(await sign(key, { ...valid, ...claims }))).status).toBe(200)
  })

  it('is refused with another or without an issuer, audience or expiry, before and after its time', async () => {
    const { key, send, valid } = await open()
    const refused: JWTPayload[] = [
      { iss: 'https://evil.example' },
      { iss: undefined },
      { iss: `${valid.iss}/` },
      { aud: 'https://other.example' },
      { aud: undefined },
      { aud: [] },
      { exp: now() - 31 },
      { exp: undefined },
      { nbf: now() + 40 },
      { email: 'eve@x.io' },
      { email: undefined },
      { email_verified: false },
      { email_verified: 'true' },
      { email_verified: undefined },
      { email: 7 },
    ]
    for (const claims of refused) {
      const response = await send(await sign(key, { ...valid, ...claims }))
      expect([response.status, claims]).toEqual([401, claims])
      expect(await response.json()).toEqual({ code: 'unauthorized', message: 'Invalid access token' })
    }
  })

  it('is refused without a signature by a key of the issuer', async () => {
    const { key, send, valid } = await open()
    const imposter = await newKey('first')
    const token = await sign(key, valid)
    const [header, payload, signature] = token.split('.') as [string, string, string]
    const admin = Buffer.from(JSON.stringify({ ...valid, email: 'owner@localhost' })).toString('base64url')
    const symmetric = Buffer.from(JSON.stringify({ alg: 'HS256', kid: 'first' })).toString('base64url')
    const secret = await exportSPKI(key.publicKey)
    const hmac = createHmac('sha256', secret).update(`${symmetric}.${payload}`).digest('base64url')
    const unsigned = new UnsecuredJWT(valid).setExpirationTime('1m').encode()
    const forged = [
      await sign(imposter, valid),
      await sign({ ...imposter, kid: 'other' }, valid),
      `${header}.${admin}.${signature}`,
      `${header}.${payload}.`,
      unsigned,
      `${unsigned}x`,
      `${symmetric}.${payload}.${hmac}`,
      `${header}.${payload}`,
      `${token}.${signature}`,
      'a.b.c',
    ]
    for (const each of forged) expect([(await send(each)).status, each]).toEqual([401, each])
    expect((await send(token)).status).toBe(200)
  })

  it.each(['RS256', 'PS512', 'ES384', 'EdDSA'])('may be signed with %s', async (alg) => {
    const { issuer, send, valid } = await open()
    const key = await newKey('other', alg)
    issuer.publish(key)
    expect((await send(await sign(key, valid, alg))).status).toBe(200)
  })

  it('is not required: access tokens work as without an issuer', async () => {
    const { engine, send, issuer } = await open()
    expect((await send(engine.admin)).status).toBe(200)
    expect((await send('api-unknown')).status).toBe(401)
    expect(issuer.requests).toEqual([])
  })
})

describe('the keys of an issuer', () => {
  it('are read once, and again when a token has a new key', async () => {
    const { key, issuer, send, valid } = await open({ refetchAfterMs: 0 })
    const read = ['/.well-known/openid-configuration', '/keys']
    const token = await sign(key, valid)
    await Promise.all([send(token), send(token)])
    expect((await send(token)).status).toBe(200)
    expect(issuer.requests).toEqual(read)
    const next = await newKey('second')
    issuer.publish(next)
    expect((await send(await sign(next, valid))).status).toBe(200)
    expect(issuer.requests).toEqual([...read, '/keys'])
    expect((await send(token)).status).toBe(401)
  })

  it('are not read again immediately for tokens with unknown keys', async () => {
    const { key, issuer, send, valid } = await open()
    expect((await send(await sign(key, valid))).status).toBe(200)
    const unknown = await newKey('unknown')
    for (let i = 0; i < 5; i++) expect((await send(await sign(unknown, valid))).status).toBe(401)
    expect(issuer.requests).toHaveLength(2)
  })

  it('that cannot be read lead to 503, until they can', async () => {
    for (const paths of [/configuration/, /keys/]) {
      const { key, issuer, send, valid, engine } = await open()
      issuer.fail(paths)
      const token = await sign(key, valid)
      const response = await send(token)
      expect(response.status).toBe(503)
      expect(await response.json()).toEqual({ code: 'service_unavailable', message: 'Requested service unavailable' })
      expect((await send(engine.admin)).status).toBe(200)
      issuer.fail(/^$/)
      expect((await send(token)).status).toBe(200)
    }
  })

  it('lead to 503 when the issuer does not respond', async () => {
    const { key, issuer, send, valid } = await open()
    await issuer.close()
    expect((await send(await sign(key, valid))).status).toBe(503)
  })

  it('of another issuer are not used', async () => {
    const { key, issuer, valid } = await open()
    const engine = await createTestEngine()
    const issuerName = issuer.issuer.replace('127.0.0.1', 'localhost')
    const handler = createFetchHandler(engine, { identify: jwtIdentifier({ issuer: issuerName, audience }) })
    const authorization = await sign(key, { ...valid, iss: issuerName })
    const response = await handler(new Request('http://localhost/api/v2/projects', { headers: { authorization } }))
    expect(response.status).toBe(503)
  })

  it('can be passed as an option, or read from an address that is passed', async () => {
    const key = await newKey('first')
    const withStaticKeys = await open({ jwks: { keys: [key.published] } })
    expect((await withStaticKeys.send(await sign(key, withStaticKeys.valid))).status).toBe(200)
    expect((await withStaticKeys.send(await sign(withStaticKeys.key, withStaticKeys.valid))).status).toBe(401)
    expect(withStaticKeys.issuer.requests).toEqual([])
    const elsewhere = await startIssuer(key)
    const addressed = await open({ jwksUri: `${elsewhere.issuer}/keys` })
    expect((await addressed.send(await sign(key, addressed.valid))).status).toBe(200)
    expect(addressed.issuer.requests).toEqual([])
  })
})

describe('claims', () => {
  it('name the member, the role and the teams', async () => {
    const { key, send, valid, engine } = await open({ claims: { member: 'oid', role: 'flags_role', teams: 'groups' } })
    const { _id } = await engine.given.member('eve@x.io', { role: 'no_access' })
    await engine.given.role('creator', [
      { effect: 'allow', resources: ['proj/*'], actions: ['createProject', 'viewProject'] },
    ])
    await engine.given.team('makers', { customRoleKeys: ['creator'] })
    const create = async (name: string, claims: JWTPayload) => {
      const token = await sign(key, { ...valid, oid: _id, email: undefined, ...claims })
      return (await send(token, 'POST', '/api/v2/projects', { key: name, name })).status
    }
    expect(await create('a', { flags_role: 'no_access', groups: [] })).toBe(403)
    expect(await create('b', { flags_role: 'writer', groups: [] })).toBe(201)
    expect(await create('c', { flags_role: 'no_access', groups: ['makers', 'others'] })).toBe(201)
    expect(await create('d', { flags_role: 'king', groups: [] })).toBe(401)
    expect(await create('e', { flags_role: 'writer', groups: 'makers' })).toBe(401)
    expect(await create('f', { flags_role: 'writer' })).toBe(401)
    expect(await create('g', { groups: [] })).toBe(401)
  })

  it('of a program give it the rights of the first service whose subject matches', async () => {
    const services: JwtIdentifierOptions['services'] = [
      { subject: 'repo:acme/shop:ref:refs/heads/main', role: 'writer' },
      {
        subject: 'repo:acme/*',
        inlinePolicy: [{ effect: 'allow', resources: ['proj/web'], actions: ['viewProject'] }],
      },
    ]
    const { key, send, valid, engine } = await open({ services })
    const status = async (sub: string | undefined, method: string, path: string, body?: unknown) =>
      (await send(await sign(key, { ...valid, email: undefined, sub }), method, path, body)).status
    const main = 'repo:acme/shop:ref:refs/heads/main'
    expect(await status(main, 'POST', '/api/v2/projects', { key: 'new', name: 'New' })).toBe(201)
    const { items } = await engine.api.listChangeLog({ limit: 1 }, { as: engine.admin })
    expect(items[0]).toMatchObject({ app: { _id: `service/${main}`, name: main } })
    const other = 'repo:acme/shop:pull_request'
    expect(await status(other, 'GET', '/api/v2/projects/web')).toBe(200)
    expect(await status(other, 'GET', '/api/v2/projects/new')).toBe(403)
    const outside = ['repo:acme', 'xrepo:acme/shop', 'repo:evil/shop', 'REPO:acme/shop', `repo:acme/${'x'.repeat(300)}`]
    for (const sub of [...outside, undefined]) expect(await status(sub, 'GET', '/api/v2/projects/web')).toBe(401)
  })
})

it.each<[Partial<JwtIdentifierOptions>, RegExp]>([
  [{ issuer: 'http://issuer.example' }, /^issuer: must be an https URL/],
  [{ issuer: 'issuer' }, /^issuer: must be an https URL/],
  [{ jwksUri: 'http://issuer.example/keys' }, /^jwksUri: must be an https URL/],
  [{ audience: '' }, /^audience: must not be empty/],
  [{ audience: [] }, /^audience: must not be empty/],
  [{ services: [{ subject: '*', role: 'reader' }] }, /must not match every token/],
  [{ services: [{ subject: 'repo:acme/*' }] }, /must have a role or an inlinePolicy/],
])('the options %j are refused', (settings, message) => {
  expect(() => jwtIdentifier({ issuer: 'https://issuer.example', audience, ...settings })).toThrow(message)
})
