import * as oauth from 'oauth4webapi'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  type Configuration,
  calculatePKCECodeChallenge,
  clientCredentialsGrant,
  type DiscoveryRequestOptions,
  discovery,
  None,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  tokenIntrospection,
  tokenRevocation,
} from 'openid-client'
import { describe, expect, it } from 'vitest'
import { everyStorage } from '../setup/every-storage.ts'
import { mounts, type OAuthAccount, type RegisteredClient, register, serveAccount } from './oauth-account.ts'
import {
  allow,
  authorizationOf,
  authorizationUrl,
  callApi,
  getCode,
  getTokens,
  openPage,
  sendForm,
  verifier,
} from './person.ts'

const storages = everyStorage()

function discover({ issuer }: OAuthAccount, { clientId, secret }: RegisteredClient): Promise<Configuration> {
  const authentication = secret === undefined ? None() : ClientSecretBasic(secret)
  const options: DiscoveryRequestOptions = { algorithm: 'oauth2', execute: [allowInsecureRequests] }
  return discovery(new URL(issuer), clientId, undefined, authentication, options)
}

/** Completes the code flow with openid-client. */
async function completeFlow(account: OAuthAccount, client: RegisteredClient, scope: string) {
  const config = await discover(account, client)
  const pkceCodeVerifier = randomPKCECodeVerifier()
  const expectedState = randomState()
  const url = buildAuthorizationUrl(config, {
    redirect_uri: client.redirectUri,
    scope,
    state: expectedState,
    code_challenge: await calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const redirected = await allow(account, url)
  const tokens = await authorizationCodeGrant(config, redirected, { pkceCodeVerifier, expectedState })
  return { config, tokens, redirected }
}

describe.each(Object.entries(storages))('the code flow of openid-client on %s', (_, openStorage) => {
  describe.each(Object.entries(mounts))('over %s', (_, mount) => {
    it('gives a client with a secret the rights of its scope, until it revokes them', async () => {
      const account = await serveAccount({ storage: await openStorage(), mount })
      const client = await register(account)
      const { config, tokens, redirected } = await completeFlow(account, client, 'writer')
      expect(redirected.href).toContain('https://app.example.com/callback?code=')
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'writer' })
      expect(await callApi(account, tokens.access_token, 'POST', '/projects', { key: 'api', name: 'API' })).toBe(201)
      expect(await tokenIntrospection(config, tokens.access_token)).toEqual({
        active: true,
        scope: 'writer',
        client_id: client.clientId,
        sub: account.bob,
        token_type: 'Bearer',
        iat: Date.UTC(2026, 0, 1) / 1000,
        exp: Date.UTC(2026, 0, 1) / 1000 + 3600,
        iss: account.issuer,
      })
      account.advance(3_600_000)
      expect(await callApi(account, tokens.access_token)).toBe(401)
      expect(await tokenIntrospection(config, tokens.access_token)).toEqual({ active: false })
      const refreshed = await refreshTokenGrant(config, tokens.refresh_token as string, { scope: 'writer' })
      expect(await callApi(account, refreshed.access_token)).toBe(200)
      await tokenRevocation(config, refreshed.refresh_token as string)
      expect(await callApi(account, refreshed.access_token)).toBe(401)
      await expect(refreshTokenGrant(config, refreshed.refresh_token as string)).rejects.toMatchObject({
        error: 'invalid_grant',
      })
      expect(account.errors).toEqual([])
    })
  })
})

