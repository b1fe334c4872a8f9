import { createMemoryStorage } from '@halyard/storage-memory'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Statement } from '../../entries/policy.ts'
import { type As, createEngine, type Engine } from '../../index.ts'

const start = Date.UTC(2026, 5, 1)
const projectKey = 'web'
const keys = { projectKey, graphKey: 'support' }

let engine: Engine
let now: number
let admin: string

beforeEach(async () => {
  now = start
  engine = createEngine({ storage: createMemoryStorage(), clock: () => now })
  admin = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: projectKey, name: 'Web' } }, { as: admin })
  for (const key of ['triage', 'billing-agent', 'tech-agent']) await createConfig(key)
})

const createConfig = (key: string) =>
  engine.api.createAIConfig({ projectKey, body: { key, name: key, mode: 'agent' } }, { as: admin })

const structure = {
  rootConfigKey: 'triage',
  edges: [
    { key: 'billing', sourceConfig: 'triage', targetConfig: 'billing-agent', handoff: { tone: 'formal' } },
    { key: 'tech', sourceConfig: 'triage', targetConfig: 'tech-agent' },
  ],
}

const create = (overrides: object = {}, as: As = admin) =>
  engine.api.createAgentGraph({ projectKey, body: { key: 'support', name: 'Support', ...overrides } }, { as })
const patch = (body: object, as: As = admin) => engine.api.patchAgentGraph({ ...keys, body }, { as })
const get = (as: As = admin) => engine.api.getAgentGraph(keys, { as })

const graphsUsing = async (configKey: string) => {
  const { dependencies } = await engine.api.getAIConfig({ projectKey, configKey }, { as: admin })
  for (const { type } of dependencies) expect(type).toBe('agent-graph')
  return dependencies.map(({ key }) => key)
}

const denied = { status: 403, code: 'forbidden' }
const missingTogether = (attribute: string, present: string) => ({
  status: 400,
  errors: [{ attribute, reason: `must be present with ${present}` }],
})

