import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import type { Statement } from '../../entries/policy.ts'
import { type ApiError, type As, createEngine, type LogEntry } from '../../index.ts'

const allow = (actions: string[], resources: string[]): Statement => ({ effect: 'allow', actions, resources })
const deny = (actions: string[], resources: string[]): Statement => ({ effect: 'deny', actions, resources })

const view = allow(['viewProject'], ['proj/*'])
const everyFlag = 'proj/*:env/*:flag/*'
const checkout = 'proj/web:env/production:flag/checkout'
const tokenMaker = allow(['*'], ['service-token/*', 'member/*:token/*'])

/** A project with a flag that has the tag `pay`; its production is critical and has no tags. */
async function account() {
  const logged: LogEntry[] = []
  const storage = createMemoryStorage()
  const engine = createEngine({ storage, log: (entry) => logged.push(entry) })
  const as: As = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout', tags: ['pay'] } }, { as })
  const tokenOf = async (inlineRole: Statement[], caller: As = as) =>
    (await engine.api.createToken({ body: { inlineRole } }, { as: caller })).token
  /** Reduces the role of the member behind all tokens to reader. */
  const demote = async () => {
    const environmentRef = storage.account('default')
    const { items } = await environmentRef.list({ collection: 'member', scope: '', limit: 1, select: 'bodies' })
    const [{ key, version, fields, body }] = items as [(typeof items)[number]]
    const reader = { ...(body as object), role: 'reader', version: version + 1 }
    await environmentRef.commit([
      { do: 'replace', id: { collection: 'member', scope: '', key }, version, body: reader, fields },
    ])
  }
  const turnOn = { op: 'replace', path: '/environments/production/on', value: true }
  const change = (caller: As): Promise<ApiError> =>
    engine.api.patchFlag({ projectKey: 'web', flagKey: 'checkout', body: [turnOn] }, { as: caller }).then(
      () => expect.unreachable('the change was not refused'),
      (error: ApiError) => error,
    )
  const mayTurnOn = (caller: As, resource = checkout) => engine.explain({ as: caller, action: 'updateOn', resource })
  return { ...engine, engine, as, logged, tokenOf, demote, change, mayTurnOn }
}

