import { describe, expect, it } from 'vitest'
import { aiProject, allow, editor, failureOf, start, validationErrorsOf } from '../ai-configs/test/ai-project.ts'

const projectKeys = { projectKey: 'web' }
const keys = { ...projectKeys, modelConfigKey: 'large' }

describe('a model config', () => {
  it('is returned with every property, as it was created', async () => {
    const { api, as, modelConfig } = await aiProject()
    const settings = {
      name: 'Large',
      id: 'large-1',
      provider: 'Example',
      icon: 'example',
      params: { temperature: 0.3 },
      customParams: { owner: 'shop' },
      tags: ['shop'],
      costPerInputToken: 0.000_003,
      costPerOutputToken: 0,
    }
    const created = await modelConfig('large', settings)
    expect(created).toEqual({
      _links: {
        self: { href: '/api/v2/projects/web/ai-configs/model-configs/large', type: 'application/json' },
        parent: { href: '/api/v2/projects/web/ai-configs/model-configs', type: 'application/json' },
      },
      key: 'large',
      ...settings,
      version: 1,
      createdAt: start,
      global: false,
      isRestricted: false,
      _access: expect.anything(),
    })
    expect(await api.getModelConfig(keys, { as })).toEqual(created)
    const { _links, _access, ...bare } = await modelConfig('bare')
    expect(bare).toEqual({
      key: 'bare',
      name: 'bare',
      id: 'id of bare',
      params: {},
      customParams: {},
      tags: [],
      version: 1,
      createdAt: start,
      global: false,
      isRestricted: false,
    })
  })

  it.each<[string, object, string, string]>([
    ['no name', { name: undefined }, 'name', 'must be present'],
    ['no id', { id: '' }, 'id', 'must not be empty'],
    ['a negative cost', { costPerInputToken: -1 }, 'costPerInputToken', 'must not be negative'],
    ['an infinite cost', { costPerOutputToken: Number.POSITIVE_INFINITY }, 'costPerOutputToken', 'must be finite'],
    ['a cost as a string', { costPerInputToken: '1' }, 'costPerInputToken', 'must be a number'],
    ['params that are a list', { params: [] }, 'params', 'must be an object'],
    ['isRestricted', { isRestricted: true }, 'isRestricted', 'is not a known member'],
  ])('cannot be created with %s', async (_, overrides, attribute, reason) => {
    const { modelConfig } = await aiProject()
    expect(await validationErrorsOf(modelConfig('large', overrides))).toEqual([{ attribute, reason }])
  })

  it('requires a free key that is not reserved for a path', async () => {
    const { modelConfig } = await aiProject()
    await modelConfig('large')
    expect(await failureOf(modelConfig('large'))).toEqual({
      code: 'optimistic_locking_error',
      message: 'There is an AI model config large already',
    })
    expect(await validationErrorsOf(modelConfig('restricted'))).toEqual([
      { attribute: 'key', reason: 'must not be the reserved key restricted' },
    ])
  })

  it('gets a new version with each change', async () => {
    const { api, as, modelConfig, pass } = await aiProject()
    const first = await modelConfig('large')
    pass(5)
    const second = await api.patchModelConfig({ ...keys, body: { id: 'large-2', tags: ['x'] } }, { as })
    expect(second).toEqual({ ...first, id: 'large-2', tags: ['x'], version: 2, createdAt: start + 5 })
    expect(await api.patchModelConfig({ ...keys, body: { id: 'large-2' } }, { as })).toEqual(second)
    expect(await api.listModelConfigVersions(keys, { as })).toMatchObject({ items: [second, first], totalCount: 2 })
    expect(await api.listModelConfigVersions({ ...keys, limit: 1, offset: 1 }, { as })).toMatchObject({
      items: [first],
    })
  })

  it('cannot be deleted while variations use it', async () => {
    const { api, as, modelConfig, create, addVariation, patchVariation } = await aiProject()
    await modelConfig('large')
    await modelConfig('small')
    await create('chat')
    await addVariation('chat', 'a', { modelConfigKey: 'large' })
    expect(await failureOf(api.deleteModelConfig(keys, { as }))).toEqual({
      code: 'optimistic_locking_error',
      message:
        'The AI model config large is referred to by variation a. To remove these references with it, set detach=true.',
      referrers: [{ kind: 'variation', key: 'a', resource: 'proj/web:aiconfig/chat' }],
    })
    await patchVariation('chat', 'a', { modelConfigKey: 'small' })
    await api.deleteModelConfig(keys, { as })
    expect(await failureOf(api.listModelConfigVersions(keys, { as }))).toMatchObject({ code: 'not_found' })
    expect((await api.listModelConfigs(projectKeys, { as })).items.map(({ key }) => key)).toEqual(['small'])
  })
})

