import { describe, expect, it } from 'vitest'
import { aiProject, allow, failureOf, validationErrorsOf } from './test/ai-project.ts'

/** Creates configs one after the other and updates them in another order. */
async function withConfigs() {
  const project = await aiProject()
  const { api, as, create, patch, pass } = project
  await api.createTeam({ body: { key: 'ml', name: 'ML' } }, { as })
  await create('beta', { name: 'Chat', tags: ['shop', 'new'], mode: 'agent', maintainerTeamKey: 'ml' })
  pass(1)
  await create('alpha', { name: 'Search', tags: ['shop'], mode: 'judge' })
  pass(1)
  await create('gamma', { name: 'Chat', tags: [] })
  pass(1)
  await patch('alpha', { description: 'changed' })
  const keys = async (query: object) => (await project.list(query)).items.map(({ key }) => key)
  return { ...project, keys }
}

describe('listAIConfigs', () => {
  it('returns each config with its variations, as getAIConfig does', async () => {
    const { list, get, addVariation } = await withConfigs()
    await addVariation('beta', 'a')
    await addVariation('beta', 'b')
    await addVariation('gamma', 'a')
    const { items, totalCount, _links } = await list()
    expect(items).toEqual(await Promise.all(['beta', 'gamma', 'alpha'].map(get)))
    expect(totalCount).toBe(3)
    expect(Object.keys(_links)).toEqual(['self'])
  })

  it.each([
    ['key', ['alpha', 'beta', 'gamma']],
    ['-key', ['gamma', 'beta', 'alpha']],
    ['name', ['beta', 'gamma', 'alpha']],
    ['-name', ['alpha', 'beta', 'gamma']],
    ['createdAt', ['beta', 'alpha', 'gamma']],
    ['-createdAt', ['gamma', 'alpha', 'beta']],
    ['updatedAt', ['beta', 'gamma', 'alpha']],
    ['-updatedAt', ['alpha', 'gamma', 'beta']],
  ])('sorts by %s, then by key', async (sort, expected) => {
    expect(await (await withConfigs()).keys({ sort })).toEqual(expected)
  })

  it.each([
    ['key:alpha', ['alpha']],
    ['key:alph', []],
    ['name:Chat', ['beta', 'gamma']],
    ['name:chat', []],
    ['tags:shop', ['beta', 'alpha']],
    ['tags:shop+new', ['beta']],
    ['tags:shop,tags:new', ['beta']],
    ['mode:completion', ['gamma']],
    ['mode:agent+judge', ['beta', 'alpha']],
    ['maintainerTeamKey:ml', ['beta']],
    ['query:CHA', ['beta', 'gamma']],
    ['query:amm', ['gamma']],
    ['tags:shop,mode:judge', ['alpha']],
    ['key:alpha+gamma', ['gamma', 'alpha']],
    ['name:"Chat" , query:bet', ['beta']],
    ['tags:none', []],
    ['', ['beta', 'gamma', 'alpha']],
  ])('filters by %s', async (filter, expected) => {
    expect(await (await withConfigs()).keys({ filter })).toEqual(expected)
  })

  it('filters by the maintaining member', async () => {
    const { keys, memberId } = await withConfigs()
    expect(await keys({ filter: `maintainerId:${memberId}` })).toEqual(['gamma', 'alpha'])
  })

  it.each([
    ['colour:red', 'column 1: must be one of query, key, name, tags, mode, maintainerId, maintainerTeamKey'],
    ['key:a,constructor:x', 'column 7: must be one of query, key, name, tags, mode, maintainerId, maintainerTeamKey'],
    ['__proto__:x', 'column 1: must be the name of a field'],
    ['mode:agent+chat', 'column 12: must be one of agent, completion, judge'],
    ['key:', 'column 5: must be a value'],
    ['key', 'column 4: must be ":"'],
  ])('rejects the filter %s', async (filter, reason) => {
    const { list } = await aiProject()
    expect(await validationErrorsOf(list({ filter }))).toEqual([{ attribute: 'filter', reason }])
  })

  it('reports all validation errors of a query together', async () => {
    const { list } = await aiProject()
    const validationErrors = await validationErrorsOf(
      list({ limit: '101', offset: '-1', sort: 'mode', filter: 'a:b,mode:c' }),
    )
    expect(validationErrors.map(({ attribute }) => attribute)).toEqual(['limit', 'offset', 'sort', 'filter', 'filter'])
  })

  it('keeps the query in the links to pages', async () => {
    const { list } = await withConfigs()
    const page = await list({ limit: 1, offset: 1, sort: 'key' })
    expect(page).toMatchObject({ items: [{ key: 'beta' }], totalCount: 3 })
    const { send } = await withConfigs()
    const path = '/api/v2/projects/web/ai-configs?sort=key&filter=tags%3Ashop&limit=1'
    const { _links, totalCount } = JSON.parse((await send('GET', path)).body ?? '')
    expect(totalCount).toBe(2)
    const next = '/api/v2/projects/web/ai-configs?sort=key&filter=tags%3Ashop&limit=1&offset=1'
    expect(_links).toEqual({
      self: { href: path, type: 'application/json' },
      next: { href: next, type: 'application/json' },
      last: { href: next, type: 'application/json' },
    })
    expect(JSON.parse((await send('GET', next)).body ?? '').items).toMatchObject([{ key: 'beta' }])
  })

  it('returns 20 configs by default', async () => {
    const { create, list } = await aiProject()
    for (let i = 0; i < 21; i++) await create(`c${i}`)
    const { items, totalCount } = await list()
    expect([items.length, totalCount]).toEqual([20, 21])
  })

  it('requires viewProject', async () => {
    const { api, as } = await withConfigs()
    const callerWithoutView = { policy: [allow(['*'], ['proj/*:aiconfig/*'])] }
    expect(await failureOf(api.listAIConfigs({ projectKey: 'web' }, { as: callerWithoutView }))).toMatchObject({
      code: 'forbidden',
    })
    expect(await failureOf(api.listAIConfigs({ projectKey: 'none' }, { as }))).toMatchObject({ code: 'not_found' })
  })
})
