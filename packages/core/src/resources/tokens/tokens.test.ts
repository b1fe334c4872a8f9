import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import type { Statement } from '../../entries/policy.ts'
import { type ApiError, createEngine } from '../../index.ts'

const start = Date.UTC(2026, 1, 28, 23, 59)

async function account() {
  let now = start
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => now })
  await engine.migrate()
  const admin = (await engine.bootstrap({ email: 'ada@example.com', firstName: 'Ada', lastName: 'L' }))?.token as string
  return {
    engine,
    admin,
    pass: (ms: number) => (now += ms),
    code: (call: Promise<unknown>) =>
      call.then(
        () => 'no failure',
        (error: ApiError) => error.code,
      ),
  }
}

const allow = (actions: string[], resources: string[]): Statement => ({ effect: 'allow', actions, resources })

describe('bootstrap', () => {
  it('creates one administrator, once', async () => {
    const { engine, admin } = await account()
    expect(admin).toMatch(/^api-[0-9a-f]{64}$/)
    expect(await engine.bootstrap()).toBeUndefined()
    expect((await engine.api.listTokens({}, { as: admin })).totalCount).toBe(1)
  })

  it('creates one administrator when many calls run concurrently', async () => {
    const storage = createMemoryStorage()
    const engines = [1, 2, 3, 4].map(() => createEngine({ storage }))
    const created = await Promise.all(engines.map((engine) => engine.bootstrap()))
    expect(created.filter(Boolean)).toHaveLength(1)
  })

  it('accepts a token value of the host, unless it is too short', async () => {
    const engine = createEngine({ storage: createMemoryStorage() })
    await expect(engine.bootstrap({ token: 'short' })).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await engine.bootstrap({ token: 'a-token-of-the-host' })).toMatchObject({ token: 'a-token-of-the-host' })
    expect((await engine.api.listProjects({}, { as: 'a-token-of-the-host' })).totalCount).toBe(0)
  })
})

describe('a token', () => {
  it('is returned with its value only when it is created', async () => {
    const { engine, admin } = await account()
    const body = { name: 'CI', description: 'reads', role: 'reader', serviceToken: true } as const
    const created = await engine.api.createToken({ body }, { as: admin })
    expect(created.token).toMatch(/^api-[0-9a-f]{64}$/)
    const stored = await engine.api.getToken({ id: created._id }, { as: admin })
    expect(stored).toMatchObject({
      _id: created._id,
      name: 'CI',
      description: 'reads',
      role: 'reader',
      serviceToken: true,
      customRoleIds: [],
      inlineRole: [],
      token: created.token.slice(-4),
      creationDate: String(start),
      lastModified: String(start),
      lastUsed: '0',
      defaultApiVersion: 20240415,
      memberId: stored.ownerId,
      _member: { email: 'ada@example.com', firstName: 'Ada', lastName: 'L', role: 'owner', _id: stored.memberId },
      _links: {
        self: { href: `/api/v2/tokens/${created._id}`, type: 'application/json' },
        parent: { href: '/api/v2/tokens', type: 'application/json' },
      },
    })
  })

  it('stores the time of its last use', async () => {
    const { engine, admin, pass } = await account()
    const created = await engine.api.createToken({ body: { role: 'reader' } }, { as: admin })
    pass(5_000)
    await engine.api.listProjects({}, { as: created.token })
    expect(await engine.api.getToken({ id: created._id }, { as: admin })).toMatchObject({
      lastUsed: String(start + 5_000),
    })
  })

  it('is never stored with its value', async () => {
    const storage = createMemoryStorage()
    const engine = createEngine({ storage })
    const admin = (await engine.bootstrap())?.token as string
    const created = await engine.api.createToken({ body: {} }, { as: admin })
    const accountStorage = storage.account('default')
    const documents = await Promise.all(
      ['token', 'credential', 'token-use', 'member'].map((collection) =>
        accountStorage.list({ collection, scope: '', deep: true, limit: 100, select: 'bodies' }),
      ),
    )
    const text = JSON.stringify(documents)
    expect(text).toContain(created._id)
    expect(text).not.toContain(created.token)
    expect(text).not.toContain(admin)
  })

  it('stops working when it is deleted, including old values that have not expired', async () => {
    const { engine, admin, code } = await account()
    const created = await engine.api.createToken({ body: { role: 'admin' } }, { as: admin })
    const reset = await engine.api.resetToken({ id: created._id, expiry: start + 60_000 }, { as: admin })
    expect(await code(engine.api.listProjects({}, { as: created.token }))).toBe('no failure')
    await engine.api.deleteToken({ id: created._id }, { as: admin })
    expect(await code(engine.api.listProjects({}, { as: reset.token }))).toBe('unauthorized')
    expect(await code(engine.api.listProjects({}, { as: created.token }))).toBe('unauthorized')
    expect(await code(engine.api.getToken({ id: created._id }, { as: admin }))).toBe('not_found')
  })

  it('keeps its old value after a reset only until the given expiry', async () => {
    const { engine, admin, code, pass } = await account()
    const created = await engine.api.createToken({ body: {} }, { as: admin })
    const second = await engine.api.resetToken({ id: created._id, expiry: start + 60_000 }, { as: admin })
    expect(second.token).not.toBe(created.token)
    pass(59_999)
    expect(await code(engine.api.listProjects({}, { as: created.token }))).toBe('no failure')
    pass(1)
    expect(await code(engine.api.listProjects({}, { as: created.token }))).toBe('unauthorized')
    const third = await engine.api.resetToken({ id: created._id }, { as: admin })
    expect(await code(engine.api.listProjects({}, { as: second.token }))).toBe('unauthorized')
    expect(await code(engine.api.listProjects({}, { as: third.token }))).toBe('no failure')
  })

  it('is updated by a JSON Patch, and its rights change immediately', async () => {
    const { engine, admin, code } = await account()
    const created = await engine.api.createToken({ body: { role: 'reader' } }, { as: admin })
    const create = (as: string) => engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    expect(await code(create(created.token))).toBe('forbidden')
    const body = [
      { op: 'replace', path: '/role', value: 'writer' },
      { op: 'replace', path: '/name', value: 'Builder' },
    ]
    expect(await engine.api.patchToken({ id: created._id, body }, { as: admin })).toMatchObject({
      role: 'writer',
      name: 'Builder',
    })
    expect(await code(create(created.token))).toBe('no failure')
  })

  it('rejects unknown roles and invalid policies', async () => {
    const { engine, admin } = await account()
    await expect(engine.api.createToken({ body: { customRoleIds: ['ghost'] } }, { as: admin })).rejects.toMatchObject({
      errors: [{ attribute: 'customRoleIds.0', reason: 'must be the id of a custom role' }],
    })
    const inlineRole = [{ effect: 'allow' as const, resources: ['flag/x:proj/y'], actions: ['*'] }]
    await expect(engine.api.createToken({ body: { inlineRole } }, { as: admin })).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ attribute: 'inlineRole', reason: expect.stringContaining('resources') }],
    })
  })
})

