import { describe, expect, it } from 'vitest'
import { consentWith, received, serveClient } from './attacked-client.ts'
import { type OAuthAccount, register, serveAccount } from './oauth-account.ts'
import { authorizationOf, authorizationUrl, callApi, exchange, fromPage, openPage, sendForm } from './person.ts'

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
    const { account, client } = await serveClient()
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
  ])('%s gets %i when the registered URI is http://127.0.0.1/callback', async (redirectUri, status) => {
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
  ])('%s is refused by an error that the client receives with the issuer', async (_, changes, error) => {
    const { account, client } = await serveClient()
    const { status, location } = await openPage(authorizationUrl(account, authorizationOf(client, changes)))
    expect(status).toBe(303)
    expect(received(location)).toMatchObject({ error, state: 's1', iss: account.issuer })
    const sent = await consentWith(account, client, changes)
    expect(received(sent.location)).toMatchObject({ error, iss: account.issuer })
  })

  it('with a parameter that occurs twice is refused', async () => {
    const { account, client } = await serveClient()
    const url = authorizationUrl(account, authorizationOf(client))
    expect(received((await openPage(`${url}&scope=admin`)).location)).toMatchObject({ error: 'invalid_request' })
    expect((await openPage(`${url}&redirect_uri=https://evil.example/`)).status).toBe(400)
    expect((await openPage(`${url}&client_id=${client.clientId}`)).status).toBe(400)
  })

  it('gets the issuer with its code, so that a client can detect the server of an attacker', async () => {
    const { account, client } = await serveClient()
    const { location } = await consentWith(account, client, {})
    expect(received(location)).toEqual({ code: expect.stringMatching(/^oac-/), state: 's1', iss: account.issuer })
  })
})

describe('the consent of a person', () => {
  const grantsOf = async ({ engine, admin }: OAuthAccount) =>
    (await engine.api.listOAuthGrants({}, { as: admin })).totalCount

  it('is not given by a form of another site', async () => {
    const { account, client } = await serveClient()
    const other = { ...authorizationOf(client), decision: 'allow' }
    const sent = await sendForm(account, { cookie: 'person=bob@x.io' }, other, { 'sec-fetch-site': 'cross-site' })
    expect([sent.status, sent.location]).toEqual([403, undefined])
    expect(await grantsOf(account)).toBe(0)
  })

  it('is not given with the value of the page of another person', async () => {
    const { account, client } = await serveClient()
    const attacker = await openPage(authorizationUrl(account, authorizationOf(client)), 'eve@x.io')
    const victim = await openPage(authorizationUrl(account, authorizationOf(client)))
    const fields = { ...victim.fields, csrf: attacker.fields.csrf ?? '', decision: 'allow' }
    for (const csrf of [fields.csrf, '', '0'.repeat(64)])
      expect((await sendForm(account, victim, { ...fields, csrf })).status).toBe(403)
    expect(await grantsOf(account)).toBe(0)
  })

  it('is not given by a page of another site that knows the value', async () => {
    const { account, client } = await serveClient()
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await consentWith(account, client, {}, { 'sec-fetch-site': site })).status).toBe(403)
    expect((await consentWith(account, client, {}, {})).status).toBe(403)
    expect(await grantsOf(account)).toBe(0)
    expect((await consentWith(account, client, {}, fromPage)).status).toBe(303)
    expect(await grantsOf(account)).toBe(1)
  })

  it('is refused with two values in the cookies, because another host of the domain may have set one of them', async () => {
    const { account, client } = await serveClient()
    const page = await openPage(authorizationUrl(account, authorizationOf(client)))
    const cookie = `halyard-consent=${'0'.repeat(64)}; ${page.cookie}`
    const fields = { ...page.fields, decision: 'allow' }
    expect((await sendForm(account, { cookie }, fields)).status).toBe(403)
    expect((await sendForm(account, { cookie }, { ...fields, csrf: '0'.repeat(64) })).status).toBe(403)
  })

  it('is requested on a page that no other page can show in a frame, and that runs no script of a client', async () => {
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
    const { account, client } = await serveClient('reader')
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
