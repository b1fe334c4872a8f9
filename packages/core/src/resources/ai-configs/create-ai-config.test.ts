import { describe, expect, it } from 'vitest'
import { aiProject, editor, failureOf, validationErrorsOf } from './test/ai-project.ts'

describe('createAIConfig', () => {
  it('reports all validation errors together, and creates nothing', async () => {
    const { create, list } = await aiProject()
    const invalidCall = create('chat', {
      maintainerId: 'nobody',
      evaluationMetricKey: 'speed',
      evaluationMetricKeys: ['satisfaction'],
      defaultVariation: {
        key: 'a',
        name: 'A',
        instructions: 'Be kind.',
        tools: [{ key: 'weather', version: 1 }],
        judgeConfiguration: { judges: [{ judgeConfigKey: 'strict', samplingRate: 1 }] },
        modelConfigKey: 'large',
      },
    })
    expect(await validationErrorsOf(invalidCall)).toEqual([
      { attribute: 'evaluationMetricKey', reason: 'must be one of evaluationMetricKeys' },
      { attribute: 'maintainerId', reason: 'must be the id of a member' },
      {
        attribute: 'defaultVariation.instructions',
        reason: 'must be left out, except in a config of mode agent',
      },
      { attribute: 'defaultVariation.tools.0.key', reason: 'must be the key of a tool of the project' },
      {
        attribute: 'defaultVariation.judgeConfiguration.judges.0.judgeConfigKey',
        reason: 'must be the key of a config of mode judge of the project',
      },
      { attribute: 'defaultVariation.modelConfigKey', reason: 'must be the key of a model config of the project' },
    ])
    expect((await list()).totalCount).toBe(0)
  })

  it.each<[string, object, string, string]>([
    ['no key', { key: undefined }, 'key', 'must be present'],
    ['no name', { name: '' }, 'name', 'must not be empty'],
    ['an unknown mode', { mode: 'chat' }, 'mode', 'must be one of "agent", "completion", "judge"'],
    ['a repeated tag', { tags: ['a', 'a'] }, 'tags', 'must not repeat a tag'],
    ['a repeated metric', { evaluationMetricKeys: ['a', 'a'] }, 'evaluationMetricKeys', 'must not repeat a key'],
    ['a description of another type', { description: 1 }, 'description', 'must be a string'],
    ['a name that is too long', { name: 'x'.repeat(257) }, 'name', 'must have at most 256 characters'],
    ['an unknown team', { maintainerTeamKey: 'ml' }, 'maintainerTeamKey', 'must be the key of a team'],
    ['an unknown property', { colour: 'red' }, 'colour', 'is not a known member'],
    [
      'a key that is reserved for paths',
      { key: 'skills' },
      'key',
      'must not be one of model-configs, prompt-snippets, quick-stats, skills',
    ],
    [
      'an invalid key',
      { key: 'a/b' },
      'key',
      'must be 1 to 256 letters, digits, ".", "_" or "-", starting with a letter or digit',
    ],
    ['a variation without a name', { defaultVariation: { key: 'a' } }, 'defaultVariation.name', 'must be present'],
  ])('rejects %s', async (_, overrides, attribute, reason) => {
    const { create } = await aiProject()
    expect(await validationErrorsOf(create('chat', overrides))).toEqual([{ attribute, reason }])
  })

  it('rejects two maintainers', async () => {
    const { api, as, create, memberId } = await aiProject()
    await api.createTeam({ body: { key: 'ml', name: 'ML' } }, { as })
    expect(await validationErrorsOf(create('chat', { maintainerId: memberId, maintainerTeamKey: 'ml' }))).toEqual([
      { attribute: 'maintainerTeamKey', reason: 'must be left out when a member is the maintainer' },
    ])
  })

  it('rejects a key that is taken in the same project, but not in another', async () => {
    const { api, as, create } = await aiProject()
    await create('chat')
    expect(await failureOf(create('chat'))).toEqual({
      code: 'optimistic_locking_error',
      message: 'There is an AI config chat already',
    })
    await api.createProject({ body: { key: 'app', name: 'App' } }, { as })
    expect(await api.createAIConfig({ projectKey: 'app', body: { key: 'chat', name: 'Chat' } }, { as })).toMatchObject({
      key: 'chat',
    })
  })

  it('succeeds once when two calls with the same key run concurrently', async () => {
    const { create, get } = await aiProject()
    const calls = await Promise.allSettled(
      ['a', 'b'].map((name) => create('chat', { name, defaultVariation: { key: name, name } })),
    )
    expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const { name, variations } = await get('chat')
    expect(variations.map(({ key }) => key)).toEqual([name])
  })

  it('requires an existing project and the action createAIConfig', async () => {
    const { api, as, create } = await aiProject()
    expect(
      await failureOf(api.createAIConfig({ projectKey: 'none', body: { key: 'a', name: 'A' } }, { as })),
    ).toMatchObject({
      code: 'not_found',
    })
    expect(await failureOf(create('chat', {}, editor(['createAIConfig'], 'proj/web:aiconfig/other')))).toMatchObject({
      code: 'forbidden',
    })
    expect(await create('chat', {}, editor(['createAIConfig'], 'proj/web:aiconfig/chat'))).toMatchObject({
      key: 'chat',
    })
  })

  it('treats names of properties that every object inherits as ordinary keys', async () => {
    const { create, get } = await aiProject()
    await create('constructor', {
      defaultVariation: { key: 'toString', name: 'x', model: { parameters: { valueOf: 1 } } },
    })
    const [variation] = (await get('constructor')).variations
    expect(variation).toMatchObject({ key: 'toString', model: { parameters: { valueOf: 1 } } })
  })
})
