import { storageUnavailable } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { type As, createEngine } from '../../../index.ts'
import {
  allow,
  clause,
  failureOf,
  flagProject,
  semanticPatchType,
  start,
  validationErrorOf,
} from '../test/flag-project.ts'

const path = (flagKey = 'orders', environmentKey = 'production', projectKey = 'web') =>
  `/api/v2/projects/${projectKey}/flags/${flagKey}/environments/${environmentKey}/migration-safety-issues`

/** Creates a project with the migration flag `orders`, and functions to change and check the flag. */
async function migrating(stageCount: 2 | 4 | 6 = 6) {
  const project = await flagProject()
  const contextKind = stageCount === 6 ? { contextKind: 'org' } : {}
  const { variations } = await project.create('orders', {
    purpose: 'migration',
    migrationSettings: { stageCount, ...contextKind },
  })
  const stage = (name: string) => variations.find(({ value }) => value === name)?._id as string
  const serve = (percentByStage: Readonly<Record<string, number>>) => ({
    rolloutWeights: Object.fromEntries(
      Object.entries(percentByStage).map(([name, percent]) => [stage(name), percent * 1000]),
    ),
    rolloutContextKind: 'org',
  })
  return {
    ...project,
    stage,
    addRule: (percentByStage: Readonly<Record<string, number>>, values = ['acme'], overrides: object = {}) => ({
      kind: 'addRule',
      clauses: [clause({ contextKind: 'org', attribute: 'key', op: 'in', values })],
      ...serve(percentByStage),
      ...overrides,
    }),
    serveByDefault: (percentByStage: Readonly<Record<string, number>>) => ({
      kind: 'updateFallthroughVariationOrRollout',
      ...serve(percentByStage),
    }),
    check: (instructions: readonly object[], overrides: object = {}, as: As = project.as) =>
      project.api.postMigrationSafetyIssues(
        {
          projectKey: 'web',
          flagKey: 'orders',
          environmentKey: 'production',
          body: { instructions, ...overrides } as never,
        },
        { as },
      ),
    rules: async () => (await project.get('orders')).environments?.production?.rules ?? [],
  }
}

