import { describe, expect, it } from 'vitest'
import { aiProject, editor, failureOf, faultsOf, start } from './test/ai-project.ts'

const parent = { href: '/api/v2/projects/web/ai-configs/chat', type: 'application/json' }

async function withReferences() {
  const project = await aiProject()
  await project.tool('weather', { customParameters: { unit: 'celsius' } })
  await project.create('strict', { mode: 'judge' })
  await project.create('mild', { mode: 'judge' })
  await project.modelConfig('large')
  await project.create('chat')
  return project
}

const judges = (...keys: string[]) => ({
  judgeConfiguration: { judges: keys.map((judgeConfigKey) => ({ judgeConfigKey, samplingRate: 0.25 })) },
})

describe('a variation', () => {
  it('is shown as it was made, with every member', async () => {
    const { addVariation, get } = await withReferences()
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '' },
    ]
    const made = await addVariation('chat', 'short', {
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
    expect(made).toEqual({
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
    expect((await get('chat')).variations).toEqual([made])
  })

  it('says little where little is said', async () => {
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

  it('has instructions in a config for agents alone', async () => {
    const { create, addVariation, patchVariation } = await aiProject()
    await create('agent', { mode: 'agent' })
    expect(await addVariation('agent', 'a', { instructions: 'Be kind.' })).toMatchObject({ instructions: 'Be kind.' })
    await create('judge', { mode: 'judge', defaultVariation: { key: 'a', name: 'A' } })
    const fault = [{ attribute: 'instructions', reason: 'must be left out, except in a config of mode agent' }]
    expect(await faultsOf(addVariation('judge', 'b', { instructions: 'Be kind.' }))).toEqual(fault)
    expect(await faultsOf(patchVariation('judge', 'a', { instructions: 'Be kind.' }))).toEqual(fault)
  })

  it('can have parameters of its own for a tool', async () => {
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
    [
      'a version that no tool has',
      { tools: [{ key: 'weather', version: 0 }] },
      'tools.0.version',
      'must be at least 1',
    ],
    ['a version as text', { tools: [{ key: 'weather', version: '1' }] }, 'tools.0.version', 'must be a number'],
    [
      'a version to come',
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
    ['a model that is no object', { model: [1] }, 'model', 'must be an object'],
    ['a message without a role', { messages: [{ content: 'x' }] }, 'messages.0.role', 'must be present'],
    ['a message of another type', { messages: ['x'] }, 'messages.0', 'must be an object'],
    [
      'a message that is too long',
      { messages: [{ role: 'user', content: 'x'.repeat(100_001) }] },
      'messages.0.content',
      'must have at most 100000 characters',
    ],
    ['no name', { name: '' }, 'name', 'must not be empty'],
    ['a state from the start', { state: 'archived' }, 'state', 'is not a known member'],
  ])('cannot be made with %s', async (_, more, attribute, reason) => {
    const { addVariation, get } = await withReferences()
    expect(await faultsOf(addVariation('chat', 'a', more))).toEqual([{ attribute, reason }])
    expect((await get('chat')).variations).toEqual([])
  })

  it('takes rates from none to all', async () => {
    const { addVariation } = await withReferences()
    const given = {
      judgeConfiguration: {
        judges: [
          { judgeConfigKey: 'strict', samplingRate: 0 },
          { judgeConfigKey: 'mild', samplingRate: 1 },
        ],
      },
    }
    expect(await addVariation('chat', 'a', given)).toMatchObject(given)
  })

  it('never judges itself', async () => {
    const { addVariation } = await withReferences()
    expect(await faultsOf(addVariation('strict', 'a', judges('strict')))).toEqual([
      {
        attribute: 'judgeConfiguration.judges.0.judgeConfigKey',
        reason: 'must not be the key of the config itself',
      },
    ])
  })

  it('needs a key that is free, and a config with room', async () => {
    const { create, addVariation } = await aiProject()
    await create('chat')
    for (let i = 0; i < 100; i++) await addVariation('chat', `v${i}`)
    expect(await failureOf(addVariation('chat', 'one-more'))).toEqual({
      code: 'invalid_request',
      message: 'An AI config has at most 100 variations',
    })
    await create('other')
    await addVariation('other', 'a')
    expect(await failureOf(addVariation('other', 'a'))).toEqual({
      code: 'optimistic_locking_error',
      message: 'There is a variation a already',
    })
    expect(await failureOf(addVariation('none', 'a'))).toMatchObject({ code: 'not_found' })
  })

  it('moves the version of its config, which shows it', async () => {
    const { create, get, addVariation, patchVariation, removeVariation, pass } = await aiProject()
    await create('chat')
    const seen = async () => {
      const { version, updatedAt } = await get('chat')
      return [version, updatedAt - start]
    }
    pass(10)
    await addVariation('chat', 'a')
    expect(await seen()).toEqual([2, 10])
    pass(10)
    await patchVariation('chat', 'a', { name: 'Other' })
    expect(await seen()).toEqual([3, 20])
    pass(10)
    await removeVariation('chat', 'a')
    expect(await seen()).toEqual([4, 30])
  })
})

function judgesWith(samplingRate: number) {
  return { judgeConfiguration: { judges: [{ judgeConfigKey: 'strict', samplingRate }] } }
}

describe('changing a variation', () => {
  it('makes a new version and keeps the old ones', async () => {
    const { addVariation, patchVariation, pass, versions, get } = await withReferences()
    const first = await addVariation('chat', 'a', { name: 'First', color: 'red', comment: 'one' })
    pass(5)
    const second = await patchVariation('chat', 'a', { name: 'Second', comment: 'two' })
    expect(second).toEqual({ ...first, name: 'Second', comment: 'two', version: 2, createdAt: start + 5 })
    pass(5)
    const third = await patchVariation('chat', 'a', { color: 'blue' })
    const { comment: _, ...uncommented } = second
    expect(third).toEqual({ ...uncommented, color: 'blue', version: 3, createdAt: start + 10 })
    expect(await versions('chat', 'a')).toEqual({
      items: [third, second, first],
      totalCount: 3,
      _links: { self: expect.anything() },
    })
    expect(await versions('chat', 'a', { limit: 1, offset: 1 })).toMatchObject({ items: [second], totalCount: 3 })
    expect((await get('chat')).variations).toEqual([third])
  })

  it('counts versions, also beyond nine, from the newest', async () => {
    const { create, addVariation, patchVariation, versions } = await aiProject()
    await create('chat')
    await addVariation('chat', 'a')
    for (let i = 2; i <= 11; i++) await patchVariation('chat', 'a', { name: `name ${i}` })
    const { items } = await versions('chat', 'a', { limit: 3 })
    expect(items.map(({ version, name }) => [version, name])).toEqual([
      [11, 'name 11'],
      [10, 'name 10'],
      [9, 'name 9'],
    ])
  })

  it('to what it is already makes none, whatever is said about it', async () => {
    const { addVariation, patchVariation, versions, get } = await withReferences()
    const tools = [{ key: 'weather', version: 1 }]
    const made = await addVariation('chat', 'a', { tools, ...judges('mild'), model: { a: 1 } })
    const config = await get('chat')
    const same = { comment: 'again', tools, ...judges('mild'), model: { a: 1 }, state: 'published' }
    expect(await patchVariation('chat', 'a', same)).toEqual(made)
    expect((await versions('chat', 'a')).totalCount).toBe(1)
    expect(await get('chat')).toEqual(config)
  })

  it('replaces lists as a whole; an empty one removes all', async () => {
    const { addVariation, patchVariation } = await withReferences()
    const tools = [{ key: 'weather', version: 1 }]
    await addVariation('chat', 'a', { tools, ...judges('strict', 'mild'), messages: [{ role: 'user', content: 'x' }] })
    expect(await patchVariation('chat', 'a', judges('mild'))).toMatchObject({
      ...judges('mild'),
      judgingConfigKeys: ['mild'],
    })
    expect(await patchVariation('chat', 'a', { ...judges(), tools: [], messages: [] })).toMatchObject({
      ...judges(),
      tools: [],
      messages: [],
    })
  })

  it('archives it and publishes it again, and remembers when', async () => {
    const { create, addVariation, patchVariation, pass, versions } = await aiProject()
    await create('chat')
    await addVariation('chat', 'a')
    pass(10)
    const archived = await patchVariation('chat', 'a', { state: 'archived' })
    expect(archived).toMatchObject({ state: 'archived', version: 2, _publishedAt: start, _archivedAt: start + 10 })
    pass(10)
    const again = await patchVariation('chat', 'a', { state: 'published' })
    expect(again).toMatchObject({ state: 'published', version: 3, _publishedAt: start + 20 })
    expect(again).not.toHaveProperty('_archivedAt')
    expect((await versions('chat', 'a')).items.map(({ state }) => state)).toEqual([
      'published',
      'archived',
      'published',
    ])
    expect(await faultsOf(patchVariation('chat', 'a', { state: 'draft' }))).toEqual([
      { attribute: 'state', reason: 'must be one of "archived", "published"' },
    ])
  })

  it('keeps the version of a tool that it names, until it names another', async () => {
    const { api, as, addVariation, patchVariation, get } = await withReferences()
    await addVariation('chat', 'a', { tools: [{ key: 'weather', version: 1 }] })
    const toolKey = 'weather'
    await api.patchAITool({ projectKey: 'web', toolKey, body: { customParameters: { unit: 'kelvin' } } }, { as })
    expect((await get('chat')).variations[0]?.tools).toEqual([
      { key: 'weather', version: 1, customParameters: { unit: 'celsius' } },
    ])
    expect((await patchVariation('chat', 'a', { tools: [{ key: 'weather', version: 2 }] })).tools).toEqual([
      { key: 'weather', version: 2, customParameters: { unit: 'kelvin' } },
    ])
  })

  it('cannot begin to use a restricted model, but goes on with it', async () => {
    const { api, as, addVariation, patchVariation, modelConfig } = await withReferences()
    await modelConfig('small')
    await addVariation('chat', 'a', { modelConfigKey: 'large' })
    await api.createRestrictedModels({ projectKey: 'web', body: { keys: ['large', 'small'] } }, { as })
    const fault = [{ attribute: 'modelConfigKey', reason: 'must not be the key of a restricted model config' }]
    expect(await faultsOf(patchVariation('chat', 'a', { modelConfigKey: 'small' }))).toEqual(fault)
    expect(await faultsOf(addVariation('chat', 'b', { modelConfigKey: 'large' }))).toEqual(fault)
    expect(await patchVariation('chat', 'a', { modelConfigKey: 'large', name: 'On' })).toMatchObject({ name: 'On' })
    await api.deleteRestrictedModels({ projectKey: 'web', body: { keys: ['small'] } }, { as })
    expect(await patchVariation('chat', 'a', { modelConfigKey: 'small' })).toMatchObject({ modelConfigKey: 'small' })
  })

  it('by two at once is done by one of them, and each version is there once', async () => {
    const { create, addVariation, patchVariation, versions } = await aiProject()
    await create('chat')
    await addVariation('chat', 'a')
    const calls = await Promise.allSettled(['x', 'y', 'z'].map((name) => patchVariation('chat', 'a', { name })))
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [newest, ...older] = (await versions('chat', 'a')).items
    expect([newest?.version, older.map(({ name }) => name)]).toEqual([2, ['a']])
  })

  it('asks for the right to change variations of the config', async () => {
    const { create, addVariation, patchVariation, removeVariation } = await aiProject()
    await create('chat', { tags: ['shop'] })
    const others = editor(['updateAIConfig', 'deleteAIConfig', 'deleteAIConfigVariation'], 'proj/*:aiconfig/*')
    expect(await failureOf(addVariation('chat', 'a', {}, others))).toMatchObject({ code: 'forbidden' })
    const tagged = editor(['updateAIConfigVariation'], 'proj/*:aiconfig/*;shop')
    await addVariation('chat', 'a', {}, tagged)
    expect(await failureOf(patchVariation('chat', 'a', { name: 'x' }, others))).toMatchObject({ code: 'forbidden' })
    expect(await patchVariation('chat', 'a', { name: 'x' }, tagged)).toMatchObject({ name: 'x' })
    expect(await failureOf(removeVariation('chat', 'a', tagged))).toMatchObject({ code: 'forbidden' })
    expect(await removeVariation('chat', 'a', others)).toBeUndefined()
  })

  it('names the config in the change log, whatever follows from it', async () => {
    const { addVariation, patchVariation, pass, log } = await withReferences()
    await addVariation('chat', 'a')
    pass(1)
    await patchVariation('chat', 'a', { ...judges('strict'), comment: 'why' })
    const [entry] = await log()
    expect(entry).toMatchObject({
      kind: 'ai-config-variation',
      name: 'a',
      comment: 'why',
      accesses: [{ action: 'updateAIConfigVariation', resource: 'proj/web:aiconfig/chat' }],
    })
  })
})

describe('deleting a variation', () => {
  it('takes its versions with it', async () => {
    const { create, addVariation, removeVariation, versions, get } = await aiProject()
    await create('chat', { defaultVariation: { key: 'a', name: 'A' } })
    await addVariation('chat', 'b')
    await removeVariation('chat', 'b')
    expect(await failureOf(versions('chat', 'b'))).toMatchObject({ code: 'not_found' })
    expect((await get('chat')).variations.map(({ key }) => key)).toEqual(['a'])
    expect(await failureOf(removeVariation('chat', 'b'))).toMatchObject({ code: 'not_found' })
  })

  it('is refused for a default variation as long as there are others', async () => {
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

  it('loses to whoever starts to serve it, or the other way round', async () => {
    const { create, addVariation, removeVariation, get, targeting, instruct } = await aiProject()
    await create('chat', { defaultVariation: { key: 'a', name: 'A' } })
    const { _id } = await addVariation('chat', 'b')
    const serve = { kind: 'updateFallthroughVariationOrRollout', variationId: _id }
    const calls = await Promise.allSettled([removeVariation('chat', 'b'), instruct('chat', [serve])])
    expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const there = (await get('chat')).variations.length
    expect((await targeting('chat')).environments.production?.fallthrough).toEqual({ variation: there - 1 })
  })
})

describe('things that variations refer to', () => {
  it('cannot go while a variation begins to refer to them', async () => {
    const { api, as, at, addVariation, get } = await withReferences()
    const place = { projectKey: 'web' }
    const deletions = {
      tool: () => api.deleteAITool({ ...place, toolKey: 'weather' }, { as }),
      model: () => api.deleteModelConfig({ ...place, modelConfigKey: 'large' }, { as }),
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
      const made = (await get('chat')).variations.some(({ key }) => key === kind)
      expect(calls[1].status === 'fulfilled').toBe(made)
      // Whoever was second is refused for as long as the first one stands.
      const second = made ? deletions[kind]() : addVariation('chat', kind, references[kind])
      expect(['optimistic_locking_error', 'invalid_request']).toContain((await failureOf(second)).code)
    }
  })
})