describe('explain', () => {
  it('names the statement that allows the action, for a policy that the host passes', async () => {
    const { mayTurnOn } = await account()
    const policy = [view, allow(['updateOn'], [everyFlag])]
    expect(await mayTurnOn({ policy, name: 'dev' })).toEqual({
      allowed: true,
      role: 'dev',
      index: 1,
      statement: policy[1],
      text: `statement 2 of role \`dev\` allows \`updateOn\` on \`${checkout}\``,
      nearMisses: [],
      allowedForSome: true,
    })
  })

  it('names the statement that denies the action', async () => {
    const { mayTurnOn } = await account()
    const policy = [allow(['updateOn'], [everyFlag]), deny(['updateOn'], ['proj/*:env/production:flag/*'])]
    expect(await mayTurnOn({ policy, name: 'ops' })).toEqual({
      allowed: false,
      role: 'ops',
      index: 1,
      statement: policy[1],
      text: 'denied by statement 2 of role `ops`',
      nearMisses: [],
      allowedForSome: false,
    })
  })

  it('returns neither role nor statement when no statement matches', async () => {
    const { mayTurnOn } = await account()
    expect(await mayTurnOn({ policy: [view] })).toEqual({
      allowed: false,
      text: 'no role allows `updateOn`',
      nearMisses: [],
      allowedForSome: false,
    })
  })

  it.each([
    ['allows some', [allow(['updateOn'], ['proj/web:env/test:flag/*'])], true],
    ['denies all', [allow(['*'], [everyFlag]), deny(['updateOn'], [everyFlag])], false],
    ['denies some', [allow(['*'], [everyFlag]), deny(['updateOn'], ['proj/*:env/production:flag/*'])], true],
    ['allows another action', [allow(['updateName'], [everyFlag])], false],
  ] as const)(
    'returns allowedForSome for a query about all flags and a policy that %s',
    async (_, policy, expected) => {
      const { mayTurnOn } = await account()
      const { allowed, allowedForSome } = await mayTurnOn({ policy }, everyFlag)
      expect([allowed, allowedForSome]).toEqual([false, expected])
    },
  )

  it('a policy of the host also limits the tokens that its caller creates', async () => {
    const { tokenOf, mayTurnOn } = await account()
    const rights = [view, allow(['*'], [everyFlag])]
    const token = await tokenOf([...rights, tokenMaker])
    expect((await mayTurnOn(await tokenOf(rights, token))).allowed).toBe(true)
    const limited = await tokenOf(rights, { token, policy: [view, tokenMaker] })
    expect((await mayTurnOn(limited)).allowed).toBe(false)
  })

  it('a policy of the host limits the rights of a token', async () => {
    const { tokenOf, mayTurnOn } = await account()
    const token = await tokenOf([view, allow(['*'], [everyFlag])])
    expect((await mayTurnOn(token)).allowed).toBe(true)
    expect((await mayTurnOn({ token, policy: [view, allow(['updateName'], [everyFlag])] })).allowed).toBe(false)
    expect((await mayTurnOn({ token, policy: [allow(['*'], ['proj/*:env/*:flag/*', 'acct'])] })).allowed).toBe(true)
  })

  it('names the missing attribute that would allow the action, until it is stored', async () => {
    const { api, as, mayTurnOn } = await account()
    const caller = { policy: [allow(['updateOn'], ['proj/*:env/*;qa:flag/*;pay'])] }
    const nearMiss = 'would be allowed if environment `production` had the tag `qa`'
    expect(await mayTurnOn(caller)).toMatchObject({ allowed: false, nearMisses: [nearMiss] })
    const environmentRef = { projectKey: 'web', environmentKey: 'production' }
    await api.patchEnvironment({ ...environmentRef, body: [{ op: 'add', path: '/tags/-', value: 'qa' }] }, { as })
    expect(await mayTurnOn(caller)).toMatchObject({ allowed: true, nearMisses: [] })
  })

  it('reads properties from the storage', async () => {
    const { mayTurnOn } = await account()
    const policy = [allow(['updateOn'], [everyFlag]), deny(['*'], ['proj/*:env/*;{critical:true}:flag/*'])]
    expect(await mayTurnOn({ policy, name: 'ops' })).toMatchObject({ allowed: false, role: 'ops', index: 1 })
    expect(await mayTurnOn({ policy }, 'proj/web:env/test:flag/checkout')).toMatchObject({ allowed: true })
  })

  it('decides about a change in all environments, whose key is `*`', async () => {
    const { engine } = await account()
    const caller = { policy: [allow(['updateName'], ['proj/*:env/test:flag/*'])] }
    const query = { as: caller, action: 'updateName', resource: 'proj/web:env/*:flag/checkout' }
    expect((await engine.explain(query)).allowed).toBe(false)
  })
})

describe('explain for a token', () => {
  it("names the token's own roles", async () => {
    const { tokenOf, mayTurnOn } = await account()
    const explanation = await mayTurnOn(await tokenOf([view, deny(['updateOn'], [everyFlag])]))
    expect(explanation).toMatchObject({
      allowed: false,
      role: 'inline',
      index: 1,
      text: "the token's own roles: denied by statement 2 of role `inline`",
    })
  })

  it("names the limits of the token's creator", async () => {
    const { tokenOf, mayTurnOn } = await account()
    const creator = await tokenOf([tokenMaker, allow(['updateOn'], ['proj/*:env/test:flag/*'])])
    const limitedToken = await tokenOf([allow(['updateOn'], [everyFlag])], creator)
    expect((await mayTurnOn(limitedToken)).text).toBe(
      `the limits of the token's creator: no role allows \`updateOn\` on \`${checkout}\`` +
        '; statement 2 of role `inline` allows it for `proj/*:env/test:flag/*`',
    )
    expect(await mayTurnOn(limitedToken, 'proj/web:env/test:flag/checkout')).toMatchObject({ allowed: true })
  })

  it('names the member who owns the token', async () => {
    const { mayTurnOn, tokenOf, demote } = await account()
    const token = await tokenOf([allow(['*'], [everyFlag])])
    const { text } = await mayTurnOn(token)
    expect(text).toContain("the token's own roles: statement 1 of role `inline` allows")
    expect(text).toMatch(/the member behind it: statement \d+ of role `owner` allows/)
    await demote()
    expect((await mayTurnOn(token)).text).toBe(
      'the member behind it: no role allows `updateOn` on `proj/web:env/production:flag/checkout`',
    )
  })

  it('names the token and its creator when both deny the action', async () => {
    const { tokenOf, mayTurnOn } = await account()
    const creator = await tokenOf([tokenMaker])
    expect((await mayTurnOn(await tokenOf([view], creator))).text).toBe(
      "the token's own roles: no role allows `updateOn`" +
        "; the limits of the token's creator: no role allows `updateOn` on `proj/web:env/production:flag/checkout`",
    )
  })

  it('suggests no attribute that the limits of the creator would deny', async () => {
    const { tokenOf, mayTurnOn } = await account()
    const tagStatement = allow(['updateOn'], ['proj/*:env/*;qa:flag/*'])
    const promise = 'would be allowed if environment `production` had the tag `qa`'
    const creator = await tokenOf([tokenMaker, allow(['updateOn'], [everyFlag])])
    expect((await mayTurnOn(await tokenOf([tagStatement], creator))).nearMisses).toEqual([promise])
    const careful = await tokenOf([
      tokenMaker,
      allow(['updateOn'], [everyFlag]),
      deny(['updateOn'], ['proj/*:env/*;qa:flag/*']),
    ])
    expect((await mayTurnOn(await tokenOf([tagStatement], careful))).nearMisses).toEqual([])
  })
})

