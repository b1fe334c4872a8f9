import { describe, expect, it } from 'vitest'
import { clause, failureOf, flagProject, semanticPatchType, validationErrorOf } from '../test/flag-project.ts'

const turnOn = { kind: 'turnFlagOn' }

describe('a semantic patch of a flag', () => {
  it('is recognized by its media type', async () => {
    const { create, send } = await flagProject()
    await create('f')
    const body = { environmentKey: 'production', instructions: [turnOn] }
    const patch = (type: string) => send('PATCH', '/api/v2/flags/web/f', { body, headers: { 'content-type': type } })
    expect((await patch('application/json')).status).toBe(400)
    expect((await patch(semanticPatchType)).status).toBe(200)
  })

  it('reports the index of an instruction of an unknown kind', async () => {
    const { create, instruct } = await flagProject()
    await create('f')
    const error = await validationErrorOf(instruct('f', [turnOn, turnOn, { kind: 'flipFlag' }]))
    expect(error.attribute).toBe('instructions.2.kind')
  })

  it('requires an existing environment for instructions about an environment', async () => {
    const { create, instruct } = await flagProject()
    await create('f')
    const without = { environmentKey: undefined }
    expect(await validationErrorOf(instruct('f', [{ kind: 'makeFlagPermanent' }, turnOn], without))).toEqual({
      attribute: 'environmentKey',
      reason: 'must be present for turnFlagOn',
    })
    expect(await validationErrorOf(instruct('f', [turnOn], { environmentKey: 'none' }))).toMatchObject({
      attribute: 'environmentKey',
    })
    expect(await instruct('f', [{ kind: 'makeFlagPermanent' }], without)).toMatchObject({ temporary: false })
  })

  const segmentClause = { clauses: [clause({ op: 'segmentMatch', values: ['none'] })] }

  it.each<[string, (ids: string[]) => object, string]>([
    ['an unknown property', () => ({ kind: 'turnFlagOn', now: true }), '.now'],
    ['a missing property', () => ({ kind: 'updateOffVariation' }), '.variationId'],
    ['an unknown variation', () => ({ kind: 'updateOffVariation', variationId: 'x' }), '.variationId'],
    ['neither a variation nor a rollout', () => ({ kind: 'updateFallthroughVariationOrRollout' }), '.variationId'],
    [
      'both a variation and a rollout',
      ([a]) => ({ kind: 'updateFallthroughVariationOrRollout', variationId: a, rolloutWeights: {} }),
      '.variationId',
    ],
    [
      'an unknown variation in a rollout',
      () => ({ kind: 'updateFallthroughVariationOrRollout', rolloutWeights: { x: 100_000 } }),
      '.rolloutWeights',
    ],
    [
      'weights with another sum',
      ([a]) => ({ kind: 'updateFallthroughVariationOrRollout', rolloutWeights: { [a as string]: 99_999 } }),
      '',
    ],
    ['a key in two variations', ([, b]) => ({ kind: 'addTargets', values: ['ann'], variationId: b }), ''],
    [
      'targets that do not name all variations',
      ([a]) => ({ kind: 'replaceUserTargets', targets: [{ variationId: a, values: [] }] }),
      '.targets',
    ],
    [
      'targets of an unknown variation',
      () => ({ kind: 'replaceTargets', targets: [{ variationId: 'x', values: [] }] }),
      '.targets.0.variationId',
    ],
    ['an unknown rule', () => ({ kind: 'addClauses', ruleId: 'x', clauses: [] }), '.ruleId'],
    [
      'tracking for an unknown rule',
      () => ({ kind: 'updateRuleTrackEvents', ruleId: 'x', trackEvents: true }),
      '.ruleId',
    ],
    [
      'a variation for an unknown rule',
      ([a]) => ({ kind: 'updateRuleVariationOrRollout', ruleId: 'x', variationId: a }),
      '.ruleId',
    ],
    [
      'an unknown rule as successor',
      ([a]) => ({ kind: 'addRule', clauses: [], variationId: a, beforeRuleId: 'x' }),
      '.beforeRuleId',
    ],
    ['rules that serve nothing', () => ({ kind: 'replaceRules', rules: [{ clauses: [] }] }), '.rules.0.variationId'],
    ['an order with another set of rules', () => ({ kind: 'reorderRules', ruleIds: ['x'] }), '.ruleIds'],
    ['an unknown segment', ([a]) => ({ kind: 'addRule', variationId: a, ...segmentClause }), ''],
    ['an unknown prerequisite', ([a]) => ({ kind: 'addPrerequisite', key: 'none', variationId: a }), '.key'],
    [
      'an unknown variation of a prerequisite',
      ([a]) => ({ kind: 'addPrerequisite', key: 'base', variationId: a }),
      '.variationId',
    ],
    [
      'an update of a flag that is not a prerequisite',
      () => ({ kind: 'updatePrerequisite', key: 'base', variationId: 'x' }),
      '.key',
    ],
    [
      'an unknown flag among prerequisites',
      () => ({ kind: 'replacePrerequisites', prerequisites: [{ key: 'none', variationId: 'x' }] }),
      '.prerequisites.0.key',
    ],
    ['the flag itself as prerequisite', ([a]) => ({ kind: 'addPrerequisite', key: 'f', variationId: a }), ''],
    ['a value that another variation has', () => ({ kind: 'addVariation', value: true }), ''],
    ['a value of another type', ([a]) => ({ kind: 'updateVariation', variationId: a, value: 'yes' }), ''],
    ['an unknown variation to change', () => ({ kind: 'updateVariation', variationId: 'x' }), '.variationId'],
    ['an unknown variation to remove', () => ({ kind: 'removeVariation', variationId: 'x' }), '.variationId'],
    ['a variation in use', ([a]) => ({ kind: 'removeVariation', variationId: a }), ''],
    ['an unknown default', () => ({ kind: 'updateDefaultVariation', onVariationValue: 7 }), '.onVariationValue'],
    [
      'a custom property with the name of a built-in property',
      () => ({ kind: 'addCustomProperties', key: 'constructor', name: 'x', values: [] }),
      '.key',
    ],
    ['an unknown kind of SDK', () => ({ kind: 'turnOnClientSideAvailability', value: 'usingMail' }), '.value'],
    ['a maintainer who is not a member', () => ({ kind: 'updateMaintainerMember', value: 'nobody' }), ''],
    ['a deletion among other instructions', () => ({ kind: 'deleteFlag' }), '.kind'],
  ])('rejects %s, names the index, and changes nothing', async (_, instruction, path) => {
    const { create, get, instruct } = await flagProject()
    await create('base')
    const { variations } = await create('f')
    const ids = variations.map(({ _id }) => _id)
    await instruct('f', [{ kind: 'addTargets', values: ['ann'], variationId: ids[0] }])
    const before = await get('f')
    const { code, errors } = await failureOf(instruct('f', [turnOn, instruction(ids), { kind: 'makeFlagPermanent' }]))
    expect(code).toBe('invalid_request')
    expect(errors?.map(({ attribute }) => attribute)).toContain(`instructions.1${path}`)
    expect(await get('f')).toEqual(before)
  })

  it('rejects a prerequisite with two different variations', async () => {
    const { create, instruct } = await flagProject()
    const [yes, no] = (await create('base')).variations
    await create('f')
    const add = (variationId?: string) => ({ kind: 'addPrerequisite', key: 'base', variationId })
    await instruct('f', [add(yes?._id), add(yes?._id)])
    expect(await validationErrorOf(instruct('f', [add(no?._id)]))).toMatchObject({ attribute: 'instructions.0.key' })
  })
})