describe('the API of agent graphs', () => {
  it('creates a graph with all its properties', async () => {
    const base = '/api/v2/projects/web/agent-graphs'
    const created = await create({ description: 'Who helps', ...structure })
    expect(created).toMatchObject({
      _links: { self: { href: `${base}/support` }, parent: { href: base } },
      key: 'support',
      name: 'Support',
      description: 'Who helps',
      ...structure,
      createdAt: start,
      updatedAt: start,
      _access: { denied: [] },
    })
    expect(await get()).toEqual(created)
  })

  it('creates a graph with only a name', async () => {
    const created = await create()
    expect('rootConfigKey' in created || 'edges' in created).toBe(false)
    expect(await create({ key: 'alone', rootConfigKey: 'triage', edges: [] })).toMatchObject({ edges: [] })
  })

  it('requires the root and the edges together', async () => {
    await expect(create({ edges: structure.edges })).rejects.toMatchObject(missingTogether('rootConfigKey', 'edges'))
    await expect(create({ rootConfigKey: 'triage' })).rejects.toMatchObject(missingTogether('edges', 'rootConfigKey'))
    await create(structure)
    await expect(patch({ edges: [] })).rejects.toMatchObject(missingTogether('rootConfigKey', 'edges'))
    await expect(patch({ rootConfigKey: 'triage' })).rejects.toMatchObject(missingTogether('edges', 'rootConfigKey'))
  })

  it('rejects repeated edge keys, more than 1,000 edges and malformed edges', async () => {
    const [edge] = structure.edges
    await expect(create({ ...structure, edges: [edge, edge] })).rejects.toMatchObject({
      errors: [{ attribute: 'edges', reason: 'must not repeat the key of an edge' }],
    })
    await expect(
      create({ ...structure, edges: Array.from({ length: 1000 }, (_, i) => ({ ...edge, key: `e${i}` })) }),
    ).resolves.toMatchObject({ rootConfigKey: 'triage' })
    const edges = Array.from({ length: 1001 }, (_, i) => ({ ...edge, key: `e${i}` }))
    await expect(create({ ...structure, edges })).rejects.toMatchObject({ errors: [{ attribute: 'edges' }] })
    await expect(create({ ...structure, edges: [{ ...edge, handoff: [], weight: 1 }] })).rejects.toMatchObject({
      errors: [{ attribute: 'edges.0.handoff', reason: 'must be an object' }, { attribute: 'edges.0.weight' }],
    })
  })

  it('reports all validation errors together, including errors of the maintainer', async () => {
    await expect(create({ maintainerId: 'nobody', rootConfigKey: 'a' })).rejects.toMatchObject({
      errors: [{ attribute: 'edges' }, { attribute: 'rootConfigKey' }, { attribute: 'maintainerId' }],
    })
  })

  it('requires the root and both ends of each edge to be AI configs of the project', async () => {
    const reason = 'must be the key of an AI config of the project'
    const edges = [
      { key: 'a', sourceConfig: 'triage', targetConfig: 'nobody' },
      { key: 'b', sourceConfig: 'stranger', targetConfig: 'tech-agent' },
    ]
    const unknown = {
      status: 400,
      errors: ['rootConfigKey', 'edges.0.targetConfig', 'edges.1.sourceConfig'].map((attribute) => ({
        attribute,
        reason,
      })),
    }
    await engine.api.createProject({ body: { key: 'other', name: 'Other' } }, { as: admin })
    await engine.api.createAIConfig({ projectKey: 'other', body: { key: 'stranger', name: 'S' } }, { as: admin })
    await expect(create({ rootConfigKey: 'stranger', edges })).rejects.toMatchObject(unknown)
    await create(structure)
    await expect(patch({ rootConfigKey: 'stranger', edges })).rejects.toMatchObject(unknown)
    expect(await get()).toMatchObject(structure)
    expect(await graphsUsing('triage')).toEqual(['support'])
  })

  it('lists the graph once in each config that it refers to, until it no longer does', async () => {
    const users = () => Promise.all(['triage', 'billing-agent', 'tech-agent'].map(graphsUsing))
    await create({ key: 'sales', rootConfigKey: 'triage', edges: [] })
    expect(await users()).toEqual([['sales'], [], []])
    await create(structure)
    expect(await users()).toEqual([['sales', 'support'], ['support'], ['support']])
    await patch({ name: 'Help' })
    expect(await users()).toEqual([['sales', 'support'], ['support'], ['support']])
    const loop = { key: 'again', sourceConfig: 'tech-agent', targetConfig: 'tech-agent' }
    await patch({ rootConfigKey: 'tech-agent', edges: [loop] })
    expect(await users()).toEqual([['sales'], [], ['support']])
    await engine.api.deleteAgentGraph(keys, { as: admin })
    expect(await users()).toEqual([['sales'], [], []])
  })

  it('prevents deletion of the configs that it refers to', async () => {
    const remove = (configKey: string) => engine.api.deleteAIConfig({ projectKey, configKey }, { as: admin })
    await create(structure)
    await expect(remove('tech-agent')).rejects.toMatchObject({
      status: 409,
      message:
        'The AI config tech-agent is referred to by agent graph support. To remove these references with it, set detach=true.',
    })
    await patch({ rootConfigKey: 'triage', edges: [] })
    await expect(remove('tech-agent')).resolves.toBeUndefined()
  })

  it('never refers to a config that is deleted concurrently', async () => {
    for (let round = 0; round < 6; round++) {
      const key = `agent-${round}`
      await createConfig(key)
      const calls = [
        () => create({ key: `g${round}`, rootConfigKey: key, edges: [] }),
        () => engine.api.deleteAIConfig({ projectKey, configKey: key }, { as: admin }),
      ]
      const outcomes = await Promise.allSettled((round % 2 ? calls.reverse() : calls).map((call) => call()))
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    }
  })

  it('needs no permission on the configs, and the change log has entries for the graph only', async () => {
    const creator: As = {
      policy: [
        { effect: 'allow', actions: ['viewProject'], resources: ['proj/web'] },
        { effect: 'allow', actions: ['createAgentGraph', 'updateAgentGraph'], resources: ['proj/web:agent-graph/*'] },
      ],
    }
    now += 1000
    await create(structure, creator)
    now += 1000
    await patch({ rootConfigKey: 'tech-agent', edges: [] }, creator)
    const { items } = await engine.api.listChangeLog({ limit: 2 }, { as: admin })
    expect(items.map(({ kind, name }) => [kind, name])).toEqual([
      ['agent-graph', 'Support'],
      ['agent-graph', 'Support'],
    ])
  })

  it('updates only the given properties', async () => {
    await create(structure)
    now += 1000
    const changed = await patch({ name: 'Help', comment: 'clearer' })
    expect(changed).toMatchObject({ name: 'Help', ...structure, createdAt: start, updatedAt: start + 1000 })
    const replaced = await patch({ rootConfigKey: 'tech-agent', edges: [] })
    expect(replaced).toMatchObject({ name: 'Help', rootConfigKey: 'tech-agent', edges: [] })
    now += 1000
    expect(await patch({ name: 'Help' })).toMatchObject({ updatedAt: start + 1000 })
  })

  it('responds with 409 when the key is taken', async () => {
    await create()
    await expect(create()).rejects.toMatchObject({ status: 409, message: 'There is an agent graph support already' })
  })

  it('lists graphs by key, without deleted ones', async () => {
    for (const key of ['b', 'a']) await create({ key })
    const list = () => engine.api.listAgentGraphs({ projectKey }, { as: admin })
    expect((await list()).items.map(({ key }) => key)).toEqual(['a', 'b'])
    await engine.api.deleteAgentGraph({ projectKey, graphKey: 'a' }, { as: admin })
    expect(await list()).toMatchObject({ items: [{ key: 'b' }], totalCount: 1 })
  })

  it('is readable with viewProject, and each change requires its own action', async () => {
    const allow = (actions: string[], resource: string): Statement => ({
      effect: 'allow',
      actions,
      resources: [resource],
    })
    const editor = (action: string): As => ({
      policy: [allow(['viewProject'], 'proj/web'), allow([action], 'proj/web:agent-graph/*')],
    })
    await expect(create({}, editor('updateAgentGraph'))).rejects.toMatchObject(denied)
    await create({}, editor('createAgentGraph'))
    await expect(get(editor('createAgentGraph'))).resolves.toMatchObject({ key: 'support' })
    await expect(patch({ name: 'B' }, editor('createAgentGraph'))).rejects.toMatchObject(denied)
    await expect(patch({ name: 'B' }, editor('updateAgentGraph'))).resolves.toMatchObject({ name: 'B' })
    const remove = (as: As) => engine.api.deleteAgentGraph(keys, { as })
    await expect(remove(editor('updateAgentGraph'))).rejects.toMatchObject(denied)
    await expect(get({ policy: [allow(['*'], 'proj/web:agent-graph/*')] })).rejects.toMatchObject(denied)
    await expect(remove(editor('deleteAgentGraph'))).resolves.toBeUndefined()
  })
})
