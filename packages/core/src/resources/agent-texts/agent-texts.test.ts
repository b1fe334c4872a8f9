import { createMemoryStorage } from '@halyard/storage-memory'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Statement } from '../../entries/policy.ts'
import { type ApiError, type As, createEngine, type Engine } from '../../index.ts'

const start = Date.UTC(2026, 5, 1)
const projectKey = 'web'

let engine: Engine
let now: number
let admin: As

beforeEach(async () => {
  now = start
  engine = createEngine({ storage: createMemoryStorage(), clock: () => now })
  admin = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: projectKey, name: 'Web' } }, { as: admin })
})

/** Operations of the two kinds of texts, under the same names. */
const kinds = {
  'prompt snippet': {
    base: '/api/v2/projects/web/ai-configs/prompt-snippets',
    property: 'text',
    actions: 'PromptSnippet',
    noun: 'a prompt snippet',
    specifier: 'proj/web:prompt-snippet/*',
    create: (body: object, as: As) => engine.api.createPromptSnippet({ projectKey, body: body as never }, { as }),
    get: (snippetKey: string, as: As) => engine.api.getPromptSnippet({ projectKey, snippetKey }, { as }),
    list: (page: object, as: As) => engine.api.listPromptSnippets({ projectKey, ...page }, { as }),
    patch: (snippetKey: string, body: object, as: As) =>
      engine.api.patchPromptSnippet({ projectKey, snippetKey, body }, { as }),
    remove: (snippetKey: string, as: As) => engine.api.deletePromptSnippet({ projectKey, snippetKey }, { as }),
    versions: (snippetKey: string, page: object, as: As) =>
      engine.api.listPromptSnippetVersions({ projectKey, snippetKey, ...page }, { as }),
  },
  'agent skill': {
    base: '/api/v2/projects/web/ai-configs/skills',
    property: 'markdown',
    actions: 'AgentSkill',
    noun: 'an agent skill',
    specifier: 'proj/web:agent-skill/*',
    create: (body: object, as: As) => engine.api.createAgentSkill({ projectKey, body: body as never }, { as }),
    get: (skillKey: string, as: As) => engine.api.getAgentSkill({ projectKey, skillKey }, { as }),
    list: (page: object, as: As) => engine.api.listAgentSkills({ projectKey, ...page }, { as }),
    patch: (skillKey: string, body: object, as: As) =>
      engine.api.patchAgentSkill({ projectKey, skillKey, body }, { as }),
    remove: (skillKey: string, as: As) => engine.api.deleteAgentSkill({ projectKey, skillKey }, { as }),
    versions: (skillKey: string, page: object, as: As) =>
      engine.api.listAgentSkillVersions({ projectKey, skillKey, ...page }, { as }),
  },
}

/** Returns the sorted attributes of the validation errors of a call that is rejected. */
async function errorAttributesOf(call: Promise<unknown>): Promise<string[]> {
  const { errors = [] } = await call.then(
    () => ({}) as Partial<ApiError>,
    (error: ApiError) => error,
  )
  return errors.map(({ attribute }) => attribute).sort()
}

const denied = { status: 403, code: 'forbidden' }
const missing = { status: 404, code: 'not_found' }

