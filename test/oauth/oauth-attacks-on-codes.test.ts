import { describe, expect, it } from 'vitest'
import { invalidGrant, serveClient } from './attacked-client.ts'
import { register, serveAccount } from './oauth-account.ts'
import { callApi, exchange, getCode, getTokens, refresh, verifier } from './person.ts'

describe('an authorization code', () => {
  it('that is used twice ends everything that was issued for it', async () => {
    const { account, client } = await serveClient()
    const code = await getCode(account, client)
    const first = await exchange(account, client, code)
    expect(await callApi(account, first.body.access_token)).toBe(200)
    expect(await exchange(account, client, code)).toMatchObject(invalidGrant)
    expect(await callApi(account, first.body.access_token)).toBe(401)
    expect(await refresh(account, client, first.body.refresh_token)).toMatchObject(invalidGrant)
  })

  it('is refused 60 seconds after it was made', async () => {
    const { account, client } = await serveClient()
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
    const { account, client } = await serveClient()
    const code = await getCode(account, client)
    expect(await exchange(account, client, code, changes)).toMatchObject({ status: 400, body: { error } })
    expect((await exchange(account, client, code)).status).toBe(200)
  })

  it('is refused for another client, which knows the verifier and the redirect URI', async () => {
    const { account, client } = await serveClient()
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
    const { account, client } = await serveClient()
    const first = await getTokens(account, client)
    const second = await refresh(account, client, first.refresh)
    expect(second.status).toBe(200)
    expect(await refresh(account, client, first.refresh)).toMatchObject(invalidGrant)
    expect(await refresh(account, client, second.body.refresh_token)).toMatchObject(invalidGrant)
    expect(await callApi(account, second.body.access_token)).toBe(401)
    expect(await callApi(account, first.access)).toBe(401)
  })

  it('that was guessed does not end a grant', async () => {
    const { account, client } = await serveClient()
    const tokens = await getTokens(account, client)
    const [id] = tokens.refresh.split('.')
    const guesses = [`${id}.${'0'.repeat(64)}.${'0'.repeat(64)}`, 'ort-unknown', `${id}.${tokens.access.split('.')[1]}`]
    for (const guess of guesses) expect(await refresh(account, client, guess)).toMatchObject(invalidGrant)
    expect(await callApi(account, tokens.access)).toBe(200)
    expect((await refresh(account, client, tokens.refresh)).status).toBe(200)
  })

  it('is refused for another client, and remains valid for its own', async () => {
    const { account, client } = await serveClient()
    const other = await register(account)
    const tokens = await getTokens(account, client)
    expect(await refresh(account, other, tokens.refresh)).toMatchObject(invalidGrant)
    expect((await refresh(account, client, tokens.refresh)).status).toBe(200)
  })

  it('gives no scope that the person did not grant', async () => {
    const { account, client } = await serveClient()
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
    const { account, client } = await serveClient()
    const tokens = await getTokens(account, client)
    const day = 86_400_000
    account.advance(89 * day)
    const { body } = await refresh(account, client, tokens.refresh)
    account.advance(90 * day)
    expect(await refresh(account, client, body.refresh_token)).toMatchObject(invalidGrant)
  })
})
