import { describe, expect, it } from 'vitest'
import { type Account, createShopAccount } from './account.ts'
import { type SpecOperation, sendTo, specTests } from './conformance.ts'

const params = { projectKey: 'web', flagKey: 'orders', environmentKey: 'production' }

/** Creates a migration flag with six stages, and functions that create rules and rollouts of it. */
async function migration({ api, caller }: Account) {
  const migrationSettings = { stageCount: 6, contextKind: 'user' } as const
  const body = { key: 'orders', name: 'Orders', purpose: 'migration', migrationSettings } as const
  const { variations } = await api.createFlag({ projectKey: 'web', body }, caller)
  const serve = (stage: string) => ({
    rolloutWeights: { [variations.find(({ value }) => value === stage)?._id as string]: 100_000 },
    rolloutContextKind: 'user',
  })
  const clauses = [{ contextKind: 'user', attribute: 'key', op: 'in', values: ['ada'], negate: false }]
  return {
    addRule: (stage: string) => ({ kind: 'addRule', clauses, ...serve(stage) }),
    serveByDefault: (stage: string) => ({ kind: 'updateFallthroughVariationOrRollout', ...serve(stage) }),
    patch: (...instructions: object[]) =>
      api.patchFlag(
        {
          projectKey: 'web',
          flagKey: 'orders',
          body: { environmentKey: 'production', instructions: instructions as never },
        },
        caller,
      ),
  }
}

const post: SpecOperation = {
  id: 'postMigrationSafetyIssues',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/migration-safety-issues',
  status: 200,
  errors: ['invalid_request', 'unauthorized', 'forbidden', 'not_found', 'rate_limited', 'service_unavailable'],
  async setUp(account) {
    const { addRule } = await migration(account)
    return { params, body: { comment: 'what if', instructions: [addRule('live')] } }
  },
  response: [{ causingRuleId: 'string', affectedRuleIds: ['string'], issue: 'string', oldSystemAffected: 'boolean' }],
  required: ['instructions'],
}

specTests(post)

async function issuesOf(account: Account, ...instructions: object[]) {
  const response = await sendTo(post, account, { params, body: { instructions } })
  expect(response.status).toBe(200)
  return response.body
}

describe('migration safety issues', () => {
  it('name the default rule `fallthrough`', async () => {
    const account = await createShopAccount()
    const { addRule } = await migration(account)
    expect(await issuesOf(account, addRule('live'))).toEqual([
      {
        causingRuleId: expect.any(String),
        affectedRuleIds: ['fallthrough'],
        issue: expect.stringMatching(/\.$/),
        oldSystemAffected: false,
      },
    ])
    expect(await issuesOf(account, (await liveByDefault(account)).live)).toMatchObject([
      { causingRuleId: 'fallthrough' },
    ])
  })

  it('report whether the old system becomes inconsistent', async () => {
    const account = await createShopAccount()
    const { addRule, serveByDefault, patch } = await migration(account)
    await patch({ kind: 'turnFlagOn' }, serveByDefault('complete'))
    expect(await issuesOf(account, addRule('live'))).toMatchObject([
      { affectedRuleIds: ['fallthrough'], oldSystemAffected: true },
    ])
  })

  it('are an empty array for a patch that causes none and for an empty patch', async () => {
    const account = await createShopAccount()
    const { addRule } = await migration(account)
    expect(await issuesOf(account, addRule('dualwrite'))).toEqual([])
    expect(await issuesOf(account)).toEqual([])
  })

  it('leave the flag unchanged', async () => {
    const account = await createShopAccount()
    const input = await post.setUp(account)
    const read = () => account.api.getFlag({ projectKey: 'web', flagKey: 'orders' }, account.caller)
    const flagBefore = await read()
    await sendTo(post, account, input)
    expect(await read()).toEqual(flagBefore)
  })

  it('are available to callers who may view the project', async () => {
    const account = await createShopAccount()
    const input = await post.setUp(account)
    const as = await account.tokenOf({ effect: 'allow', actions: ['viewProject'], resources: ['proj/web'] })
    expect((await sendTo(post, account, input, { as })).status).toBe(200)
  })

  it('accept the media type of semantic patches', async () => {
    const account = await createShopAccount()
    const input = await post.setUp(account)
    const headers = { 'content-type': 'application/json; domain-model=svc.semanticpatch' }
    expect((await sendTo(post, account, input, { headers })).status).toBe(200)
  })

  it.each([
    ['flagKey', { flagKey: 'checkout' }, { instructions: [] }],
    ['instructions', {}, { instructions: {} }],
    ['instructions.0.kind', {}, { instructions: [{ kind: 'explode' }] }],
    ['comment', {}, { instructions: [], comment: 7 }],
    ['environmentKey', {}, { instructions: [], environmentKey: 'test' }],
    ['patch', {}, { instructions: [], patch: [] }],
  ])('get 400 at %s', async (attribute, otherParams, body) => {
    const account = await createShopAccount()
    await migration(account)
    const response = await sendTo(post, account, { params: { ...params, ...otherParams }, body })
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request', message: 'validation failed' } })
    const { errors } = response.body as { errors: { attribute: string }[] }
    expect(errors.map((error) => error.attribute)).toEqual([attribute])
  })

  it('get 400 for a JSON Patch', async () => {
    const account = await createShopAccount()
    await migration(account)
    const response = await sendTo(post, account, { params, body: [{ op: 'replace', path: '/name', value: 'a' }] })
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request', message: 'validation failed' } })
  })
})

/** Returns an instruction that moves the default rule to a stage that reads from the new system. */
async function liveByDefault({ api, caller }: Account) {
  const { variations } = await api.getFlag({ projectKey: 'web', flagKey: 'orders' }, caller)
  const id = variations.find(({ value }) => value === 'live')?._id as string
  return {
    live: {
      kind: 'updateFallthroughVariationOrRollout',
      rolloutWeights: { [id]: 100_000 },
      rolloutContextKind: 'user',
    },
  }
}
