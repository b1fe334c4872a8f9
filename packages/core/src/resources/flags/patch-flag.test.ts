import { describe, expect, it } from 'vitest'
import { clause, failureOf, faultOf, flagProject, semantic, start } from './test/flag-project.ts'

const user = (variation: number, ...values: string[]) => ({ values, variation, contextKind: 'user' })
const on = { op: 'replace', path: '/environments/production/on', value: true }
const turnOn = { kind: 'turnFlagOn' }

describe('a JSON Patch', () => {
  it('changes flag-wide members and configurations at once', async () => {
    const { create, get, patch, pass } = await flagProject()
    const before = await create('f', { tags: ['a'] })
    pass(60_000)
    const after = await patch('f', [
      { op: 'replace', path: '/name', value: 'Checkout' },
      { op: 'replace', path: '/description', value: 'New' },
      { op: 'add', path: '/tags/-', value: 'b' },
      { op: 'replace', path: '/temporary', value: false },
      { op: 'replace', path: '/includeInSnippet', value: true },
      { op: 'replace', path: '/clientSideAvailability/usingEnvironmentId', value: true },
      { op: 'add', path: '/customProperties/jira', value: { name: 'Jira', value: ['1'] } },
      { op: 'replace', path: '/defaults', value: { onVariation: 1, offVariation: 1 } },
      { op: 'replace', path: '/archived', value: true },
      { op: 'replace', path: '/deprecated', value: true },
      { op: 'remove', path: '/maintainerId' },
      on,
      { op: 'add', path: '/environments/production/targets/-', value: { values: ['ann'], variation: 0 } },
      { op: 'add', path: '/environments/production/rules/-', value: { clauses: [clause()], variation: 1 } },
      { op: 'remove', path: '/environments/production/offVariation' },
      { op: 'replace', path: '/environments/test/trackEvents', value: true },
    ])
    expect(after).toMatchObject({
      name: 'Checkout',
      description: 'New',
      tags: ['a', 'b'],
      temporary: false,
      includeInSnippet: true,
      clientSideAvailability: { usingEnvironmentId: true, usingMobileKey: true },
      customProperties: { jira: { name: 'Jira', value: ['1'] } },
      defaults: { onVariation: 1, offVariation: 1 },
      archived: true,
      archivedDate: String(start + 60_000),
      deprecated: true,
      deprecatedDate: String(start + 60_000),
      _version: 2,
    })
    expect(after.maintainerId).toBeUndefined()
    expect(after.variations).toEqual(before.variations)
    expect(after.environments?.production).toMatchObject({
      on: true,
      archived: true,
      targets: [user(0, 'ann')],
      rules: [
        {
          _id: expect.any(String),
          clauses: [{ ...clause(), _id: expect.any(String) }],
          variation: 1,
          trackEvents: false,
        },
      ],
      version: 2,
      lastModified: String(start + 60_000),
    })
    expect(after.environments?.production?.offVariation).toBeUndefined()
    expect(after.environments?.test).toMatchObject({ on: false, trackEvents: true, version: 2 })
    expect(await get('f')).toEqual(after)
  })

  it.each([
    ['/key', 'g'],
    ['/kind', 'multivariate'],
    ['/_version', 7],
    ['/creationDate', '0'],
    ['/environments', {}],
    ['/environments/production', {}],
    ['/environments/production/salt', 'x'],
    ['/environments/production/lastModified', 0],
    ['/environments/production/archived', true],
    ['/migrationSettings', {}],
  ])('does not touch %s', async (path, value) => {
    const { create, patch } = await flagProject()
    await create('f')
    const fault = await faultOf(patch('f', [{ op: 'add', path, value }]))
    expect(fault).toEqual({ attribute: '0.path', reason: `${path} cannot be changed` })
  })

  const rollout = (...weights: number[]) => ({
    rollout: { variations: weights.map((weight, variation) => ({ variation, weight })) },
  })

  it.each<[string, string, unknown, string]>([
    ['a variation that is none', 'offVariation', 2, 'offVariation'],
    ['a fallthrough to none', 'fallthrough', { variation: 5 }, 'fallthrough.variation'],
    ['both ways to serve', 'fallthrough', { variation: 0, ...rollout(100_000) }, 'fallthrough'],
    ['neither way to serve', 'fallthrough', {}, 'fallthrough'],
    ['weights below the whole', 'fallthrough', rollout(50_000, 49_999), 'fallthrough.rollout'],
    ['weights above the whole', 'fallthrough', rollout(50_000, 50_001), 'fallthrough.rollout'],
    ['a negative weight', 'fallthrough', rollout(100_001, -1), 'fallthrough.rollout.variations.0.weight'],
    ['a share of none', 'fallthrough', rollout(50_000, 25_000, 25_000), 'fallthrough.rollout.variations.2.variation'],
    ['a key in two variations', 'targets', [user(0, 'ann'), user(1, 'bob', 'ann')], 'targets'],
    ['a key twice in one', 'targets', [user(0, 'ann', 'ann')], 'targets'],
    ['a target of none', 'targets', [user(3, 'ann')], 'targets.0.variation'],
    ['an organisation among users', 'targets', [{ ...user(0, 'acme'), contextKind: 'org' }], 'targets'],
    ['a user among organisations', 'contextTargets', [user(0, 'ann')], 'contextTargets'],
    ['a target without a kind', 'contextTargets', [{ values: ['a'], variation: 0 }], 'contextTargets.0.contextKind'],
    ['a rule that serves none', 'rules', [{ clauses: [], variation: 2 }], 'rules.0.variation'],
    ['a rule that serves nothing', 'rules', [{ clauses: [] }], 'rules.0'],
    ['an unknown operator', 'rules', [{ clauses: [clause({ op: 'like' })], variation: 0 }], 'rules.0.clauses.0.op'],
    [
      'a rule id twice',
      'rules',
      [
        { _id: 'r', clauses: [], variation: 0 },
        { _id: 'r', clauses: [], variation: 0 },
      ],
      'rules',
    ],
    [
      'an unknown segment',
      'rules',
      [{ clauses: [clause({ op: 'segmentMatch', values: ['no'] })], variation: 0 }],
      'rules',
    ],
    ['an unknown prerequisite', 'prerequisites', [{ key: 'none', variation: 0 }], 'prerequisites'],
    ['itself as prerequisite', 'prerequisites', [{ key: 'f', variation: 0 }], 'prerequisites'],
    ['a prerequisite it cannot serve', 'prerequisites', [{ key: 'base', variation: 2 }], 'prerequisites'],
    [
      'a prerequisite twice',
      'prerequisites',
      [
        { key: 'base', variation: 0 },
        { key: 'base', variation: 1 },
      ],
      'prerequisites',
    ],
    ['an on that is no boolean', 'on', 'yes', 'on'],
  ])('refuses %s, naming the place', async (_, member, value, attribute) => {
    const { create, get, patch } = await flagProject()
    const before = await create('f')
    await create('base')
    const { code, errors } = await failureOf(
      patch('f', [
        { op: 'add', path: `/environments/production/${member}`, value },
        { ...on, path: '/environments/test/on' },
      ]),
    )
    expect(code).toBe('invalid_request')
    expect(errors?.map((fault) => fault.attribute)).toContain(`environments.production.${attribute}`)
    expect(await get('f')).toEqual(before)
  })

  it('does not know environments that are not there', async () => {
    const { create, patch } = await flagProject()
    await create('f')
    expect(await faultOf(patch('f', [{ ...on, path: '/environments/none/on' }]))).toMatchObject({ attribute: '0' })
  })

  it('fails with 409 when a test does not hold', async () => {
    const { create, patch } = await flagProject()
    await create('f')
    const test = (value: number) => patch('f', [{ op: 'test', path: '/version', value }, on])
    expect(await failureOf(test(2))).toMatchObject({ code: 'optimistic_locking_error' })
    expect(await test(1)).toMatchObject({ _version: 2 })
  })

  it('that changes nothing succeeds and writes nothing', async () => {
    const { create, patch } = await flagProject()
    const before = await create('f')
    expect(await patch('f', [{ ...on, value: false }])).toEqual(before)
    expect(await patch('f', [])).toEqual(before)
  })

  it('takes a comment', async () => {
    const { api, as, create, keysOf } = await flagProject()
    await create('f')
    const body = { comment: 'Now', patch: [on] }
    expect((await api.patchFlag({ ...keysOf('f'), body }, { as })).environments?.production?.on).toBe(true)
  })
})

