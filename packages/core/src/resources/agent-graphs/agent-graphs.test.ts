import { createMemoryStorage } from '@halyard/storage-memory'
import { beforeEach, describe, expect, it } from 'vitest'
import { type As, createEngine, type Engine, type Statement } from '../../index.ts'

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
})

const structure = {
  rootConfigKey: 'triage',
  edges: [
    { key: 'billing', sourceConfig: 'triage', targetConfig: 'billing-agent', handoff: { tone: 'formal' } },
    { key: 'tech', sourceConfig: 'triage', targetConfig: 'tech-agent' },
  ],
}

const create = (more: object = {}, as: As = admin) =>
  engine.api.createAgentGraph({ projectKey, body: { key: 'support', name: 'Support', ...more } }, { as })
const patch = (body: object, as: As = admin) => engine.api.patchAgentGraph({ ...keys, body }, { as })
const get = (as: As = admin) => engine.api.getAgentGraph(keys, { as })

const denied = { status: 403, code: 'forbidden' }
const together = (attribute: string, given: string) => ({
  status: 400,
  errors: [{ attribute, reason: `must be present with ${given}` }],
})

describe('an agent graph', () => {
  it('is created with all that it has', async () => {
    const base = '/api/v2/projects/web/agent-graphs'
    const made = await create({ description: 'Who helps', ...structure })
    expect(made).toMatchObject({
      _links: { self: { href: `${base}/support` }, parent: { href: base } },
      key: 'support',
      name: 'Support',
      description: 'Who helps',
      ...structure,
      createdAt: start,
      updatedAt: start,
      _access: { denied: [] },
    })
    expect(await get()).toEqual(made)
  })

  it('may have no more than a name at first', async () => {
    const made = await create()
    expect('rootConfigKey' in made || 'edges' in made).toBe(false)
    expect(await create({ key: 'alone', rootConfigKey: 'triage', edges: [] })).toMatchObject({ edges: [] })
  })

  it('has its root and its edges together', async () => {
    await expect(create({ edges: structure.edges })).rejects.toMatchObject(together('rootConfigKey', 'edges'))
    await expect(create({ rootConfigKey: 'a' })).rejects.toMatchObject(together('edges', 'rootConfigKey'))
    await create(structure)
    await expect(patch({ edges: [] })).rejects.toMatchObject(together('rootConfigKey', 'edges'))
    await expect(patch({ rootConfigKey: 'a' })).rejects.toMatchObject(together('edges', 'rootConfigKey'))
  })

  it('has edges with keys of their own, and in bounds', async () => {
    const [edge] = structure.edges
    await expect(create({ ...structure, edges: [edge, edge] })).rejects.toMatchObject({
      errors: [{ attribute: 'edges', reason: 'must not repeat the key of an edge' }],
    })
    const edges = Array.from({ length: 1001 }, (_, i) => ({ ...edge, key: `e${i}` }))
    await expect(create({ ...structure, edges })).rejects.toMatchObject({ errors: [{ attribute: 'edges' }] })
    await expect(create({ ...structure, edges: [{ ...edge, handoff: [], weight: 1 }] })).rejects.toMatchObject({
      errors: [{ attribute: 'edges.0.handoff', reason: 'must be an object' }, { attribute: 'edges.0.weight' }],
    })
  })

  it('names every fault at once, that of its maintainer too', async () => {
    await expect(create({ maintainerId: 'nobody', rootConfigKey: 'a' })).rejects.toMatchObject({
      errors: [{ attribute: 'edges' }, { attribute: 'maintainerId' }],
    })
  })

  it('is changed by the members that are given', async () => {
    await create(structure)
    now += 1000
    const changed = await patch({ name: 'Help', comment: 'clearer' })
    expect(changed).toMatchObject({ name: 'Help', ...structure, createdAt: start, updatedAt: start + 1000 })
    const replaced = await patch({ rootConfigKey: 'tech-agent', edges: [] })
    expect(replaced).toMatchObject({ name: 'Help', rootConfigKey: 'tech-agent', edges: [] })
    now += 1000
    expect(await patch({ name: 'Help' })).toMatchObject({ updatedAt: start + 1000 })
  })

  it('is refused with 409 where its key is taken', async () => {
    await create()
    await expect(create()).rejects.toMatchObject({ status: 409, message: 'There is an agent graph support already' })
  })

  it('is listed by key, and gone when deleted', async () => {
    for (const key of ['b', 'a']) await create({ key })
    const list = () => engine.api.listAgentGraphs({ projectKey }, { as: admin })
    expect((await list()).items.map(({ key }) => key)).toEqual(['a', 'b'])
    await engine.api.deleteAgentGraph({ projectKey, graphKey: 'a' }, { as: admin })
    expect(await list()).toMatchObject({ items: [{ key: 'b' }], totalCount: 1 })
  })

  it('is read by whoever may view the project, and changed by whoever has the action for it', async () => {
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
