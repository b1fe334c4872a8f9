import { createHash } from 'node:crypto'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createTestEngine, type TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import { type As, createEngine } from '../../index.ts'
import { failureOf, sender } from '../account/test/calls.ts'

const client = { name: 'Deploy bot', redirectUri: 'https://bot.example.com/callback?from=halyard' }
const unknown = '00000000-0000-4000-8000-999999999999'

const create = (engine: TestEngine, overrides: object = {}) =>
  engine.api.createOAuthClient({ body: { ...client, ...overrides } }, { as: engine.admin })

const patch = (engine: TestEngine, clientId: string, body: readonly object[], as: As = engine.admin) =>
  engine.api.patchOAuthClient({ clientId, body: body as never }, { as })

const replaceOperation = (path: string, value: unknown) => [{ op: 'replace', path, value }]

describe('an OAuth client', () => {
  it('has all properties of the specification, with its secret only at creation', async () => {
    const engine = await createTestEngine({ account: 'acme' })
    const { _clientSecret, ...created } = await create(engine, { description: 'Deploys at night' })
    const { _clientId: clientId } = created
    expect(created).toEqual({
      _links: {
        parent: { href: '/api/v2/oauth/clients', type: 'application/json' },
        self: { href: `/api/v2/oauth/clients/${clientId}`, type: 'application/json' },
      },
      ...client,
      description: 'Deploys at night',
      _accountId: 'acme',
      _clientId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      _creationDate: String(engine.now()),
    })
    expect(_clientSecret).toMatch(/^[0-9a-f]{64}$/)
    expect(await engine.api.getOAuthClient({ clientId }, { as: engine.admin })).toEqual(created)
    expect(await patch(engine, clientId, replaceOperation('/name', client.name))).toEqual(created)
    expect((await engine.api.listOAuthClients({}, { as: engine.admin })).items).toEqual([created])
  })

  it('stores only the SHA-256 of its secret, which the change log does not contain', async () => {
    const storage = createMemoryStorage()
    const { api } = createEngine({ storage })
    const as: As = { role: 'owner' }
    const { _clientSecret = '', _clientId: clientId } = await api.createOAuthClient({ body: client }, { as })
    await api.patchOAuthClient({ clientId, body: replaceOperation('/name', 'Renamed') }, { as })
    const account = storage.account('default')
    const [document] = await account.getMany([{ collection: 'oauth-client', scope: '', key: clientId }])
    const stored = JSON.stringify(document)
    expect(stored).toContain(createHash('sha256').update(_clientSecret).digest('hex'))
    expect(stored).not.toContain(_clientSecret)
    const log = JSON.stringify(await account.newest({ series: { name: 'change-log', scope: 'acct' }, limit: 9 }))
    expect(log).toContain(`oauth-client/${clientId}`)
    expect(log).not.toContain(_clientSecret)
    expect(log).not.toContain('secretHash')
  })

  it('is listed in pages, oldest first', async () => {
    const engine = await createTestEngine()
    for (const name of ['c', 'a', 'b']) {
      await create(engine, { name })
      engine.advance(1)
    }
    const page = await engine.api.listOAuthClients({ limit: 2 }, { as: engine.admin })
    expect(page.items.map(({ name }) => name)).toEqual(['c', 'a'])
    expect(page.totalCount).toBe(3)
    expect(page._links.next?.href).toBe('/api/v2/oauth/clients?limit=2&offset=2')
  })

  it('is created with 201, and not found after its deletion', async () => {
    const engine = await createTestEngine()
    const send = sender(engine)
    const created = await send('POST', '/api/v2/oauth/clients', client)
    expect(created.status).toBe(201)
    const path = `/api/v2/oauth/clients/${created.body._clientId}`
    expect(await send('DELETE', path)).toMatchObject({ status: 204, body: undefined })
    expect(await send('GET', path)).toMatchObject({ status: 404, body: { message: 'Invalid resource identifier' } })
    expect(await send('DELETE', path)).toMatchObject({ status: 404 })
  })
})

