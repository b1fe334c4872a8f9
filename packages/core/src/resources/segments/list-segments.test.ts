import { describe, expect, it } from 'vitest'
import { allow, environmentKeys, failureOf, segmentAccount } from './test/segment-account.ts'

describe('listSegments', () => {
  async function accountWithSegments() {
    const account = await segmentAccount()
    const { create, pass } = account
    await create('c', { name: 'Alpha', tags: ['web'] })
    pass(1)
    await create('b', { name: 'Gamma', tags: ['web', 'mobile'], description: 'phones' })
    pass(1)
    await create('a', { name: 'Beta', unbounded: true })
    pass(1)
    await account.patch('c', [{ op: 'add', path: '/description', value: 'first of all' }])
    const list = async (query: object) => {
      const response = await account.api.listSegments({ ...environmentKeys, ...query }, { as: account.as })
      return response.items.map((item) => item.key)
    }
    return { ...account, list }
  }

  it.each([
    [undefined, ['c', 'a', 'b']],
    ['-name', ['b', 'a', 'c']],
    ['creationDate', ['c', 'b', 'a']],
    ['-creationDate', ['a', 'b', 'c']],
    ['lastModifiedDate', ['b', 'a', 'c']],
  ])('sorts by %s', async (sort, order) => {
    const { list } = await accountWithSegments()
    expect(await list({ sort })).toEqual(order)
  })

  it.each([
    ['query equals "PHONE"', ['b']],
    ['query equals alpha', ['c']],
    ['tags anyOf ["mobile", "none"]', ['b']],
    ['tags anyOf [web],unbounded equals false', ['c', 'b']],
    ['unbounded equals true', ['a']],
    ['external exists true', []],
    ['external exists false,query equals a', ['c', 'a', 'b']],
  ])('filters by %s', async (filter, order) => {
    const { list } = await accountWithSegments()
    expect(await list({ filter })).toEqual(order)
  })

  it('reports the column at which a filter is invalid', async () => {
    const { api, as } = await segmentAccount()
    const filter = 'tags anyOf ["a"],colour equals red'
    const failure = await failureOf(api.listSegments({ ...environmentKeys, filter }, { as }))
    expect(failure.errors).toEqual([
      {
        attribute: 'filter',
        reason:
          'column 18: must be one of query, tags, keys, includedKeys, excludedKeys, unbounded, external, type, view',
      },
    ])
  })

  it('returns pages with their links', async () => {
    const { send } = await accountWithSegments()
    const response = await send('GET', '/api/v2/segments/web/production?limit=1&offset=1&sort=-name')
    const { items, ...envelope } = JSON.parse(response.body as string)
    const pageLink = (offset: number) => ({
      href: `/api/v2/segments/web/production?sort=-name&limit=1&offset=${offset}`,
      type: 'application/json',
    })
    expect(items).toMatchObject([{ key: 'a' }])
    expect(envelope).toEqual({
      totalCount: 3,
      _links: {
        self: { href: '/api/v2/segments/web/production?limit=1&offset=1&sort=-name', type: 'application/json' },
        first: pageLink(0),
        prev: pageLink(0),
        next: pageLink(2),
        last: pageLink(2),
      },
    })
  })

  it.each([
    ['an unknown environment', { environmentKey: 'nowhere' }, 'not_found'],
    ['an unknown sort key', { sort: 'colour' }, 'invalid_request'],
    ['a limit that is too large', { limit: 101 }, 'invalid_request'],
  ])('rejects %s', async (_, query, code) => {
    const { api, as } = await segmentAccount()
    expect(await failureOf(api.listSegments({ ...environmentKeys, ...query } as never, { as }))).toMatchObject({ code })
  })

  it('returns forbidden to a caller who may not view the project', async () => {
    const { api } = await segmentAccount()
    const as = { policy: [allow(['viewProject'], ['proj/other'])] }
    expect(await failureOf(api.listSegments(environmentKeys, { as }))).toMatchObject({ code: 'forbidden' })
  })
})
