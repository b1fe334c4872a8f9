import { describe, expect, it } from 'vitest'
import { failureOf, flagProject, start, validationErrorOf } from '../test/flag-project.ts'

const user = (variation: number, ...values: string[]) => ({ values, variation, contextKind: 'user' })
const turnOn = { kind: 'turnFlagOn' }

describe('variations', () => {
  async function flagWithFourVariations() {
    const project = await flagProject()
    const { variations } = await project.create('f', { variations: ['a', 'b', 'c', 'd'].map((value) => ({ value })) })
    return { ...project, ids: variations.map(({ _id }) => _id) }
  }

  it('keep their references in all environments when one of them is removed', async () => {
    const { ids, instruct, patch } = await flagWithFourVariations()
    await patch('f', [
      { op: 'add', path: '/environments/test/targets/-', value: user(3, 'ann') },
      { op: 'add', path: '/environments/test/contextTargets/-', value: { ...user(2, 'acme'), contextKind: 'org' } },
      { op: 'add', path: '/environments/test/rules/-', value: { clauses: [], variation: 2 } },
      {
        op: 'replace',
        path: '/environments/test/fallthrough',
        value: {
          rollout: {
            variations: [
              { variation: 0, weight: 1 },
              { variation: 3, weight: 99_999 },
            ],
          },
        },
      },
    ])
    const after = await instruct('f', [
      { kind: 'updateOffVariation', variationId: ids[1] },
      { kind: 'updateOffVariation', variationId: ids[2] },
      { kind: 'removeVariation', variationId: ids[1] },
      { kind: 'updateFallthroughVariationOrRollout', variationId: ids[2] },
    ])
    expect(after.variations.map(({ value }) => value)).toEqual(['a', 'c', 'd'])
    expect(after.defaults).toEqual({ onVariation: 0, offVariation: 2 })
    expect(after.environments?.production).toMatchObject({ offVariation: 1, fallthrough: { variation: 1 } })
    expect(after.environments?.test).toMatchObject({
      targets: [user(2, 'ann')],
      contextTargets: [{ ...user(1, 'acme'), contextKind: 'org' }],
      rules: [{ variation: 1 }],
      fallthrough: {
        rollout: {
          variations: [
            { variation: 0, weight: 1 },
            { variation: 2, weight: 99_999 },
          ],
        },
      },
      offVariation: 2,
    })
  })

  it('are removed by a JSON Patch in the same way', async () => {
    const { get, instruct, ids, patch } = await flagWithFourVariations()
    await instruct('f', [{ kind: 'updateOffVariation', variationId: ids[2] }])
    const after = await patch('f', [{ op: 'remove', path: '/variations/1' }])
    expect(after.variations.map(({ value }) => value)).toEqual(['a', 'c', 'd'])
    expect(after.environments?.production?.offVariation).toBe(1)
    expect(after.environments?.test?.offVariation).toBe(2)
    expect(await get('f')).toEqual(after)
  })

  it('cannot be removed while an environment serves them, also by default', async () => {
    const { ids, instruct, patch } = await flagWithFourVariations()
    expect(await failureOf(patch('f', [{ op: 'remove', path: '/variations/3' }]))).toMatchObject({
      errors: [
        { attribute: 'variations', reason: 'must keep a variation that is in use in the environment production' },
        { attribute: 'variations', reason: 'must keep a variation that is in use in the environment test' },
      ],
    })
    await instruct('f', [{ kind: 'updateFallthroughVariationOrRollout', variationId: ids[1] }])
    const remove = { kind: 'removeVariation', variationId: ids[1] }
    const error = await validationErrorOf(instruct('f', [turnOn, remove], { environmentKey: 'test' }))
    expect(error).toEqual({
      attribute: 'instructions.1',
      reason: 'variations must keep a variation that is in use in the environment production',
    })
  })

  it('cannot be reordered by a patch that refers to them by index', async () => {
    const { patch } = await flagWithFourVariations()
    const rule = { op: 'add', path: '/environments/test/rules/-', value: { clauses: [], variation: 1 } }
    const call = patch('f', [{ op: 'remove', path: '/variations/1' }, rule])
    expect(await validationErrorOf(call)).toMatchObject({ attribute: 'environments.test.rules' })
    const added = await patch('f', [
      { op: 'add', path: '/variations/-', value: { value: 'e' } },
      { ...rule, value: { clauses: [], variation: 4 } },
    ])
    expect(added.environments?.test?.rules?.[0]?.variation).toBe(4)
  })

  it('can neither be removed nor reordered while other flags depend on the flag', async () => {
    const { create, ids, instruct, patch } = await flagWithFourVariations()
    await create('top')
    await instruct('top', [{ kind: 'addPrerequisite', key: 'f', variationId: ids[2] }])
    const error = await validationErrorOf(instruct('f', [{ kind: 'removeVariation', variationId: ids[1] }]))
    expect(error).toEqual({
      attribute: 'instructions.0',
      reason: 'variations must stay as it is while the flag is a prerequisite of top',
    })
    const swap = patch('f', [{ op: 'move', from: '/variations/1', path: '/variations/2' }])
    expect(await validationErrorOf(swap)).toMatchObject({ attribute: 'variations' })
    expect((await instruct('f', [{ kind: 'addVariation', value: 'e' }])).variations).toHaveLength(5)
  })

  it('get ids from the engine only', async () => {
    const { patch } = await flagWithFourVariations()
    const value = { _id: 'mine', value: 'e' }
    expect(await validationErrorOf(patch('f', [{ op: 'add', path: '/variations/-', value }]))).toMatchObject({
      attribute: 'variations._id',
    })
  })

  it('that become new defaults do not change existing configurations', async () => {
    const { api, as, patch } = await flagWithFourVariations()
    const after = await patch('f', [{ op: 'replace', path: '/defaults', value: { onVariation: 1, offVariation: 2 } }])
    const served = { fallthrough: { variation: 0 }, offVariation: 3, lastModified: String(start) }
    expect(after.environments).toMatchObject({ production: served, test: served })
    const body = { key: 'eu', name: 'EU', color: '000000' }
    await api.createEnvironment({ projectKey: 'web', body }, { as })
    const { environments } = await api.getFlag({ projectKey: 'web', flagKey: 'f' }, { as })
    expect(environments).toMatchObject({ production: served, eu: { fallthrough: { variation: 1 }, offVariation: 2 } })
  })
})
