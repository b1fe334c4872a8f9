import { describe, expect, it } from 'vitest'
import type { As } from '../../../index.ts'
import { allow, editor, failureOf, flagProject, start } from '../test/flag-project.ts'

const day = 24 * 60 * 60 * 1000
const json = 'application/json'

async function project() {
  const base = await flagProject()
  const { api, as } = base
  const configKeys = (key: string, environmentKey = 'production') => ({ ...base.keysOf(key), environmentKey })
  return {
    ...base,
    place: configKeys,
    status: async (key: string, environmentKey?: string) =>
      (await api.getFlagStatus(configKeys(key, environmentKey), { as })).name,
    list: (query: object = {}, caller: As = as) =>
      api.listFlagStatuses({ projectKey: 'web', environmentKey: 'production', ...query }, { as: caller }),
    across: (key: string, query: object = {}, caller: As = as) =>
      api.getFlagStatusAcrossEnvironments({ ...base.keysOf(key), ...query }, { as: caller }),
  }
}

describe('getFlagStatus', () => {
  it('returns the name, the last request and links', async () => {
    const { create, api, place: configKeys, as } = await project()
    await create('a')
    expect(await api.getFlagStatus(configKeys('a'), { as })).toEqual({
      name: 'new',
      lastRequested: null,
      _links: {
        self: { href: '/api/v2/flag-statuses/web/production/a', type: json },
        parent: { href: '/api/v2/flags/web/a', type: json },
      },
    })
  })

  it('follows the lifecycle of a flag, separately in each environment', async () => {
    const { create, instruct, status, pass } = await project()
    const { variations } = await create('a')
    expect(await status('a')).toBe('new')
    pass(day)
    await instruct('a', [{ kind: 'turnFlagOn' }])
    expect(await status('a')).toBe('active')
    expect(await status('a', 'test')).toBe('new')
    pass(7 * day)
    expect(await status('a')).toBe('launched')
    expect(await status('a', 'test')).toBe('inactive')
    const other = variations[1]?._id
    await instruct('a', [{ kind: 'addTargets', values: ['u'], variationId: other }])
    pass(7 * day)
    expect(await status('a')).toBe('active')
    await instruct('a', [{ kind: 'removeTargets', values: ['u'], variationId: other }])
    pass(7 * day)
    expect(await status('a')).toBe('launched')
    await instruct('a', [{ kind: 'turnFlagOff' }])
    expect(await status('a')).toBe('active')
    pass(7 * day)
    expect(await status('a')).toBe('inactive')
  })

  it('is launched only when all contexts get the same variation', async () => {
    const { create, instruct, status, pass } = await project()
    await create('base')
    const instructions = {
      rollout: (first: string, second: string) => ({
        kind: 'updateFallthroughVariationOrRollout',
        rolloutWeights: { [first]: 99_999, [second]: 1 },
      }),
      wholeRollout: (first: string, second: string) => ({
        kind: 'updateFallthroughVariationOrRollout',
        rolloutWeights: { [first]: 100_000, [second]: 0 },
      }),
      otherRule: (_: string, second: string) => ({ kind: 'addRule', clauses: [], variationId: second }),
      sameRule: (first: string) => ({ kind: 'addRule', clauses: [], variationId: first }),
      otherTarget: (_: string, second: string) => ({
        kind: 'addTargets',
        contextKind: 'org',
        values: ['o'],
        variationId: second,
      }),
    }
    for (const [key, instruction] of Object.entries(instructions)) {
      const [first, second] = (await create(key)).variations
      await instruct(key, [{ kind: 'turnFlagOn' }, instruction(first?._id ?? '', second?._id ?? '')])
    }
    const [baseVariation] = (await create('base2')).variations
    await create('waiting')
    await instruct('waiting', [
      { kind: 'turnFlagOn' },
      { kind: 'addPrerequisite', key: 'base2', variationId: baseVariation?._id },
    ])
    pass(7 * day)
    const statuses = Object.fromEntries(
      await Promise.all([...Object.keys(instructions), 'waiting'].map(async (key) => [key, await status(key)])),
    )
    expect(statuses).toEqual({
      rollout: 'active',
      wholeRollout: 'launched',
      otherRule: 'active',
      sameRule: 'launched',
      otherTarget: 'active',
      waiting: 'active',
    })
  })

  it('requires viewFlagStatus on the flag in the environment', async () => {
    const { create, api, place: configKeys } = await project()
    await create('a')
    const as = editor(['viewFlagStatus'], 'proj/web:env/test:flag/a')
    expect((await api.getFlagStatus(configKeys('a', 'test'), { as })).name).toBe('new')
    expect((await failureOf(api.getFlagStatus(configKeys('a'), { as }))).code).toBe('forbidden')
  })

  it('returns 404 for an unknown flag or environment', async () => {
    const { create, api, place: configKeys, as } = await project()
    await create('a')
    for (const keys of [configKeys('b'), configKeys('a', 'other'), { ...configKeys('a'), projectKey: 'other' }]) {
      expect((await failureOf(api.getFlagStatus(keys, { as }))).code).toBe('not_found')
    }
  })
})

