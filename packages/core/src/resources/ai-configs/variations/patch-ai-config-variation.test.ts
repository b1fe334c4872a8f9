import { describe, expect, it } from 'vitest'
import { aiProject, editor, failureOf, start, validationErrorsOf } from '../test/ai-project.ts'
import { judges, withReferences } from '../test/variation-project.ts'

describe('patchAIConfigVariation', () => {
  it('creates a new version and keeps the earlier ones', async () => {
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

  it('orders versions by number, newest first', async () => {
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

  it('creates no version when only a comment is new', async () => {
    const { addVariation, patchVariation, versions, get } = await withReferences()
    const tools = [{ key: 'weather', version: 1 }]
    const created = await addVariation('chat', 'a', { tools, ...judges('mild'), model: { a: 1 } })
    const config = await get('chat')
    const same = { comment: 'again', tools, ...judges('mild'), model: { a: 1 }, state: 'published' }
    expect(await patchVariation('chat', 'a', same)).toEqual(created)
    expect((await versions('chat', 'a')).totalCount).toBe(1)
    expect(await get('chat')).toEqual(config)
  })

  it('replaces whole lists, so that an empty list removes all items', async () => {
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

  it('archives and publishes a variation, and stores the times', async () => {
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
    expect(await validationErrorsOf(patchVariation('chat', 'a', { state: 'draft' }))).toEqual([
      { attribute: 'state', reason: 'must be one of "archived", "published"' },
    ])
  })

  it('publishes an archived variation when published is true, and leaves its state when it is false', async () => {
    const { create, addVariation, patchVariation } = await aiProject()
    await create('chat')
    await addVariation('chat', 'a')
    await patchVariation('chat', 'a', { state: 'archived' })
    expect(await patchVariation('chat', 'a', { published: false, name: 'A' })).toMatchObject({ state: 'archived' })
    expect(await patchVariation('chat', 'a', { published: true })).toMatchObject({ state: 'published', version: 4 })
  })

  it('keeps the version of a tool until a patch refers to another version', async () => {
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

  it('rejects a restricted model unless the variation already uses it', async () => {
    const { api, as, addVariation, patchVariation, modelConfig } = await withReferences()
    await modelConfig('small')
    await addVariation('chat', 'a', { modelConfigKey: 'large' })
    await api.createRestrictedModels({ projectKey: 'web', body: { keys: ['large', 'small'] } }, { as })
    const errors = [{ attribute: 'modelConfigKey', reason: 'must not be the key of a restricted model config' }]
    expect(await validationErrorsOf(patchVariation('chat', 'a', { modelConfigKey: 'small' }))).toEqual(errors)
    expect(await validationErrorsOf(addVariation('chat', 'b', { modelConfigKey: 'large' }))).toEqual(errors)
    expect(await patchVariation('chat', 'a', { modelConfigKey: 'large', name: 'On' })).toMatchObject({ name: 'On' })
    await api.deleteRestrictedModels({ projectKey: 'web', body: { keys: ['small'] } }, { as })
    expect(await patchVariation('chat', 'a', { modelConfigKey: 'small' })).toMatchObject({ modelConfigKey: 'small' })
  })

  it('succeeds once when several calls run concurrently, and repeats no version', async () => {
    const { create, addVariation, patchVariation, versions } = await aiProject()
    await create('chat')
    await addVariation('chat', 'a')
    const calls = await Promise.allSettled(['x', 'y', 'z'].map((name) => patchVariation('chat', 'a', { name })))
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [newest, ...older] = (await versions('chat', 'a')).items
    expect([newest?.version, older.map(({ name }) => name)]).toEqual([2, ['a']])
  })

  it('requires the action updateAIConfigVariation', async () => {
    const { create, addVariation, patchVariation, removeVariation } = await aiProject()
    await create('chat', { tags: ['shop'] })
    const otherActions = editor(['updateAIConfig', 'deleteAIConfig', 'deleteAIConfigVariation'], 'proj/*:aiconfig/*')
    expect(await failureOf(addVariation('chat', 'a', {}, otherActions))).toMatchObject({ code: 'forbidden' })
    const shopEditor = editor(['updateAIConfigVariation'], 'proj/*:aiconfig/*;shop')
    await addVariation('chat', 'a', {}, shopEditor)
    expect(await failureOf(patchVariation('chat', 'a', { name: 'x' }, otherActions))).toMatchObject({
      code: 'forbidden',
    })
    expect(await patchVariation('chat', 'a', { name: 'x' }, shopEditor)).toMatchObject({ name: 'x' })
    expect(await failureOf(removeVariation('chat', 'a', shopEditor))).toMatchObject({ code: 'forbidden' })
    expect(await removeVariation('chat', 'a', otherActions)).toBeUndefined()
  })

  it('records the config in the change log, without the resources that it refers to', async () => {
    const { addVariation, patchVariation, pass, log } = await withReferences()
    await addVariation('chat', 'a')
    pass(1)
    await patchVariation('chat', 'a', { ...judges('strict'), comment: 'why' })
    const [entry] = await log()
    expect(entry).toMatchObject({
      kind: 'ai-config-variation',
      name: 'a of chat',
      titleVerb: 'added a judge to a of chat',
      comment: 'why',
      accesses: [{ action: 'updateAIConfigVariation', resource: 'proj/web:aiconfig/chat' }],
    })
  })
})
