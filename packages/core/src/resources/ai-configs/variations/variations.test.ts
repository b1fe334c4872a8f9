import { describe, expect, it } from 'vitest'
import { aiProject, failureOf, start, validationErrorsOf } from '../test/ai-project.ts'
import { judges, parent, withReferences } from '../test/variation-project.ts'

describe('a variation', () => {
  it('is returned with every property, as it was created', async () => {
    const { addVariation, get } = await withReferences()
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '' },
    ]
    const created = await addVariation('chat', 'short', {
      name: 'Short',
      description: 'Few words',
      messages,
      model: { modelName: 'large-1', parameters: { temperature: 0.2 } },
      modelConfigKey: 'large',
      tools: [{ key: 'weather', version: 1 }],
      ...judges('strict', 'mild'),
      color: 'blue',
      comment: 'first try',
    })
    expect(created).toEqual({
      _links: { parent },
      _id: expect.any(String),
      key: 'short',
      name: 'Short',
      description: 'Few words',
      messages,
      model: { modelName: 'large-1', parameters: { temperature: 0.2 } },
      modelConfigKey: 'large',
      tools: [{ key: 'weather', version: 1, customParameters: { unit: 'celsius' } }],
      ...judges('strict', 'mild'),
      judgingConfigKeys: ['strict', 'mild'],
      color: 'blue',
      comment: 'first try',
      version: 1,
      state: 'published',
      createdAt: start,
      _publishedAt: start,
    })
    expect((await get('chat')).variations).toEqual([created])
  })

  it('omits optional properties that were not given', async () => {
    const { create, addVariation } = await aiProject()
    await create('chat')
    expect(await addVariation('chat', 'plain', { name: 'Plain' })).toEqual({
      _links: { parent },
      _id: expect.any(String),
      key: 'plain',
      name: 'Plain',
      model: {},
      tools: [],
      judgeConfiguration: { judges: [] },
      judgingConfigKeys: [],
      version: 1,
      state: 'published',
      createdAt: start,
      _publishedAt: start,
    })
  })

  it('accepts instructions only in configs of mode agent', async () => {
    const { create, addVariation, patchVariation } = await aiProject()
    await create('agent', { mode: 'agent' })
    expect(await addVariation('agent', 'a', { instructions: 'Be kind.' })).toMatchObject({ instructions: 'Be kind.' })
    await create('judge', { mode: 'judge', defaultVariation: { key: 'a', name: 'A' } })
    const errors = [{ attribute: 'instructions', reason: 'must be left out, except in a config of mode agent' }]
    expect(await validationErrorsOf(addVariation('judge', 'b', { instructions: 'Be kind.' }))).toEqual(errors)
    expect(await validationErrorsOf(patchVariation('judge', 'a', { instructions: 'Be kind.' }))).toEqual(errors)
  })

  it('uses tools named by key in their latest versions', async () => {
    const { api, as, addVariation, patchVariation } = await withReferences()
    await api.patchAITool({ projectKey: 'web', toolKey: 'weather', body: { description: 'new' } }, { as })
    const latest = [{ key: 'weather', version: 2, customParameters: { unit: 'celsius' } }]
    expect((await addVariation('chat', 'a', { toolKeys: ['weather'] })).tools).toEqual(latest)
    const tools = [{ key: 'weather', version: 1 }]
    const withVersion = await addVariation('chat', 'b', { tools, toolKeys: ['weather'] })
    expect(withVersion.tools).toMatchObject(tools)
    expect((await patchVariation('chat', 'b', { toolKeys: ['weather'] })).tools).toEqual(latest)
    expect((await patchVariation('chat', 'b', { toolKeys: [] })).tools).toEqual([])
    expect(await validationErrorsOf(addVariation('chat', 'c', { toolKeys: ['weather', 'none'] }))).toEqual([
      { attribute: 'toolKeys.1.key', reason: 'must be the key of a tool of the project' },
    ])
  })

  it('can override the parameters of a tool', async () => {
    const { addVariation } = await withReferences()
    const tools = [{ key: 'weather', version: 1, customParameters: { unit: 'kelvin' } }]
    expect((await addVariation('chat', 'a', { tools })).tools).toEqual(tools)
  })

  it.each<[string, object, string, string]>([
    ['a sampling rate above 1', judgesWith(1.01), 'judgeConfiguration.judges.0.samplingRate', 'must be at most 1'],
    ['a negative sampling rate', judgesWith(-0.01), 'judgeConfiguration.judges.0.samplingRate', 'must be at least 0'],
    ['a repeated judge', judges('strict', 'strict'), 'judgeConfiguration.judges', 'must not repeat a judge'],
    [
      'a repeated tool',
      { tools: [1, 2].map((version) => ({ key: 'weather', version })) },
      'tools',
      'must not repeat a tool',
    ],
    ['a tool version below 1', { tools: [{ key: 'weather', version: 0 }] }, 'tools.0.version', 'must be at least 1'],
    [
      'a tool version as a string',
      { tools: [{ key: 'weather', version: '1' }] },
      'tools.0.version',
      'must be a number',
    ],
    [
      'a tool version that does not exist yet',
      { tools: [{ key: 'weather', version: 2 }] },
      'tools.0.version',
      'must be a version of the tool',
    ],
    [
      'an unknown tool',
      { tools: [{ key: 'clock', version: 1 }] },
      'tools.0.key',
      'must be the key of a tool of the project',
    ],
    [
      'an unknown judge',
      judges('nobody'),
      'judgeConfiguration.judges.0.judgeConfigKey',
      'must be the key of a config of mode judge of the project',
    ],
    [
      'a judge of another mode',
      judges('chat'),
      'judgeConfiguration.judges.0.judgeConfigKey',
      'must be the key of a config of mode judge of the project',
    ],
    [
      'an unknown model config',
      { modelConfigKey: 'none' },
      'modelConfigKey',
      'must be the key of a model config of the project',
    ],
    ['a model that is not an object', { model: [1] }, 'model', 'must be an object'],
    ['a message without a role', { messages: [{ content: 'x' }] }, 'messages.0.role', 'must be present'],
    ['a message of another type', { messages: ['x'] }, 'messages.0', 'must be an object'],
    [
      'a message that is too long',
      { messages: [{ role: 'user', content: 'x'.repeat(100_001) }] },
      'messages.0.content',
      'must have at most 100000 characters',
    ],
    ['no name', { name: '' }, 'name', 'must not be empty'],
    ['an initial state', { state: 'archived' }, 'state', 'is not a known member'],
  ])('cannot be created with %s', async (_, overrides, attribute, reason) => {
    const { addVariation, get } = await withReferences()
    expect(await validationErrorsOf(addVariation('chat', 'a', overrides))).toEqual([{ attribute, reason }])
    expect((await get('chat')).variations).toEqual([])
  })

  it('accepts sampling rates from 0 to 1', async () => {
    const { addVariation } = await withReferences()
    const settings = {
      judgeConfiguration: {
        judges: [
          { judgeConfigKey: 'strict', samplingRate: 0 },
          { judgeConfigKey: 'mild', samplingRate: 1 },
        ],
      },
    }
    expect(await addVariation('chat', 'a', settings)).toMatchObject(settings)
  })

  it('cannot judge itself', async () => {
    const { addVariation } = await withReferences()
    expect(await validationErrorsOf(addVariation('strict', 'a', judges('strict')))).toEqual([
      {
        attribute: 'judgeConfiguration.judges.0.judgeConfigKey',
        reason: 'must not be the key of the config itself',
      },
    ])
  })

  it('requires a free key, and is rejected when the config has 100 variations', async () => {
    const { create, addVariation } = await aiProject()
    await create('chat')
    for (let i = 0; i < 100; i++) await addVariation('chat', `v${i}`)
    expect(await failureOf(addVariation('chat', 'one-more'))).toEqual({
      code: 'invalid_request',
      message: 'An AI config can have at most 100 variations',
    })
    await create('other')
    await addVariation('other', 'a')
    expect(await failureOf(addVariation('other', 'a'))).toEqual({
      code: 'optimistic_locking_error',
      message: 'There is a variation a already',
    })
    expect(await failureOf(addVariation('none', 'a'))).toMatchObject({ code: 'not_found' })
  })

  it('increments the version of its config with each change', async () => {
    const { create, get, addVariation, patchVariation, removeVariation, pass } = await aiProject()
    await create('chat')
    const versionAndTime = async () => {
      const { version, updatedAt } = await get('chat')
      return [version, updatedAt - start]
    }
    pass(10)
    await addVariation('chat', 'a')
    expect(await versionAndTime()).toEqual([2, 10])
    pass(10)
    await patchVariation('chat', 'a', { name: 'Other' })
    expect(await versionAndTime()).toEqual([3, 20])
    pass(10)
    await removeVariation('chat', 'a')
    expect(await versionAndTime()).toEqual([4, 30])
  })
})

function judgesWith(samplingRate: number) {
  return { judgeConfiguration: { judges: [{ judgeConfigKey: 'strict', samplingRate }] } }
}
