import { describe, expect, it } from 'vitest'
import { aiProject, allow, editor, failureOf, start, validationErrorsOf } from '../ai-configs/test/ai-project.ts'

const keys = { projectKey: 'web', toolKey: 'weather' }
const schema = { type: 'object', properties: { city: { type: 'string' } } }

describe('an AI tool', () => {
  it('is returned with every property, as it was created', async () => {
    const { api, as, tool, memberId } = await aiProject()
    const created = await tool('weather', {
      description: 'Reports the weather',
      schema,
      customParameters: { unit: 'celsius' },
    })
    expect(created).toEqual({
      _links: {
        self: { href: '/api/v2/projects/web/ai-tools/weather', type: 'application/json' },
        parent: { href: '/api/v2/projects/web/ai-tools', type: 'application/json' },
      },
      key: 'weather',
      description: 'Reports the weather',
      schema,
      customParameters: { unit: 'celsius' },
      version: 1,
      createdAt: start,
      _maintainer: expect.objectContaining({ kind: 'member', _id: memberId }),
      _access: expect.anything(),
    })
    expect(await api.getAITool(keys, { as })).toEqual(created)
    expect(await tool('bare')).toMatchObject({ description: '', customParameters: {} })
    expect(created._access?.allowed.map(({ action }) => action)).toEqual([
      'createAITool',
      'updateAITool',
      'deleteAITool',
    ])
  })

  it.each<[string, object, string, string]>([
    ['no schema', { schema: undefined }, 'schema', 'must be present'],
    ['a schema that is a list', { schema: [] }, 'schema', 'must be an object'],
    ['a schema that is null', { schema: null }, 'schema', 'must be an object'],
    ['parameters of another type', { customParameters: 'x' }, 'customParameters', 'must be an object'],
    ['an unknown maintainer', { maintainerId: 'nobody' }, 'maintainerId', 'must be the id of a member'],
    ['an unknown property', { name: 'x' }, 'name', 'is not a known member'],
    [
      'a description that is too long',
      { description: 'x'.repeat(10_001) },
      'description',
      'must have at most 10000 characters',
    ],
  ])('cannot be created with %s', async (_, overrides, attribute, reason) => {
    const { tool } = await aiProject()
    expect(await validationErrorsOf(tool('weather', overrides))).toEqual([{ attribute, reason }])
  })

  it('requires a free key and an existing project', async () => {
    const { api, as, tool } = await aiProject()
    await tool('weather')
    expect(await failureOf(tool('weather'))).toEqual({
      code: 'optimistic_locking_error',
      message: 'There is an AI tool weather already',
    })
    const elsewhere = api.createAITool({ projectKey: 'none', body: { key: 'weather', schema } }, { as })
    expect(await failureOf(elsewhere)).toMatchObject({ code: 'not_found' })
  })
})

describe('patchAITool', () => {
  it('creates a new version and keeps the earlier ones', async () => {
    const { api, as, tool, pass } = await aiProject()
    const first = await tool('weather', { description: 'one', schema })
    pass(5)
    const second = await api.patchAITool({ ...keys, body: { description: 'two' } }, { as })
    expect(second).toEqual({ ...first, description: 'two', version: 2, createdAt: start + 5 })
    expect(await api.patchAITool({ ...keys, body: { description: 'two', schema } }, { as })).toEqual(second)
    expect(await api.listAIToolVersions(keys, { as })).toMatchObject({ items: [second, first], totalCount: 2 })
    expect(await api.listAIToolVersions({ ...keys, limit: 1, offset: 1 }, { as })).toMatchObject({ items: [first] })
    expect((await api.listAITools({ projectKey: 'web' }, { as })).items).toEqual([second])
  })

  it('creates versions for changes only, not when a variation starts to use the tool', async () => {
    const { api, as, tool, create, addVariation } = await aiProject()
    await tool('weather')
    await create('chat')
    await addVariation('chat', 'a', { tools: [{ key: 'weather', version: 1 }] })
    expect((await api.getAITool(keys, { as })).version).toBe(1)
    expect((await api.patchAITool({ ...keys, body: { description: 'x' } }, { as })).version).toBe(2)
  })

  it('reports validation errors, and responds with 404 for an unknown tool', async () => {
    const { api, as, tool } = await aiProject()
    expect(await failureOf(api.patchAITool({ ...keys, body: {} }, { as }))).toMatchObject({ code: 'not_found' })
    await tool('weather')
    expect(await validationErrorsOf(api.patchAITool({ ...keys, body: { maintainerTeamKey: 'none' } }, { as }))).toEqual(
      [{ attribute: 'maintainerTeamKey', reason: 'must be the key of a team' }],
    )
  })

  it('succeeds once when two calls run concurrently', async () => {
    const { api, as, tool } = await aiProject()
    await tool('weather')
    const calls = await Promise.allSettled(
      ['a', 'b'].map((description) => api.patchAITool({ ...keys, body: { description } }, { as })),
    )
    expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await api.listAIToolVersions(keys, { as })).totalCount).toBe(2)
  })
})

