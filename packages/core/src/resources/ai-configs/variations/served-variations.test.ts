import { describe, expect, it } from 'vitest'
import { failureOf } from '../test/ai-project.ts'
import { clause, withChat } from '../test/chat-config.ts'

describe('the default variations of a config', () => {
  it('can be changed without changing the values that environments serve', async () => {
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

describe('served variations', () => {
  it('cannot be deleted, and are served unchanged when another is deleted and their indexes change', async () => {
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

describe('segments in rules of AI configs', () => {
  const addSegmentRule = (variationId: string) => ({
    kind: 'addRule',
    clauses: [clause({ attribute: '', op: 'segmentMatch', values: ['beta'] })],
    variationId,
  })

  async function withSegment() {
    const project = await withChat()
    const environmentKeys = { projectKey: 'web', environmentKey: 'production' }
    await project.api.createSegment({ ...environmentKeys, body: { key: 'beta', name: 'Beta' } }, { as: project.as })
    const remove = () => project.api.deleteSegment({ ...environmentKeys, segmentKey: 'beta' }, { as: project.as })
    return { ...project, remove }
  }

  it('cannot be deleted while a rule refers to them', async () => {
    const { instruct, remove, a } = await withSegment()
    await instruct('chat', [addSegmentRule(a)])
    expect(await failureOf(remove())).toEqual({
      code: 'optimistic_locking_error',
      message:
        'The segment beta is referred to by AI config chat. To remove these references with it, set detach=true.',
      referrers: [{ kind: 'AI config', key: 'chat', resource: 'proj/web:env/production:aiconfig/chat' }],
    })
    await instruct('chat', [{ kind: 'replaceRules', rules: [] }])
    expect(await remove()).toBeUndefined()
  })

  it('cannot be deleted when a concurrent call adds a rule with them', async () => {
    const { instruct, remove, targeting, a } = await withSegment()
    const calls = await Promise.allSettled([remove(), instruct('chat', [addSegmentRule(a)])])
    expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const rules = (await targeting('chat')).environments.production?.rules ?? []
    expect(rules).toHaveLength(calls[1].status === 'fulfilled' ? 1 : 0)
  })
})