describe.each(Object.entries(kinds))('%s', (_, kind) => {
  const { base, property } = kind
  const body = (overrides: object = {}) => ({ key: 'tone', name: 'Tone', [property]: 'Be kind.\n', ...overrides })
  const editor = (...actions: string[]): As => {
    const allow = (actions: string[], resource: string): Statement => ({
      effect: 'allow',
      actions,
      resources: [resource],
    })
    return { policy: [allow(['viewProject'], 'proj/web'), allow(actions, kind.specifier)] }
  }

  it('is created with the exact text, as version 1', async () => {
    const created = await kind.create(body({ description: 'How to speak', tags: ['style'] }), admin)
    expect(created).toMatchObject({
      _links: { self: { href: `${base}/tone` }, parent: { href: base } },
      key: 'tone',
      name: 'Tone',
      description: 'How to speak',
      [property]: 'Be kind.\n',
      tags: ['style'],
      version: 1,
      createdAt: start,
      _access: { denied: [] },
    })
    expect(await kind.get('tone', admin)).toEqual(created)
  })

  it('responds with 409 when the key is taken', async () => {
    await kind.create(body(), admin)
    await expect(kind.create(body(), admin)).rejects.toMatchObject({
      status: 409,
      code: 'optimistic_locking_error',
      message: `There is ${kind.noun} tone already`,
    })
  })

  it('reports all validation errors at once', async () => {
    const bad = { key: 'a b', name: '', [property]: '', tags: ['a', 'a'], description: 1 }
    expect(await errorAttributesOf(kind.create(bad, admin))).toEqual(
      ['description', 'key', 'name', 'tags', property].sort(),
    )
    expect(await errorAttributesOf(kind.create({}, admin))).toEqual(['key', 'name', property].sort())
    expect(await errorAttributesOf(kind.create(body({ [property]: 'x'.repeat(100_001) }), admin))).toEqual([property])
    expect(await errorAttributesOf(kind.create(body({ maintainerId: 'nobody' }), admin))).toEqual(['maintainerId'])
  })

  it('has the given maintainer, or else its creator', async () => {
    const { items } = await engine.api.createMembers({ body: [{ email: 'ann@example.com' }] }, { as: admin })
    const maintainerId = items[0]?._id as string
    await engine.api.createTeam({ body: { key: 'growth', name: 'Growth' } }, { as: admin })
    const created = await kind.create(body({ maintainerTeamKey: 'growth' }), admin)
    expect(created._maintainer).toMatchObject({ kind: 'team', key: 'growth' })
    const changed = await kind.patch('tone', { maintainerId }, admin)
    expect(changed._maintainer).toMatchObject({ kind: 'member', email: 'ann@example.com' })
    const ownText = await kind.create(body({ key: 'own' }), { role: 'owner', memberId: maintainerId })
    expect(ownText._maintainer).toMatchObject({ kind: 'member', email: 'ann@example.com' })
  })

  it('gets a new version with each change, and keeps the earlier ones', async () => {
    await kind.create(body(), admin)
    now += 1000
    const second = await kind.patch('tone', { [property]: 'Be brief.', comment: 'shorter' }, admin)
    expect(second).toMatchObject({ version: 2, [property]: 'Be brief.', createdAt: start + 1000 })
    now += 1000
    expect(await kind.patch('tone', { [property]: 'Be brief.' }, admin)).toMatchObject({
      version: 2,
      createdAt: start + 1000,
    })
    await kind.patch('tone', { name: 'Voice', tags: ['style'] }, admin)
    const { items, totalCount } = await kind.versions('tone', {}, admin)
    expect(totalCount).toBe(3)
    expect(items).toMatchObject([
      { version: 3, name: 'Voice', tags: ['style'], [property]: 'Be brief.', createdAt: start + 2000 },
      { version: 2, name: 'Tone', tags: [], [property]: 'Be brief.', createdAt: start + 1000 },
      { version: 1, name: 'Tone', tags: [], [property]: 'Be kind.\n', createdAt: start },
    ])
    expect(await kind.versions('tone', { limit: 1, offset: 2 }, admin)).toMatchObject({ items: [{ version: 1 }] })
  })

  it('loses no change and repeats no version number when changes run concurrently', async () => {
    await kind.create(body(), admin)
    const outcomes = await Promise.allSettled(
      ['A', 'B', 'C'].map((text) => kind.patch('tone', { [property]: text }, admin)),
    )
    const succeeded = outcomes.filter(({ status }) => status === 'fulfilled').length
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409 })
    const { items } = await kind.versions('tone', {}, admin)
    expect(items.map(({ version }) => version)).toEqual(
      Array.from({ length: succeeded + 1 }, (_, i) => succeeded + 1 - i),
    )
  })

  it('rejects a change of its key', async () => {
    await kind.create(body(), admin)
    expect(await errorAttributesOf(kind.patch('tone', { key: 'other' }, admin))).toEqual(['key'])
    expect(await errorAttributesOf(kind.patch('tone', { [property]: '' }, admin))).toEqual([property])
  })

  it('is listed by key, in its newest version', async () => {
    for (const key of ['b', 'a', 'c']) await kind.create(body({ key }), admin)
    await kind.patch('a', { name: 'New' }, admin)
    const { items, totalCount } = await kind.list({ limit: 2 }, admin)
    expect(items).toMatchObject([{ key: 'a', name: 'New', version: 2 }, { key: 'b' }])
    expect(totalCount).toBe(3)
  })

  it('is deleted with its versions', async () => {
    await kind.create(body(), admin)
    await kind.patch('tone', { name: 'Voice' }, admin)
    await kind.remove('tone', admin)
    await expect(kind.get('tone', admin)).rejects.toMatchObject(missing)
    await expect(kind.versions('tone', {}, admin)).rejects.toMatchObject(missing)
    await kind.create(body(), admin)
    expect(await kind.versions('tone', {}, admin)).toMatchObject({ totalCount: 1, items: [{ version: 1 }] })
  })

  it('is readable with viewProject, and each change requires its own action', async () => {
    await expect(kind.create(body(), editor(`update${kind.actions}`))).rejects.toMatchObject(denied)
    await kind.create(body(), editor(`create${kind.actions}`))
    await expect(kind.get('tone', editor(`create${kind.actions}`))).resolves.toMatchObject({ key: 'tone' })
    await expect(kind.patch('tone', { name: 'B' }, editor(`create${kind.actions}`))).rejects.toMatchObject(denied)
    await expect(kind.patch('tone', { name: 'B' }, editor(`update${kind.actions}`))).resolves.toMatchObject({
      name: 'B',
    })
    await expect(kind.remove('tone', editor(`update${kind.actions}`))).rejects.toMatchObject(denied)
    await expect(kind.remove('tone', editor(`delete${kind.actions}`))).resolves.toBeUndefined()
    const callerWithoutRight: As = { policy: [{ effect: 'allow', actions: ['*'], resources: [kind.specifier] }] }
    await expect(kind.list({}, callerWithoutRight)).rejects.toMatchObject(denied)
    await expect(kind.get('tone', callerWithoutRight)).rejects.toMatchObject(denied)
  })
})