describe('a semantic patch', () => {
  it('is announced by its media type', async () => {
    const { create, send } = await flagProject()
    await create('f')
    const body = { environmentKey: 'production', instructions: [turnOn] }
    const patch = (type: string) => send('PATCH', '/api/v2/flags/web/f', { body, headers: { 'content-type': type } })
    expect((await patch('application/json')).status).toBe(400)
    expect((await patch(semantic)).status).toBe(200)
  })

  it('names the index of an unknown kind', async () => {
    const { create, instruct } = await flagProject()
    await create('f')
    const fault = await faultOf(instruct('f', [turnOn, turnOn, { kind: 'flipFlag' }]))
    expect(fault.attribute).toBe('instructions.2.kind')
  })

  it('needs an environment for what is done in one, and a known one', async () => {
    const { create, instruct } = await flagProject()
    await create('f')
    const without = { environmentKey: undefined }
    expect(await faultOf(instruct('f', [{ kind: 'makeFlagPermanent' }, turnOn], without))).toEqual({
      attribute: 'environmentKey',
      reason: 'must be present for turnFlagOn',
    })
    expect(await faultOf(instruct('f', [turnOn], { environmentKey: 'none' }))).toMatchObject({
      attribute: 'environmentKey',
    })
    expect(await instruct('f', [{ kind: 'makeFlagPermanent' }], without)).toMatchObject({ temporary: false })
  })

  const segmentClause = { clauses: [clause({ op: 'segmentMatch', values: ['none'] })] }

  it.each<[string, (ids: string[]) => object, string]>([
    ['an unknown member', () => ({ kind: 'turnFlagOn', now: true }), '.now'],
    ['a missing member', () => ({ kind: 'updateOffVariation' }), '.variationId'],
    ['an unknown variation', () => ({ kind: 'updateOffVariation', variationId: 'x' }), '.variationId'],
    ['no way to serve', () => ({ kind: 'updateFallthroughVariationOrRollout' }), '.variationId'],
    [
      'both ways to serve',
      ([a]) => ({ kind: 'updateFallthroughVariationOrRollout', variationId: a, rolloutWeights: {} }),
      '.variationId',
    ],
    [
      'an unknown variation in a rollout',
      () => ({ kind: 'updateFallthroughVariationOrRollout', rolloutWeights: { x: 100_000 } }),
      '.rolloutWeights',
    ],
    [
      'weights of another total',
      ([a]) => ({ kind: 'updateFallthroughVariationOrRollout', rolloutWeights: { [a as string]: 99_999 } }),
      '',
    ],
    ['a key in two variations', ([, b]) => ({ kind: 'addTargets', values: ['ann'], variationId: b }), ''],
    [
      'targets without all variations',
      ([a]) => ({ kind: 'replaceUserTargets', targets: [{ variationId: a, values: [] }] }),
      '.targets',
    ],
    [
      'targets of an unknown variation',
      () => ({ kind: 'replaceTargets', targets: [{ variationId: 'x', values: [] }] }),
      '.targets.0.variationId',
    ],
    ['an unknown rule', () => ({ kind: 'addClauses', ruleId: 'x', clauses: [] }), '.ruleId'],
    ['an unknown rule to track', () => ({ kind: 'updateRuleTrackEvents', ruleId: 'x', trackEvents: true }), '.ruleId'],
    [
      'an unknown rule to serve',
      ([a]) => ({ kind: 'updateRuleVariationOrRollout', ruleId: 'x', variationId: a }),
      '.ruleId',
    ],
    [
      'an unknown rule to stand before',
      ([a]) => ({ kind: 'addRule', clauses: [], variationId: a, beforeRuleId: 'x' }),
      '.beforeRuleId',
    ],
    ['rules that serve nothing', () => ({ kind: 'replaceRules', rules: [{ clauses: [] }] }), '.rules.0.variationId'],
    ['another set of rules', () => ({ kind: 'reorderRules', ruleIds: ['x'] }), '.ruleIds'],
    ['an unknown segment', ([a]) => ({ kind: 'addRule', variationId: a, ...segmentClause }), ''],
    ['an unknown prerequisite', ([a]) => ({ kind: 'addPrerequisite', key: 'none', variationId: a }), '.key'],
    [
      "a prerequisite's unknown variation",
      ([a]) => ({ kind: 'addPrerequisite', key: 'base', variationId: a }),
      '.variationId',
    ],
    ['a prerequisite that is none', () => ({ kind: 'updatePrerequisite', key: 'base', variationId: 'x' }), '.key'],
    [
      'an unknown flag among prerequisites',
      () => ({ kind: 'replacePrerequisites', prerequisites: [{ key: 'none', variationId: 'x' }] }),
      '.prerequisites.0.key',
    ],
    ['itself as prerequisite', ([a]) => ({ kind: 'addPrerequisite', key: 'f', variationId: a }), ''],
    ['a value that is there', () => ({ kind: 'addVariation', value: true }), ''],
    ['a value of another type', ([a]) => ({ kind: 'updateVariation', variationId: a, value: 'yes' }), ''],
    ['an unknown variation to change', () => ({ kind: 'updateVariation', variationId: 'x' }), '.variationId'],
    ['an unknown variation to remove', () => ({ kind: 'removeVariation', variationId: 'x' }), '.variationId'],
    ['a variation in use', ([a]) => ({ kind: 'removeVariation', variationId: a }), ''],
    ['an unknown default', () => ({ kind: 'updateDefaultVariation', onVariationValue: 7 }), '.onVariationValue'],
    [
      'a property that no object can have',
      () => ({ kind: 'addCustomProperties', key: 'constructor', name: 'x', values: [] }),
      '.key',
    ],
    ['a side that is none', () => ({ kind: 'turnOnClientSideAvailability', value: 'usingMail' }), '.value'],
    ['a maintainer who is no member', () => ({ kind: 'updateMaintainerMember', value: 'nobody' }), ''],
    ['its end among others', () => ({ kind: 'deleteFlag' }), '.kind'],
  ])('refuses %s, naming the index, and does nothing', async (_, instruction, at) => {
    const { create, get, instruct } = await flagProject()
    await create('base')
    const { variations } = await create('f')
    const ids = variations.map(({ _id }) => _id)
    await instruct('f', [{ kind: 'addTargets', values: ['ann'], variationId: ids[0] }])
    const before = await get('f')
    const { code, errors } = await failureOf(instruct('f', [turnOn, instruction(ids), { kind: 'makeFlagPermanent' }]))
    expect(code).toBe('invalid_request')
    expect(errors?.map(({ attribute }) => attribute)).toContain(`instructions.1${at}`)
    expect(await get('f')).toEqual(before)
  })

  it('refuses a prerequisite twice with two variations', async () => {
    const { create, instruct } = await flagProject()
    const [yes, no] = (await create('base')).variations
    await create('f')
    const add = (variationId?: string) => ({ kind: 'addPrerequisite', key: 'base', variationId })
    await instruct('f', [add(yes?._id), add(yes?._id)])
    expect(await faultOf(instruct('f', [add(no?._id)]))).toMatchObject({ attribute: 'instructions.0.key' })
  })
})

