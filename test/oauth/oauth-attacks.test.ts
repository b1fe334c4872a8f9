import { describe, expect, it } from 'vitest'
import { type OAuthAccount, type RegisteredClient, register, serveAccount } from './oauth-account.ts'
import {
  authorizationOf,
  authorizationUrl,
  callApi,
  exchange,
  fromPage,
  getCode,
  getTokens,
  openPage,
  post,
  refresh,
  sendForm,
  verifier,
} from './person.ts'

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

async function open(role?: 'reader' | 'writer' | 'admin') {
  const account = await serveAccount(role ? { role } : {})
  return { account, client: await register(account) }
}

/** Opens the consent page of a client and sends its form with changes, as the page would. */
async function consentWith(
  account: OAuthAccount,
  client: RegisteredClient,
  fields: Record<string, string>,
  headers?: Record<string, string>,
) {
  const page = await openPage(authorizationUrl(account, authorizationOf(client)))
  return sendForm(account, page, { ...page.fields, decision: 'allow', ...fields }, headers)
}

/** Returns the parameters that the client receives by a redirect. */
const received = (location: string | undefined) => Object.fromEntries(new URL(location as string).searchParams)

describe('an authorization code', () => {
  it('that is used twice ends everything that was issued for it', async () => {
    const { account, client } = await open()
    const code = await getCode(account, client)
    const first = await exchange(account, client, code)
    expect(await callApi(account, first.body.access_token)).toBe(200)
    expect(await exchange(account, client, code)).toMatchObject(invalidGrant)
    expect(await callApi(account, first.body.access_token)).toBe(401)
    expect(await refresh(account, client, first.body.refresh_token)).toMatchObject(invalidGrant)
  })

  it('is refused 60 seconds after it was made', async () => {
    const { account, client } = await open()
    const [early, late] = [await getCode(account, client), await getCode(account, client)]
    account.advance(59_999)
    expect((await exchange(account, client, early)).status).toBe(200)
    account.advance(1)
    expect(await exchange(account, client, late)).toMatchObject(invalidGrant)
  })

  it.each([
    ['another verifier', { code_verifier: verifier.replace('d', 'e') }, 'invalid_grant'],
    ['a verifier that is too short', { code_verifier: 'short' }, 'invalid_grant'],
    [
      'the challenge in place of the verifier',
      { code_verifier: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' },
      'invalid_grant',
    ],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
  ])('is refused with %s', async (_, changes, error) => {
    const { account, client } = await open()
    const code = await getCode(account, client)
    expect(await exchange(account, client, code, changes)).toMatchObject({ status: 400, body: { error } })
    expect((await exchange(account, client, code)).status).toBe(200)
  })

  it('is refused for another client, which knows the verifier and the redirect URI', async () => {
    const { account, client } = await open()
    const other = await register(account)
    const code = await getCode(account, client)
    expect(await exchange(account, other, code)).toMatchObject(invalidGrant)
    expect((await exchange(account, client, code)).status).toBe(200)
  })

  it('is refused with another redirect URI than that of its request', async () => {
    const account = await serveAccount()
    const client = await register(account, { redirectUri: 'http://127.0.0.1/callback', public: true })
    const code = await getCode(account, { ...client, redirectUri: 'http://127.0.0.1:4001/callback' })
    for (const redirectUri of ['http://127.0.0.1:4002/callback', 'http://127.0.0.1/callback'])
      expect(await exchange(account, { ...client, redirectUri }, code)).toMatchObject(invalidGrant)
    expect((await exchange(account, { ...client, redirectUri: 'http://127.0.0.1:4001/callback' }, code)).status).toBe(
      200,
    )
  })
})

describe('a refresh token', () => {
  it('that is used twice ends everything that was issued for its grant', async () => {
    const { account, client } = await open()
    const first = await getTokens(account, client)
    const second = await refresh(account, client, first.refresh)
    expect(second.status).toBe(200)
    expect(await refresh(account, client, first.refresh)).toMatchObject(invalidGrant)
    expect(await refresh(account, client, second.body.refresh_token)).toMatchObject(invalidGrant)
    expect(await callApi(account, second.body.access_token)).toBe(401)
    expect(await callApi(account, first.access)).toBe(401)
  })

  it('that was guessed ends nothing', async () => {
    const { account, client } = await open()
    const tokens = await getTokens(account, client)
    const [id] = tokens.refresh.split('.')
    const guesses = [`${id}.${'0'.repeat(64)}.${'0'.repeat(64)}`, 'ort-unknown', `${id}.${tokens.access.split('.')[1]}`]
    for (const guess of guesses) expect(await refresh(account, client, guess)).toMatchObject(invalidGrant)
    expect(await callApi(account, tokens.access)).toBe(200)
    expect((await refresh(account, client, tokens.refresh)).status).toBe(200)
  })

  it('is refused for another client, and remains valid for its own', async () => {
    const { account, client } = await open()
    const other = await register(account)
    const tokens = await getTokens(account, client)
    expect(await refresh(account, other, tokens.refresh)).toMatchObject(invalidGrant)
    expect((await refresh(account, client, tokens.refresh)).status).toBe(200)
  })

  it('gives no scope that the person did not grant', async () => {
    const { account, client } = await open()
    const tokens = await getTokens(account, client, { scope: 'reader' })
    for (const scope of ['writer', 'reader writer', 'admin'])
      expect(await refresh(account, client, tokens.refresh, { scope })).toMatchObject({
        body: { error: 'invalid_scope' },
      })
    const { body } = await refresh(account, client, tokens.refresh)
    expect(body.scope).toBe('reader')
    for (const token of [tokens.access, body.access_token])
      expect(await callApi(account, token, 'POST', '/projects', { key: 'a', name: 'A' })).toBe(403)
  })

  it('expires when it was not used for ninety days', async () => {
    const { account, client } = await open()
    const tokens = await getTokens(account, client)
    const day = 86_400_000
    account.advance(89 * day)
    const { body } = await refresh(account, client, tokens.refresh)
    account.advance(90 * day)
    expect(await refresh(account, client, body.refresh_token)).toMatchObject(invalidGrant)
  })
})

describe('a redirect URI', () => {
  it.each([
    'https://app.example.com/callback/',
    'https://app.example.com/callback?a=b',
    'https://app.example.com/callback/../evil',
    'https://app.example.com/%63allback',
    'https://app.example.com/Callback',
    'https://APP.example.com/callback',
    'https://app.example.com:8443/callback',
    'http://app.example.com/callback',
    'https://evil.example.com/callback',
    'https://app.example.com.evil.example/callback',
    'https://app.example.com@evil.example/callback',
    'https://app.example.com/callback#fragment',
    'javascript:alert(1)//app.example.com/callback',
    '',
  ])('%s gets no redirect when another one is registered', async (redirectUri) => {
    const { account, client } = await open()
    const url = authorizationUrl(account, authorizationOf(client, { redirect_uri: redirectUri }))
    const page = await openPage(url)
    expect([page.status, page.location]).toEqual([400, undefined])
    const sent = await consentWith(account, client, { redirect_uri: redirectUri })
    expect([sent.status, sent.location]).toEqual([400, undefined])
  })

  it.each([
    ['http://127.0.0.1:5000/callback', 200],
    ['http://127.0.0.1:5000/other', 400],
    ['http://localhost:5000/callback', 400],
    ['http://[::1]:5000/callback', 400],
    ['http://127.0.0.1:5000@evil.example/callback', 400],
    ['http://127.0.0.1.evil.example:5000/callback', 400],
    ['https://127.0.0.1:5000/callback', 400],
  ])('%s is answered for the registered http://127.0.0.1/callback with %i', async (redirectUri, status) => {
    const account = await serveAccount()
    const client = await register(account, { redirectUri: 'http://127.0.0.1/callback', public: true })
    const url = authorizationUrl(account, authorizationOf(client, { redirect_uri: redirectUri }))
    expect((await openPage(url)).status).toBe(status)
  })
})

describe('an authorization request', () => {
  it.each([
    ['without PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['with the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['without a method', { code_challenge_method: '' }, 'invalid_request'],
    ['for a token in the redirect', { response_type: 'token' }, 'unsupported_response_type'],
    ['with an unknown scope', { scope: 'reader king' }, 'invalid_scope'],
    ['with the scope owner', { scope: 'owner' }, 'invalid_scope'],
    ['with a request object', { request: 'e30.e30.' }, 'request_not_supported'],
  ])('%s is refused to the client, which learns the issuer', async (_, changes, error) => {
    const { account, client } = await open()
    const { status, location } = await openPage(authorizationUrl(account, authorizationOf(client, changes)))
    expect(status).toBe(303)
    expect(received(location)).toMatchObject({ error, state: 's1', iss: account.issuer })
    const sent = await consentWith(account, client, changes)
    expect(received(sent.location)).toMatchObject({ error, iss: account.issuer })
  })

  it('with a parameter that occurs twice is refused', async () => {
    const { account, client } = await open()
    const url = authorizationUrl(account, authorizationOf(client))
    expect(received((await openPage(`${url}&scope=admin`)).location)).toMatchObject({ error: 'invalid_request' })
    expect((await openPage(`${url}&redirect_uri=https://evil.example/`)).status).toBe(400)
    expect((await openPage(`${url}&client_id=${client.clientId}`)).status).toBe(400)
  })

  it('gets the issuer with its code, so that a client can detect the server of an attacker', async () => {
    const { account, client } = await open()
    const { location } = await consentWith(account, client, {})
    expect(received(location)).toEqual({ code: expect.stringMatching(/^oac-/), state: 's1', iss: account.issuer })
  })
})

describe('the consent of a person', () => {
  const grantsOf = async ({ engine, admin }: OAuthAccount) =>
    (await engine.api.listOAuthGrants({}, { as: admin })).totalCount

  it('is not given by a form of another site', async () => {
    const { account, client } = await open()
    const other = { ...authorizationOf(client), decision: 'allow' }
    const sent = await sendForm(account, { cookie: 'person=bob@x.io' }, other, { 'sec-fetch-site': 'cross-site' })
    expect([sent.status, sent.location]).toEqual([403, undefined])
    expect(await grantsOf(account)).toBe(0)
  })

  it('is not given with the value of the page of another person', async () => {
    const { account, client } = await open()
    const attacker = await openPage(authorizationUrl(account, authorizationOf(client)), 'eve@x.io')
    const victim = await openPage(authorizationUrl(account, authorizationOf(client)))
    const fields = { ...victim.fields, csrf: attacker.fields.csrf ?? '', decision: 'allow' }
    for (const csrf of [fields.csrf, '', '0'.repeat(64)])
      expect((await sendForm(account, victim, { ...fields, csrf })).status).toBe(403)
    expect(await grantsOf(account)).toBe(0)
  })

  it('is not given by a page of another site that knows the value', async () => {
    const { account, client } = await open()
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await consentWith(account, client, {}, { 'sec-fetch-site': site })).status).toBe(403)
    expect((await consentWith(account, client, {}, {})).status).toBe(403)
    expect(await grantsOf(account)).toBe(0)
    expect((await consentWith(account, client, {}, fromPage)).status).toBe(303)
    expect(await grantsOf(account)).toBe(1)
  })

  it('is not given with two values in the cookies, of which another host of the domain may have set one', async () => {
    const { account, client } = await open()
    const page = await openPage(authorizationUrl(account, authorizationOf(client)))
    const cookie = `halyard-consent=${'0'.repeat(64)}; ${page.cookie}`
    const fields = { ...page.fields, decision: 'allow' }
    expect((await sendForm(account, { cookie }, fields)).status).toBe(403)
    expect((await sendForm(account, { cookie }, { ...fields, csrf: '0'.repeat(64) })).status).toBe(403)
  })

  it('is asked on a page that no other page can show in a frame, and that runs no script', async () => {
    const account = await serveAccount()
    const client = await register(account, { name: '<script>alert(1)</script>"\'&' })
    const page = await openPage(
      authorizationUrl(account, authorizationOf(client, { state: '"><script>alert(2)</script>' })),
    )
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; style-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self' https://app.example.com;")
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.html).not.toContain('<script')
    expect(page.html).toContain('app.example.com')
    expect(page.html).toContain('bob@x.io')
    expect(page.fields.state).toBe('"><script>alert(2)</script>')
  })

  it('gives no right that the person lacks, also when the form asks for a larger scope', async () => {
    const { account, client } = await open('reader')
    const { location } = await consentWith(account, client, { scope: 'admin' })
    const { body } = await exchange(account, client, received(location).code as string)
    expect(await callApi(account, body.access_token)).toBe(200)
    expect(await callApi(account, body.access_token, 'POST', '/projects', { key: 'a', name: 'A' })).toBe(403)
    expect(
      await callApi(account, body.access_token, 'POST', '/oauth/clients', {
        name: 'x',
        redirectUri: client.redirectUri,
      }),
    ).toBe(403)
  })
})