describe('explain rejects', () => {
  it.each([
    ['a text that is not an address', 'proj/web:'],
    ['an address in another spelling', 'proj/we%62'],
    ['an address of no resource', 'proj/web:flag/checkout'],
    ['an unknown kind', 'planet/earth'],
  ])('%s', async (_, resource) => {
    const { engine, as } = await account()
    await expect(engine.explain({ as, action: 'viewProject', resource })).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ attribute: 'resource' }],
    })
  })

  it('an action that the kind does not have, although `*` would allow it', async () => {
    const { engine, as } = await account()
    await expect(engine.explain({ as, action: 'updateon', resource: checkout })).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ attribute: 'action' }],
    })
  })

  it('a call that names no caller', async () => {
    const { mayTurnOn, engine } = await account()
    await expect(mayTurnOn('api-unknown')).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(engine.explain({ action: 'updateOn', resource: checkout })).rejects.toMatchObject({
      code: 'unauthorized',
    })
  })
})

describe('a refused call', () => {
  it('has the explanation in its error in process and in the log', async () => {
    const { change, mayTurnOn, logged, tokenOf } = await account()
    const caller = await tokenOf([view, allow(['updateOn'], ['proj/*:env/*;qa:flag/*'])])
    const { text } = await mayTurnOn(caller)
    expect(text).toContain('would be allowed if environment `production` had the tag `qa`')
    expect((await change(caller)).explanation).toBe(text)
    expect(logged.filter(({ event }) => event === 'request-refused')).toEqual([
      { level: 'debug', event: 'request-refused', requestId: 'in-process', operation: 'patchFlag', message: text },
    ])
  })

  it('does not say that a tag is missing when the resource has the tag', async () => {
    const { api, as } = await account()
    await api.patchProject({ projectKey: 'web', body: [{ op: 'add', path: '/tags/-', value: 'qa' }] }, { as })
    const caller = { policy: [allow(['*'], ['proj/*;qa']), deny(['viewProject'], ['proj/*;qa'])], name: 'ops' }
    await expect(api.getProject({ projectKey: 'web' }, { as: caller })).rejects.toMatchObject({
      code: 'forbidden',
      explanation: 'denied by statement 2 of role `ops`',
    })
  })

  it('names all actions when one of several is sufficient', async () => {
    const { api } = await account()
    const environmentRef = { projectKey: 'web', environmentKey: 'production', segmentKey: 'beta' }
    const call = api.patchSegment({ ...environmentRef, body: [] }, { as: { policy: [view] } })
    await expect(call).rejects.toMatchObject({
      explanation:
        'needs one of updateName, updateDescription, updateTags, updateIncluded, updateExcluded, updateRules' +
        '; no role allows `updateName`',
    })
  })

  it('has no explanation over a transport, neither in the body nor in a header', async () => {
    const { handle, tokenOf, logged } = await account()
    const authorization = await tokenOf([view, deny(['*'], [everyFlag])])
    const headers: Readonly<Record<string, string>> = { authorization }
    const response = await handle({
      method: 'DELETE',
      path: '/api/v2/flags/web/checkout',
      query: '',
      header: (name) => headers[name],
      body: { kind: 'parsed', value: undefined },
    })
    expect(response.status).toBe(403)
    expect(JSON.parse(response.body as string)).toEqual({
      code: 'forbidden',
      message: 'Forbidden. Access to the requested resource was denied.',
    })
    expect(JSON.stringify(response)).not.toMatch(/inline|statement|token's own|would be allowed/)
    expect(logged.at(-1)?.message).toContain('denied by statement 2 of role `inline`')
  })
})