describe.each(Object.entries(storages))('eight concurrent requests on %s', (_, openStorage) => {
  const times = Array.from({ length: 8 })

  it('exchange a code at most once, and end its grant', async () => {
    const account = await serveAccount({ storage: await openStorage() })
    const { oauth } = account.engine
    const client = await register(account)
    const code = await getCode(account, client)
    const { clientId, secret: clientSecret, redirectUri } = client
    const request = { grantType: 'authorization_code', code, redirectUri, codeVerifier: verifier } as const
    const results = await Promise.all(times.map(() => oauth.issueTokens({ clientId, clientSecret }, request)))
    const issued = results.filter((result) => 'accessToken' in result)
    expect(issued).toHaveLength(1)
    expect(await callApi(account, issued[0]?.accessToken ?? '')).toBe(401)
  })

  it('use a refresh token at most once, and end its grant', async () => {
    const account = await serveAccount({ storage: await openStorage() })
    const { oauth } = account.engine
    const client = await register(account)
    const { access, refresh: refreshToken } = await getTokens(account, client)
    const { clientId, secret: clientSecret } = client
    const request = { grantType: 'refresh_token', refreshToken, scopes: undefined } as const
    const results = await Promise.all(times.map(() => oauth.issueTokens({ clientId, clientSecret }, request)))
    expect(results.filter((result) => 'accessToken' in result)).toHaveLength(1)
    expect(await callApi(account, access)).toBe(401)
  })
})

describe('openid-client', () => {
  it('gets tokens for a public client with PKCE alone, on a port that the system selected', async () => {
    const account = await serveAccount()
    const registered = await register(account, { redirectUri: 'http://127.0.0.1/callback', public: true })
    expect(registered.secret).toBeUndefined()
    const { tokens, redirected } = await completeFlow(
      account,
      { ...registered, redirectUri: 'http://127.0.0.1:43117/callback' },
      'reader',
    )
    expect(redirected.port).toBe('43117')
    expect(await callApi(account, tokens.access_token)).toBe(200)
  })

  it('gets tokens without a member, within the registered scopes and the rights that the administrator allows', async () => {
    const account = await serveAccount()
    const config = await discover(account, await register(account, { scopes: ['reader', 'writer'] }))
    const reader = await clientCredentialsGrant(config, { scope: 'reader' })
    expect(reader.refresh_token).toBeUndefined()
    expect(await callApi(account, reader.access_token)).toBe(200)
    expect(await callApi(account, reader.access_token, 'POST', '/projects', { key: 'a', name: 'A' })).toBe(403)
    const writer = await clientCredentialsGrant(config)
    expect(writer.scope).toBe('reader writer')
    expect(await callApi(account, writer.access_token, 'POST', '/projects', { key: 'a', name: 'A' })).toBe(201)
    await tokenRevocation(config, writer.access_token)
    expect(await callApi(account, writer.access_token)).toBe(401)
    expect(await callApi(account, reader.access_token)).toBe(200)
  })

  it('reports that the person denied access', async () => {
    const account = await serveAccount()
    const client = await register(account)
    const config = await discover(account, client)
    const page = await openPage(authorizationUrl(account, authorizationOf(client)))
    const { location } = await sendForm(account, page, { ...page.fields, decision: 'deny' })
    const grant = authorizationCodeGrant(config, new URL(location as string), { expectedState: 's1' })
    await expect(grant).rejects.toMatchObject({ error: 'access_denied' })
  })
})

describe('oauth4webapi', () => {
  it.each(Object.keys(mounts) as (keyof typeof mounts)[])('completes the code flow over %s', async (name) => {
    const account = await serveAccount({ mount: mounts[name] })
    const { clientId, secret, redirectUri } = await register(account, {
      redirectUri: 'https://app.example.com/callback?from=flags',
    })
    const insecure = { [oauth.allowInsecureRequests]: true }
    const issuer = new URL(account.issuer)
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
    const server = await oauth.processDiscoveryResponse(issuer, discovered)
    expect(server.code_challenge_methods_supported).toEqual(['S256'])
    const client: oauth.Client = { client_id: clientId }
    const verifier = oauth.generateRandomCodeVerifier()
    const url = new URL(server.authorization_endpoint as string)
    url.search = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString()
    const parameters = oauth.validateAuthResponse(server, client, await allow(account, url), oauth.expectNoState)
    const authentication = oauth.ClientSecretPost(secret as string)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirectUri,
      verifier,
      insecure,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response)
    expect(tokens.scope).toBe('reader')
    expect(await callApi(account, tokens.access_token)).toBe(200)
    const revoked = await oauth.revocationRequest(server, client, authentication, tokens.access_token, insecure)
    await oauth.processRevocationResponse(revoked)
    expect(await callApi(account, tokens.access_token)).toBe(401)
  })
})
