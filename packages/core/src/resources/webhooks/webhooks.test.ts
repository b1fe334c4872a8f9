import { createTestEngine, type TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import type { Statement } from '../../entries/policy.ts'
import type { As } from '../../index.ts'
import { failureOf, sender } from '../account/test/calls.ts'

const body = { url: 'https://chat.example.com/hook', on: true, sign: true }
const secret = 'a-secret-that-is-long-enough'
const json = 'application/json'

const allow = (actions: string[], resource = 'webhook/*'): Statement => ({
  effect: 'allow',
  resources: [resource],
  actions,
})

const callerWith = (...actions: string[]): As => ({ policy: [allow(['viewWebhook', ...actions])] })

const create = (engine: TestEngine, overrides: object = {}, as: As = engine.admin) =>
  engine.api.createWebhook({ body: { ...body, ...overrides } }, { as })

const get = (engine: TestEngine, id: string, as: As = engine.admin) => engine.api.getWebhook({ id }, { as })

const patch = (engine: TestEngine, id: string, operations: readonly object[], as: As = engine.admin) =>
  engine.api.patchWebhook({ id, body: operations as never }, { as })

const replaceOperation = (path: string, value: unknown) => [{ op: 'replace', path, value }]

describe('a webhook', () => {
  it('has all properties of the specification', async () => {
    const engine = await createTestEngine()
    const statements = [{ effect: 'allow', notResources: ['proj/private'], actions: ['*'] }]
    const settings = { name: 'Chat', secret, tags: ['team', 'chat'], statements }
    const { _access, ...created } = await create(engine, settings)
    expect(created).toEqual({
      _links: {
        parent: { href: '/api/v2/webhooks', type: json },
        self: { href: `/api/v2/webhooks/${created._id}`, type: json },
      },
      _id: expect.any(String),
      url: body.url,
      on: true,
      ...settings,
    })
    expect(_access?.denied).toEqual([])
    expect(_access?.allowed.map(({ action }) => action)).toEqual([
      'viewWebhook',
      'createWebhook',
      'updateName',
      'updateUrl',
      'updateSecret',
      'updateStatements',
      'updateOn',
      'updateTags',
      'deleteWebhook',
    ])
    expect(await get(engine, created._id)).toEqual({ ...created, _access })
  })

  it('has an empty name, no tags and no statements by default', async () => {
    const engine = await createTestEngine()
    expect(await create(engine, { on: false })).toMatchObject({ name: '', tags: [], statements: [], on: false })
  })

  it('gets a generated secret when it signs and the caller sends none', async () => {
    const engine = await createTestEngine()
    const [item, otherSecret] = [await create(engine), await create(engine)]
    expect(item.secret).toMatch(/^[0-9a-f]{64}$/)
    expect(otherSecret.secret).not.toBe(item.secret)
    expect(await create(engine, { sign: false })).not.toHaveProperty('secret')
    expect((await failureOf(create(engine, { sign: false, secret }))).errors).toEqual([
      { attribute: 'secret', reason: 'must be left out of a webhook that does not sign' },
    ])
  })

  it('is listed oldest first, without pages and without a count', async () => {
    const engine = await createTestEngine()
    const ids: string[] = []
    for (let i = 0; i < 25; i++) {
      engine.advance(1)
      ids.push((await create(engine, { name: `${25 - i}` }))._id)
    }
    const response = await sender(engine)('GET', '/api/v2/webhooks')
    expect(Object.keys(response.body).sort()).toEqual(['_links', 'items'])
    expect(response.body.items.map(({ _id }: { _id: string }) => _id)).toEqual(ids)
    expect(response.body._links).toEqual({ self: { href: '/api/v2/webhooks', type: json } })
  })

  it('is created with 201, patched with 200 and its revision, and deleted with 204', async () => {
    const engine = await createTestEngine()
    const send = sender(engine)
    const created = await send('POST', '/api/v2/webhooks', body)
    expect(created).toMatchObject({ status: 201, headers: { etag: '"1"' } })
    const path = `/api/v2/webhooks/${created.body._id}`
    expect(await send('PATCH', path, replaceOperation('/on', false))).toMatchObject({
      status: 200,
      headers: { etag: '"2"' },
      body: { on: false },
    })
    expect(await send('PATCH', path, replaceOperation('/on', true), { 'if-match': '"1"' })).toMatchObject({
      status: 409,
    })
    expect(await send('DELETE', path)).toMatchObject({ status: 204 })
    for (const method of ['GET', 'DELETE']) expect(await send(method, path)).toMatchObject({ status: 404 })
  })
})

describe('the validation of a webhook', () => {
  it('reports all validation errors together', async () => {
    const engine = await createTestEngine()
    const faulty = { url: 'chat', on: 'yes', sign: 1, secret: 'short', tags: ['a', 'a'], statements: [{}], extra: 1 }
    const { errors = [] } = await failureOf(create(engine, faulty))
    expect([...new Set(errors.map(({ attribute }) => attribute))].sort()).toEqual([
      'extra',
      'on',
      'secret',
      'sign',
      'statements',
      'tags',
      'url',
    ])
    expect(JSON.stringify(errors)).not.toContain('short')
    const missing = await failureOf(engine.api.createWebhook({ body: {} as never }, { as: engine.admin }))
    expect(missing.errors?.map(({ attribute, reason }) => `${attribute} ${reason}`)).toEqual([
      'url must be present',
      'on must be present',
      'sign must be present',
    ])
  })

  it.each([
    'ftp://example.com',
    '//example.com',
    'https://',
    'https://u:p@example.com',
    `https://a.b/${'x'.repeat(2100)}`,
  ])('rejects the URL %s', async (url) => {
    const engine = await createTestEngine()
    expect((await failureOf(create(engine, { url }))).errors?.[0]?.attribute).toBe('url')
    const { _id } = await create(engine)
    expect((await failureOf(patch(engine, _id, replaceOperation('/url', url)))).errors?.[0]?.attribute).toBe('url')
  })

  it('requires known actions and resources in statements', async () => {
    const engine = await createTestEngine()
    const statements = [{ effect: 'allow', resources: ['project/web'], actions: ['updateOn'] }]
    const { errors } = await failureOf(create(engine, { statements }))
    expect(errors?.[0]).toMatchObject({ attribute: 'statements', reason: expect.stringContaining('[0].resources[0]') })
  })

  it.each(['/_id', '/createdAt', '/disabledReason', '/sign', '/version', ''])('rejects a patch of %j', async (path) => {
    const engine = await createTestEngine()
    const { _id } = await create(engine)
    expect((await failureOf(patch(engine, _id, [{ op: 'add', path, value: 'x' }]))).code).toBe('invalid_request')
  })
})

describe('the secret of a webhook', () => {
  it('is returned only to callers who may update it', async () => {
    const engine = await createTestEngine()
    const { _id } = await create(engine, { secret })
    expect((await get(engine, _id, callerWith('updateSecret'))).secret).toBe(secret)
    expect((await get(engine, _id, { role: 'writer' })).secret).toBe(secret)
    for (const as of [callerWith('updateName', 'updateOn'), { role: 'reader' } as const]) {
      expect((await get(engine, _id, as)).secret).toBe('********')
      const { items } = await engine.api.listWebhooks({}, { as })
      expect(items.map((item) => item.secret)).toEqual(['********'])
    }
  })

  it('is returned once to the caller who creates the webhook', async () => {
    const engine = await createTestEngine()
    const as = callerWith('createWebhook')
    const created = await create(engine, {}, as)
    expect(created.secret).toMatch(/^[0-9a-f]{64}$/)
    expect((await get(engine, created._id, as)).secret).toBe('********')
  })

  it('cannot be tested or copied by callers who may not view it', async () => {
    const engine = await createTestEngine()
    const { _id } = await create(engine, { secret })
    const as = callerWith('updateName')
    const test = { op: 'test', path: '/secret', value: secret }
    expect((await failureOf(patch(engine, _id, [test, ...replaceOperation('/name', 'x')], as))).code).toBe(
      'optimistic_locking_error',
    )
    const copied = await patch(engine, _id, [{ op: 'copy', from: '/secret', path: '/name' }], as)
    expect(copied.name).toBe('********')
    expect((await patch(engine, _id, [test])).secret).toBe(secret)
  })

  it('stays unchanged when its mask is sent, and requires updateSecret to change', async () => {
    const engine = await createTestEngine()
    const { _id } = await create(engine, { secret })
    const otherSecret = 'another-secret-of-that-kind'
    expect((await patch(engine, _id, replaceOperation('/secret', '********'), callerWith('updateName'))).secret).toBe(
      '********',
    )
    expect((await get(engine, _id)).secret).toBe(secret)
    for (const operations of [replaceOperation('/secret', otherSecret), [{ op: 'remove', path: '/secret' }]]) {
      expect((await failureOf(patch(engine, _id, operations, callerWith('updateName')))).code).toBe('forbidden')
    }
    expect(
      (await patch(engine, _id, replaceOperation('/secret', otherSecret), callerWith('updateSecret'))).secret,
    ).toBe(otherSecret)
    expect(await patch(engine, _id, [{ op: 'remove', path: '/secret' }])).not.toHaveProperty('secret')
    // The mask keeps the stored secret. Without a stored secret the webhook stays without one.
    const masked = [{ op: 'add', path: '/secret', value: '********' }]
    expect(await patch(engine, _id, masked)).not.toHaveProperty('secret')
  })

  it('is not in the change log, which records that it changed', async () => {
    const engine = await createTestEngine()
    const { _id } = await create(engine, { secret })
    const otherSecret = 'another-secret-of-that-kind'
    await patch(engine, _id, replaceOperation('/secret', otherSecret))
    const { items } = await engine.api.listChangeLog({}, { as: engine.admin })
    expect(items[0]?.accesses).toEqual([{ action: 'updateSecret', resource: `webhook/${_id}` }])
    expect(JSON.stringify(items)).not.toContain(secret)
    expect(JSON.stringify(items)).not.toContain(otherSecret)
  })
})

describe('permissions for webhooks', () => {
  const changes = [
    ['updateName', '/name', 'New'],
    ['updateUrl', '/url', 'https://other.example.com'],
    ['updateOn', '/on', false],
    ['updateTags', '/tags', ['new']],
    ['updateStatements', '/statements', [allow(['*'], 'proj/*')]],
  ] as const

  it.each(changes)('require %s to update %s', async (action, path, value) => {
    const engine = await createTestEngine()
    const { _id } = await create(engine)
    const otherActions = changes.map(([item]) => item).filter((item) => item !== action)
    expect((await failureOf(patch(engine, _id, replaceOperation(path, value), callerWith(...otherActions)))).code).toBe(
      'forbidden',
    )
    const changed = await patch(engine, _id, replaceOperation(path, value), callerWith(action))
    expect(changed).toMatchObject({ [path.slice(1)]: value })
  })

  it('require every action of a patch', async () => {
    const engine = await createTestEngine()
    const { _id, ...before } = await create(engine)
    const operations = [...replaceOperation('/name', 'New'), ...replaceOperation('/on', false)]
    expect((await failureOf(patch(engine, _id, operations, callerWith('updateName')))).code).toBe('forbidden')
    expect(await get(engine, _id)).toMatchObject({ ...before, name: '', on: true })
  })

  it('hide single webhooks', async () => {
    const engine = await createTestEngine()
    const [{ _id: visibleId }, { _id: hiddenId }] = [await create(engine), await create(engine)]
    const as: As = { policy: [allow(['viewWebhook'], `webhook/${visibleId}`)] }
    const { items } = await engine.api.listWebhooks({}, { as })
    expect(items.map(({ _id }) => _id)).toEqual([visibleId])
    expect((await failureOf(get(engine, hiddenId, as))).code).toBe('forbidden')
    expect((await engine.api.listWebhooks({}, { as: { role: 'no_access' } })).items).toEqual([])
  })

  it('to create and to delete are separate', async () => {
    const engine = await createTestEngine()
    const { _id } = await create(engine, {}, callerWith('createWebhook'))
    expect((await failureOf(create(engine, {}, callerWith('deleteWebhook')))).code).toBe('forbidden')
    expect((await failureOf(engine.api.deleteWebhook({ id: _id }, { as: callerWith('createWebhook') }))).code).toBe(
      'forbidden',
    )
    await engine.api.deleteWebhook({ id: _id }, { as: callerWith('deleteWebhook') })
    expect((await failureOf(get(engine, _id))).code).toBe('not_found')
  })
})
