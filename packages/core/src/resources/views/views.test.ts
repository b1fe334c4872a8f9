import { describe, expect, it } from 'vitest'
import { allow, checkout, editor, failureOf, start, viewAccount } from './test/view-account.ts'

const { projectKey } = checkout

describe('a view', () => {
  it('is returned with every property', async () => {
    const { api, as, newView, memberId, project, pass } = await viewAccount()
    pass(1_000)
    const created = await newView('cart', { name: 'Cart', description: 'What is not paid yet', tags: ['shop'] })
    const { _access, id, ...body } = await api.getView({ projectKey, viewKey: 'cart' }, { as })
    expect(body).toEqual({
      _links: {
        self: { href: '/api/v2/projects/web/views/cart', type: 'application/json' },
        parent: { href: '/api/v2/projects/web/views', type: 'application/json' },
      },
      accountId: 'acme',
      projectId: project._id,
      projectKey: 'web',
      key: 'cart',
      name: 'Cart',
      description: 'What is not paid yet',
      version: 1,
      tags: ['shop'],
      createdAt: String(start + 1_000),
      updatedAt: String(start + 1_000),
      archived: false,
      deleted: false,
      maintainer: {
        kind: 'member',
        id: memberId,
        maintainerMember: { id: memberId, email: expect.any(String), role: 'owner', firstName: '', lastName: '' },
      },
      _affectsSdkPayload: false,
      generateSdkKeys: false,
    })
    expect(id).toBe(created.id)
    expect(_access.denied).toEqual([])
    expect(_access.allowed.map(({ action }) => action)).toContain('linkFlagToView')
  })

  it('is created with 201 and an ETag', async () => {
    const { send } = await viewAccount()
    const body = { key: 'cart', name: 'Cart' }
    const created = await send('POST', '/api/v2/projects/web/views', { body })
    expect(created).toMatchObject({ status: 201, headers: { etag: '"1"' } })
    expect(JSON.parse(created.body as string)).toMatchObject({ key: 'cart', description: '', tags: [] })
  })

  it('is maintained by a team, by the member who created it, or by neither', async () => {
    const { api, as, newView } = await viewAccount()
    await api.createTeam({ body: { key: 'growth', name: 'Growth' } }, { as })
    const { maintainer } = await newView('cart', { maintainerTeamKey: 'growth' })
    expect(maintainer).toEqual({
      kind: 'team',
      id: 'growth',
      maintainerTeam: { id: 'growth', key: 'growth', name: 'Growth' },
    })
    expect((await newView('mine')).maintainer).toMatchObject({ kind: 'member' })
    expect(Object.keys(await newView('nobodys', {}, editor('createView')))).not.toContain('maintainer')
  })

  it('has no maintainer after the team was deleted with its references', async () => {
    const { api, as, newView } = await viewAccount()
    await api.createTeam({ body: { key: 'growth', name: 'Growth' } }, { as })
    await newView('cart', { maintainerTeamKey: 'growth' })
    await api.deleteTeam({ teamKey: 'growth', detach: true }, { as })
    expect(await api.getView({ projectKey, viewKey: 'cart' }, { as })).not.toHaveProperty('maintainer')
  })

  it.each<[string, object, string, string]>([
    ['an uppercase letter in its key', { key: 'Cart' }, 'key', 'must be lowercase'],
    ['no name', { name: undefined }, 'name', 'must be present'],
    ['an unknown property', { maintainerId: 'nobody' }, 'maintainerId', 'must be the id of a member'],
    ['an unknown team', { maintainerTeamKey: 'none' }, 'maintainerTeamKey', 'must be the key of a team'],
    ['an unknown property', { color: 'red' }, 'color', 'is not a known member'],
    ['repeated tags', { tags: ['a', 'a'] }, 'tags', 'must not repeat a tag'],
  ])('is rejected with %s', async (_, overrides, attribute, reason) => {
    const { api, as } = await viewAccount()
    const body = { key: 'cart', name: 'Cart', ...overrides }
    const failure = await failureOf(api.createView({ projectKey, body } as never, { as }))
    expect(failure).toEqual({
      code: 'invalid_request',
      message: 'validation failed',
      errors: expect.arrayContaining([{ attribute, reason: expect.stringContaining(reason) }]),
    })
  })

  it('is rejected when it has two maintainers, and the response lists all errors', async () => {
    const { newView } = await viewAccount()
    const failure = await failureOf(newView('cart', { maintainerId: 'nobody', maintainerTeamKey: 'none' }))
    expect(failure.errors).toEqual([
      { attribute: 'maintainerTeamKey', reason: 'must be left out when maintainerId is given' },
      { attribute: 'maintainerId', reason: 'must be the id of a member' },
      { attribute: 'maintainerTeamKey', reason: 'must be the key of a team' },
    ])
  })

  it('has a unique key in its project', async () => {
    const { newView, api, as } = await viewAccount()
    expect(await failureOf(newView('checkout'))).toEqual({
      code: 'optimistic_locking_error',
      message: 'There is a view checkout already',
    })
    await api.createProject({ body: { key: 'app', name: 'App' } }, { as })
    const other = await api.createView({ projectKey: 'app', body: { key: 'checkout', name: 'C' } }, { as })
    expect(other.projectKey).toBe('app')
    const rejected = api.createView({ projectKey: 'none', body: { key: 'x', name: 'X' } }, { as })
    expect(await failureOf(rejected)).toMatchObject({ code: 'not_found' })
  })

  it('is created once by concurrent calls', async () => {
    const { newView } = await viewAccount()
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => newView('cart')))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('patchView', () => {
  it('changes the given properties, and records the comment in the change log', async () => {
    const { api, as, pass } = await viewAccount()
    pass(5_000)
    const changed = await api.patchView(
      { ...checkout, body: { description: 'All that is paid', tags: ['shop'], archived: true, comment: 'because' } },
      { as },
    )
    expect(changed).toMatchObject({
      name: 'Checkout',
      description: 'All that is paid',
      tags: ['shop'],
      archived: true,
      version: 2,
      createdAt: String(start),
      updatedAt: String(start + 5_000),
    })
    const { items } = await api.listChangeLog({ limit: 1 }, { as })
    expect(items[0]).toMatchObject({
      kind: 'view',
      name: 'Checkout',
      comment: 'because',
      accesses: [{ action: 'updateView', resource: 'proj/web:view/checkout' }],
    })
  })

  it('replaces one maintainer by another', async () => {
    const { api, as, memberId } = await viewAccount()
    await api.createTeam({ body: { key: 'growth', name: 'Growth' } }, { as })
    const patch = (body: object) => api.patchView({ ...checkout, body }, { as })
    expect((await patch({ maintainerTeamKey: 'growth' })).maintainer).toMatchObject({ kind: 'team', id: 'growth' })
    expect((await patch({ maintainerId: memberId })).maintainer).toMatchObject({ kind: 'member', id: memberId })
    expect(await failureOf(patch({ maintainerId: 'nobody' }))).toMatchObject({
      errors: [{ attribute: 'maintainerId', reason: 'must be the id of a member' }],
    })
  })

  it('changes nothing when the view already has the requested values', async () => {
    const { api, as, pass, view } = await viewAccount()
    pass(5_000)
    expect(await api.patchView({ ...checkout, body: { name: 'Checkout' } }, { as })).toMatchObject({
      version: view.version,
      updatedAt: String(start),
    })
  })

  it('rejects unknown properties, another revision, and all but one of concurrent calls', async () => {
    const { api, as, send } = await viewAccount()
    const failure = await failureOf(api.patchView({ ...checkout, body: { key: 'other', name: '' } } as never, { as }))
    expect(failure.errors).toEqual([
      { attribute: 'name', reason: 'must not be empty' },
      { attribute: 'key', reason: 'is not a known member' },
    ])
    const path = '/api/v2/projects/web/views/checkout'
    expect(await send('PATCH', path, { body: { name: 'Other' }, 'if-match': '"7"' })).toMatchObject({ status: 409 })
    const names = ['A', 'B', 'C']
    const results = await Promise.allSettled(
      names.map((name) => api.patchView({ ...checkout, body: { name } }, { as })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('listViews', () => {
  async function accountWithViews() {
    const account = await viewAccount()
    for (const [key, overrides] of [
      ['a', { name: 'Zoo', tags: ['x', 'y'] }],
      ['b', { name: 'Yard', description: 'All the ANIMALS', tags: ['x'] }],
    ] as const) {
      account.pass(1_000)
      await account.newView(key, overrides)
    }
    const list = async (query: object = {}, as = account.as) =>
      (await account.api.listViews({ projectKey, ...query }, { as })).items.map(({ key }) => key)
    return { ...account, list }
  }

  it.each([
    [undefined, ['a', 'b', 'checkout']],
    ['-key', ['checkout', 'b', 'a']],
    ['name', ['checkout', 'b', 'a']],
    ['createdAt', ['checkout', 'a', 'b']],
    ['-updatedAt', ['b', 'a', 'checkout']],
  ])('sorts by %s', async (sort, order) => {
    const { list } = await accountWithViews()
    expect(await list({ sort })).toEqual(order)
  })

  it.each([
    ['query:animals', ['b']],
    ['key:a+checkout', ['a', 'checkout']],
    ['name:Zoo', ['a']],
    ['tags:x+y', ['a']],
    ['archived:true', []],
    ['archived:false,tags:x', ['a', 'b']],
    ['maintainerId:nobody', []],
  ])('filters by %s', async (filter, order) => {
    const { list } = await accountWithViews()
    expect(await list({ filter })).toEqual(order)
  })

  it('reports every unknown field with its column', async () => {
    const { list } = await accountWithViews()
    expect(await failureOf(list({ filter: 'tags:x,colour:red,shape:round' }))).toMatchObject({
      errors: [
        {
          attribute: 'filter',
          reason: 'column 8: must be one of query, key, name, tags, maintainerId, maintainerTeamKey, archived',
        },
        { attribute: 'filter', reason: expect.stringMatching(/^column 19: /) },
      ],
    })
  })

  it('returns pages of views that the caller may view, and counts no other views', async () => {
    const { api, list } = await accountWithViews()
    const as = { policy: [allow(['viewProject'], 'proj/*'), allow(['viewView'], 'proj/web:view/a', 'proj/web:view/b')] }
    expect(await list({}, as as never)).toEqual(['a', 'b'])
    const page = await api.listViews({ projectKey, limit: 1 }, { as })
    expect(page).toMatchObject({ totalCount: 2, items: [{ key: 'a' }] })
    expect(Object.keys(page._links)).toEqual(['self', 'next', 'last'])
  })
})

describe('permissions', () => {
  it('are checked separately for each operation', async () => {
    const { api } = await viewAccount()
    const calls = (as: ReturnType<typeof editor>) => ({
      viewView: () => api.getView(checkout, { as }),
      createView: () => api.createView({ projectKey, body: { key: 'cart', name: 'Cart' } }, { as }),
      deleteView: () => api.deleteView(checkout, { as }),
    })
    for (const action of ['viewView', 'createView', 'deleteView'] as const) {
      const others = ['viewView', 'createView', 'updateView', 'deleteView'].filter((other) => other !== action)
      expect(await failureOf(calls(editor(...others))[action]())).toMatchObject({ code: 'forbidden' })
      await calls(editor(action))[action]()
    }
  })

  it('an update requires the right to view the view', async () => {
    const { api } = await viewAccount()
    const patch = (as: ReturnType<typeof editor>) => api.patchView({ ...checkout, body: { name: 'N' } }, { as })
    expect(await failureOf(patch(editor('updateView')))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(patch(editor('viewView')))).toMatchObject({ code: 'forbidden' })
    expect(await patch(editor('viewView', 'updateView'))).toMatchObject({ name: 'N' })
  })
})
