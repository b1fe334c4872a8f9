import { storageUnavailable } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { type As, createEngine } from '../../index.ts'
import { allow, clause, failureOf, faultOf, flagProject, semantic, start } from './test/flag-project.ts'

const path = (flagKey = 'orders', environmentKey = 'production', projectKey = 'web') =>
  `/api/v2/projects/${projectKey}/flags/${flagKey}/environments/${environmentKey}/migration-safety-issues`

/** A project with the migration flag `orders`, and ways to change and to check it. */
async function migrating(stageCount: 2 | 4 | 6 = 6) {
  const project = await flagProject()
  const contextKind = stageCount === 6 ? { contextKind: 'org' } : {}
  const { variations } = await project.create('orders', {
    purpose: 'migration',
    migrationSettings: { stageCount, ...contextKind },
  })
  const stage = (name: string) => variations.find(({ value }) => value === name)?._id as string
  const serve = (shares: Readonly<Record<string, number>>) => ({
    rolloutWeights: Object.fromEntries(Object.entries(shares).map(([name, percent]) => [stage(name), percent * 1000])),
    rolloutContextKind: 'org',
  })
  return {
    ...project,
    stage,
    addRule: (shares: Readonly<Record<string, number>>, values = ['acme'], more: object = {}) => ({
      kind: 'addRule',
      clauses: [clause({ contextKind: 'org', attribute: 'key', op: 'in', values })],
      ...serve(shares),
      ...more,
    }),
    serveByDefault: (shares: Readonly<Record<string, number>>) => ({
      kind: 'updateFallthroughVariationOrRollout',
      ...serve(shares),
    }),
    check: (instructions: readonly object[], more: object = {}, as: As = project.as) =>
      project.api.postMigrationSafetyIssues(
        {
          projectKey: 'web',
          flagKey: 'orders',
          environmentKey: 'production',
          body: { instructions, ...more } as never,
        },
        { as },
      ),
    rules: async () => (await project.get('orders')).environments?.production?.rules ?? [],
  }
}

