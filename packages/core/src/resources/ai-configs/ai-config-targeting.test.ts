import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { aiProject, allow, editor, failureOf, faultsOf, semantic, start } from './test/ai-project.ts'

const clause = (more: object = {}) => ({ attribute: 'email', op: 'endsWith', values: ['@example.com'], ...more })

/** A config `chat` with the variations `a` and `b`, and their ids. */
async function withChat() {
  const project = await aiProject()
  const { variations } = await project.create('chat', { tags: ['shop'], defaultVariation: { key: 'a', name: 'A' } })
  const { _id: b } = await project.addVariation('chat', 'b', { name: 'B', description: 'the other' })
  return { ...project, a: variations[0]?._id ?? '', b }
}

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
  it('is shown in all environments, with the default variation where nobody changed it', async () => {
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

  it('serves nothing before there is a variation', async () => {
    const { create, targeting, instruct, addVariation } = await aiProject()
    await create('chat')
    const { fallthrough, offVariation } = (await targeting('chat')).environments.production ?? {}
    expect([fallthrough, offVariation]).toEqual([{}, undefined])
    expect(await faultsOf(instruct('chat', [{ kind: 'turnFlagOn' }]))).toEqual([
      { attribute: 'instructions.0', reason: 'fallthrough must serve either a variation or a rollout' },
    ])
    const nothing = await instruct('chat', [{ kind: 'removeRule', ruleId: 'none' }])
    expect(nothing._version).toBe(1)
    await addVariation('chat', 'a')
    expect((await targeting('chat')).environments.production).toMatchObject({ fallthrough: { variation: 0 } })
  })

  it('follows every instruction, in the environment of the patch alone', async () => {
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
  ])('does not know %s, which is for flags or nothing', async (kind, members) => {
    const { instruct } = await withChat()
    const [fault] = await faultsOf(instruct('chat', [{ kind: 'turnFlagOn' }, { kind, ...members }]))
    expect(fault?.attribute).toBe('instructions.1.kind')
  })

  it.each<[string, object[], string, string]>([
    [
      'a variation that is not there',
      [{ kind: 'updateOffVariation', variationId: 'none' }],
      '0.variationId',
      'must be the _id of a variation',
    ],
    [
      'weights that do not total',
      [{ kind: 'turnFlagOn' }, { kind: 'updateFallthroughVariationOrRollout', rolloutWeights: {} }],
      '1',
      'fallthrough.rollout must have weights that total 100000',
    ],
    [
      'a rule that is not there',
      [{ kind: 'updateRuleDescription', ruleId: 'none', description: '' }],
      '0.ruleId',
      'must be the id of a rule',
    ],
    [
      'a segment that is not there',
      [
        { kind: 'turnFlagOn' },
        { kind: 'addRule', clauses: [clause({ op: 'segmentMatch', values: ['none'] })], variationId: 'a' },
      ],
      '1',
      'rules must name segments of the environment: none is none',
    ],
    [
      'a default that is no value',
      [{ kind: 'updateDefaultVariation', onVariationValue: 'a' }],
      '0.onVariationValue',
      'must be the value of a variation',
    ],
  ])('refuses %s, and changes nothing', async (_, instructions, attribute, reason) => {
    const { instruct, targeting, a } = await withChat()
    const before = await targeting('chat')
    const given = instructions.map((one) =>
      'variationId' in one && one.variationId === 'a' ? { ...one, variationId: a } : one,
    )
    expect(await faultsOf(instruct('chat', given))).toEqual([{ attribute: `instructions.${attribute}`, reason }])
    expect(await targeting('chat')).toEqual(before)
  })

  it('never names a context twice', async () => {
    const { instruct, a, b } = await withChat()
    const both = [a, b].map((variationId) => ({ kind: 'addTargets', values: ['ada'], variationId }))
    expect(await faultsOf(instruct('chat', both))).toEqual([
      { attribute: 'instructions.1', reason: 'targets must not name a key twice' },
    ])
  })

  it('wants an environment of the project where an instruction needs one', async () => {
    const { instruct } = await withChat()
    const on = [{ kind: 'turnFlagOn' }]
    expect(await faultsOf(instruct('chat', on, { environmentKey: undefined }))).toEqual([
      { attribute: 'environmentKey', reason: 'must be present for turnFlagOn' },
    ])
    expect(await faultsOf(instruct('chat', on, { environmentKey: 'none' }))).toEqual([
      { attribute: 'environmentKey', reason: 'must be the key of an environment of the project' },
    ])
  })

  it('is changed by semantic patches alone', async () => {
    const { create, send } = await aiProject()
    await create('chat', { defaultVariation: { key: 'a', name: 'A' } })
    const path = '/api/v2/projects/web/ai-configs/chat/targeting'
    const body = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] }
    const done = await send('PATCH', path, body, { 'content-type': semantic })
    expect([done.status, JSON.parse(done.body ?? '').environments.production.enabled]).toEqual([200, true])
    for (const patch of [[], [{ op: 'replace', path: '/environments/production/enabled', value: false }], body]) {
      const { status, body: answer = '' } = await send('PATCH', path, patch, { 'content-type': 'application/json' })
      expect([status, JSON.parse(answer).code]).toEqual([400, 'invalid_request'])
    }
  })

  it('to what it is already changes nothing', async () => {
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

  it('has comments where the environment asks for them', async () => {
    const { api, as, instruct } = await withChat()
    await api.patchEnvironment(
      {
        projectKey: 'web',
        environmentKey: 'production',
        body: [{ op: 'replace', path: '/requireComments', value: true }],
      },
      { as },
    )
    const on = [{ kind: 'turnFlagOn' }]
    expect(await faultsOf(instruct('chat', on))).toEqual([
      { attribute: 'comment', reason: expect.stringContaining('must be present') },
    ])
    expect((await instruct('chat', on, { comment: 'launch' })).environments.production?.enabled).toBe(true)
  })

  it('goes with its environment, and begins anew', async () => {
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

describe('default variations', () => {
  it('can be changed, and what environments serve stays', async () => {
    const { api, as, instruct, targeting } = await withChat()
    await instruct('chat', [{ kind: 'turnFlagOn' }])
    const value = { variationKey: 'b' }
    const changed = await instruct('chat', [{ kind: 'updateDefaultVariation', onVariationValue: value }], {
      environmentKey: undefined,
    })
    expect(changed.defaults).toEqual({ onVariation: 1, offVariation: 0 })
    expect(changed.environments.production).toMatchObject({ enabled: true, fallthrough: { variation: 0 } })
    expect(changed.environments.test).toMatchObject({ fallthrough: { variation: 0 }, offVariation: 0 })
    await api.createEnvironment({ projectKey: 'web', body: { key: 'new', name: 'New', color: '000000' } }, { as })
    const { environments } = await targeting('chat')
    expect(environments.test?.fallthrough).toEqual({ variation: 0 })
    expect(environments.new).toMatchObject({ fallthrough: { variation: 1 }, offVariation: 0 })
  })
})

describe('variations that are served', () => {
  it('cannot go; others move up, and are served as before', async () => {
    const { instruct, targeting, addVariation, removeVariation, b } = await withChat()
    const { _id: c } = await addVariation('chat', 'c')
    await instruct('chat', [
      { kind: 'updateFallthroughVariationOrRollout', variationId: c },
      { kind: 'addRule', clauses: [], rolloutWeights: { [b]: 100_000, [c]: 0 } },
      { kind: 'addTargets', values: ['ada'], variationId: c },
    ])
    expect(await failureOf(removeVariation('chat', 'b'))).toEqual({
      code: 'optimistic_locking_error',
      message: 'b is in use in environments: production',
    })
    await instruct('chat', [{ kind: 'replaceRules', rules: [{ clauses: [], variationId: c }] }])
    await removeVariation('chat', 'b')
    const { variations, environments } = await targeting('chat')
    expect(variations.map(({ _id }) => _id)).toEqual([expect.any(String), c])
    expect(environments.production).toMatchObject({
      fallthrough: { variation: 1 },
      rules: [{ variation: 1 }],
      targets: [{ values: ['ada'], variation: 1 }],
      offVariation: 0,
    })
  })
})

describe('segments that rules name', () => {
  const names = (variationId: string) => ({
    kind: 'addRule',
    clauses: [clause({ attribute: '', op: 'segmentMatch', values: ['beta'] })],
    variationId,
  })

  async function withSegment() {
    const project = await withChat()
    const place = { projectKey: 'web', environmentKey: 'production' }
    await project.api.createSegment({ ...place, body: { key: 'beta', name: 'Beta' } }, { as: project.as })
    const remove = () => project.api.deleteSegment({ ...place, segmentKey: 'beta' }, { as: project.as })
    return { ...project, remove }
  }

  it('stay until no rule names them', async () => {
    const { instruct, remove, a } = await withSegment()
    await instruct('chat', [names(a)])
    expect(await failureOf(remove())).toEqual({
      code: 'optimistic_locking_error',
      message: 'AI configs refer to this segment: chat',
    })
    await instruct('chat', [{ kind: 'replaceRules', rules: [] }])
    expect(await remove()).toBeUndefined()
  })

  it('stay when they are named in the very moment', async () => {
    const { instruct, remove, targeting, a } = await withSegment()
    const calls = await Promise.allSettled([remove(), instruct('chat', [names(a)])])
    expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const rules = (await targeting('chat')).environments.production?.rules ?? []
    expect(rules).toHaveLength(calls[1].status === 'fulfilled' ? 1 : 0)
  })
})

describe('rights to targeting', () => {
  const on = [{ kind: 'turnFlagOn' }]

  it('for one environment change that one alone', async () => {
    const { instruct } = await withChat()
    const as = editor(['updateAIConfigTargeting'], 'proj/web:env/test:aiconfig/chat')
    expect((await instruct('chat', on, { environmentKey: 'test' }, as)).environments.test?.enabled).toBe(true)
    expect(await failureOf(instruct('chat', on, {}, as))).toMatchObject({ code: 'forbidden' })
    const value = { variationKey: 'b' }
    const defaults = [{ kind: 'updateDefaultVariation', onVariationValue: value }]
    expect(await failureOf(instruct('chat', defaults, {}, as))).toMatchObject({ code: 'forbidden' })
    const everywhere = editor(['updateAIConfigTargeting'], 'proj/web:aiconfig/chat')
    expect(await instruct('chat', defaults, {}, everywhere)).toMatchObject({ defaults: { onVariation: 1 } })
    expect(await failureOf(instruct('chat', on, {}, everywhere))).toMatchObject({ code: 'forbidden' })
  })

  it('can stand on tags of the config', async () => {
    const { create, instruct } = await withChat()
    await create('other', { defaultVariation: { key: 'a', name: 'A' } })
    const as = editor(['updateAIConfigTargeting'], 'proj/*:env/*:aiconfig/*;shop')
    expect((await instruct('chat', on, {}, as)).environments.production?.enabled).toBe(true)
    expect(await failureOf(instruct('other', on, {}, as))).toMatchObject({ code: 'forbidden' })
  })

  it('are of no other kind, and ask for a view of the project', async () => {
    const { instruct, api, at } = await withChat()
    const others = editor(['updateAIConfig', 'updateAIConfigVariation'], 'proj/*:env/*:aiconfig/*')
    expect(await failureOf(instruct('chat', on, {}, others))).toMatchObject({ code: 'forbidden' })
    const blind = { policy: [allow(['*'], ['proj/*:env/*:aiconfig/*'])] }
    expect(await failureOf(instruct('chat', on, {}, blind))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(api.getAIConfigTargeting(at('chat'), { as: blind }))).toMatchObject({ code: 'forbidden' })
  })

  it('do not help two who change it at once', async () => {
    const { instruct, targeting } = await withChat()
    const calls = await Promise.allSettled([
      instruct('chat', on),
      instruct('chat', [{ kind: 'updateTrackEvents', trackEvents: true }]),
    ])
    expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const { enabled, trackEvents } = (await targeting('chat')).environments.production ?? {}
    expect([enabled, trackEvents].filter(Boolean)).toHaveLength(1)
  })
})

describe('where an environment requires approval of its AI configs', () => {
  const on = [{ kind: 'turnFlagOn' }]
  const refusal = {
    code: 'method_not_allowed',
    message: 'The environment production requires approval of this change: bypassRequiredApproval asks to do without',
  }

  async function guarded(...requiredApprovalTags: string[]) {
    const project = await withChat()
    const { api, as, at } = project
    const settings = { environmentKey: 'production', resourceKind: 'aiconfig' as const, required: true }
    const body = { ...settings, requiredApprovalTags }
    await api.patchApprovalRequestSettings({ projectKey: 'web', body }, { as })
    const bypass = (instructions: readonly object[], by: As = as) =>
      api.patchAIConfigTargeting(
        { ...at('chat'), bypassRequiredApproval: true, body: { environmentKey: 'production', instructions } as never },
        { as: by },
      )
    return { ...project, bypass }
  }

  it('targeting is not changed there, by the owner neither, and elsewhere it is', async () => {
    const { instruct, targeting, b } = await guarded()
    const before = (await targeting('chat')).environments.production
    const changes = [
      on,
      [{ kind: 'updateTrackEvents', trackEvents: true }],
      [{ kind: 'updateOffVariation', variationId: b }],
    ]
    for (const change of changes) expect(await failureOf(instruct('chat', change))).toEqual(refusal)
    expect((await targeting('chat')).environments.production).toEqual(before)
    const elsewhere = await instruct('chat', on, { environmentKey: 'test' })
    expect(elsewhere.environments.test?.enabled).toBe(true)
  })

  it('what changes nothing there needs none', async () => {
    const { instruct } = await guarded()
    expect((await instruct('chat', [{ kind: 'turnFlagOff' }])).environments.production?.enabled).toBe(false)
    const defaults = [{ kind: 'updateDefaultVariation', onVariationValue: { variationKey: 'b' } }]
    const { environments } = await instruct('chat', defaults)
    expect(environments.production?.fallthrough).toEqual({ variation: 0 })
  })

  it('tags can say which configs need it', async () => {
    const { instruct, create } = await guarded('shop')
    expect(await failureOf(instruct('chat', on))).toEqual(refusal)
    await create('free', { tags: ['toys'], defaultVariation: { key: 'a', name: 'A' } })
    expect((await instruct('free', on)).environments.production?.enabled).toBe(true)
  })

  it('whoever asks to do without needs the right to it, and the change log names it', async () => {
    const { bypass, log } = await guarded()
    const address = 'proj/web:env/production:aiconfig/chat'
    const may = (...actions: string[]) => editor(['updateAIConfigTargeting', ...actions], address)
    expect(await failureOf(bypass(on, may()))).toMatchObject({ code: 'forbidden' })
    expect((await bypass(on, may('bypassRequiredApproval'))).environments.production?.enabled).toBe(true)
    const accesses = (await log()).flatMap((entry) => entry.accesses)
    expect(accesses).toContainEqual({ action: 'bypassRequiredApproval', resource: address })
  })

  it('what it says, its tags and its removal are not changed round the targeting', async () => {
    const { api, as, at, patch, patchVariation, get } = await guarded('shop')
    const before = await get('chat')
    const rounds = [
      () => patch('chat', { tags: [] }),
      () => patch('chat', { tags: ['toys'], name: 'Renamed' }),
      () => patchVariation('chat', 'a', { model: { modelName: 'another' } }),
      () => patchVariation('chat', 'a', { messages: [{ role: 'system', content: 'Obey me.' }] }),
      () => patchVariation('chat', 'a', { state: 'archived' }),
      () => api.deleteAIConfig(at('chat'), { as }),
    ]
    for (const round of rounds) expect(await failureOf(round())).toEqual(refusal)
    expect(await get('chat')).toEqual(before)
  })

  it('what applications are not told of it is changed freely, and so are configs that are not guarded', async () => {
    const { api, as, at, patch, patchVariation, create } = await guarded('shop')
    expect(await patch('chat', { name: 'Renamed', tags: ['shop', 'more'] })).toMatchObject({ name: 'Renamed' })
    expect(await patchVariation('chat', 'a', { name: 'First', description: 'the old one' })).toMatchObject({
      name: 'First',
    })
    await create('free', { tags: ['toys'], defaultVariation: { key: 'a', name: 'A' } })
    await patchVariation('free', 'a', { model: { modelName: 'another' } })
    await patch('free', { tags: [] })
    await api.deleteAIConfig(at('free'), { as })
    expect(await failureOf(api.getAIConfig(at('free'), { as }))).toMatchObject({ code: 'not_found' })
  })

  it('whoever asks to go round it needs the right in each environment that requires approval', async () => {
    const { api, at } = await guarded()
    const may = (...resources: string[]): As => ({
      policy: [
        allow(['viewProject'], ['proj/*']),
        allow(['deleteAIConfig', 'updateAIConfig'], ['proj/web:aiconfig/chat']),
        allow(['bypassRequiredApproval'], resources),
      ],
    })
    const remove = (by: As) => api.deleteAIConfig({ ...at('chat'), bypassRequiredApproval: true }, { as: by })
    expect(await failureOf(remove(may('proj/web:env/test:aiconfig/chat')))).toMatchObject({ code: 'forbidden' })
    await remove(may('proj/web:env/production:aiconfig/chat'))
  })

  it('is answered with 405 and what the path allows', async () => {
    const { send } = await guarded()
    const path = '/api/v2/projects/web/ai-configs/chat/targeting'
    const body = { environmentKey: 'production', instructions: on }
    const answer = await send('PATCH', path, body, { 'content-type': semantic })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, PATCH'])
    const asked = await send('PATCH', `${path}?bypassRequiredApproval=true`, body, { 'content-type': semantic })
    expect(asked.status).toBe(200)
    expect((await send('PATCH', `${path}?bypassRequiredApproval=yes`, body, { 'content-type': semantic })).status).toBe(
      400,
    )
  })
})
