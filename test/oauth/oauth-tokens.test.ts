import { describe, expect, it } from 'vitest'
import { serveClient } from './attacked-client.ts'
import { type OAuthAccount, type RegisteredClient, register } from './oauth-account.ts'
import { callApi, exchange, getCode, getTokens, post, refresh } from './person.ts'

describe('the tokens of a client', () => {
  const endings: Readonly<Record<string, (account: OAuthAccount, client: RegisteredClient) => Promise<unknown>>> = {
    'when the client is deleted': ({ engine, admin }, { clientId }) =>
      engine.api.deleteOAuthClient({ clientId }, { as: admin }),
    'when the member is deleted': ({ engine, admin, bob }) => engine.api.deleteMember({ id: bob }, { as: admin }),
    'when the grant is deleted': async ({ engine, admin }) => {
      const { items } = await engine.api.listOAuthGrants({}, { as: admin })
      await engine.api.deleteOAuthGrant({ grantId: items[0]?._id as string }, { as: admin })
    },
  }

  it.each(Object.entries(endings))('end immediately %s', async (_, end) => {
    const { account, client } = await serveClient()
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

  it.each(['oauth-client', 'oauth-grant', 'member'])(
    'end immediately when a concurrent call stored them after the deletion of their %s',
    async (name) => {
      const { account, client } = await serveClient()
      const { access } = await getTokens(account, client)
      const storage = account.storage.account('default')
      const { items } = await storage.list({ collection: name, scope: '', limit: 9, select: 'bodies' })
      const { key } = items.find(({ body }) => !JSON.stringify(body).includes('"role":"owner"')) as { key: string }
      await storage.commit([{ do: 'discard', id: { collection: name, scope: '', key } }])
      expect(await callApi(account, access)).toBe(401)
    },
  )

  it('lose rights when the member loses them', async () => {
    const { account, client } = await serveClient('writer')
    const { access } = await getTokens(account, client, { scope: 'writer' })
    expect(await callApi(account, access, 'POST', '/projects', { key: 'a', name: 'A' })).toBe(201)
    const body = [{ op: 'replace', path: '/role', value: 'reader' }] as const
    await account.engine.api.patchMember({ id: account.bob, body }, { as: account.admin })
    expect(await callApi(account, access, 'POST', '/projects', { key: 'b', name: 'B' })).toBe(403)
    expect(await callApi(account, access)).toBe(200)
  })

  it('lose the rights of a custom role that is deleted, also when another role gets its key', async () => {
    const { account, client } = await serveClient('admin')
    const { engine, admin } = account
    const policy = [{ effect: 'allow', resources: ['proj/*'], actions: ['*'] }] as const
    const create = () => engine.api.createRole({ body: { key: 'projects', name: 'Projects', policy } }, { as: admin })
    await create()
    const scoped = await register(account, { scopes: ['projects', 'reader'] })
    const clientTokens = await post(account, 'token', scoped, { grant_type: 'client_credentials', scope: 'projects' })
    const { access } = await getTokens(account, client, { scope: 'projects' })
    for (const token of [access, clientTokens.body.access_token])
      expect(await callApi(account, token, 'GET', '/projects/web')).toBe(200)
    await engine.api.deleteRole({ roleKey: 'projects' }, { as: admin })
    for (const token of [access, clientTokens.body.access_token])
      expect(await callApi(account, token, 'GET', '/projects/web')).toBe(403)
    await create()
    for (const token of [access, clientTokens.body.access_token])
      expect(await callApi(account, token, 'GET', '/projects/web')).toBe(403)
  })
})

describe('codes, tokens and secrets', () => {
  it('are in no log, change log entry, export or stored record', async () => {
    const { account, client } = await serveClient()
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
    const { account, client } = await serveClient()
    const { engine, admin } = account
    await getCode(account, client)
    const tokens = await getTokens(account, client)
    account.advance(60_001)
    await engine.compact()
    expect((await engine.api.listOAuthGrants({}, { as: admin })).totalCount).toBe(1)
    const [newest] = (await engine.api.listChangeLog({}, { as: admin })).items
    expect(newest?.titleVerb ?? newest?.title).toMatch(/revoked the access of .*, because it expired/)
    expect((await refresh(account, client, tokens.refresh)).status).toBe(200)
  })
})
