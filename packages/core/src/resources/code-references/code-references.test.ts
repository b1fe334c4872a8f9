import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ApiError, type CallInput, createEngine, type Engine, type Statement } from '../../index.ts'
import type { Reference } from './branch.ts'
import type { putBranch } from './put-branch.ts'

const now = Date.UTC(2028, 1, 29)
const admin = { as: { role: 'admin' } } as const
const base = '/api/v2/code-refs'

let engine: Engine

beforeEach(async () => {
  engine = createEngine({ storage: createMemoryStorage(), clock: () => now })
  await engine.migrate()
  await engine.bootstrap({ token: 'a-token-for-this-test' })
  for (const key of ['web', 'mobile']) await engine.api.createProject({ body: { key, name: key } }, admin)
})

function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const all: Record<string, string> = { authorization: 'a-token-for-this-test', ...headers }
  const [pathname = '', query = ''] = path.split('?')
  return engine.handle({
    method,
    path: pathname,
    query,
    header: (name) => all[name],
    body: { kind: 'parsed', value: body },
  })
}

const bodyOf = (answer: { body: string | undefined }) => JSON.parse(answer.body as string)

const allow = (actions: string[], resource: string): Statement => ({ effect: 'allow', actions, resources: [resource] })
const by = (...policy: Statement[]) => ({ as: { policy } })

const create = (name: string, more: object = {}) => engine.api.createRepository({ body: { name, ...more } }, admin)

type Branch = CallInput<typeof putBranch>['body']

function put(
  repo: string,
  branch: string,
  references: readonly Reference[],
  more: Partial<Branch> = {},
  as: object = admin,
) {
  const found = structuredClone(references) as Branch['references']
  const body: Branch = { name: branch, head: 'abc123', syncTime: now, references: found, ...more }
  return engine.api.putBranch({ repo, branch, body }, as)
}

const hunk = (projKey: string, flagKey: string, startingLineNumber = 1) => ({ projKey, flagKey, startingLineNumber })

/** Two files: `a` twice in one and once in the other, `b` once, and one hunk of another project. */
const references: Reference[] = [
  { path: 'src/one.ts', hint: 'ts', hunks: [hunk('web', 'a', 1), hunk('web', 'a', 9), hunk('mobile', 'a', 3)] },
  { path: 'src/two.ts', hunks: [{ ...hunk('web', 'a'), lines: 'if (a)', aliases: ['isA'] }, hunk('web', 'b', 4)] },
]

const statistics = (projectKey: string, flagKey?: string) =>
  engine.api.getStatistics({ projectKey, ...(flagKey === undefined ? {} : { flagKey }) }, admin)

/** Flag key to `[hunks, files]` of each repository. */
async function counts(projectKey: string) {
  const { flags } = await statistics(projectKey)
  return Object.fromEntries(
    Object.entries(flags).map(([flagKey, list]) => [
      flagKey,
      Object.fromEntries(list.map((one) => [one.name, [one.hunkCount, one.fileCount]])),
    ]),
  )
}

