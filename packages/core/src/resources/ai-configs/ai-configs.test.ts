import { describe, expect, it } from 'vitest'
import { aiProject, editor, failureOf, start, validationErrorsOf } from './test/ai-project.ts'

const links = {
  self: { href: '/api/v2/projects/web/ai-configs/chat', type: 'application/json' },
  parent: { href: '/api/v2/projects/web/ai-configs', type: 'application/json' },
}

describe('an AI config', () => {
  it('is returned with every property, as it was created', async () => {
    const { create, get, memberId } = await aiProject()
    const created = await create('chat', {
      name: 'Chat',
      description: 'Answers customers',
      mode: 'agent',
      tags: ['shop', 'beta'],
      evaluationMetricKeys: ['satisfaction', 'speed'],
      isInverted: true,
    })
    expect(created).toEqual({
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
    expect(await get('chat')).toEqual(created)
  })

  it('has the mode completion by default, and its mode cannot change', async () => {
    const { create, patch } = await aiProject()
    const created = await create('chat')
    expect(created).toMatchObject({ mode: 'completion', description: '', tags: [], isInverted: false })
    expect(created).not.toHaveProperty('evaluationMetricKey')
    expect(created.evaluationMetricKeys).toEqual([])
    expect(await validationErrorsOf(patch('chat', { mode: 'judge' }))).toEqual([
      { attribute: 'mode', reason: 'is not a known member' },
    ])
  })

  it('returns its times as numbers, although other resources return strings', async () => {
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
    await api.deleteTeam({ teamKey: 'ml', detach: true }, { as })
    expect(await patch('chat', { name: 'Other' })).not.toHaveProperty('_maintainer')
  })

  it('reports the actions that the caller may do', async () => {
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

describe('deleteAIConfig', () => {
  it('deletes its variations, their versions and its targeting', async () => {
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

  it('responds with 409 while other configs use it as a judge', async () => {
    const { api, as, at, create, addVariation, patchVariation } = await aiProject()
    await create('strict', { mode: 'judge' })
    await create('chat')
    await addVariation('chat', 'a', { judgeConfiguration: { judges: [{ judgeConfigKey: 'strict', samplingRate: 1 }] } })
    expect(await failureOf(api.deleteAIConfig(at('strict'), { as }))).toEqual({
      code: 'optimistic_locking_error',
      message:
        'The AI config strict is referred to by variation a. To remove these references with it, set detach=true.',
      referrers: [{ kind: 'variation', key: 'a', resource: 'proj/web:aiconfig/chat' }],
    })
    await patchVariation('chat', 'a', { judgeConfiguration: { judges: [] } })
    await api.deleteAIConfig(at('strict'), { as })
    expect(await failureOf(api.getAIConfig(at('strict'), { as }))).toMatchObject({ code: 'not_found' })
  })

  it('requires the action deleteAIConfig', async () => {
    const { api, as, at, create } = await aiProject()
    await create('chat')
    const otherActions = editor(['updateAIConfig', 'deleteAIConfigVariation'], 'proj/*:aiconfig/*')
    expect(await failureOf(api.deleteAIConfig(at('chat'), { as: otherActions }))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(api.deleteAIConfig(at('none'), { as }))).toMatchObject({ code: 'not_found' })
    expect(await api.deleteAIConfig(at('chat'), { as: editor(['deleteAIConfig'], 'proj/web:aiconfig/chat') })).toBe(
      undefined,
    )
  })
})