describe('comments', () => {
  it('are asked for where an environment wants them, by either patch', async () => {
    const { api, as, create, instruct, patch, keysOf } = await flagProject()
    await create('f')
    const body = [{ op: 'replace', path: '/requireComments', value: true }]
    await api.patchEnvironment({ projectKey: 'web', environmentKey: 'production', body }, { as })
    expect(await faultOf(patch('f', [on]))).toMatchObject({ attribute: 'comment' })
    expect(await faultOf(instruct('f', [turnOn], { comment: ' ' }))).toMatchObject({ attribute: 'comment' })
    expect(await instruct('f', [{ kind: 'turnFlagOff' }])).toMatchObject({ _version: 1 })
    expect((await instruct('f', [turnOn], { environmentKey: 'test' })).environments?.test?.on).toBe(true)
    const commented = { comment: 'As agreed', patch: [on] }
    const after = await api.patchFlag({ ...keysOf('f'), body: commented }, { as })
    expect(after.environments?.production?.on).toBe(true)
  })
})

it('is not found where there is no such flag', async () => {
  const { patch, instruct } = await flagProject()
  expect(await failureOf(patch('none', [on]))).toMatchObject({ code: 'not_found' })
  expect(await failureOf(instruct('none', [{ kind: 'deleteFlag' }]))).toMatchObject({ code: 'not_found' })
})
