import { beforeEach, describe, expect, it } from 'vitest'
import {
  allow,
  countingStorage,
  editor,
  type InsightAccount,
  insightAccount,
  invalidAttributesOf,
  production,
  start,
} from './test/insight-account.ts'

let account: InsightAccount

beforeEach(async () => {
  account = await insightAccount()
})

const base = '/api/v2/engineering-insights/insights/groups'
const denied = { status: 403, code: 'forbidden' }
const missing = { status: 404, code: 'not_found' }

describe('an insight group', () => {
  it('is created with 201 and all properties of the specification', async () => {
    const body = { key: 'shop', name: 'Shop', ...production, applicationKeys: ['shop', 'cart'] }
    const expected = { ...body, createdAt: String(start) }
    expect(await account.send('POST', '/group', { body })).toEqual({ status: 201, body: expected })
    expect(await account.get('shop')).toEqual(expected)
  })

  it('without applicationKeys covers all applications', async () => {
    expect('applicationKeys' in (await account.create('all'))).toBe(false)
  })

  it('has a key that is unique in the account', async () => {
    await account.create('shop')
    const conflict = { status: 409, message: 'There is an insight group shop already' }
    await expect(account.create('shop')).rejects.toMatchObject(conflict)
    await expect(account.create('shop', { projectKey: 'other' })).rejects.toMatchObject(conflict)
    const outcomes = await Promise.allSettled(
      ['web', 'other', 'web'].map((projectKey) => account.create('new', { projectKey })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is deleted with its environment, and its key is free again', async () => {
    const environmentKeys = { projectKey: 'web', environmentKey: 'test' }
    await account.create('shop', environmentKeys)
    await account.api.deleteEnvironment(environmentKeys, { as: account.as })
    await expect(account.get('shop')).rejects.toMatchObject(missing)
    expect(await account.list()).toMatchObject({ items: [], totalCount: 0 })
    expect(await account.create('shop', { projectKey: 'other' })).toMatchObject({ projectKey: 'other' })
    expect(await account.get('shop')).toMatchObject({ projectKey: 'other', environmentKey: 'production' })
    await expect(account.create('shop')).rejects.toMatchObject({ status: 409 })
  })

  it('requires an existing environment', async () => {
    await expect(account.create('shop', { environmentKey: 'none' })).rejects.toMatchObject(missing)
    await expect(account.create('shop', { projectKey: 'none' })).rejects.toMatchObject(missing)
  })

  it('reports all validation errors of the body together', async () => {
    const bad = { key: '', name: '', projectKey: 'a b', applicationKeys: ['shop', 'shop'], colour: 1 }
    expect(await invalidAttributesOf(account.create('x', bad))).toEqual([
      'applicationKeys',
      'colour',
      'key',
      'name',
      'projectKey',
    ])
    await expect(account.create('x', { applicationKeys: [] })).rejects.toMatchObject({
      errors: [{ attribute: 'applicationKeys', reason: 'must contain at least 1 application; omit it for all' }],
    })
    const required = await account.send('POST', '/group', { body: {} })
    expect(required.body).toEqual({
      code: 'invalid_request',
      message: 'validation failed',
      errors: ['key', 'name', 'projectKey', 'environmentKey'].map((attribute) => ({
        attribute,
        reason: 'must be present',
      })),
    })
  })

  it('accepts JSON Patches of its name and applications only', async () => {
    await account.create('shop', { applicationKeys: ['shop'] })
    const patch = [
      { op: 'replace', path: '/name', value: 'Shop' },
      { op: 'add', path: '/applicationKeys/-', value: 'cart' },
    ]
    const changed = await account.patch('shop', patch)
    expect(changed).toMatchObject({ name: 'Shop', applicationKeys: ['shop', 'cart'] })
    expect(await account.get('shop')).toEqual(changed)
    const withoutKeys = await account.patch('shop', [{ op: 'remove', path: '/applicationKeys' }])
    expect('applicationKeys' in withoutKeys).toBe(false)
    for (const path of ['/key', '/projectKey', '/environmentKey', '/createdAt', '/version']) {
      await expect(account.patch('shop', [{ op: 'replace', path, value: 'x' }])).rejects.toMatchObject({ status: 400 })
    }
    await expect(account.patch('shop', [{ op: 'test', path: '/name', value: 'x' }])).rejects.toMatchObject({
      status: 409,
      code: 'optimistic_locking_error',
    })
    await expect(account.patch('shop', [{ op: 'replace', path: '/name', value: '' }])).rejects.toMatchObject({
      errors: [{ attribute: 'name', reason: 'must not be empty' }],
    })
  })

  it('respects If-Match', async () => {
    await account.create('shop')
    const body = [{ op: 'replace', path: '/name', value: 'Shop' }]
    expect((await account.send('PATCH', '/groups/shop', { body, headers: { 'if-match': '"7"' } })).status).toBe(409)
    expect((await account.send('DELETE', '/groups/shop', { headers: { 'if-match': '"7"' } })).status).toBe(409)
    expect((await account.send('PATCH', '/groups/shop', { body, headers: { 'if-match': '"1"' } })).status).toBe(200)
  })

  it('is not found after its deletion, and its key is free again', async () => {
    await account.create('shop')
    expect((await account.send('DELETE', '/groups/shop')).status).toBe(204)
    await expect(account.get('shop')).rejects.toMatchObject(missing)
    expect(await account.create('shop', { projectKey: 'other' })).toMatchObject({ projectKey: 'other' })
  })

  it('requires the matching action for each change', async () => {
    await expect(account.create('a', {}, editor(['proj/web'], 'updateInsightGroup'))).rejects.toMatchObject(denied)
    await expect(account.create('a', {}, editor(['proj/other'], 'createInsightGroup'))).rejects.toMatchObject(denied)
    await account.create('a', {}, editor(['proj/web'], 'createInsightGroup'))
    const rename = [{ op: 'replace', path: '/name', value: 'B' }]
    await expect(account.patch('a', rename, editor(['proj/web'], 'createInsightGroup'))).rejects.toMatchObject(denied)
    await expect(account.patch('a', rename, editor(['proj/web'], 'updateInsightGroup'))).resolves.toMatchObject({
      name: 'B',
    })
    await expect(account.remove('a', editor(['proj/web'], 'updateInsightGroup'))).rejects.toMatchObject(denied)
    await expect(account.remove('a', editor(['proj/web'], 'deleteInsightGroup'))).resolves.toBeUndefined()
  })

  it('is not found by callers who may not view its project, even with all rights to the group', async () => {
    await account.create('a')
    const otherProjectViewer = {
      policy: [allow(['viewProject'], ['proj/other']), allow(['*'], ['proj/web:env/*:insight-group/*'])],
    }
    await expect(account.get('a', {}, otherProjectViewer)).rejects.toMatchObject(missing)
    await expect(account.patch('a', [], otherProjectViewer)).rejects.toMatchObject(missing)
    await expect(account.remove('a', otherProjectViewer)).rejects.toMatchObject(missing)
  })

  it('requires the beta header', async () => {
    const response = await account.send('GET', '/groups', { headers: { 'svc-api-version': '20240415' } })
    expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })
})

describe('insight groups', () => {
  beforeEach(async () => {
    await account.create('c', { name: 'Checkout' })
    await account.create('a', { name: 'Search' })
    await account.create('b', { name: 'Checkout', projectKey: 'other' })
  })

  const keysOf = ({ items }: { items: readonly { key: string }[] }) => items.map(({ key }) => key)

  it('are listed across projects by name, in a total order', async () => {
    const ascending = keysOf(await account.list())
    expect(ascending[2]).toBe('a')
    expect(ascending.toSorted()).toEqual(['a', 'b', 'c'])
    expect(keysOf(await account.list())).toEqual(ascending)
    expect(keysOf(await account.list({ sort: '-name' }))[0]).toBe('a')
    const pages = [0, 1, 2].map((offset) => account.list({ limit: 1, offset }))
    expect((await Promise.all(pages)).flatMap(keysOf)).toEqual(ascending)
  })

  it('are searched by a part of their name, case-insensitively', async () => {
    expect(keysOf(await account.list({ query: 'cHeck' })).toSorted()).toEqual(['b', 'c'])
    expect(await account.list({ query: '%' })).toMatchObject({ items: [], totalCount: 0 })
    await expect(account.list({ query: '\u0000' })).rejects.toMatchObject({ status: 400 })
  })

  it('are listed in pages of at most twenty, with links that keep the query', async () => {
    const { body } = await account.send('GET', '/groups', { query: 'limit=1&offset=1&sort=name&query=c' })
    const pageLink = (offset: number) => ({
      href: `${base}?sort=name&query=c&limit=1&offset=${offset}`,
      type: 'application/json',
    })
    expect(body.totalCount).toBe(3)
    expect(body._links).toEqual({
      self: { href: `${base}?limit=1&offset=1&sort=name&query=c`, type: 'application/json' },
      first: pageLink(0),
      prev: pageLink(0),
      next: pageLink(2),
      last: pageLink(2),
    })
    for (const limit of [0, 21]) {
      await expect(account.list({ limit })).rejects.toMatchObject({
        status: 400,
        message: expect.stringMatching(/^validation failed: limit must be at/),
        errors: [{ attribute: 'limit' }],
      })
    }
    expect(await account.list({ limit: 20 })).toMatchObject({ totalCount: 3 })
  })

  it('are listed in pages of twenty by default', async () => {
    for (let i = 0; i < 20; i++) await account.create(`more-${i}`)
    expect(await account.list()).toMatchObject({ totalCount: 23, items: { length: 20 } })
  })

  it('reject all invalid parameters together', async () => {
    const query = 'limit=x&offset=-1&sort=createdAt&expand=secrets'
    const { status, body } = await account.send('GET', '/groups', { query })
    expect(status).toBe(400)
    const errors = body.errors as { attribute: string; reason: string }[]
    expect(errors.map(({ attribute }) => attribute).sort()).toEqual(['expand.0', 'limit', 'offset', 'sort'])
    expect(errors.find(({ attribute }) => attribute === 'sort')?.reason).toBe(
      'must be one of name, with "-" before it for descending',
    )
  })

  it('in projects that the caller may not view are neither listed nor counted', async () => {
    expect(await account.list({}, editor(['proj/other']))).toMatchObject({ items: [{ key: 'b' }], totalCount: 1 })
    const all = await account.list({ expand: 'metadata' }, editor(['proj/other']))
    expect(all.metadata?.countByIndicator.total).toBe(1)
    expect(await account.list({ expand: 'metadata,scores' }, editor(['proj/none']))).toMatchObject({
      items: [],
      totalCount: 0,
      metadata: { countByIndicator: { total: 0 } },
    })
  })

  it('contain only the default properties without expand', async () => {
    const response = await account.list()
    expect(Object.keys(response).sort()).toEqual(['_links', 'items', 'totalCount'])
    for (const item of response.items) {
      expect(Object.keys(item).sort()).toEqual(['createdAt', 'environmentKey', 'key', 'name', 'projectKey'])
    }
  })

  it('contain their environment as getEnvironment returns it, with keys only for callers who may view them', async () => {
    const { items } = await account.list({ expand: 'environment', query: 'Search' })
    const full = await account.api.getEnvironment(production, { as: account.as })
    expect(items[0]?.environment).toEqual(full)
    const viewer = editor(['proj/web'])
    const viewed = await account.list({ expand: 'environment', query: 'Search' }, viewer)
    expect(viewed.items[0]?.environment).toEqual(await account.api.getEnvironment(production, { as: viewer }))
    expect(JSON.stringify(viewed)).not.toContain(full.apiKey)
    expect(JSON.stringify(viewed)).not.toContain(full.mobileKey)
    expect(await account.get('a', { expand: 'environment' }, viewer)).toEqual(viewed.items[0])
  })

  it('are counted by indicator over all matches, not only the page', async () => {
    const { metadata, items } = await account.list({ expand: 'metadata', limit: 1 })
    expect(items).toHaveLength(1)
    expect(metadata?.countByIndicator).toEqual({
      excellent: 0,
      good: 0,
      fair: 0,
      needsAttention: 0,
      notCalculated: 0,
      unknown: 3,
      total: 3,
    })
    const searched = await account.list({ expand: 'metadata', query: 'Search' })
    expect(searched.metadata?.countByIndicator.total).toBe(1)
    expect(searched.items[0] && 'scores' in searched.items[0]).toBe(false)
  })
})

it('a page of groups needs few storage queries', async () => {
  const { storage, asked: queries } = countingStorage()
  const insights = await insightAccount(storage)
  for (let i = 0; i < 30; i++) await insights.create(`g${i}`, { environmentKey: i % 2 ? 'production' : 'test' })
  const costOf = async (query: object) => {
    queries.length = 0
    await insights.list(query)
    return queries.filter((method) => method !== 'commit').toSorted()
  }
  const plainQueries = await costOf({})
  // Three queries: for the caller, for the projects, and for the page.
  expect(plainQueries.length).toBeLessThanOrEqual(3)
  expect(await costOf({ expand: 'environment' })).toHaveLength(plainQueries.length + 1)
  const queriesWithScores = await costOf({ expand: 'scores' })
  // Twenty groups are in two environments of one project: each is read once, with its deployments, lead times, releases
  // and experiments. No flag is temporary, so no configurations are read.
  const scoreQueries = queriesWithScores.filter((method) => method === 'scan' || method === 'list')
  expect(scoreQueries.length - plainQueries.filter((method) => method === 'list').length).toBe(2 * 4 + 1)
})
