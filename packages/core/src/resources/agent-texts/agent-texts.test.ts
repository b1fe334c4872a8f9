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
    create: (body: object, as: As, projectKey = 'web') =>
      engine.api.createPromptSnippet({ projectKey, body: body as never }, { as }),
    get: (snippetKey: string, as: As) => engine.api.getPromptSnippet({ projectKey, snippetKey }, { as }),
    list: (page: object, as: As) => engine.api.listPromptSnippets({ projectKey, ...page }, { as }),
    patch: (snippetKey: string, body: object, as: As) =>
      engine.api.patchPromptSnippet({ projectKey, snippetKey, body }, { as }),
    remove: (snippetKey: string, as: As) => engine.api.deletePromptSnippet({ projectKey, snippetKey }, { as }),
    versions: (snippetKey: string, page: object, as: As) =>
      engine.api.listPromptSnippetVersions({ projectKey, snippetKey, ...page }, { as }),
    references: (snippetKey: string, page: object, as: As) =>
      engine.api.listPromptSnippetReferences({ projectKey, snippetKey, ...page }, { as }),
    resourceType: 'prompt-snippet',
    /** A variation that refers to a version of the text. */
    using: (key: string, version: number) => ({ messages: [{ role: 'user', content: `Hi {{> ${key}@${version} }}` }] }),
  },
  'agent skill': {
    base: '/api/v2/projects/web/ai-configs/skills',
    property: 'markdown',
    actions: 'AgentSkill',
    noun: 'an agent skill',
    specifier: 'proj/web:agent-skill/*',
    create: (body: object, as: As, projectKey = 'web') =>
      engine.api.createAgentSkill({ projectKey, body: body as never }, { as }),
    get: (skillKey: string, as: As) => engine.api.getAgentSkill({ projectKey, skillKey }, { as }),
    list: (page: object, as: As) => engine.api.listAgentSkills({ projectKey, ...page }, { as }),
    patch: (skillKey: string, body: object, as: As) =>
      engine.api.patchAgentSkill({ projectKey, skillKey, body }, { as }),
    remove: (skillKey: string, as: As) => engine.api.deleteAgentSkill({ projectKey, skillKey }, { as }),
    versions: (skillKey: string, page: object, as: As) =>
      engine.api.listAgentSkillVersions({ projectKey, skillKey, ...page }, { as }),
    references: (skillKey: string, page: object, as: As) =>
      engine.api.listAgentSkillReferences({ projectKey, skillKey, ...page }, { as }),
    resourceType: 'agent-skill',
    using: (key: string, version: number) => ({ skills: [{ key, version }] }),
  },
}

/** Creates an AI config with one variation, and returns the variation. */
async function createConfig(key: string, variation: { readonly name: string; readonly [property: string]: unknown }) {
  const defaultVariation = { key: 'plain', ...variation }
  const body = { key, name: `Config ${key}`, defaultVariation } as never
  const { variations } = await engine.api.createAIConfig({ projectKey, body }, { as: admin })
  return variations[0] as (typeof variations)[number]
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

  it('reports all validation errors together', async () => {
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
    await expect(kind.references('tone', {}, editor(`create${kind.actions}`))).resolves.toMatchObject({ items: [] })
    await expect(kind.patch('tone', { name: 'B' }, editor(`create${kind.actions}`))).rejects.toMatchObject(denied)
    await expect(kind.patch('tone', { name: 'B' }, editor(`update${kind.actions}`))).resolves.toMatchObject({
      name: 'B',
    })
    await expect(kind.remove('tone', editor(`update${kind.actions}`))).rejects.toMatchObject(denied)
    await expect(kind.remove('tone', editor(`delete${kind.actions}`))).resolves.toBeUndefined()
    const callerWithoutRight: As = { policy: [{ effect: 'allow', actions: ['*'], resources: [kind.specifier] }] }
    await expect(kind.list({}, callerWithoutRight)).rejects.toMatchObject(denied)
    await expect(kind.get('tone', callerWithoutRight)).rejects.toMatchObject(denied)
    await expect(kind.references('tone', {}, callerWithoutRight)).rejects.toMatchObject(denied)
  })

  it('lists the variations of its project that refer to it, with the version of each', async () => {
    await kind.create(body(), admin)
    await kind.create(body({ key: 'other' }), admin)
    await kind.patch('tone', { [property]: 'Be brief.' }, admin)
    const nothing = { resourceKey: 'tone', resourceType: kind.resourceType, items: [], totalCount: 0 }
    expect(await kind.references('tone', {}, admin)).toMatchObject(nothing)
    const { _id } = await createConfig('chat', { name: 'Chat', ...kind.using('tone', 1) })
    await createConfig('search', { name: 'Search', ...kind.using('tone', 2) })
    await createConfig('sum', { name: 'Sum', ...kind.using('other', 1) })
    const references = await kind.references('tone', {}, admin)
    expect(references).toMatchObject({ resourceKey: 'tone', resourceType: kind.resourceType, totalCount: 2 })
    expect(references.items).toEqual([
      {
        aiConfigKey: 'chat',
        aiConfigName: 'Config chat',
        variationId: _id,
        variationKey: 'plain',
        variationName: 'Chat',
        resourceVersion: 1,
      },
      expect.objectContaining({ aiConfigKey: 'search', aiConfigName: 'Config search', resourceVersion: 2 }),
    ])
    const second = await kind.references('tone', { limit: 1, offset: 1 }, admin)
    expect(second).toMatchObject({ items: [{ aiConfigKey: 'search' }], totalCount: 2 })
    expect(second._links.prev?.href).toBe(`${base}/tone/references?limit=1&offset=0`)
    await expect(kind.references('none', {}, admin)).rejects.toMatchObject(missing)
  })

  it('does not list variations that no longer refer to it, or variations of another project', async () => {
    await kind.create(body(), admin)
    await createConfig('chat', { name: 'Chat', ...kind.using('tone', 1) })
    await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as: admin })
    await kind.create(body(), admin, 'shop')
    expect(await kind.references('tone', { projectKey: 'shop' }, admin)).toMatchObject({ items: [], totalCount: 0 })
    const params = { projectKey, configKey: 'chat', variationKey: 'plain' }
    await engine.api.patchAIConfigVariation({ ...params, body: { skills: [], messages: [] } }, { as: admin })
    expect(await kind.references('tone', {}, admin)).toMatchObject({ items: [], totalCount: 0 })
  })
})

it('a reference to the newest version of a prompt snippet shows the current version, and only the first of several references to a snippet counts', async () => {
  const { create, patch, references } = kinds['prompt snippet']
  for (const key of ['tone', 'voice']) await create({ key, name: key, text: 'Be kind.' }, admin)
  await createConfig('chat', { name: 'Chat', messages: [{ role: 'user', content: '{{> voice@1 }} {{> tone }}' }] })
  const twice = '{{> voice }}{{> tone@1 }}{{> tone@2 }}'
  await patch('tone', { text: 'Be brief.' }, admin)
  await createConfig('search', { name: 'Search', messages: [{ role: 'user', content: twice }] })
  const { items } = await references('tone', {}, admin)
  expect(items).toMatchObject([
    { aiConfigKey: 'chat', resourceVersion: 2 },
    { aiConfigKey: 'search', resourceVersion: 1 },
  ])
})