describe('the references of a tool', () => {
  it('are the variations of the same project that currently use it', async () => {
    const { api, as, tool, create, addVariation, patchVariation } = await aiProject()
    await api.createProject({ body: { key: 'web-2', name: 'Other' } }, { as })
    await api.createAITool({ projectKey: 'web-2', body: { key: 'weather', schema } }, { as })
    const tools = [{ key: 'weather', version: 1 }]
    const otherAction = { key: 'far', name: 'Far', defaultVariation: { key: 'a', name: 'A', tools } }
    await api.createAIConfig({ projectKey: 'web-2', body: otherAction }, { as })

    await tool('weather')
    await tool('clock')
    expect(await api.listAIToolReferences(keys, { as })).toMatchObject({ items: [], totalCount: 0 })
    await create('chat', { name: 'Chat' })
    await create('search', { name: 'Search' })
    await addVariation('chat', 'a', { name: 'A', tools })
    await addVariation('chat', 'b', { tools: [{ key: 'clock', version: 1 }] })
    await addVariation('search', 'c', { tools: [...tools, { key: 'clock', version: 1 }] })
    await api.patchAITool({ ...keys, body: { description: 'new' } }, { as })
    await patchVariation('search', 'c', { tools: [{ key: 'weather', version: 2 }] })
    const { items, totalCount, resourceKey, resourceType } = await api.listAIToolReferences(keys, { as })
    expect([totalCount, resourceKey, resourceType]).toEqual([2, 'weather', 'ai-tool'])
    expect(items[0]).toEqual({
      aiConfigKey: 'chat',
      aiConfigName: 'Chat',
      variationId: expect.any(String),
      variationKey: 'a',
      variationName: 'A',
      toolVersion: 1,
    })
    expect(items[1]).toMatchObject({ aiConfigKey: 'search', variationKey: 'c', toolVersion: 2 })
    expect(await api.listAIToolReferences({ ...keys, limit: 1, offset: 1 }, { as })).toMatchObject({
      items: [{ aiConfigKey: 'search' }],
      totalCount: 2,
    })
    await patchVariation('chat', 'a', { tools: [] })
    expect((await api.listAIToolReferences(keys, { as })).items).toMatchObject([{ aiConfigKey: 'search' }])
    const none = api.listAIToolReferences({ ...keys, toolKey: 'none' }, { as })
    expect(await failureOf(none)).toMatchObject({ code: 'not_found' })
  })
})

describe('deleteAITool', () => {
  it('deletes all versions of the tool', async () => {
    const { api, as, tool } = await aiProject()
    await tool('weather')
    await api.patchAITool({ ...keys, body: { description: 'two' } }, { as })
    await api.deleteAITool(keys, { as })
    expect(await failureOf(api.listAIToolVersions(keys, { as }))).toMatchObject({ code: 'not_found' })
    await tool('weather')
    expect((await api.listAIToolVersions(keys, { as })).totalCount).toBe(1)
  })

  it('responds with 409 while variations use the tool', async () => {
    const { api, as, tool, create, addVariation, removeVariation } = await aiProject()
    await tool('weather')
    await create('chat', { defaultVariation: { key: 'a', name: 'A' } })
    await addVariation('chat', 'b', { tools: [{ key: 'weather', version: 1 }] })
    expect(await failureOf(api.deleteAITool(keys, { as }))).toEqual({
      code: 'optimistic_locking_error',
      message:
        'The AI tool weather is referred to by variation b. To remove these references with it, set detach=true.',
      referrers: [{ kind: 'variation', key: 'b', resource: 'proj/web:aiconfig/chat' }],
    })
    await removeVariation('chat', 'b')
    expect(await api.deleteAITool(keys, { as })).toBeUndefined()
  })
})

it('operations of tools require the matching action, or viewProject to read', async () => {
  const { api, tool, as } = await aiProject()
  await tool('weather')
  const callerWith = (action: string) => editor([action], 'proj/web:ai-tool/weather')
  const calls = {
    updateAITool: (caller: ReturnType<typeof callerWith>) =>
      api.patchAITool({ ...keys, body: { description: 'x' } }, { as: caller }),
    deleteAITool: (caller: ReturnType<typeof callerWith>) => api.deleteAITool(keys, { as: caller }),
    createAITool: (caller: ReturnType<typeof callerWith>) =>
      api.createAITool({ projectKey: 'web', body: { key: 'weather', schema } }, { as: caller }),
  }
  for (const [action, call] of Object.entries(calls)) {
    for (const otherAction of Object.keys(calls).filter((name) => name !== action)) {
      expect(await failureOf(call(callerWith(otherAction)))).toMatchObject({ code: 'forbidden' })
    }
    await call(callerWith(action))
  }
  const callerWithoutView = { policy: [allow(['*'], ['proj/*:ai-tool/*'])] }
  for (const read of [api.getAITool, api.listAIToolVersions, api.listAIToolReferences, api.listAITools]) {
    expect(await failureOf(read(keys, { as: callerWithoutView }))).toMatchObject({ code: 'forbidden' })
  }
  expect(await failureOf(api.listAITools({ projectKey: 'none' }, { as }))).toMatchObject({ code: 'not_found' })
})
