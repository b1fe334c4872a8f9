import { describe, expect, it } from 'vitest'
import { aiProject, semanticPatchType, start, validationErrorsOf } from '../test/ai-project.ts'
import { clause, withChat } from '../test/chat-config.ts'

const untouched = {
  enabled: false,
  targets: [],
  contextTargets: [],
  rules: [],
  fallthrough: { variation: 0 },
  offVariation: 0,
  trackEvents: false,
  trackEventsFallthrough: false,
  lastModified: start,
  _version: 1,
}

describe('the targeting of an AI config', () => {
  it('has the default variation in environments in which it was never changed', async () => {
    const { targeting, a, b } = await withChat()
    expect(await targeting('chat')).toEqual({
      _links: {
        self: { href: '/api/v2/projects/web/ai-configs/chat/targeting', type: 'application/json' },
        parent: { href: '/api/v2/projects/web/ai-configs/chat', type: 'application/json' },
      },
      key: 'chat',
      name: 'chat',
      tags: ['shop'],
      _version: 2,
      createdAt: start,
      variations: [
        { _id: a, name: 'A', value: { variationKey: 'a' } },
        { _id: b, name: 'B', description: 'the other', value: { variationKey: 'b' } },
      ],
      defaults: { onVariation: 0, offVariation: 0 },
      environments: {
        production: { ...untouched, _environmentName: 'Production' },
        test: { ...untouched, _environmentName: 'Test' },
      },
      _access: expect.anything(),
    })
  })

  it('serves nothing while the config has no variation', async () => {
    const { create, targeting, instruct, addVariation } = await aiProject()
    await create('chat')
    const { fallthrough, offVariation } = (await targeting('chat')).environments.production ?? {}
    expect([fallthrough, offVariation]).toEqual([{}, undefined])
    expect(await validationErrorsOf(instruct('chat', [{ kind: 'turnFlagOn' }]))).toEqual([
      { attribute: 'instructions.0', reason: 'fallthrough must serve either a variation or a rollout' },
    ])
    const unchanged = await instruct('chat', [{ kind: 'removeRule', ruleId: 'none' }])
    expect(unchanged._version).toBe(1)
    await addVariation('chat', 'a')
    expect((await targeting('chat')).environments.production).toMatchObject({ fallthrough: { variation: 0 } })
  })

  it('applies every kind of instruction, only in the environment of the patch', async () => {
    const { instruct, pass, a, b } = await withChat()
    pass(1000)
    const rollout = { rolloutWeights: { [a]: 40_000, [b]: 60_000 }, rolloutContextKind: 'org', rolloutBucketBy: 'plan' }
    const { environments, _version } = await instruct('chat', [
      { kind: 'turnFlagOn' },
      { kind: 'addRule', clauses: [clause()], variationId: b, description: 'staff' },
      { kind: 'updateFallthroughVariationOrRollout', ...rollout },
      { kind: 'updateOffVariation', variationId: b },
      { kind: 'updateTrackEvents', trackEvents: true },
      { kind: 'updateTrackEventsFallthrough', trackEvents: true },
      { kind: 'addTargets', values: ['ada'], variationId: b },
      { kind: 'addTargets', values: ['acme', 'initech'], variationId: a, contextKind: 'org' },
      { kind: 'removeTargets', values: ['acme'], variationId: a, contextKind: 'org' },
    ])
    expect(_version).toBe(3)
    expect(environments.test).toMatchObject(untouched)
    const { rules = [], ...production } = environments.production ?? {}
    expect(production).toEqual({
      enabled: true,
      targets: [{ values: ['ada'], variation: 1, contextKind: 'user' }],
      contextTargets: [{ values: ['initech'], variation: 0, contextKind: 'org' }],
      fallthrough: {
        rollout: {
          variations: [
            { variation: 0, weight: 40_000 },
            { variation: 1, weight: 60_000 },
          ],
          contextKind: 'org',
          bucketBy: 'plan',
        },
      },
      offVariation: 1,
      trackEvents: true,
      trackEventsFallthrough: true,
      lastModified: start + 1000,
      _version: 2,
      _environmentName: 'Production',
    })
    expect(rules).toMatchObject([{ description: 'staff', variation: 1, trackEvents: false, clauses: [clause()] }])

    const [{ _id: ruleId, clauses } = { _id: '', clauses: [] }] = rules
    const clauseId = clauses[0]?._id
    const edited = await instruct('chat', [
      { kind: 'turnFlagOff' },
      { kind: 'addRule', clauses: [], variationId: a, beforeRuleId: ruleId },
      { kind: 'addClauses', ruleId, clauses: [clause({ attribute: 'name', op: 'in', values: ['x'] })] },
      { kind: 'updateClause', ruleId, clauseId, clause: clause({ values: ['@a.com'] }) },
      { kind: 'addValuesToClause', ruleId, clauseId, values: ['@b.com', '@c.com'] },
      { kind: 'removeValuesFromClause', ruleId, clauseId, values: ['@b.com'] },
      { kind: 'updateRuleDescription', ruleId, description: 'new' },
      { kind: 'updateRuleTrackEvents', ruleId, trackEvents: true },
      { kind: 'updateRuleVariationOrRollout', ruleId, variationId: a },
      { kind: 'clearTargets', variationId: b },
      { kind: 'replaceTargets', targets: [{ values: ['bob'], variationId: a }] },
    ])
    const after = edited.environments.production
    expect(after).toMatchObject({ enabled: false, _version: 3, targets: [{ values: ['bob'] }], contextTargets: [] })
    expect(after?.rules[1]).toMatchObject({
      _id: ruleId,
      description: 'new',
      trackEvents: true,
      variation: 0,
      clauses: [{ _id: clauseId, values: ['@a.com', '@c.com'] }, { attribute: 'name' }],
    })

    const ids = after?.rules.map(({ _id }) => _id) ?? []
    const ordered = await instruct('chat', [
      { kind: 'reorderRules', ruleIds: [...ids].reverse() },
      { kind: 'removeClauses', ruleId, clauseIds: [clauseId] },
      { kind: 'removeRule', ruleId: ids[0] },
    ])
    expect(ordered.environments.production?.rules).toMatchObject([{ _id: ruleId, clauses: [{ attribute: 'name' }] }])
    const replaced = await instruct('chat', [{ kind: 'replaceRules', rules: [{ clauses: [], variationId: b }] }])
    expect(replaced.environments.production?.rules).toMatchObject([{ clauses: [], variation: 1 }])
  })

  it.each([
    ['addUserTargets', { values: ['a'], variationId: 'a' }],
    ['addPrerequisite', { key: 'f', variationId: 'a' }],
    ['addVariation', { value: 1 }],
    ['updateName', { value: 'x' }],
    ['archiveFlag', {}],
    ['constructor', {}],
  ])('rejects %s, which is not an instruction for AI configs', async (kind, properties) => {
    const { instruct } = await withChat()
    const [error] = await validationErrorsOf(instruct('chat', [{ kind: 'turnFlagOn' }, { kind, ...properties }]))
    expect(error?.attribute).toBe('instructions.1.kind')
  })

  it.each<[string, object[], string, string]>([
    [
      'an unknown variation',
      [{ kind: 'updateOffVariation', variationId: 'none' }],
      '0.variationId',
      'must be the _id of a variation',
    ],
    [
      'weights with a wrong total',
      [{ kind: 'turnFlagOn' }, { kind: 'updateFallthroughVariationOrRollout', rolloutWeights: {} }],
      '1',
      'fallthrough.rollout must have weights that total 100000',
    ],
    [
      'a rule that does not exist',
      [{ kind: 'updateRuleDescription', ruleId: 'none', description: '' }],
      '0.ruleId',
      'must be the id of a rule',
    ],
    [
      'an unknown segment',
      [
        { kind: 'turnFlagOn' },
        { kind: 'addRule', clauses: [clause({ op: 'segmentMatch', values: ['none'] })], variationId: 'a' },
      ],
      '1',
      'rules must name segments of the environment: none does not exist',
    ],
    [
      'a default that is not the value of a variation',
      [{ kind: 'updateDefaultVariation', onVariationValue: 'a' }],
      '0.onVariationValue',
      'must be the value of a variation',
    ],
  ])('rejects %s, and changes nothing', async (_, instructions, attribute, reason) => {
    const { instruct, targeting, a } = await withChat()
    const before = await targeting('chat')
    const withIds = instructions.map((instruction) =>
      'variationId' in instruction && instruction.variationId === 'a'
        ? { ...instruction, variationId: a }
        : instruction,
    )
    expect(await validationErrorsOf(instruct('chat', withIds))).toEqual([
      { attribute: `instructions.${attribute}`, reason },
    ])
    expect(await targeting('chat')).toEqual(before)
  })

  it('rejects a context that is targeted twice', async () => {
    const { instruct, a, b } = await withChat()
    const sameContextTwice = [a, b].map((variationId) => ({ kind: 'addTargets', values: ['ada'], variationId }))
    expect(await validationErrorsOf(instruct('chat', sameContextTwice))).toEqual([
      { attribute: 'instructions.1', reason: 'targets must not contain a key twice' },
    ])
  })

  it('requires an environment of the project for instructions that need one', async () => {
    const { instruct } = await withChat()
    const turnOn = [{ kind: 'turnFlagOn' }]
    expect(await validationErrorsOf(instruct('chat', turnOn, { environmentKey: undefined }))).toEqual([
      { attribute: 'environmentKey', reason: 'must be present for turnFlagOn' },
    ])
    expect(await validationErrorsOf(instruct('chat', turnOn, { environmentKey: 'none' }))).toEqual([
      { attribute: 'environmentKey', reason: 'must be the key of an environment of the project' },
    ])
  })

  it('accepts only semantic patches', async () => {
    const { create, send } = await aiProject()
    await create('chat', { defaultVariation: { key: 'a', name: 'A' } })
    const path = '/api/v2/projects/web/ai-configs/chat/targeting'
    const body = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] }
    const response = await send('PATCH', path, body, { 'content-type': semanticPatchType })
    expect([response.status, JSON.parse(response.body ?? '').environments.production.enabled]).toEqual([200, true])
    for (const patch of [[], [{ op: 'replace', path: '/environments/production/enabled', value: false }], body]) {
      const { status, body: response = '' } = await send('PATCH', path, patch, { 'content-type': 'application/json' })
      expect([status, JSON.parse(response).code]).toEqual([400, 'invalid_request'])
    }
  })

  it('keeps its version, and gets no change log entry, when instructions change nothing', async () => {
    const { instruct, targeting, log, a } = await withChat()
    const before = await instruct('chat', [{ kind: 'turnFlagOn' }])
    const entries = await log()
    expect(await instruct('chat', [{ kind: 'turnFlagOn' }, { kind: 'updateOffVariation', variationId: a }])).toEqual(
      before,
    )
    expect(await instruct('chat', [])).toEqual(before)
    expect(await targeting('chat')).toEqual(before)
    expect(await log()).toEqual(entries)
  })

  it('requires a comment when the environment requires comments', async () => {
    const { api, as, instruct } = await withChat()
    await api.patchEnvironment(
      {
        projectKey: 'web',
        environmentKey: 'production',
        body: [{ op: 'replace', path: '/requireComments', value: true }],
      },
      { as },
    )
    const turnOn = [{ kind: 'turnFlagOn' }]
    expect(await validationErrorsOf(instruct('chat', turnOn))).toEqual([
      { attribute: 'comment', reason: expect.stringContaining('must be present') },
    ])
    expect((await instruct('chat', turnOn, { comment: 'launch' })).environments.production?.enabled).toBe(true)
  })

  it('is deleted with its environment, and starts with the defaults in a new one', async () => {
    const { api, as, instruct, targeting } = await withChat()
    await instruct('chat', [{ kind: 'turnFlagOn' }], { environmentKey: 'test' })
    await api.deleteEnvironment({ projectKey: 'web', environmentKey: 'test' }, { as })
    expect(Object.keys((await targeting('chat')).environments)).toEqual(['production'])
    const body = { key: 'test', name: 'Test', color: '000000', defaultTrackEvents: true }
    await api.createEnvironment({ projectKey: 'web', body }, { as })
    expect((await targeting('chat')).environments.test).toMatchObject({
      enabled: false,
      trackEvents: true,
      _version: 1,
    })
  })
})