describe('a client', () => {
  it.each([
    ['without its secret', { secret: undefined }],
    ['with another secret', { secret: '0'.repeat(64) }],
    ['with the id of a client that does not exist', { clientId: 'unknown' }],
  ])('%s gets no tokens', async (_, changes) => {
    const { account, client } = await open()
    const code = await getCode(account, client)
    const { refresh: token } = await getTokens(account, client)
    const proof = { ...client, ...changes }
    const invalidClient = { status: 401, body: { error: 'invalid_client' } }
    expect(await exchange(account, proof, code)).toMatchObject(invalidClient)
    expect(await refresh(account, proof, token)).toMatchObject(invalidClient)
    expect(await post(account, 'revoke', proof, { token })).toMatchObject(invalidClient)
    expect(await post(account, 'introspect', proof, { token })).toMatchObject(invalidClient)
    expect((await exchange(account, client, code)).status).toBe(200)
  })

  it('gets status 429 above its quota, which requests without a valid client do not use up', async () => {
    const account = await serveAccount({ rateLimit: { route: 2, account: 1_000, windowMs: 10_000 } })
    const [client, other] = [await register(account), await register(account)]
    const introspect = (proof: RegisteredClient) => post(account, 'introspect', proof, { token: 'unknown' })
    for (let i = 0; i < 5; i++) expect((await introspect({ ...client, secret: '0'.repeat(64) })).status).toBe(401)
    expect((await introspect(client)).status).toBe(200)
    expect((await introspect(client)).status).toBe(200)
    expect(await introspect(client)).toMatchObject({
      status: 429,
      retryAfter: '10',
      body: { error: 'temporarily_unavailable' },
    })
    expect((await introspect(other)).status).toBe(200)
    expect((await post(account, 'revoke', client, { token: 'unknown' })).status).toBe(200)
    account.advance(10_000)
    expect((await introspect(client)).status).toBe(200)
    expect(account.errors).toEqual([])
  })

  it('that has no scopes of its own, or is public, gets no tokens without a member', async () => {
    const account = await serveAccount()
    const form = { grant_type: 'client_credentials', scope: 'reader' }
    for (const settings of [{}, { public: true }])
      expect((await post(account, 'token', await register(account, settings), form)).body.error).toBe(
        'unauthorized_client',
      )
    const reader = await register(account, { scopes: ['reader'] })
    expect((await post(account, 'token', reader, { ...form, scope: 'reader admin' })).body.error).toBe('invalid_scope')
  })

  it('learns nothing about the tokens of another client, and cannot revoke them', async () => {
    const { account, client } = await open()
    const other = await register(account)
    const tokens = await getTokens(account, client)
    for (const token of [tokens.access, tokens.refresh]) {
      expect((await post(account, 'introspect', other, { token })).body).toEqual({ active: false })
      expect(await post(account, 'revoke', other, { token })).toMatchObject(invalidGrant)
      expect((await post(account, 'introspect', client, { token })).body).toMatchObject({
        active: true,
        sub: account.bob,
      })
    }
    expect(await callApi(account, tokens.access)).toBe(200)
  })

  it('cannot use a public client to test tokens', async () => {
    const account = await serveAccount()
    const client = await register(account, { public: true })
    const { access: token } = await getTokens(account, client)
    expect(await post(account, 'introspect', client, { token })).toMatchObject({ status: 401 })
  })

  it('cannot make a credential that outlives its grant, whatever its scope', async () => {
    const { account, client } = await open('admin')
    const { access } = await getTokens(account, client, { scope: 'admin' })
    expect(await callApi(account, access, 'POST', '/projects', { key: 'a', name: 'A' })).toBe(201)
    const grant = {
      redirectUri: client.redirectUri,
      scopes: ['admin'],
      codeChallenge: authorizationOf(client).code_challenge,
    }
    const calls: [string, string, object?][] = [
      ['POST', '/tokens', { role: 'reader' }],
      ['POST', '/tokens', { role: 'reader', serviceToken: true }],
      ['POST', '/oauth/clients', { name: 'x', redirectUri: client.redirectUri, scopes: ['admin'] }],
      ['POST', `/oauth/clients/${client.clientId}/grants`, grant],
    ]
    for (const [method, path, body] of calls) expect(await callApi(account, access, method, path, body), path).toBe(403)
    const { items } = await account.engine.api.listTokens({}, { as: account.admin })
    expect(await callApi(account, access, 'POST', `/tokens/${items[0]?._id}/reset`)).toBe(403)
  })

  it('is refused when it authenticates in two ways, or in a body that is no form', async () => {
    const { account, client } = await open()
    const url = `${account.issuer}/trust/oauth/token`
    const authorization = `Basic ${btoa(`${client.clientId}:${client.secret}`)}`
    const form = {
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.secret as string,
    }
    const send = (headers: Record<string, string>, body: BodyInit) => fetch(url, { method: 'POST', headers, body })
    expect((await send({ authorization }, new URLSearchParams(form))).status).toBe(401)
    expect(
      (await send({ authorization }, new URLSearchParams({ ...form, client_secret: '', client_id: 'other' }))).status,
    ).toBe(401)
    expect((await send({ 'content-type': 'application/json' }, JSON.stringify(form))).status).toBe(400)
    expect((await send({}, new URLSearchParams([...Object.entries(form), ['client_id', 'other']]))).status).toBe(400)
    expect((await fetch(`${url}?${new URLSearchParams(form)}`)).status).toBe(405)
  })
})