describe('the rights of a token', () => {
  it('come from its inline role, or else its custom roles, or else its base role', async () => {
    const { engine, admin, code } = await account()
    const policy = [allow(['createProject'], ['proj/*'])]
    await engine.api.createRole({ body: { key: 'maker', name: 'Maker', policy } }, { as: admin })
    const inlineRole = [allow(['viewProject'], ['proj/*'])]
    const allRights = { inlineRole, customRoleIds: ['maker'], role: 'admin' } as const
    const withInlineRole = { ...allRights, customRoleIds: undefined }
    const first = await engine.api.createToken({ body: withInlineRole }, { as: admin })
    const second = await engine.api.createToken({ body: { ...allRights, inlineRole: undefined } }, { as: admin })
    const create = (as: string, key: string) => engine.api.createProject({ body: { key, name: key } }, { as })
    expect(await code(create(first.token, 'a'))).toBe('forbidden')
    expect(await code(create(second.token, 'b'))).toBe('no failure')
    expect(await code(engine.api.deleteProject({ projectKey: 'b' }, { as: second.token }))).toBe('forbidden')
  })

  it('never come from an inline role and custom roles together', async () => {
    const { engine, admin } = await account()
    const policy = [allow(['createProject'], ['proj/*'])]
    await engine.api.createRole({ body: { key: 'maker', name: 'Maker', policy } }, { as: admin })
    const both = { inlineRole: [allow(['viewProject'], ['proj/*'])], customRoleIds: ['maker'] }
    const refusal = { code: 'invalid_request', errors: [{ attribute: 'customRoleIds' }] }
    await expect(engine.api.createToken({ body: both }, { as: admin })).rejects.toMatchObject(refusal)
    const { _id: id } = await engine.api.createToken({ body: { inlineRole: both.inlineRole } }, { as: admin })
    const body = [{ op: 'add', path: '/customRoleIds', value: ['maker'] }]
    await expect(engine.api.patchToken({ id, body }, { as: admin })).rejects.toMatchObject(refusal)
  })

  it('shrink with a custom role', async () => {
    const { engine, admin, code } = await account()
    const policy = [allow(['createProject'], ['proj/*'])]
    await engine.api.createRole({ body: { key: 'maker', name: 'Maker', policy } }, { as: admin })
    const created = await engine.api.createToken({ body: { customRoleIds: ['maker'] } }, { as: admin })
    const create = (key: string) => engine.api.createProject({ body: { key, name: key } }, { as: created.token })
    expect(await code(create('a'))).toBe('no failure')
    const narrower = [{ op: 'replace', path: '/policy', value: [allow(['createProject'], ['proj/b'])] }]
    await engine.api.patchRole({ roleKey: 'maker', body: narrower }, { as: admin })
    expect(await code(create('c'))).toBe('forbidden')
    expect(await code(create('b'))).toBe('no failure')
    await engine.api.deleteRole({ roleKey: 'maker', detach: true }, { as: admin })
    expect(await code(engine.api.deleteProject({ projectKey: 'b' }, { as: created.token }))).toBe('forbidden')
  })

  const tokenMaker = allow(['*'], ['service-token/*', 'member/*:token/*'])

  it('never exceed the rights of the token that created it', async () => {
    const { engine, admin, code } = await account()
    const limited = await engine.api.createToken({ body: { inlineRole: [tokenMaker] } }, { as: admin })
    for (const serviceToken of [true, false]) {
      const body = { role: 'admin', serviceToken } as const
      const child = await engine.api.createToken({ body }, { as: limited.token })
      const create = engine.api.createProject({ body: { key: 'x', name: 'X' } }, { as: child.token })
      expect(await code(create)).toBe('forbidden')
    }
  })

  it('do not become available to a limited caller who resets it or changes its roles', async () => {
    const { engine, admin, code } = await account()
    const strongToken = await engine.api.createToken({ body: { role: 'admin', serviceToken: true } }, { as: admin })
    const weakToken = await engine.api.createToken({ body: { role: 'reader', serviceToken: true } }, { as: admin })
    const limited = await engine.api.createToken({ body: { inlineRole: [tokenMaker] } }, { as: admin })
    const resetResult = await engine.api.resetToken({ id: strongToken._id }, { as: limited.token })
    const create = (as: string) => engine.api.createProject({ body: { key: 'x', name: 'X' } }, { as })
    expect(await code(create(resetResult.token))).toBe('forbidden')
    const body = [{ op: 'replace', path: '/role', value: 'admin' }]
    await engine.api.patchToken({ id: weakToken._id, body }, { as: limited.token })
    expect(await code(create(weakToken.token))).toBe('forbidden')
  })

  it('hide tokens that the caller may not view', async () => {
    const { engine, admin, code } = await account()
    const service = await engine.api.createToken({ body: { serviceToken: true } }, { as: admin })
    const personal = await engine.api.createToken({ body: {} }, { as: admin })
    const as = { policy: [allow(['viewToken'], ['service-token/*'])] }
    const stored = await engine.api.listTokens({}, { as })
    expect(stored.items.map((token) => token._id)).toEqual([service._id])
    expect(stored.totalCount).toBe(1)
    expect(await code(engine.api.getToken({ id: service._id }, { as }))).toBe('no failure')
    expect(await code(engine.api.getToken({ id: personal._id }, { as }))).toBe('forbidden')
    expect(await code(engine.api.deleteToken({ id: personal._id }, { as }))).toBe('not_found')
  })
})

describe('a forbidden call', () => {
  it('has an explanation in process, but not in the response', async () => {
    const { engine, admin } = await account()
    const personal = await engine.api.createToken({ body: {} }, { as: admin })
    const as = { policy: [allow(['viewToken'], ['member/*:token/*'])] }
    const calls = [
      engine.api.createToken({ body: { serviceToken: true } }, { as }),
      engine.api.deleteToken({ id: personal._id }, { as }),
      engine.api.resetToken({ id: personal._id }, { as }),
      engine.api.patchToken({ id: personal._id, body: [] }, { as }),
    ]
    const actions = ['createAccessToken', 'deleteAccessToken', 'resetAccessToken', 'updateAccessTokenName']
    for (const [i, call] of calls.entries()) {
      const error = await call.then(
        () => expect.fail('the call succeeded, but was expected to fail'),
        (failure: ApiError) => failure,
      )
      expect(error.code).toBe('forbidden')
      expect(error.explanation).toContain(actions[i])
      expect(JSON.stringify(error.body)).not.toContain(actions[i])
    }
  })
})