describe('restricted model configs', () => {
  async function withThree() {
    const project = await aiProject()
    for (const key of ['a', 'b', 'c']) await project.modelConfig(key)
    const { api, as } = project
    const restricted = async (value: string | boolean) =>
      (await api.listModelConfigs({ ...projectKeys, restricted: value as never }, { as })).items.map(({ key }) => key)
    return { ...project, restricted }
  }

  it('can be found by a filter of lists, and get no new version when they are restricted', async () => {
    const { api, as, restricted } = await withThree()
    const { items } = await api.createRestrictedModels({ ...projectKeys, body: { keys: ['c', 'a'] } }, { as })
    expect(items).toMatchObject([
      { key: 'c', isRestricted: true, version: 1 },
      { key: 'a', isRestricted: true, version: 1 },
    ])
    expect(await restricted(true)).toEqual(['a', 'c'])
    expect(await restricted('false')).toEqual(['b'])
    await api.deleteRestrictedModels({ ...projectKeys, body: { keys: ['a', 'b'] } }, { as })
    expect(await restricted('true')).toEqual(['c'])
    const changed = await api.patchModelConfig({ ...projectKeys, modelConfigKey: 'c', body: { name: 'C' } }, { as })
    expect(changed).toMatchObject({ isRestricted: true, version: 2 })
  })

  it('are changed all together or not at all', async () => {
    const { api, as, restricted } = await withThree()
    const error = { attribute: 'keys.1', reason: 'must be the key of a model config of the project' }
    for (const call of [api.createRestrictedModels, api.deleteRestrictedModels]) {
      expect(await validationErrorsOf(call({ ...projectKeys, body: { keys: ['a', 'none'] } }, { as }))).toEqual([error])
      expect(await validationErrorsOf(call({ ...projectKeys, body: { keys: ['a', 'a'] } }, { as }))).toEqual([
        { attribute: 'keys', reason: 'must not repeat a key' },
      ])
      expect(await validationErrorsOf(call({ ...projectKeys, body: { keys: [] } }, { as }))).toEqual([
        { attribute: 'keys', reason: 'must contain at least 1 key' },
      ])
      const elsewhere = call({ projectKey: 'none', body: { keys: ['a'] } }, { as })
      expect(await failureOf(elsewhere)).toMatchObject({ code: 'not_found' })
    }
    expect(await restricted(true)).toEqual([])
  })

  it('require the right to update each', async () => {
    const { api, restricted } = await withThree()
    const as = editor(['updateAIModelConfig'], 'proj/web:ai-model-config/a')
    const call = api.createRestrictedModels({ ...projectKeys, body: { keys: ['a', 'b'] } }, { as })
    expect(await failureOf(call)).toMatchObject({ code: 'forbidden' })
    expect(await restricted(true)).toEqual([])
    await api.createRestrictedModels({ ...projectKeys, body: { keys: ['a'] } }, { as })
    expect(await restricted(true)).toEqual(['a'])
  })

  it('can include one that a concurrent call starts to use in a variation', async () => {
    const { api, as, create, addVariation, get } = await withThree()
    await create('chat')
    const calls = await Promise.allSettled([
      api.createRestrictedModels({ ...projectKeys, body: { keys: ['a'] } }, { as }),
      addVariation('chat', 'x', { modelConfigKey: 'a' }),
    ])
    // The variation may be created first, and then keeps its model config.
    expect(calls[0].status).toBe('fulfilled')
    expect((await get('chat')).variations).toHaveLength(calls[1].status === 'fulfilled' ? 1 : 0)
  })
})

it('operations of model configs require the matching action, or viewProject to read', async () => {
  const { api, modelConfig } = await aiProject()
  await modelConfig('large')
  const callerWith = (action: string) => editor([action], 'proj/web:ai-model-config/large')
  const calls = {
    updateAIModelConfig: (caller: ReturnType<typeof callerWith>) =>
      api.patchModelConfig({ ...keys, body: { name: 'x' } }, { as: caller }),
    deleteAIModelConfig: (caller: ReturnType<typeof callerWith>) => api.deleteModelConfig(keys, { as: caller }),
    createAIModelConfig: (caller: ReturnType<typeof callerWith>) =>
      api.createModelConfig({ ...projectKeys, body: { key: 'large', name: 'Large', id: 'x' } }, { as: caller }),
  }
  for (const [action, call] of Object.entries(calls)) {
    for (const otherAction of Object.keys(calls).filter((name) => name !== action)) {
      expect(await failureOf(call(callerWith(otherAction)))).toMatchObject({ code: 'forbidden' })
    }
    await call(callerWith(action))
  }
  const callerWithoutView = { policy: [allow(['*'], ['proj/*:ai-model-config/*'])] }
  for (const read of [api.getModelConfig, api.listModelConfigVersions, api.listModelConfigs]) {
    expect(await failureOf(read(keys, { as: callerWithoutView }))).toMatchObject({ code: 'forbidden' })
  }
})