describe('postMigrationSafetyIssues', () => {
  it('returns 200 with every issue that the patch would cause', async () => {
    const { send, addRule } = await migrating()
    const body = { comment: 'what if', instructions: [addRule({ live: 100 }, ['acme'], { description: 'Acme' })] }
    const response = await send('POST', path(), { body })
    expect(response.status).toBe(200)
    const issues = JSON.parse(response.body as string)
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

  it('returns 200 with an empty list when there is no issue', async () => {
    const { send, addRule } = await migrating()
    const response = await send('POST', path(), { body: { instructions: [addRule({ dualwrite: 100 })] } })
    expect([response.status, response.body]).toEqual([200, '[]'])
  })

  it('accepts the plain and the semantic media type', async () => {
    const { send, addRule } = await migrating()
    for (const type of ['application/json', semanticPatchType, 'application/json; charset=utf-8']) {
      const headers = { 'content-type': type }
      const response = await send('POST', path(), { body: { instructions: [addRule({ live: 100 })] }, headers })
      expect(JSON.parse(response.body as string)).toHaveLength(1)
    }
  })

  it('compares with the stored targeting in the environment', async () => {
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

  it('applies all instructions before it compares', async () => {
    const { addRule, check, serveByDefault } = await migrating()
    expect(await check([serveByDefault({ live: 100 }), serveByDefault({ dualwrite: 100 })])).toEqual([])
    expect(await check([serveByDefault({ dualwrite: 100 }), addRule({ shadow: 100 })])).toMatchObject([
      { affectedRuleIds: ['fallthrough'], oldSystemAffected: false },
    ])
    expect(await check([])).toEqual([])
  })

  it('handles flags with two and with four stages', async () => {
    for (const count of [2, 4] as const) {
      const { check, instruct, addRule, serveByDefault } = await migrating(count)
      expect(await check([addRule({ complete: 100 })])).toEqual([])
      await instruct('orders', [serveByDefault({ complete: 100 })])
      expect(await check([addRule({ off: 100 })])).toMatchObject([{ oldSystemAffected: true }])
    }
  })

  it('writes nothing, neither to the flag nor to the change log', async () => {
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
    const keys = { projectKey: 'web', environmentKey: 'production', segmentKey: 'beta' }
    expect((await api.getSegment(keys, { as })).version).toBe(1)
  })

  it('requires viewProject only', async () => {
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
  ])('gets 404 for an unknown %s', async (_, unknown) => {
    const { send } = await migrating()
    const response = await send('POST', unknown, { body: { instructions: [] } })
    expect([response.status, JSON.parse(response.body as string).code]).toEqual([404, 'not_found'])
  })

  it('returns 400 for a flag that is not a migration flag', async () => {
    const { api, as, create } = await migrating()
    await create('plain')
    const keys = { projectKey: 'web', flagKey: 'plain', environmentKey: 'production' }
    const call = api.postMigrationSafetyIssues({ ...keys, body: { instructions: [{ kind: 'turnFlagOn' }] } }, { as })
    expect(await validationErrorOf(call)).toEqual({
      attribute: 'flagKey',
      reason: 'must be the key of a migration flag',
    })
  })

  it.each<[string, object, string]>([
    ['an unknown kind', { kind: 'paintFlag' }, 'instructions.1.kind'],
    ['a missing property', { kind: 'removeRule' }, 'instructions.1.ruleId'],
    [
      'a rule that does not exist',
      { kind: 'updateRuleDescription', ruleId: 'x', description: '' },
      'instructions.1.ruleId',
    ],
    [
      'an unknown stage',
      { kind: 'addRule', clauses: [], rolloutWeights: { x: 100_000 } },
      'instructions.1.rolloutWeights',
    ],
    [
      'an effect that no migration flag can have',
      { kind: 'addTargets', values: ['a'], variationId: '' },
      'instructions.1.variationId',
    ],
    ['deletion', { kind: 'deleteFlag' }, 'instructions.1.kind'],
  ])('names the index of an instruction with %s', async (_, instruction, attribute) => {
    const { check } = await migrating()
    expect(await validationErrorOf(check([{ kind: 'turnFlagOn' }, instruction]))).toMatchObject({ attribute })
  })

  it('names the index of an instruction that makes the migration flag invalid', async () => {
    const { check, stage, addRule } = await migrating()
    const targets = { kind: 'addTargets', values: ['a'], variationId: stage('off') }
    expect(await validationErrorOf(check([addRule({ off: 100 }), targets]))).toEqual({
      attribute: 'instructions.1',
      reason: 'targets must be empty in a migration flag',
    })
    const clauses = [clause({ op: 'segmentMatch', values: ['beta'], contextKind: 'org' })]
    const rolloutWeights = { [stage('off')]: 100_000 }
    const matching = { kind: 'addRule', clauses, rolloutWeights, rolloutContextKind: 'org' }
    expect(await validationErrorOf(check([matching]))).toMatchObject({ attribute: 'instructions.0' })
  })

  it.each<[string, object, string]>([
    ['no instructions', { instructions: undefined }, 'instructions'],
    ['instructions that are not an array', { instructions: {} }, 'instructions'],
    ['1001 instructions', { instructions: Array(1001).fill({ kind: 'turnFlagOn' }) }, 'instructions'],
    ['a comment that is not a string', { comment: 1 }, 'comment'],
    ['another environment', { environmentKey: 'test' }, 'environmentKey'],
    ['an unknown property', { dryRun: true }, 'dryRun'],
  ])('rejects %s', async (_, overrides, attribute) => {
    const { check } = await migrating()
    expect(await validationErrorOf(check([], overrides))).toMatchObject({ attribute })
  })

  it('accepts the environment of the path in the body', async () => {
    const { check, addRule } = await migrating()
    expect(await check([addRule({ live: 100 })], { environmentKey: 'production' })).toHaveLength(1)
  })

  it('never confuses a rule with the default rule', async () => {
    const { patch, rules, instruct, addRule } = await migrating()
    await instruct('orders', [addRule({ off: 100 })])
    const [{ _id = '', ...rule } = {}] = await rules()
    const add = { op: 'add', path: '/environments/production/rules/-', value: { ...rule, _id: 'fallthrough' } }
    expect(await validationErrorOf(patch('orders', [add]))).toEqual({
      attribute: 'environments.production.rules',
      reason: 'must not use the _id fallthrough, which identifies the default rule',
    })
  })

  it('rejects a flag with more than 500 rules', async () => {
    const { check, addRule } = await migrating()
    const rules = (count: number) => Array.from({ length: count }, (_, index) => addRule({ off: 100 }, [`k${index}`]))
    expect(await check(rules(500))).toEqual([])
    expect(await validationErrorOf(check(rules(501)))).toEqual({
      attribute: 'instructions',
      reason: 'must be about a flag with at most 500 rules',
    })
  })

  it('gets 503 while the storage is unavailable', async () => {
    const storage = createMemoryStorage()
    const account = storage.account('default')
    const unavailable = {
      ...account,
      getMany: () => Promise.reject(storageUnavailable('gone')),
      get: () => Promise.reject(storageUnavailable('gone')),
    }
    const engine = createEngine({ storage: { ...storage, account: () => unavailable }, clock: () => start })
    const keys = { projectKey: 'web', flagKey: 'orders', environmentKey: 'production' }
    const as = { policy: [allow(['viewProject'], ['proj/*'])] }
    const failure = await failureOf(
      engine.api.postMigrationSafetyIssues({ ...keys, body: { instructions: [] } }, { as }),
    )
    expect(failure).toEqual({ code: 'service_unavailable', message: 'Requested service unavailable' })
  })
})
