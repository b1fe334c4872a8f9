import { describe, expect, it } from 'vitest'
import { aiProject, allow, editor, failureOf, faultsOf, start } from './test/ai-project.ts'

const links = {
  self: { href: '/api/v2/projects/web/ai-configs/chat', type: 'application/json' },
  parent: { href: '/api/v2/projects/web/ai-configs', type: 'application/json' },
}

describe('an AI config', () => {
  it('is shown as it was made, with every member', async () => {
    const { create, get, memberId } = await aiProject()
    const made = await create('chat', {
      name: 'Chat',
      description: 'Answers customers',
      mode: 'agent',
      tags: ['shop', 'beta'],
      evaluationMetricKeys: ['satisfaction', 'speed'],
      isInverted: true,
    })
    expect(made).toEqual({
      _links: links,
      key: 'chat',
      name: 'Chat',
      description: 'Answers customers',
      mode: 'agent',
      tags: ['shop', 'beta'],
      version: 1,
      variations: [],
      evaluationMetricKey: 'satisfaction',
      evaluationMetricKeys: ['satisfaction', 'speed'],
      isInverted: true,
      dependencies: [],
      createdAt: start,
      updatedAt: start,
      _maintainer: {
        kind: 'member',
        _links: { self: { href: `/api/v2/members/${memberId}`, type: 'application/json' } },
        _id: memberId,
        email: 'ada@example.com',
        firstName: expect.any(String),
        lastName: expect.any(String),
        role: 'owner',
      },
      _access: expect.anything(),
    })
    expect(await get('chat')).toEqual(made)
  })

  it('completes prompts, unless another mode is asked for, and its mode stays', async () => {
    const { create, patch } = await aiProject()
    const made = await create('chat')
    expect(made).toMatchObject({ mode: 'completion', description: '', tags: [], isInverted: false })
    expect(made).not.toHaveProperty('evaluationMetricKey')
    expect(made.evaluationMetricKeys).toEqual([])
    expect(await faultsOf(patch('chat', { mode: 'judge' }))).toEqual([
      { attribute: 'mode', reason: 'is not a known member' },
    ])
  })

  it('shows times as numbers, however other timestamps are shown', async () => {
    const { create, send } = await aiProject()
    await create('chat', { defaultVariation: { key: 'a', name: 'A' } })
    const { status, headers, body = '' } = await send('GET', '/api/v2/projects/web/ai-configs/chat')
    expect(status).toBe(200)
    expect(headers.etag).toBe('"1"')
    const { createdAt, updatedAt, version, variations } = JSON.parse(body)
    expect({ createdAt, updatedAt, version }).toEqual({ createdAt: start, updatedAt: start, version: 1 })
    expect(variations[0]).toMatchObject({ createdAt: start, _publishedAt: start, version: 1 })
  })

  it('can be maintained by a team', async () => {
    const { api, as, create, patch, memberId } = await aiProject()
    await api.createTeam({ body: { key: 'ml', name: 'Machine learning' } }, { as })
    const team = {
      kind: 'team',
      _links: { self: { href: '/api/v2/teams/ml', type: 'application/json' } },
      key: 'ml',
      name: 'Machine learning',
    }
    expect((await create('chat', { maintainerTeamKey: 'ml' }))._maintainer).toEqual(team)
    expect((await patch('chat', { maintainerId: memberId }))._maintainer).toMatchObject({
      kind: 'member',
      _id: memberId,
    })
    expect((await patch('chat', { maintainerTeamKey: 'ml' }))._maintainer).toEqual(team)
    await api.deleteTeam({ teamKey: 'ml' }, { as })
    expect(await patch('chat', { name: 'Other' })).not.toHaveProperty('_maintainer')
  })

  it('shows what a caller may do to it', async () => {
    const { api, create, at } = await aiProject()
    await create('chat')
    const as = editor(['updateAIConfig'], 'proj/web:aiconfig/chat')
    const { _access } = await api.getAIConfig(at('chat'), { as })
    expect(_access.allowed.map(({ action }) => action)).toEqual(['updateAIConfig'])
    const denied = _access.denied.map(({ action }) => action)
    expect(denied).toEqual(
      expect.arrayContaining([
        'createAIConfig',
        'deleteAIConfig',
        'updateAIConfigVariation',
        'deleteAIConfigVariation',
        'updateAIConfigTargeting',
        'bypassRequiredApproval',
      ]),
    )
  })
})