describe('the tokens of a client end at once', () => {
  const endings: Readonly<Record<string, (account: OAuthAccount, client: RegisteredClient) => Promise<unknown>>> = {
    'when the client is deleted': ({ engine, admin }, { clientId }) =>
      engine.api.deleteOAuthClient({ clientId }, { as: admin }),
    'when the member is deleted': ({ engine, admin, bob }) => engine.api.deleteMember({ id: bob }, { as: admin }),
    'when the grant is deleted': async ({ engine, admin }) => {
      const { items } = await engine.api.listOAuthGrants({}, { as: admin })
      await engine.api.deleteOAuthGrant({ grantId: items[0]?._id as string }, { as: admin })
    },
  }

  it.each(Object.entries(endings))('%s', async (_, end) => {
    const { account, client } = await open()
    const tokens = await getTokens(account, client)
    expect(await callApi(account, tokens.access)).toBe(200)
    await end(account, client)
    expect(await callApi(account, tokens.access)).toBe(401)
    expect([400, 401]).toContain((await refresh(account, client, tokens.refresh)).status)
    const records: unknown[] = []
    for await (const batch of account.storage.account('default').dump()) records.push(...batch)
    const remaining = JSON.stringify(records.filter((record) => JSON.stringify(record).includes('"oauth-tokens"')))
    expect(remaining).not.toContain(tokens.access.slice(4, 40))
  })

  it.each(['oauth-client', 'oauth-grant', 'member'])('when a concurrent call left them behind its %s', async (name) => {
    const { account, client } = await open()
    const { access } = await getTokens(account, client)
    const storage = account.storage.account('default')
    const { items } = await storage.list({ collection: name, scope: '', limit: 9, select: 'bodies' })
    const { key } = items.find(({ body }) => !JSON.stringify(body).includes('"role":"owner"')) as { key: string }
    await storage.commit([{ do: 'discard', id: { collection: name, scope: '', key } }])
    expect(await callApi(account, access)).toBe(401)
  })

  it('follow a member who gets fewer rights', async () => {
    const { account, client } = await open('writer')
    const { access } = await getTokens(account, client, { scope: 'writer' })
    expect(await callApi(account, access, 'POST', '/projects', { key: 'a', name: 'A' })).toBe(201)
    const body = [{ op: 'replace', path: '/role', value: 'reader' }] as const
    await account.engine.api.patchMember({ id: account.bob, body }, { as: account.admin })
    expect(await callApi(account, access, 'POST', '/projects', { key: 'b', name: 'B' })).toBe(403)
    expect(await callApi(account, access)).toBe(200)
  })

  it('follow a custom role that is deleted, also when another one gets its key', async () => {
    const { account, client } = await open('admin')
    const { engine, admin } = account
    const policy = [{ effect: 'allow', resources: ['proj/*'], actions: ['*'] }] as const
    const create = () => engine.api.createRole({ body: { key: 'projects', name: 'Projects', policy } }, { as: admin })
    await create()
    const scoped = await register(account, { scopes: ['projects', 'reader'] })
    const own = await post(account, 'token', scoped, { grant_type: 'client_credentials', scope: 'projects' })
    const { access } = await getTokens(account, client, { scope: 'projects' })
    for (const token of [access, own.body.access_token])
      expect(await callApi(account, token, 'GET', '/projects/web')).toBe(200)
    await engine.api.deleteRole({ roleKey: 'projects' }, { as: admin })
    for (const token of [access, own.body.access_token])
      expect(await callApi(account, token, 'GET', '/projects/web')).toBe(403)
    await create()
    for (const token of [access, own.body.access_token])
      expect(await callApi(account, token, 'GET', '/projects/web')).toBe(403)
  })
})

