import type { TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import { anyConfig, commonFields, fullVariation, variation } from './ai-config-shape.ts'
import { envelope, expectShape, listOf, objectOf, string } from './response-shape.ts'
import { describeCommonRules } from './rules-of-every-operation.ts'
import {
  engineWith,
  invalid,
  refusals,
  type SpecOperation,
  senderOf,
  successBody,
  type Transport,
  transports,
} from './spec-operation.ts'

const listAIConfigs = {
  id: 'listAIConfigs',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/ai-configs',
  success: 200,
} as const satisfies SpecOperation

const project = { projectKey: 'web' }

/** Creates a config of each mode; `chat` has every optional field and an archived variation `precise`. */
async function configsOfAllModes({ api, admin, given, advance }: TestEngine) {
  const as = { as: admin }
  await given.project('web')
  const ann = await given.member('ann@example.test', { firstName: 'Ann', lastName: 'Archer' })
  await api.createAITool({ ...project, body: { key: 'weather', schema: { type: 'object' } } }, as)
  await api.createModelConfig({ ...project, body: { key: 'large', name: 'Large', id: 'large-1' } }, as)
  await api.createAIConfig({ ...project, body: { key: 'strict', name: 'Strict', mode: 'judge' } }, as)
  advance(1000)
  const calm = { key: 'calm', name: 'Calm', instructions: 'Stay calm.' }
  await api.createAIConfig(
    { ...project, body: { key: 'helper', name: 'Helper', mode: 'agent', defaultVariation: calm } },
    as,
  )
  advance(1000)
  const precise = {
    key: 'precise',
    name: 'Precise',
    description: 'Says no more than is asked',
    messages: [{ role: 'system', content: 'Be precise.' }],
    model: { modelName: 'large', parameters: { temperature: 0.2 } },
    modelConfigKey: 'large',
    tools: [{ key: 'weather', version: 1, customParameters: { unit: 'celsius' } }],
    judgeConfiguration: { judges: [{ judgeConfigKey: 'strict', samplingRate: 0.5 }] },
    color: 'blue',
    comment: 'to try',
  }
  const chat = {
    key: 'chat',
    name: 'Assistant',
    description: 'Answers customers',
    tags: ['shop', 'web'],
    maintainerId: ann._id,
    evaluationMetricKey: 'satisfaction',
    evaluationMetricKeys: ['satisfaction', 'speed'],
    isInverted: true,
    defaultVariation: precise,
  }
  await api.createAIConfig({ ...project, body: chat }, as)
  advance(1000)
  await api.patchAIConfigVariation(
    { ...project, configKey: 'chat', variationKey: 'precise', body: { state: 'archived', comment: 'too dear' } },
    as,
  )
  return { request: { params: project }, fixture: { ann, precise } }
}

describeCommonRules(listAIConfigs, configsOfAllModes)

async function listConfigs(transport: Transport, query: Record<string, string> = {}, input = {}) {
  const { engine, request, fixture } = await engineWith(configsOfAllModes, input)
  const response = await successBody(senderOf(engine, listAIConfigs, transport)({ ...request, query }), listAIConfigs)
  return { engine, response, keys: response.items.map(({ key }: { key: string }) => key), more: fixture }
}

describe.each(transports)('listAIConfigs %s', (transport) => {
  it('returns an envelope of configs that have every field of docs/specification.md', async () => {
    const { response } = await listConfigs(transport)
    expectShape(response, envelope(anyConfig))
    expect(response).toMatchObject({ totalCount: 3, _links: { self: { href: '/api/v2/projects/web/ai-configs' } } })
  })

  it('a config has the values it was created with, and its times are integers with either timestamp setting', async () => {
    for (const timestamps of ['string', 'number'] as const) {
      const {
        engine,
        response,
        more: fixture,
      } = await listConfigs(transport, { filter: 'key:chat' }, { wire: { timestamps } })
      const [chat] = response.items
      expectShape(chat, objectOf({ ...commonFields, evaluationMetricKey: string, variations: listOf(fullVariation) }))
      expect(chat).toMatchObject({
        key: 'chat',
        name: 'Assistant',
        description: 'Answers customers',
        tags: ['shop', 'web'],
        mode: 'completion',
        isInverted: true,
        evaluationMetricKey: 'satisfaction',
        evaluationMetricKeys: ['satisfaction', 'speed'],
        createdAt: engine.now() - 1000,
        _maintainer: { kind: 'member', _id: fixture.ann._id, email: 'ann@example.test', firstName: 'Ann' },
        _links: {
          parent: { href: '/api/v2/projects/web/ai-configs', type: 'application/json' },
          self: { href: '/api/v2/projects/web/ai-configs/chat', type: 'application/json' },
        },
      })
    }
  })

  it('an archived variation has the values it was created with', async () => {
    const { engine, response, more: fixture } = await listConfigs(transport, { filter: 'key:chat' })
    const [precise] = response.items[0]?.variations ?? []
    expect(precise).toMatchObject({
      ...fixture.precise,
      comment: 'too dear',
      judgingConfigKeys: ['strict'],
      state: 'archived',
      version: 2,
      createdAt: engine.now(),
      _publishedAt: engine.now() - 1000,
      _archivedAt: engine.now(),
      _links: { parent: { href: '/api/v2/projects/web/ai-configs/chat', type: 'application/json' } },
    })
  })

  it('a version without a comment has no comment', async () => {
    const { engine, request } = await engineWith(configsOfAllModes)
    const keys = { ...project, configKey: 'chat', variationKey: 'precise' }
    await engine.api.patchAIConfigVariation({ ...keys, body: { color: 'red' } }, { as: engine.admin })
    const send = senderOf(engine, listAIConfigs, transport)
    const { items } = await successBody(send({ ...request, query: { filter: 'key:chat' } }), listAIConfigs)
    expect(items[0]?.variations[0]).toMatchObject({ color: 'red', version: 3 })
    expect(items[0]?.variations[0]).not.toHaveProperty('comment')
  })

  it('an agent config has instructions and no messages', async () => {
    const { response } = await listConfigs(transport, { filter: 'key:helper' })
    const [helper] = response.items
    expectShape(
      helper,
      objectOf({ ...commonFields, variations: listOf(objectOf({ ...variation, instructions: string })) }),
    )
    expect(helper).toMatchObject({
      mode: 'agent',
      version: 1,
      tags: [],
      description: '',
      isInverted: false,
      evaluationMetricKeys: [],
      dependencies: [],
      variations: [
        { key: 'calm', name: 'Calm', instructions: 'Stay calm.', state: 'published', version: 1, tools: [] },
      ],
    })
  })

  it('a config that a team maintains names the team', async () => {
    const { engine, request } = await engineWith(configsOfAllModes)
    await engine.given.team('ml', { name: 'Machine learning' })
    const body = { maintainerTeamKey: 'ml' }
    await engine.api.patchAIConfig({ ...project, configKey: 'helper', body }, { as: engine.admin })
    const send = senderOf(engine, listAIConfigs, transport)
    const { items } = await successBody(send({ ...request, query: { filter: 'key:helper' } }), listAIConfigs)
    expect(items[0]?._maintainer).toEqual({
      kind: 'team',
      key: 'ml',
      name: 'Machine learning',
      _links: { self: { href: '/api/v2/teams/ml', type: 'application/json' } },
    })
    expect(items[0]).toMatchObject({ version: 2, updatedAt: engine.now(), createdAt: engine.now() - 2000 })
  })

  it.each([
    ['name', ['chat', 'helper', 'strict']],
    ['-name', ['strict', 'helper', 'chat']],
    ['key', ['chat', 'helper', 'strict']],
    ['-key', ['strict', 'helper', 'chat']],
    ['createdAt', ['strict', 'helper', 'chat']],
    ['-createdAt', ['chat', 'helper', 'strict']],
    ['-updatedAt', ['chat', 'helper', 'strict']],
  ])('sorts by %s', async (sort, expected) => {
    expect((await listConfigs(transport, { sort })).keys).toEqual(expected)
  })

  it.each([
    ['key:chat', ['chat']],
    ['name:Helper', ['helper']],
    ['tags:shop', ['chat']],
    ['tags:shop+web', ['chat']],
    ['tags:other', []],
    ['mode:agent', ['helper']],
    ['mode:completion', ['chat']],
    ['mode:judge', ['strict']],
    ['query:ELP', ['helper']],
    ['maintainerTeamKey:ml', []],
  ])('filters by %s', async (filter, expected) => {
    const { response, keys } = await listConfigs(transport, { filter })
    expect(keys).toEqual(expected)
    expect(response.totalCount).toBe(expected.length)
  })

  it('returns `limit` configs from `offset` on, with links to all other pages', async () => {
    const { response, keys } = await listConfigs(transport, { sort: 'key', limit: '1', offset: '1' })
    expect(keys).toEqual(['helper'])
    expectShape(response, envelope(anyConfig))
    const pageLink = (offset: number) => ({
      href: `/api/v2/projects/web/ai-configs?sort=key&limit=1&offset=${offset}`,
      type: 'application/json',
    })
    expect(response._links).toEqual({
      self: pageLink(1),
      first: pageLink(0),
      prev: pageLink(0),
      next: pageLink(2),
      last: pageLink(2),
    })
    expect(response.totalCount).toBe(3)
  })

  it('returns 20 configs by default and 100 at most', async () => {
    const { engine, request } = await engineWith(configsOfAllModes)
    for (let i = 0; i < 18; i++) {
      await engine.api.createAIConfig({ ...project, body: { key: `more-${i}`, name: 'More' } }, { as: engine.admin })
    }
    const send = senderOf(engine, listAIConfigs, transport)
    const { items } = await successBody(send(request), listAIConfigs)
    expect(items).toHaveLength(20)
    const all = await successBody(send({ ...request, query: { limit: '100' } }), listAIConfigs)
    expect(all.items).toHaveLength(21)
    expect(await send({ ...request, query: { limit: '101' } })).toEqual(invalid(['limit', 'must be at most 100']))
    const ten = await successBody(send({ ...request, query: { offset: '10' } }), listAIConfigs)
    expect(ten.items).toEqual(items.slice(10).concat(all.items.slice(20)))
  })

  it('names every invalid parameter', async () => {
    const { engine, request } = await engineWith(configsOfAllModes)
    const query = { limit: '0', offset: '-1', sort: 'mode', filter: 'colour:blue' }
    const filterFields = 'query, key, name, tags, mode, maintainerId, maintainerTeamKey'
    expect(await senderOf(engine, listAIConfigs, transport)({ ...request, query })).toEqual(
      invalid(
        ['limit', 'must be at least 1'],
        ['offset', 'must be at least 0'],
        ['sort', 'must be one of key, name, createdAt, updatedAt, with "-" before it for descending'],
        ['filter', `column 1: must be one of ${filterFields}`],
      ),
    )
  })

  it('is not found for a missing project', async () => {
    const { engine } = await engineWith(configsOfAllModes)
    const params = { projectKey: 'none' }
    expect(await senderOf(engine, listAIConfigs, transport)({ params })).toEqual(refusals.not_found)
  })

  it('is forbidden for a caller without the right to view the project', async () => {
    const { engine, request } = await engineWith(configsOfAllModes)
    const { token } = await engine.given.token({
      inlineRole: [{ effect: 'allow', resources: ['proj/shop'], actions: ['viewProject'] }],
    })
    expect(await senderOf(engine, listAIConfigs, transport)({ ...request, as: token })).toEqual(refusals.forbidden)
  })
})