describe('listFlagStatuses', () => {
  it('lists the statuses of all flags, by key, page by page', async () => {
    const { create, instruct, list } = await project()
    for (const key of ['c', 'a', 'b']) await create(key)
    await instruct('b', [{ kind: 'turnFlagOn' }])
    const { items, totalCount, _links } = await list({ limit: 2 })
    expect(items.map(({ name, _links }) => [_links.parent?.href, name])).toEqual([
      ['/api/v2/flags/web/a', 'new'],
      ['/api/v2/flags/web/b', 'active'],
    ])
    expect(totalCount).toBe(3)
    expect(_links.next?.href).toBe('/api/v2/flag-statuses/web/production?limit=2&offset=2')
  })

  it('omits flags whose status the caller may not view', async () => {
    const { create, list } = await project()
    for (const key of ['a', 'b']) await create(key, { tags: [key] })
    const { items } = await list({}, editor(['viewFlagStatus'], 'proj/web:env/production:flag/*;b'))
    expect(items.map(({ _links }) => _links.parent?.href)).toEqual(['/api/v2/flags/web/b'])
    const none = { policy: [allow(['viewProject'], ['proj/other'])] }
    expect((await failureOf(list({}, none))).code).toBe('forbidden')
  })
})

describe('getFlagStatusAcrossEnvironments', () => {
  it('returns the status in all environments, or in the requested ones', async () => {
    const { create, instruct, across } = await project()
    await create('a')
    await instruct('a', [{ kind: 'turnFlagOn' }], { environmentKey: 'test' })
    expect(await across('a')).toEqual({
      key: 'a',
      environments: {
        production: { name: 'new', lastRequested: null },
        test: { name: 'active', lastRequested: null },
      },
      _links: {
        self: { href: '/api/v2/flag-status/web/a', type: json },
        parent: { href: '/api/v2/flags/web/a', type: json },
      },
    })
    expect(Object.keys((await across('a', { env: 'test,other' })).environments)).toEqual(['test'])
    expect((await failureOf(across('b'))).code).toBe('not_found')
  })

  it('omits environments in which the caller may not view the status', async () => {
    const { create, across } = await project()
    await create('a')
    const { environments } = await across('a', {}, editor(['viewFlagStatus'], 'proj/web:env/test:flag/*'))
    expect(Object.keys(environments)).toEqual(['test'])
  })
})

it('the status counts its period from the creation of the flag', async () => {
  const { create, status, pass, get } = await project()
  await create('a')
  expect((await get('a')).creationDate).toBe(String(start))
  pass(7 * day - 1)
  expect(await status('a')).toBe('new')
  pass(1)
  expect(await status('a')).toBe('inactive')
})
