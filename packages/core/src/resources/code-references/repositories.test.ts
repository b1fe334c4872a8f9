import { beforeEach, describe, expect, it } from 'vitest'
import type { ApiError, CallOptions } from '../../index.ts'
import {
  admin,
  allow,
  asPolicy,
  base,
  bodyOf,
  now,
  type ReferenceAccount,
  referenceAccount,
  references,
} from './test/reference-account.ts'

let account: ReferenceAccount

beforeEach(async () => {
  account = await referenceAccount()
})

describe('a repository', () => {
  it('is created with the properties of the request and defaults for omitted ones', async () => {
    const response = await account.send('POST', `${base}/repositories`, {
      name: 'acme/shop',
      type: 'github',
      sourceLink: 'https://x.test/shop',
    })
    expect(response.status).toBe(201)
    expect(response.headers.etag).toBe('"1"')
    const { _access, ...body } = bodyOf(response)
    expect(body).toEqual({
      _links: {
        self: { href: `${base}/repositories/acme%2Fshop`, type: 'application/json' },
        parent: { href: `${base}/repositories`, type: 'application/json' },
        branches: { href: `${base}/repositories/acme%2Fshop/branches`, type: 'application/json' },
      },
      name: 'acme/shop',
      type: 'github',
      sourceLink: 'https://x.test/shop',
      commitUrlTemplate: '',
      hunkUrlTemplate: '',
      defaultBranch: 'main',
      enabled: true,
      version: 1,
    })
    expect(_access.allowed.map((entry: { action: string }) => entry.action)).toContain(
      'updateCodeReferenceRepositoryOn',
    )
    expect(bodyOf(await account.send('GET', `${base}/repositories/acme%2Fshop`))).toEqual({ _access, ...body })
  })

  it.each([
    [{}, 'name'],
    [{ name: '*' }, 'name'],
    [{ name: '/shop' }, 'name'],
    [{ name: 'shop', type: 'svn' }, 'type'],
    [{ name: 'shop', sourceLink: 'javascript:alert(1)' }, 'sourceLink'],
    [{ name: 'shop', commitUrlTemplate: 'commit' }, 'commitUrlTemplate'],
    [{ name: 'shop', hunkUrlTemplate: 'ftp://x' }, 'hunkUrlTemplate'],
    [{ name: 'shop', defaultBranch: '' }, 'defaultBranch'],
    [{ name: 'shop', enabled: 'yes' }, 'enabled'],
    [{ name: 'shop', projectKeys: [] }, 'projectKeys'],
  ])('is not created from %j', async (body, attribute) => {
    const response = await account.send('POST', `${base}/repositories`, body)
    expect(response.status).toBe(400)
    expect(bodyOf(response)).toMatchObject({ code: 'invalid_request', errors: [{ attribute }] })
  })

  it('is listed with its branches, and on request with the references on its default branch', async () => {
    await account.create('shop')
    await account.put({ repo: 'shop', branch: 'main' }, references)
    await account.put({ repo: 'shop', branch: 'next' }, references)
    const branchesWith = async (query: string) => {
      const { items } = bodyOf(await account.send('GET', `${base}/repositories${query}`))
      return items[0].branches?.map(({ name, references }: { name: string; references?: unknown[] }) => [
        name,
        references?.length,
      ])
    }
    expect(await branchesWith('')).toBeUndefined()
    expect(await branchesWith('?projKey=web')).toBeUndefined()
    expect(await branchesWith('?withBranches=1')).toEqual([
      ['main', undefined],
      ['next', undefined],
    ])
    const withReferences = (count: number) => [
      ['main', count],
      ['next', undefined],
    ]
    expect(await branchesWith('?withReferencesForDefaultBranch=1')).toEqual(withReferences(2))
    expect(await branchesWith('?flagKey=b')).toEqual(withReferences(1))
    expect(await branchesWith('?withReferencesForDefaultBranch=1&projKey=mobile')).toEqual(withReferences(1))
  })

  it('responds with 409 when the name is taken', async () => {
    await account.create('shop')
    await expect(account.create('shop')).rejects.toMatchObject({
      code: 'optimistic_locking_error',
      message: 'There is a code reference repository shop already',
    })
  })

  it('is listed by name to callers who may view it', async () => {
    for (const name of ['c', 'a', 'b']) await account.create(name)
    const all = await account.engine.api.listRepositories({ limit: 2 }, admin)
    expect(all).toMatchObject({ totalCount: 3, _links: { next: { href: `${base}/repositories?limit=2&offset=2` } } })
    expect(all.items.map((repository) => repository.name)).toEqual(['a', 'b'])
    const visiblePage = await account.engine.api.listRepositories(
      {},
      asPolicy(allow(['viewCodeReferenceRepository'], 'code-reference-repository/b')),
    )
    expect(visiblePage).toMatchObject({ totalCount: 1, items: [{ name: 'b' }] })
  })

  it('requires the matching action for each patched property', async () => {
    await account.create('shop')
    const change = (body: { op: string; path: string; value?: unknown }[], as: CallOptions = admin) =>
      account.engine.api.patchRepository({ repo: 'shop', body }, as)
    const callerMayConfigure = asPolicy(
      allow(
        ['viewCodeReferenceRepository', 'updateCodeReferenceRepositoryConfiguration'],
        'code-reference-repository/shop',
      ),
    )
    const callerMaySwitch = asPolicy(
      allow(['viewCodeReferenceRepository', 'updateCodeReferenceRepositoryOn'], 'code-reference-repository/shop'),
    )
    const link = { op: 'add', path: '/sourceLink', value: 'https://x.test' }
    const off = { op: 'replace', path: '/enabled', value: false }
    expect(await change([link], callerMayConfigure)).toMatchObject({ sourceLink: 'https://x.test', version: 2 })
    expect(await change([off], callerMaySwitch)).toMatchObject({ enabled: false, version: 3 })
    await expect(change([link, { ...off, value: true }], callerMayConfigure)).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await change([{ op: 'remove', path: '/sourceLink' }])).toMatchObject({ sourceLink: '', enabled: false })
    for (const path of ['/name', '/version', '/projectKeys', '/createdAt']) {
      await expect(change([{ op: 'replace', path, value: 'x' }])).rejects.toMatchObject({ code: 'invalid_request' })
    }
    const stale = account.engine.api.patchRepository({ repo: 'shop', body: [off] }, { ...admin, ifMatch: '"1"' })
    await expect(stale).rejects.toMatchObject({ code: 'optimistic_locking_error' })
  })

  it('accepts a merge patch, which scanners send', async () => {
    await account.create('shop', { type: 'github', hunkUrlTemplate: 'https://x.test/h' })
    const path = `${base}/repositories/shop`
    const mergePatch = { sourceLink: 'https://x.test', defaultBranch: 'trunk', hunkUrlTemplate: null }
    const response = await account.send('PATCH', path, mergePatch)
    expect(response.status).toBe(200)
    expect(bodyOf(response)).toMatchObject({
      type: 'github',
      sourceLink: 'https://x.test',
      hunkUrlTemplate: '',
      defaultBranch: 'trunk',
      version: 2,
    })
    expect(bodyOf(await account.send('PATCH', path, mergePatch))).toMatchObject({ version: 2 })
    expect((await account.send('PATCH', path, {})).status).toBe(400)
    const callerMaySwitch = asPolicy(
      allow(['viewCodeReferenceRepository', 'updateCodeReferenceRepositoryOn'], 'code-reference-repository/shop'),
    )
    const patch = { repo: 'shop', body: { sourceLink: 'https://y.test' } as never }
    await expect(account.engine.api.patchRepository(patch, callerMaySwitch)).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  it.each([
    [
      { name: 'x', version: 7 },
      [
        ['name', 'cannot be changed'],
        ['version', 'cannot be changed'],
      ],
    ],
    [{ type: 'svn' }, [['type', 'must be one of bitbucket, custom, github, gitlab']]],
    [{ enabled: { deep: true } }, [['enabled', 'must be a boolean']]],
    [{ 'a/b~c': 1 }, [['a/b~c', 'cannot be changed']]],
  ])('rejects the merge patch %j', async (mergePatch, expectedErrors) => {
    await account.create('shop')
    const response = await account.send('PATCH', `${base}/repositories/shop`, mergePatch)
    expect(response.status).toBe(400)
    const errors = expectedErrors.map(([attribute, reason]) => ({ attribute, reason }))
    expect(bodyOf(response)).toEqual({ code: 'invalid_request', message: 'validation failed', errors })
  })

  it('is refused with 404 before it is created', async () => {
    const missing = { code: 'not_found' }
    const api = account.engine.api
    await expect(api.getRepository({ repo: 'shop' }, admin)).rejects.toMatchObject(missing)
    await expect(api.patchRepository({ repo: 'shop', body: [] }, admin)).rejects.toMatchObject(missing)
    await expect(api.deleteRepository({ repo: 'shop' }, admin)).rejects.toMatchObject(missing)
    await expect(api.listBranches({ repo: 'shop' }, admin)).rejects.toMatchObject(missing)
    await expect(api.deleteBranches({ repo: 'shop', body: [] }, admin)).rejects.toMatchObject(missing)
    await expect(api.createExtinctions({ repo: 'shop', branch: 'main', body: [] }, admin)).rejects.toMatchObject(
      missing,
    )
    await expect(account.put({ repo: 'shop', branch: 'main' }, [])).rejects.toMatchObject(missing)
  })

  it('is deleted with its contents, and empty when it is created again', async () => {
    await account.create('shop')
    await account.create('shop/more')
    await account.put({ repo: 'shop', branch: 'main' }, references)
    await account.put({ repo: 'shop/more', branch: 'main' }, references)
    const event = { revision: 'r', message: 'm', time: now, flagKey: 'z', projKey: 'web' }
    await account.engine.api.createExtinctions({ repo: 'shop', branch: 'main', body: [event] }, admin)
    expect((await account.send('DELETE', `${base}/repositories/shop`)).status).toBe(204)
    expect(await account.counts('web')).toEqual({ a: { 'shop/more': [3, 2] }, b: { 'shop/more': [1, 1] } })
    expect(await account.counts('mobile')).toEqual({ a: { 'shop/more': [1, 1] } })
    await account.create('shop')
    expect((await account.engine.api.listBranches({ repo: 'shop' }, admin)).totalCount).toBe(0)
    expect((await account.engine.api.listExtinctions({}, admin)).items).toEqual({})
    expect(Object.keys(await account.counts('mobile'))).toEqual(['a'])
    expect((await account.statistics('mobile')).flags.a).toHaveLength(1)
  })

  it.each([
    ['viewCodeReferenceRepository', (as: CallOptions) => account.engine.api.getRepository({ repo: 'shop' }, as)],
    ['viewCodeReferenceRepository', (as: CallOptions) => account.engine.api.listBranches({ repo: 'shop' }, as)],
    [
      'viewCodeReferenceRepository',
      (as: CallOptions) => account.engine.api.getBranch({ repo: 'shop', branch: 'main' }, as),
    ],
    [
      'createCodeReferenceRepository',
      (as: CallOptions) => account.engine.api.createRepository({ body: { name: 'shop' } }, as),
    ],
    ['deleteCodeReferenceRepository', (as: CallOptions) => account.engine.api.deleteRepository({ repo: 'shop' }, as)],
    [
      'updateCodeReferenceRepositoryBranches',
      (as: CallOptions) => account.put({ repo: 'shop', branch: 'main' }, [], {}, as),
    ],
    [
      'updateCodeReferenceRepositoryBranches',
      (as: CallOptions) => account.engine.api.deleteBranches({ repo: 'shop', body: [] }, as),
    ],
    [
      'updateCodeReferenceRepositoryBranches',
      (as: CallOptions) => account.engine.api.createExtinctions({ repo: 'shop', branch: 'main', body: [] }, as),
    ],
  ])('requires %s', async (action, call) => {
    await account.create('shop')
    await account.put({ repo: 'shop', branch: 'main' }, references)
    const outcome = (resource: string) =>
      call(asPolicy(allow([action], resource))).then(
        () => 'done',
        (error: ApiError) => error.code,
      )
    expect(await outcome('code-reference-repository/other')).toBe('forbidden')
    expect(await outcome('code-reference-repository/shop')).not.toBe('forbidden')
  })
})
