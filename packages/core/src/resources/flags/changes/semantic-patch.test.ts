import { describe, expect, it } from 'vitest'
import { clause, failureOf, faultOf, flagProject, semantic } from '../test/flag-project.ts'

const turnOn = { kind: 'turnFlagOn' }

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
