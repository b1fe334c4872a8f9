import { describe, expect, it } from 'vitest'
import { aiProject, failureOf } from '../test/ai-project.ts'
import { judges, withReferences } from '../test/variation-project.ts'

describe('deleteAIConfigVariation', () => {
  it('deletes all versions of the variation', async () => {
    const { create, addVariation, removeVariation, versions, get } = await aiProject()
    await create('chat', { defaultVariation: { key: 'a', name: 'A' } })
    await addVariation('chat', 'b')
    await removeVariation('chat', 'b')
    expect(await failureOf(versions('chat', 'b'))).toMatchObject({ code: 'not_found' })
    expect((await get('chat')).variations.map(({ key }) => key)).toEqual(['a'])
    expect(await failureOf(removeVariation('chat', 'b'))).toMatchObject({ code: 'not_found' })
  })

  it('rejects the deletion of a default variation while others exist', async () => {
    const { create, addVariation, removeVariation, get, instruct } = await aiProject()
    await create('chat', { defaultVariation: { key: 'a', name: 'A' } })
    await addVariation('chat', 'b')
    expect(await failureOf(removeVariation('chat', 'a'))).toEqual({
      code: 'optimistic_locking_error',
      message: 'a is a default variation: updateDefaultVariation makes another one the default',
    })
    await removeVariation('chat', 'b')
    await removeVariation('chat', 'a')
    expect((await get('chat')).variations).toEqual([])
    await addVariation('chat', 'c')
    const { defaults, environments } = await instruct('chat', [{ kind: 'turnFlagOn' }])
    expect(defaults).toEqual({ onVariation: 0, offVariation: 0 })
    expect(environments.production).toMatchObject({ fallthrough: { variation: 0 }, offVariation: 0 })
  })

  it('conflicts with a concurrent call that starts to serve the variation', async () => {
    const { create, addVariation, removeVariation, get, targeting, instruct } = await aiProject()
    await create('chat', { defaultVariation: { key: 'a', name: 'A' } })
    const { _id } = await addVariation('chat', 'b')
    const serve = { kind: 'updateFallthroughVariationOrRollout', variationId: _id }
    const calls = await Promise.allSettled([removeVariation('chat', 'b'), instruct('chat', [serve])])
    expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const remaining = (await get('chat')).variations.length
    expect((await targeting('chat')).environments.production?.fallthrough).toEqual({ variation: remaining - 1 })
  })
})

describe('resources that variations refer to', () => {
  it('cannot be deleted while a concurrent call starts to refer to them', async () => {
    const { api, as, at, addVariation, get } = await withReferences()
    const projectKeys = { projectKey: 'web' }
    const deletions = {
      tool: () => api.deleteAITool({ ...projectKeys, toolKey: 'weather' }, { as }),
      model: () => api.deleteModelConfig({ ...projectKeys, modelConfigKey: 'large' }, { as }),
      judge: () => api.deleteAIConfig(at('strict'), { as }),
    }
    const references = {
      tool: { tools: [{ key: 'weather', version: 1 }] },
      model: { modelConfigKey: 'large' },
      judge: judges('strict'),
    }
    for (const kind of ['tool', 'model', 'judge'] as const) {
      const calls = await Promise.allSettled([deletions[kind](), addVariation('chat', kind, references[kind])])
      expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const isCreated = (await get('chat')).variations.some(({ key }) => key === kind)
      expect(calls[1].status === 'fulfilled').toBe(isCreated)
      // The call that failed fails again while the result of the other call exists.
      const second = isCreated ? deletions[kind]() : addVariation('chat', kind, references[kind])
      expect(['optimistic_locking_error', 'invalid_request']).toContain((await failureOf(second)).code)
    }
  })
})