describe('requests for an OAuth client', () => {
  it('are rejected with all validation errors together', async () => {
    const engine = await createTestEngine()
    const { code, errors } = await failureOf(create(engine, { name: '', redirectUri: '/callback', scope: 'reader' }))
    expect(code).toBe('invalid_request')
    expect(errors?.map(({ attribute }) => attribute).sort()).toEqual(['name', 'redirectUri', 'scope'])
    const missing = await failureOf(engine.api.createOAuthClient({ body: {} as never }, { as: engine.admin }))
    expect(missing.errors).toEqual([
      { attribute: 'name', reason: 'must be present' },
      { attribute: 'redirectUri', reason: 'must be present' },
    ])
  })

  it.each(['/_clientId', '/_accountId', '/secretHash', '/createdAt', '/name/0', ''])(
    'are refused when they patch %j',
    async (path) => {
      const engine = await createTestEngine()
      const { _clientId } = await create(engine)
      expect((await failureOf(patch(engine, _clientId, replaceOperation(path, 'x')))).code).toBe('invalid_request')
      expect((await failureOf(patch(engine, _clientId, [{ op: 'copy', from: path, path: '/name' }]))).code).toBe(
        'invalid_request',
      )
    },
  )

  it('respond with 400 when a `test` fails, because the specification lists no conflict', async () => {
    const engine = await createTestEngine()
    const { _clientId } = await create(engine)
    const renameAfterTest = [{ op: 'test', path: '/name', value: 'Other' }, ...replaceOperation('/name', 'New')]
    expect((await failureOf(patch(engine, _clientId, renameAfterTest))).code).toBe('invalid_request')
    const clientId = _clientId
    expect((await engine.api.getOAuthClient({ clientId }, { as: engine.admin })).name).toBe(client.name)
  })

  it('succeed once when two patches run concurrently', async () => {
    const engine = await createTestEngine()
    const { _clientId } = await create(engine)
    const changes = ['A', 'B'].map((name) => patch(engine, _clientId, replaceOperation('/name', name)))
    const [first, second] = await Promise.allSettled(changes)
    expect([first?.status, second?.status].sort()).toEqual(['fulfilled', 'rejected'])
    const rejected = [first, second].find((outcome) => outcome?.status === 'rejected') as PromiseRejectedResult
    expect(rejected.reason).toMatchObject({ code: 'optimistic_locking_error', status: 409 })
  })
})

describe('permissions for OAuth clients', () => {
  it('are as for other account-level resources: readers and writers view, admins change', async () => {
    const engine = await createTestEngine()
    const { _clientId: clientId } = await create(engine)
    for (const role of ['reader', 'writer'] as const) {
      const as: As = { role }
      expect((await engine.api.getOAuthClient({ clientId }, { as })).name).toBe(client.name)
      const calls = [
        engine.api.createOAuthClient({ body: client }, { as }),
        patch(engine, clientId, replaceOperation('/name', 'X'), as),
        engine.api.deleteOAuthClient({ clientId }, { as }),
      ]
      for (const call of calls) expect((await failureOf(call)).code).toBe('forbidden')
    }
  })

  it('hide single clients, also in lists and counts', async () => {
    const engine = await createTestEngine()
    const [{ _clientId: visibleId }, { _clientId: hiddenId }] = [await create(engine), await create(engine)]
    const as: As = {
      policy: [{ effect: 'allow', resources: [`oauth-client/${visibleId}`], actions: ['viewOAuthClient'] }],
    }
    const list = await engine.api.listOAuthClients({}, { as })
    expect(list.items.map(({ _clientId }) => _clientId)).toEqual([visibleId])
    expect(list.totalCount).toBe(1)
    expect((await failureOf(engine.api.getOAuthClient({ clientId: hiddenId }, { as }))).code).toBe('forbidden')
    expect((await failureOf(engine.api.getOAuthClient({ clientId: unknown }, { as: engine.admin }))).code).toBe(
      'not_found',
    )
  })

  it('do not return a client to callers who may only update it', async () => {
    const engine = await createTestEngine()
    const { _clientId } = await create(engine)
    const as: As = { policy: [{ effect: 'allow', resources: ['oauth-client/*'], actions: ['updateOAuthClient'] }] }
    expect((await failureOf(patch(engine, _clientId, replaceOperation('/name', 'X'), as))).code).toBe('forbidden')
  })
})