describe('a repository', () => {
  it('is created with what was said and the rest as usual', async () => {
    const answer = await ask('POST', `${base}/repositories`, {
      name: 'acme/shop',
      type: 'github',
      sourceLink: 'https://x.test/shop',
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.etag).toBe('"1"')
    const { _access, ...shown } = bodyOf(answer)
    expect(shown).toEqual({
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
    expect(bodyOf(await ask('GET', `${base}/repositories/acme%2Fshop`))).toEqual({ _access, ...shown })
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
    const answer = await ask('POST', `${base}/repositories`, body)
    expect(answer.status).toBe(400)
    expect(bodyOf(answer)).toMatchObject({ code: 'invalid_request', errors: [{ attribute }] })
  })

  it('is created once', async () => {
    await create('shop')
    await expect(create('shop')).rejects.toMatchObject({
      code: 'optimistic_locking_error',
      message: 'There is a code reference repository shop already',
    })
  })

  it('is listed by name, to who may view it', async () => {
    for (const name of ['c', 'a', 'b']) await create(name)
    const all = await engine.api.listRepositories({ limit: 2 }, admin)
    expect(all).toMatchObject({ totalCount: 3, _links: { next: { href: `${base}/repositories?limit=2&offset=2` } } })
    expect(all.items.map((one) => one.name)).toEqual(['a', 'b'])
    const some = await engine.api.listRepositories(
      {},
      by(allow(['viewCodeReferenceRepository'], 'code-reference-repository/b')),
    )
    expect(some).toMatchObject({ totalCount: 1, items: [{ name: 'b' }] })
  })

  it('is changed by a patch, each part by who may', async () => {
    await create('shop')
    const change = (body: { op: string; path: string; value?: unknown }[], as: object = admin) =>
      engine.api.patchRepository({ repo: 'shop', body }, as)
    const configure = by(
      allow(
        ['viewCodeReferenceRepository', 'updateCodeReferenceRepositoryConfiguration'],
        'code-reference-repository/shop',
      ),
    )
    const turn = by(
      allow(['viewCodeReferenceRepository', 'updateCodeReferenceRepositoryOn'], 'code-reference-repository/shop'),
    )
    const link = { op: 'add', path: '/sourceLink', value: 'https://x.test' }
    const off = { op: 'replace', path: '/enabled', value: false }
    expect(await change([link], configure)).toMatchObject({ sourceLink: 'https://x.test', version: 2 })
    expect(await change([off], turn)).toMatchObject({ enabled: false, version: 3 })
    await expect(change([link, { ...off, value: true }], configure)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await change([{ op: 'remove', path: '/sourceLink' }])).toMatchObject({ sourceLink: '', enabled: false })
    for (const path of ['/name', '/version', '/projectKeys', '/createdAt']) {
      await expect(change([{ op: 'replace', path, value: 'x' }])).rejects.toMatchObject({ code: 'invalid_request' })
    }
    const stale = engine.api.patchRepository({ repo: 'shop', body: [off] }, { ...admin, ifMatch: '"1"' })
    await expect(stale).rejects.toMatchObject({ code: 'optimistic_locking_error' })
  })

  it('is not there until it is created', async () => {
    const missing = { code: 'not_found' }
    const api = engine.api
    await expect(api.getRepository({ repo: 'shop' }, admin)).rejects.toMatchObject(missing)
    await expect(api.patchRepository({ repo: 'shop', body: [] }, admin)).rejects.toMatchObject(missing)
    await expect(api.deleteRepository({ repo: 'shop' }, admin)).rejects.toMatchObject(missing)
    await expect(api.listBranches({ repo: 'shop' }, admin)).rejects.toMatchObject(missing)
    await expect(api.deleteBranches({ repo: 'shop', body: [] }, admin)).rejects.toMatchObject(missing)
    await expect(api.createExtinctions({ repo: 'shop', branch: 'main', body: [] }, admin)).rejects.toMatchObject(
      missing,
    )
    await expect(put('shop', 'main', [])).rejects.toMatchObject(missing)
  })

  it('takes everything with it, and comes back empty', async () => {
    await create('shop')
    await create('shop/more')
    await put('shop', 'main', references)
    await put('shop/more', 'main', references)
    const event = { revision: 'r', message: 'm', time: now, flagKey: 'z', projKey: 'web' }
    await engine.api.createExtinctions({ repo: 'shop', branch: 'main', body: [event] }, admin)
    expect((await ask('DELETE', `${base}/repositories/shop`)).status).toBe(204)
    expect(await counts('web')).toEqual({ a: { 'shop/more': [3, 2] }, b: { 'shop/more': [1, 1] } })
    expect(await counts('mobile')).toEqual({ a: { 'shop/more': [1, 1] } })
    await create('shop')
    expect((await engine.api.listBranches({ repo: 'shop' }, admin)).totalCount).toBe(0)
    expect((await engine.api.listExtinctions({}, admin)).items).toEqual({})
    expect(Object.keys(await counts('mobile'))).toEqual(['a'])
    expect((await statistics('mobile')).flags.a).toHaveLength(1)
  })

  it.each([
    ['viewCodeReferenceRepository', (as: object) => engine.api.getRepository({ repo: 'shop' }, as)],
    ['viewCodeReferenceRepository', (as: object) => engine.api.listBranches({ repo: 'shop' }, as)],
    ['viewCodeReferenceRepository', (as: object) => engine.api.getBranch({ repo: 'shop', branch: 'main' }, as)],
    ['createCodeReferenceRepository', (as: object) => engine.api.createRepository({ body: { name: 'shop' } }, as)],
    ['deleteCodeReferenceRepository', (as: object) => engine.api.deleteRepository({ repo: 'shop' }, as)],
    ['updateCodeReferenceRepositoryBranches', (as: object) => put('shop', 'main', [], {}, as)],
    [
      'updateCodeReferenceRepositoryBranches',
      (as: object) => engine.api.deleteBranches({ repo: 'shop', body: [] }, as),
    ],
    [
      'updateCodeReferenceRepositoryBranches',
      (as: object) => engine.api.createExtinctions({ repo: 'shop', branch: 'main', body: [] }, as),
    ],
  ])('asks for %s on itself', async (action, call) => {
    await create('shop')
    await put('shop', 'main', references)
    const outcome = (resource: string) =>
      call(by(allow([action], resource))).then(
        () => 'done',
        (error: ApiError) => error.code,
      )
    expect(await outcome('code-reference-repository/other')).toBe('forbidden')
    expect(await outcome('code-reference-repository/shop')).not.toBe('forbidden')
  })
})

describe('a branch', () => {
  beforeEach(() => create('shop'))

  it('is put and fetched with its references, under a name with a slash', async () => {
    const path = `${base}/repositories/shop/branches/release%2F1.0%20%23`
    const body = {
      name: 'release/1.0 #',
      head: 'abc',
      syncTime: now,
      updateSequenceId: 3,
      commitTime: now - 5,
      references,
    }
    const answer = await ask('PUT', path, body)
    expect(answer.status).toBe(200)
    const { references: none, ...summary } = bodyOf(answer)
    expect(none).toBeUndefined()
    expect(summary).toEqual({
      _links: {
        self: { href: path, type: 'application/json' },
        parent: { href: `${base}/repositories/shop/branches`, type: 'application/json' },
        repository: { href: `${base}/repositories/shop`, type: 'application/json' },
      },
      name: 'release/1.0 #',
      head: 'abc',
      updateSequenceId: 3,
      syncTime: String(now),
      commitTime: String(now - 5),
    })
    expect(bodyOf(await ask('GET', path))).toEqual({ ...summary, references })
    expect((await ask('GET', path)).headers.etag).toBe('"1"')
    expect(bodyOf(await ask('GET', `${base}/repositories/shop/branches`))).toMatchObject({
      totalCount: 1,
      items: [summary],
    })
  })

  it('shows the references to one project or flag alone', async () => {
    await put('shop', 'main', references)
    const shown = async (query: object) =>
      (await engine.api.getBranch({ repo: 'shop', branch: 'main', ...query }, admin)).references
    expect(await shown({ projKey: 'mobile' })).toEqual([
      { path: 'src/one.ts', hint: 'ts', hunks: [hunk('mobile', 'a', 3)] },
    ])
    expect(await shown({ flagKey: 'b' })).toEqual([{ path: 'src/two.ts', hunks: [hunk('web', 'b', 4)] }])
    expect(await shown({ projKey: 'mobile', flagKey: 'b' })).toEqual([])
  })

  it('keeps the later of two scans', async () => {
    await put('shop', 'main', references, { updateSequenceId: 5 })
    await expect(put('shop', 'main', [], { updateSequenceId: 4 })).rejects.toMatchObject({
      code: 'optimistic_locking_error',
      message: 'A later updateSequenceId of this branch is stored already',
    })
    expect(Object.keys(await counts('web'))).toEqual(['a', 'b'])
    await put('shop', 'main', references, { updateSequenceId: 5 })
    await put('shop', 'main', [], { updateSequenceId: 6 })
    expect(await counts('web')).toEqual({})
  })

  it('forgets no number over a scan without one', async () => {
    await put('shop', 'main', [], { updateSequenceId: 5 })
    await put('shop', 'main', references)
    await expect(put('shop', 'main', [], { updateSequenceId: 4 })).rejects.toMatchObject({
      code: 'optimistic_locking_error',
    })
  })

  it.each([
    [{ name: 'other' }, 'name'],
    [{ head: '' }, 'head'],
    [{ head: undefined }, 'head'],
    [{ syncTime: undefined }, 'syncTime'],
    [{ updateSequenceId: -1 }, 'updateSequenceId'],
    [{ commitTime: 'yesterday' }, 'commitTime'],
    [{ references: [{ path: '', hunks: [] }] }, 'references.0.path'],
    [
      { references: [{ path: 'x', hunks: [{ ...hunk('web', 'a'), startingLineNumber: 1.5 }] }] },
      'references.0.hunks.0.startingLineNumber',
    ],
    [{ references: [{ path: 'x', hunks: [hunk('web', 'a b')] }] }, 'references.0.hunks.0.flagKey'],
    [{ references: [{ path: 'x', hunks: [{ flagKey: 'a', startingLineNumber: 1 }] }] }, 'references.0.hunks.0.projKey'],
    [{ references: [{ path: 'x', hunks: Array.from({ length: 1001 }, (_, i) => hunk(`p${i}`, 'a')) }] }, 'references'],
  ])('is not put from %j', async (wrong, attribute) => {
    const body = { name: 'main', head: 'abc', syncTime: now, references: [], ...wrong }
    const answer = await ask('PUT', `${base}/repositories/shop/branches/main`, body)
    expect(answer.status).toBe(400)
    expect(bodyOf(answer)).toMatchObject({ code: 'invalid_request', errors: [{ attribute }] })
  })

  it('is deleted by a task, together with others and with its statistics', async () => {
    for (const name of ['main', 'one', 'two']) await put('shop', name, references)
    const answer = await ask('POST', `${base}/repositories/shop/branch-delete-tasks`, ['one', 'main', 'never', 'one'])
    expect(answer).toMatchObject({ status: 200, body: undefined })
    const { items } = await engine.api.listBranches({ repo: 'shop' }, admin)
    expect(items.map((one) => one.name)).toEqual(['two'])
    expect(await counts('web')).toEqual({})
    await expect(engine.api.getBranch({ repo: 'shop', branch: 'one' }, admin)).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('statistics', () => {
  it('have every field of an entry, and links', async () => {
    await create('acme/shop', { type: 'github', sourceLink: 'https://x.test/shop' })
    await put('acme/shop', 'main', references, { commitTime: now - 1000 })
    const answer = await ask('GET', `${base}/statistics/web`)
    expect(answer.status).toBe(200)
    const { version } = await engine.api.getRepository({ repo: 'acme/shop' }, admin)
    const entry = {
      _links: { self: { href: `${base}/repositories/acme%2Fshop`, type: 'application/json' } },
      name: 'acme/shop',
      type: 'github',
      sourceLink: 'https://x.test/shop',
      defaultBranch: 'main',
      enabled: true,
      version,
      latestCommitTime: String(now - 1000),
    }
    expect(bodyOf(answer)).toEqual({
      _links: {
        self: { href: `${base}/statistics/web`, type: 'application/json' },
        parent: { href: `${base}/statistics`, type: 'application/json' },
        project: { href: '/api/v2/projects/web', type: 'application/json' },
      },
      flags: { a: [{ ...entry, hunkCount: 3, fileCount: 2 }], b: [{ ...entry, hunkCount: 1, fileCount: 1 }] },
    })
  })

  it('have one entry for each repository', async () => {
    for (const name of ['one', 'two']) await create(name)
    await put('one', 'main', references)
    await put('two', 'main', [{ path: 'x', hunks: [hunk('web', 'a')] }])
    expect(await counts('web')).toEqual({ a: { one: [3, 2], two: [1, 1] }, b: { one: [1, 1] } })
  })

  it('are limited to one flag by flagKey; an unknown one gives an empty map', async () => {
    await create('shop')
    await put('shop', 'main', references)
    expect(Object.keys((await statistics('web', 'b')).flags)).toEqual(['b'])
    for (const unknown of ['nope', 'toString', '']) expect((await statistics('web', unknown)).flags).toEqual({})
  })

  it('count what a flag with an awkward key is named by', async () => {
    await create('shop')
    await put('shop', 'main', [{ path: 'x', hunks: [hunk('web', 'constructor'), hunk('web', 'toString')] }])
    const answer = bodyOf(await ask('GET', `${base}/statistics/web`))
    expect(Object.keys(answer.flags).sort()).toEqual(['constructor', 'toString'])
    expect(answer.flags.constructor).toMatchObject([{ hunkCount: 1, fileCount: 1 }])
  })

  it('agree with a count by hand after any puts', async () => {
    const reference = fc.record({
      path: fc.constantFrom('one', 'two', 'three'),
      hunks: fc.array(
        fc.record({
          projKey: fc.constantFrom('web', 'mobile'),
          flagKey: fc.constantFrom('a', 'b', 'c'),
          startingLineNumber: fc.nat(),
        }),
        { maxLength: 5 },
      ),
    })
    const step = fc.record({
      repo: fc.constantFrom('r1', 'r2'),
      branch: fc.constantFrom('main', 'dev'),
      references: fc.array(reference, { maxLength: 4 }),
      makeDefault: fc.boolean(),
    })
    for (const name of ['r1', 'r2']) await create(name)
    const defaults = new Map([
      ['r1', 'main'],
      ['r2', 'main'],
    ])
    const contents = new Map<string, readonly Reference[]>()
    await fc.assert(
      fc.asyncProperty(step, async ({ repo, branch, references, makeDefault }) => {
        await put(repo, branch, references)
        contents.set(`${repo} ${branch}`, references)
        if (makeDefault) {
          const body = [{ op: 'replace', path: '/defaultBranch', value: branch }]
          await engine.api.patchRepository({ repo, body }, admin)
          defaults.set(repo, branch)
        }
        for (const projectKey of ['web', 'mobile']) {
          const expected: Record<string, Record<string, [number, number]>> = {}
          for (const [name, branchName] of defaults) {
            for (const flagKey of ['a', 'b', 'c']) {
              const places = (contents.get(`${name} ${branchName}`) ?? []).flatMap(({ path, hunks }) =>
                hunks.filter((one) => one.projKey === projectKey && one.flagKey === flagKey).map(() => path),
              )
              if (places.length > 0)
                expected[flagKey] = { ...expected[flagKey], [name]: [places.length, new Set(places).size] }
            }
          }
          expect(await counts(projectKey)).toEqual(expected)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('are those of the default branch only', async () => {
    await create('shop')
    await put('shop', 'dev', references)
    expect(await counts('web')).toEqual({})
    const point = (value: string) =>
      engine.api.patchRepository({ repo: 'shop', body: [{ op: 'replace', path: '/defaultBranch', value }] }, admin)
    await point('dev')
    expect(await counts('mobile')).toEqual({ a: { shop: [1, 1] } })
    await point('not-scanned-yet')
    expect(await counts('mobile')).toEqual({})
  })

  it('need a project that exists and that the caller may view', async () => {
    expect(bodyOf(await ask('GET', `${base}/statistics/nope`))).toMatchObject({ code: 'not_found' })
    const as = by(allow(['viewProject'], 'proj/mobile'))
    await expect(engine.api.getStatistics({ projectKey: 'web' }, as)).rejects.toMatchObject({ code: 'forbidden' })
    expect((await engine.api.getStatistics({ projectKey: 'mobile' }, as)).flags).toEqual({})
    expect((await ask('GET', `${base}/statistics/web`, undefined, { authorization: 'wrong' })).status).toBe(401)
  })

  it('are linked for each project that has any, and that the caller may view', async () => {
    await create('shop')
    await put('shop', 'main', [{ path: 'x', hunks: [hunk('web', 'a'), hunk('unknown', 'a')] }])
    const self = { href: `${base}/statistics`, type: 'application/json' }
    expect(bodyOf(await ask('GET', `${base}/statistics`))).toEqual({
      projects: [{ href: `${base}/statistics/web`, type: 'application/json' }],
      self,
    })
    const as = by(allow(['viewProject'], 'proj/mobile'))
    expect(await engine.api.getRootStatistics({}, as)).toEqual({ projects: [], self })
  })

  it('are those of what is stored when many scans arrive at once', async () => {
    await create('shop')
    const scans = [1, 2, 3, 4, 5].map((size) => [
      { path: 'x', hunks: Array.from({ length: size }, () => hunk('web', 'a')) },
    ])
    const outcomes = await Promise.all(
      scans.map((found) =>
        put('shop', 'main', found).then(
          () => 'stored',
          (error: ApiError) => error.code,
        ),
      ),
    )
    expect(new Set(outcomes)).toEqual(new Set(['stored', 'optimistic_locking_error']))
    const { references: kept } = await engine.api.getBranch({ repo: 'shop', branch: 'main' }, admin)
    expect(await counts('web')).toEqual({ a: { shop: [kept?.[0]?.hunks.length, 1] } })
  })

  it('go with their project', async () => {
    await create('shop')
    await put('shop', 'main', references)
    await engine.api.deleteProject({ projectKey: 'web' }, admin)
    await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, admin)
    expect(await counts('web')).toEqual({})
    await put('shop', 'main', references)
    expect(Object.keys(await counts('web'))).toEqual(['a', 'b'])
  })
})

describe('extinctions', () => {
  const event = (flagKey: string, time: number, revision = 'r1', projKey = 'web') => ({
    revision,
    message: 'Remove',
    time,
    flagKey,
    projKey,
  })

  beforeEach(async () => {
    for (const name of ['one', 'two']) await create(name)
  })

  const note = (repo: string, branch: string, events: ReturnType<typeof event>[]) =>
    ask('POST', `${base}/repositories/${repo}/branches/${encodeURIComponent(branch)}/extinction-events`, events)

  it('are listed by flag, newest first, and noted once', async () => {
    expect(await note('one', 'main', [event('a', now - 5), event('a', now - 9, 'r0')])).toMatchObject({
      status: 201,
      body: undefined,
    })
    await note('one', 'main', [event('a', now - 5)])
    await note('two', 'x/y', [event('b', now - 7)])
    expect(bodyOf(await ask('GET', `${base}/extinctions`))).toEqual({
      _links: { self: { href: `${base}/extinctions`, type: 'application/json' } },
      items: {
        a: [
          { revision: 'r1', message: 'Remove', time: String(now - 5), flagKey: 'a', projKey: 'web' },
          { revision: 'r0', message: 'Remove', time: String(now - 9), flagKey: 'a', projKey: 'web' },
        ],
        b: [{ revision: 'r1', message: 'Remove', time: String(now - 7), flagKey: 'b', projKey: 'web' }],
      },
    })
  })

  it('are filtered by repository, branch, project, flag and time', async () => {
    await note('one', 'main', [event('a', 10), event('b', 20), event('c', 30, 'r1', 'mobile')])
    await note('one', 'dev', [event('d', 20)])
    await note('two', 'main', [event('e', 20)])
    const flags = async (query: object) => Object.keys((await engine.api.listExtinctions(query, admin)).items).sort()
    expect(await flags({ repoName: 'two' })).toEqual(['e'])
    expect(await flags({ branchName: 'dev' })).toEqual(['d'])
    expect(await flags({ projKey: 'mobile' })).toEqual(['c'])
    expect(await flags({ flagKey: 'b' })).toEqual(['b'])
    expect(await flags({ from: 20, to: 30 })).toEqual(['b', 'd', 'e'])
    const as = by(allow(['viewCodeReferenceRepository'], 'code-reference-repository/two'))
    expect(Object.keys((await engine.api.listExtinctions({}, as)).items)).toEqual(['e'])
  })

  it('are all found where there are more than storage is asked for at once', async () => {
    for (const start of [0, 1000, 2000]) {
      await note(
        'one',
        'main',
        Array.from({ length: 1000 }, (_, i) => event('a', 500 + ((start + i) % 7), `r${start + i}`)),
      )
    }
    expect((await engine.api.listExtinctions({ from: 501 }, admin)).items.a).toHaveLength(
      Array.from({ length: 3000 }, (_, i) => i % 7).filter((rest) => rest >= 1).length,
    )
  })

  it('are refused with every fault', async () => {
    const answer = await note('one', 'main', [{ ...event('a b', -1), revision: '' }])
    expect(answer.status).toBe(400)
    const attributes = bodyOf(answer).errors.map((one: { attribute: string }) => one.attribute)
    expect(attributes.sort()).toEqual(['0.flagKey', '0.revision', '0.time'])
    expect((await ask('GET', `${base}/extinctions?from=soon`)).status).toBe(400)
  })
})
