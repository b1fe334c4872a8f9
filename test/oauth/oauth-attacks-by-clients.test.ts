import { describe, expect, it } from 'vitest'
import { invalidGrant, serveClient } from './attacked-client.ts'
import { type RegisteredClient, register, serveAccount } from './oauth-account.ts'
import { authorizationOf, callApi, exchange, getCode, getTokens, post, refresh } from './person.ts'

describe('a client', () => {
  it.each([
    ['without its secret', { secret: undefined }],
    ['with another secret', { secret: '0'.repeat(64) }],
    ['with the id of a client that does not exist', { clientId: 'unknown' }],
  ])('%s gets no tokens', async (_, changes) => {
    const { account, client } = await serveClient()
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
    const { account, client } = await serveClient()
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

  it('cannot create a credential that remains valid after its grant ends, with any scope', async () => {
    const { account, client } = await serveClient('admin')
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

  it('is refused when it authenticates in two ways, or in a body that is not a form', async () => {
    const { account, client } = await serveClient()
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