describe('postMigrationSafetyIssues', () => {
  it('answers 200 with every issue that the patch would cause', async () => {
    const { send, addRule } = await migrating()
    const body = { comment: 'what if', instructions: [addRule({ live: 100 }, ['acme'], { description: 'Acme' })] }
    const answer = await send('POST', path(), { body })
    expect(answer.status).toBe(200)
    const issues = JSON.parse(answer.body as string)
    expect(issues).toEqual([
      {
        causingRuleId: expect.any(String),
        affectedRuleIds: ['fallthrough'],
        issue:
          'Adding the rule "Acme" moves contexts from the default rule into it, where they read from the new system without having been backfilled.',
        oldSystemAffected: false,
      },
    ])
  })

  it('answers 200 with an empty list where there is none', async () => {
    const { send, addRule } = await migrating()
    const answer = await send('POST', path(), { body: { instructions: [addRule({ dualwrite: 100 })] } })
    expect([answer.status, answer.body]).toEqual([200, '[]'])
  })

  it('takes the plain and the semantic media type', async () => {
    const { send, addRule } = await migrating()
    for (const type of ['application/json', semantic, 'application/json; charset=utf-8']) {
      const headers = { 'content-type': type }
      const answer = await send('POST', path(), { body: { instructions: [addRule({ live: 100 })] }, headers })
      expect(JSON.parse(answer.body as string)).toHaveLength(1)
    }
  })

  it('compares with the targeting that there is, in that environment', async () => {
    const { instruct, addRule, check, rules, serveByDefault } = await migrating()
    await instruct('orders', [{ kind: 'turnFlagOn' }, addRule({ complete: 100 }), serveByDefault({ live: 100 })])
    const [{ _id: ruleId } = { _id: '' }] = await rules()
    expect(await check([{ kind: 'removeRule', ruleId }])).toMatchObject([
      { causingRuleId: ruleId, affectedRuleIds: ['fallthrough'], oldSystemAffected: true },
    ])
    expect(await check([addRule({ live: 100 }, ['other'])])).toEqual([])
    await instruct('orders', [addRule({ live: 100 })], { environmentKey: 'test' })
    expect(await check([serveByDefault({ rampdown: 100 })])).toEqual([])
  })

  it('follows all instructions before it compares', async () => {
    const { addRule, check, serveByDefault } = await migrating()
    expect(await check([serveByDefault({ live: 100 }), serveByDefault({ dualwrite: 100 })])).toEqual([])
    expect(await check([serveByDefault({ dualwrite: 100 }), addRule({ shadow: 100 })])).toMatchObject([
      { affectedRuleIds: ['fallthrough'], oldSystemAffected: false },
    ])
    expect(await check([])).toEqual([])
  })

  it('tells two stages from four and six', async () => {
    for (const count of [2, 4] as const) {
      const { check, instruct, addRule, serveByDefault } = await migrating(count)
      expect(await check([addRule({ complete: 100 })])).toEqual([])
      await instruct('orders', [serveByDefault({ complete: 100 })])
      expect(await check([addRule({ off: 100 })])).toMatchObject([{ oldSystemAffected: true }])
    }
  })

  it('writes nothing, neither what it checked nor that it did', async () => {
    const { api, as, get, segment, stage, check, pass } = await migrating(4)
    await segment('beta')
    const before = [await get('orders'), (await api.listChangeLog({}, { as })).items]
    pass(1000)
    const clauses = [clause({ op: 'segmentMatch', values: ['beta'], contextKind: 'user' })]
    const rolloutWeights = { [stage('live')]: 100_000 }
    await check([
      { kind: 'turnFlagOn' },
      { kind: 'updateName', value: 'New' },
      { kind: 'addRule', clauses, rolloutWeights },
    ])
    expect([await get('orders'), (await api.listChangeLog({}, { as })).items]).toEqual(before)
    const place = { projectKey: 'web', environmentKey: 'production', segmentKey: 'beta' }
    expect((await api.getSegment(place, { as })).version).toBe(1)
  })

  it('needs viewProject and nothing else', async () => {
    const { check, addRule } = await migrating()
    const only = (action: string, resource: string) => ({ policy: [allow([action], [resource])] })
    expect(await check([addRule({ live: 100 })], {}, only('viewProject', 'proj/web'))).toHaveLength(1)
    const denied = await failureOf(check([], {}, only('updateRules', 'proj/*:env/*:flag/*')))
    expect(denied.code).toBe('forbidden')
    expect((await failureOf(check([], {}, only('viewProject', 'proj/other')))).code).toBe('forbidden')
  })

  it.each([
    ['project', path('orders', 'production', 'nowhere')],
    ['flag', path('nothing')],
    ['environment', path('orders', 'nowhere')],
  ])('is 404 for an unknown %s', async (_, unknown) => {
    const { send } = await migrating()
    const answer = await send('POST', unknown, { body: { instructions: [] } })
    expect([answer.status, JSON.parse(answer.body as string).code]).toEqual([404, 'not_found'])
  })

  it('is 400 for a flag that is no migration flag', async () => {
    const { api, as, create } = await migrating()
    await create('plain')
    const place = { projectKey: 'web', flagKey: 'plain', environmentKey: 'production' }
    const call = api.postMigrationSafetyIssues({ ...place, body: { instructions: [{ kind: 'turnFlagOn' }] } }, { as })
    expect(await faultOf(call)).toEqual({ attribute: 'flagKey', reason: 'must be the key of a migration flag' })
  })

  it.each<[string, object, string]>([
    ['an unknown kind', { kind: 'paintFlag' }, 'instructions.1.kind'],
    ['a missing member', { kind: 'removeRule' }, 'instructions.1.ruleId'],
    [
      'a rule that is not there',
      { kind: 'updateRuleDescription', ruleId: 'x', description: '' },
      'instructions.1.ruleId',
    ],
    [
      'an unknown stage',
      { kind: 'addRule', clauses: [], rolloutWeights: { x: 100_000 } },
      'instructions.1.rolloutWeights',
    ],
    [
      'what no migration flag does',
      { kind: 'addTargets', values: ['a'], variationId: '' },
      'instructions.1.variationId',
    ],
    ['deletion', { kind: 'deleteFlag' }, 'instructions.1.kind'],
  ])('names the index of an instruction with %s', async (_, instruction, attribute) => {
    const { check } = await migrating()
    expect(await faultOf(check([{ kind: 'turnFlagOn' }, instruction]))).toMatchObject({ attribute })
  })

  it('names the index of an instruction that makes something that is no migration flag', async () => {
    const { check, stage, addRule } = await migrating()
    const targets = { kind: 'addTargets', values: ['a'], variationId: stage('off') }
    expect(await faultOf(check([addRule({ off: 100 }), targets]))).toEqual({
      attribute: 'instructions.1',
      reason: 'targets must be empty in a migration flag',
    })
    const clauses = [clause({ op: 'segmentMatch', values: ['beta'], contextKind: 'org' })]
    const rolloutWeights = { [stage('off')]: 100_000 }
    const matching = { kind: 'addRule', clauses, rolloutWeights, rolloutContextKind: 'org' }
    expect(await faultOf(check([matching]))).toMatchObject({ attribute: 'instructions.0' })
  })

  it.each<[string, object, string]>([
    ['no instructions', { instructions: undefined }, 'instructions'],
    ['instructions that are no list', { instructions: {} }, 'instructions'],
    ['1001 instructions', { instructions: Array(1001).fill({ kind: 'turnFlagOn' }) }, 'instructions'],
    ['a comment that is no text', { comment: 1 }, 'comment'],
    ['another environment', { environmentKey: 'test' }, 'environmentKey'],
    ['a stranger', { dryRun: true }, 'dryRun'],
  ])('refuses %s', async (_, more, attribute) => {
    const { check } = await migrating()
    expect(await faultOf(check([], more))).toMatchObject({ attribute })
  })

  it('may name the environment of its path', async () => {
    const { check, addRule } = await migrating()
    expect(await check([addRule({ live: 100 })], { environmentKey: 'production' })).toHaveLength(1)
  })

  it('is never in doubt about which rule is the default one', async () => {
    const { patch, rules, instruct, addRule } = await migrating()
    await instruct('orders', [addRule({ off: 100 })])
    const [{ _id = '', ...rule } = {}] = await rules()
    const add = { op: 'add', path: '/environments/production/rules/-', value: { ...rule, _id: 'fallthrough' } }
    expect(await faultOf(patch('orders', [add]))).toEqual({
      attribute: 'environments.production.rules',
      reason: "must not use the _id fallthrough, which is the default rule's",
    })
  })

  it('compares 500 rules at most', async () => {
    const { check, addRule } = await migrating()
    const rules = (count: number) => Array.from({ length: count }, (_, at) => addRule({ off: 100 }, [`k${at}`]))
    expect(await check(rules(500))).toEqual([])
    expect(await faultOf(check(rules(501)))).toEqual({
      attribute: 'instructions',
      reason: 'must be about a flag of at most 500 rules',
    })
  })

  it('is 503 while the storage cannot be reached', async () => {
    const storage = createMemoryStorage()
    const account = storage.account('default')
    const gone = {
      ...account,
      getMany: () => Promise.reject(storageUnavailable('gone')),
      get: () => Promise.reject(storageUnavailable('gone')),
    }
    const engine = createEngine({ storage: { ...storage, account: () => gone }, clock: () => start })
    const place = { projectKey: 'web', flagKey: 'orders', environmentKey: 'production' }
    const as = { policy: [allow(['viewProject'], ['proj/*'])] }
    const failure = await failureOf(
      engine.api.postMigrationSafetyIssues({ ...place, body: { instructions: [] } }, { as }),
    )
    expect(failure).toEqual({ code: 'service_unavailable', message: 'Requested service unavailable' })
  })
})