describe('creating an AI config', () => {
  it('tells all that is wrong at once, and makes nothing', async () => {
    const { create, list } = await aiProject()
    const wrong = create('chat', {
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
    expect(await faultsOf(wrong)).toEqual([
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
    ['a team that is not there', { maintainerTeamKey: 'ml' }, 'maintainerTeamKey', 'must be the key of a team'],
    ['an unknown member', { colour: 'red' }, 'colour', 'is not a known member'],
    [
      'a key that paths begin with',
      { key: 'skills' },
      'key',
      'must not be one of model-configs, prompt-snippets, quick-stats, skills',
    ],
    [
      'a key that is none',
      { key: 'a/b' },
      'key',
      'must be 1 to 256 letters, digits, ".", "_" or "-", starting with a letter or digit',
    ],
    ['a variation without a name', { defaultVariation: { key: 'a' } }, 'defaultVariation.name', 'must be present'],
  ])('refuses %s', async (_, more, attribute, reason) => {
    const { create } = await aiProject()
    expect(await faultsOf(create('chat', more))).toEqual([{ attribute, reason }])
  })

  it('refuses two maintainers', async () => {
    const { api, as, create, memberId } = await aiProject()
    await api.createTeam({ body: { key: 'ml', name: 'ML' } }, { as })
    expect(await faultsOf(create('chat', { maintainerId: memberId, maintainerTeamKey: 'ml' }))).toEqual([
      { attribute: 'maintainerTeamKey', reason: 'must be left out where a member is the maintainer' },
    ])
  })

  it('refuses a key that is taken, in this project and no other', async () => {
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

  it('of the same key by two at once succeeds once', async () => {
    const { create, get } = await aiProject()
    const calls = await Promise.allSettled(
      ['a', 'b'].map((name) => create('chat', { name, defaultVariation: { key: name, name } })),
    )
    expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const { name, variations } = await get('chat')
    expect(variations.map(({ key }) => key)).toEqual([name])
  })

  it('asks for the project, and for the right to create it', async () => {
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

  it('takes names that objects have from the start as what they are', async () => {
    const { create, get } = await aiProject()
    await create('constructor', {
      defaultVariation: { key: 'toString', name: 'x', model: { parameters: { valueOf: 1 } } },
    })
    const [variation] = (await get('constructor')).variations
    expect(variation).toMatchObject({ key: 'toString', model: { parameters: { valueOf: 1 } } })
  })
})

describe('changing an AI config', () => {
  it('replaces what is given and keeps the rest', async () => {
    const { create, patch, pass } = await aiProject()
    const made = await create('chat', { description: 'Old', tags: ['a'], evaluationMetricKey: 'speed' })
    pass(1000)
    const changed = await patch('chat', { name: 'New', tags: ['b', 'c'], isInverted: true })
    expect(changed).toEqual({
      ...made,
      name: 'New',
      tags: ['b', 'c'],
      isInverted: true,
      version: 2,
      updatedAt: start + 1000,
    })
  })

  it('keeps the one metric and the list of metrics in step', async () => {
    const { create, patch } = await aiProject()
    const metrics = async (body: object) => {
      const { evaluationMetricKey, evaluationMetricKeys } = await patch('chat', body)
      return [evaluationMetricKey, evaluationMetricKeys]
    }
    expect(await create('chat', { evaluationMetricKey: 'a' })).toMatchObject({ evaluationMetricKeys: ['a'] })
    expect(await metrics({ evaluationMetricKeys: ['b', 'c'] })).toEqual(['b', ['b', 'c']])
    expect(await metrics({ evaluationMetricKeys: ['b', 'c'], evaluationMetricKey: 'c' })).toEqual(['c', ['b', 'c']])
    expect(await metrics({ evaluationMetricKey: 'd' })).toEqual(['d', ['d']])
    expect(await metrics({ name: 'Other' })).toEqual(['d', ['d']])
    expect(await metrics({ evaluationMetricKeys: [] })).toEqual([undefined, []])
  })

  it('to what it is already changes nothing', async () => {
    const { create, patch, pass, log } = await aiProject()
    const made = await create('chat', { tags: ['a'] })
    pass(1000)
    const entries = await log()
    expect(await patch('chat', { tags: ['a'], name: 'chat' })).toEqual(made)
    expect(await patch('chat', {})).toEqual(made)
    expect(await log()).toEqual(entries)
  })

  it('asks for the right to change it and to see the project, and can stand on tags', async () => {
    const { create, patch } = await aiProject()
    await create('chat', { tags: ['shop'] })
    await create('other')
    const tagged = editor(['updateAIConfig'], 'proj/*:aiconfig/*;shop')
    expect(await patch('chat', { name: 'x' }, tagged)).toMatchObject({ name: 'x' })
    expect(await failureOf(patch('other', { tags: ['shop'] }, tagged))).toMatchObject({ code: 'forbidden' })
    const others = editor(['createAIConfig', 'deleteAIConfig', 'updateAIConfigTargeting'], 'proj/*:aiconfig/*')
    expect(await failureOf(patch('chat', { name: 'y' }, others))).toMatchObject({ code: 'forbidden' })
    const blind = { policy: [allow(['*'], ['proj/*:aiconfig/*'])] }
    expect(await failureOf(patch('chat', { name: 'y' }, blind))).toMatchObject({ code: 'forbidden' })
  })

  it('by two at once is done by one of them', async () => {
    const { create, get, patch } = await aiProject()
    await create('chat')
    const calls = await Promise.allSettled([patch('chat', { name: 'a' }), patch('chat', { description: 'b' })])
    expect(calls.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'optimistic_locking_error' } },
    ])
    expect((await get('chat')).version).toBe(2)
  })

  it('holds to If-Match', async () => {
    const { create, send } = await aiProject()
    await create('chat')
    const to = (etag: string) =>
      send('PATCH', '/api/v2/projects/web/ai-configs/chat', { name: 'New' }, { 'if-match': etag })
    expect((await to('"7"')).status).toBe(409)
    const { status, headers } = await to('"1"')
    expect([status, headers.etag]).toEqual([200, '"2"'])
  })
})

describe('deleting an AI config', () => {
  it('takes its variations, their versions and its targeting with it', async () => {
    const { api, as, at, addVariation, create, patchVariation, instruct, targeting, versions } = await aiProject()
    await create('chat', { defaultVariation: { key: 'a', name: 'A' } })
    await addVariation('chat', 'b')
    await patchVariation('chat', 'a', { name: 'Aa' })
    await instruct('chat', [{ kind: 'turnFlagOn' }])
    await create('other', { defaultVariation: { key: 'a', name: 'A' } })
    await instruct('other', [{ kind: 'turnFlagOn' }])
    await api.deleteAIConfig(at('chat'), { as })
    expect(await failureOf(api.getAIConfig(at('chat'), { as }))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(versions('chat', 'a'))).toMatchObject({ code: 'not_found' })
    expect((await targeting('other')).environments.production?.enabled).toBe(true)

    expect((await create('chat')).variations).toEqual([])
    await addVariation('chat', 'a')
    expect((await versions('chat', 'a')).items.map(({ version, name }) => [version, name])).toEqual([[1, 'a']])
    expect((await targeting('chat')).environments.production?.enabled).toBe(false)
  })

  it('is refused while other configs have it as a judge', async () => {
    const { api, as, at, create, addVariation, patchVariation } = await aiProject()
    await create('strict', { mode: 'judge' })
    await create('chat')
    await addVariation('chat', 'a', { judgeConfiguration: { judges: [{ judgeConfigKey: 'strict', samplingRate: 1 }] } })
    expect(await failureOf(api.deleteAIConfig(at('strict'), { as }))).toEqual({
      code: 'optimistic_locking_error',
      message: 'Variations of AI configs use it: chat/a',
    })
    await patchVariation('chat', 'a', { judgeConfiguration: { judges: [] } })
    await api.deleteAIConfig(at('strict'), { as })
    expect(await failureOf(api.getAIConfig(at('strict'), { as }))).toMatchObject({ code: 'not_found' })
  })

  it('asks for the right to it', async () => {
    const { api, as, at, create } = await aiProject()
    await create('chat')
    const others = editor(['updateAIConfig', 'deleteAIConfigVariation'], 'proj/*:aiconfig/*')
    expect(await failureOf(api.deleteAIConfig(at('chat'), { as: others }))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(api.deleteAIConfig(at('none'), { as }))).toMatchObject({ code: 'not_found' })
    expect(await api.deleteAIConfig(at('chat'), { as: editor(['deleteAIConfig'], 'proj/web:aiconfig/chat') })).toBe(
      undefined,
    )
  })
})