describe('codes, tokens and secrets', () => {
  it('are in no log, change log entry, export or stored record', async () => {
    const { account, client } = await open()
    const { engine, admin, storage } = account
    const code = await getCode(account, client)
    const { body } = await exchange(account, client, code)
    const again = await refresh(account, client, body.refresh_token)
    await exchange(account, client, code)
    const exported: string[] = []
    for (const secrets of [true, false]) for await (const piece of engine.export({ secrets })) exported.push(piece)
    const stored: unknown[] = []
    for await (const batch of storage.account('default').dump()) stored.push(...batch)
    const { items: entries } = await engine.api.listChangeLog({ limit: 20 }, { as: admin })
    const text = JSON.stringify([account.log, account.errors, exported, stored, entries])
    const secrets = [
      client.secret,
      code,
      body.access_token,
      body.refresh_token,
      again.body.access_token,
      again.body.refresh_token,
    ]
    for (const secret of secrets)
      for (const part of (secret as string).split('.').slice(-2))
        if (part.length === 64) expect(text).not.toContain(part)
    expect(entries.slice(0, 2).map(({ description }) => description)).toEqual([
      'revoked the access of Deploy bot, because its code was used twice',
      'granted Deploy bot access with the scope reader',
    ])
    expect(entries[1]?.member).toMatchObject({ _id: account.bob })
  })

  it('are removed by compact when they have expired', async () => {
    const { account, client } = await open()
    const { engine, admin } = account
    await getCode(account, client)
    const kept = await getTokens(account, client)
    account.advance(60_001)
    await engine.compact()
    expect((await engine.api.listOAuthGrants({}, { as: admin })).totalCount).toBe(1)
    const [newest] = (await engine.api.listChangeLog({}, { as: admin })).items
    expect(newest?.titleVerb ?? newest?.title).toMatch(/revoked the access of .*, because it expired/)
    expect((await refresh(account, client, kept.refresh)).status).toBe(200)
  })
})
