import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Statement } from '../../entries/policy.ts'
import type { ApiError } from '../../index.ts'
import type { Reference } from './branch.ts'
import {
  admin,
  allow,
  asPolicy,
  base,
  bodyOf,
  hunk,
  now,
  type ReferenceAccount,
  referenceAccount,
  references,
} from './test/reference-account.ts'

let account: ReferenceAccount

beforeEach(async () => {
  account = await referenceAccount()
})

describe('code reference statistics', () => {
  it('have all properties of an entry, and links', async () => {
    await account.create('acme/shop', { type: 'github', sourceLink: 'https://x.test/shop' })
    await account.put({ repo: 'acme/shop', branch: 'main' }, references, { commitTime: now - 1000 })
    const response = await account.send('GET', `${base}/statistics/web?includeUnknownFlags=true`)
    expect(response.status).toBe(200)
    const { version } = await account.engine.api.getRepository({ repo: 'acme/shop' }, admin)
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
    expect(bodyOf(response)).toEqual({
      _links: {
        self: { href: `${base}/statistics/web?includeUnknownFlags=true`, type: 'application/json' },
        parent: { href: `${base}/statistics`, type: 'application/json' },
        project: { href: '/api/v2/projects/web', type: 'application/json' },
      },
      flags: { a: [{ ...entry, hunkCount: 3, fileCount: 2 }], b: [{ ...entry, hunkCount: 1, fileCount: 1 }] },
    })
  })

  it('have one entry for each repository', async () => {
    for (const name of ['one', 'two']) await account.create(name)
    await account.put({ repo: 'one', branch: 'main' }, references)
    await account.put({ repo: 'two', branch: 'main' }, [{ path: 'x', hunks: [hunk('web', 'a')] }])
    expect(await account.counts('web')).toEqual({ a: { one: [3, 2], two: [1, 1] }, b: { one: [1, 1] } })
  })

  it('are limited to one flag by flagKey, and empty for an unknown key', async () => {
    await account.create('shop')
    await account.put({ repo: 'shop', branch: 'main' }, references)
    expect(Object.keys((await account.statistics('web', 'b')).flags)).toEqual(['b'])
    for (const unknown of ['nope', 'toString', '']) expect((await account.statistics('web', unknown)).flags).toEqual({})
  })

  it('count flags whose keys are names of properties that every object inherits', async () => {
    await account.create('shop')
    await account.put({ repo: 'shop', branch: 'main' }, [
      { path: 'x', hunks: [hunk('web', 'constructor'), hunk('web', 'toString')] },
    ])
    const response = bodyOf(await account.send('GET', `${base}/statistics/web?includeUnknownFlags=true`))
    expect(Object.keys(response.flags).sort()).toEqual(['constructor', 'toString'])
    expect(response.flags.constructor).toMatchObject([{ hunkCount: 1, fileCount: 1 }])
  })

  it('omit keys that are not flags of the project, unless they are requested', async () => {
    const { api } = account.engine
    await account.create('shop')
    await account.put({ repo: 'shop', branch: 'main' }, references)
    const keysWith = async (query: object) =>
      Object.keys((await api.getStatistics({ projectKey: 'web', ...query }, admin)).flags)
    expect(await keysWith({})).toEqual([])
    await api.createFlag({ projectKey: 'web', body: { key: 'b', name: 'B' } }, admin)
    expect(await keysWith({})).toEqual(['b'])
    expect(await keysWith({ flagKey: 'a' })).toEqual([])
    expect(await keysWith({ includeUnknownFlags: 'true' })).toEqual(['a', 'b'])
    await api.deleteFlag({ projectKey: 'web', flagKey: 'b' }, admin)
    expect(await keysWith({})).toEqual([])
  })

  it('equal the counts of a simple model after any scans', async () => {
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
    for (const name of ['r1', 'r2']) await account.create(name)
    const defaults = new Map([
      ['r1', 'main'],
      ['r2', 'main'],
    ])
    const contents = new Map<string, readonly Reference[]>()
    await fc.assert(
      fc.asyncProperty(step, async ({ repo, branch, references, makeDefault }) => {
        await account.put({ repo, branch }, references)
        contents.set(`${repo} ${branch}`, references)
        if (makeDefault) {
          const body = [{ op: 'replace', path: '/defaultBranch', value: branch }]
          await account.engine.api.patchRepository({ repo, body }, admin)
          defaults.set(repo, branch)
        }
        for (const projectKey of ['web', 'mobile']) {
          const expected: Record<string, Record<string, [number, number]>> = {}
          for (const [name, branchName] of defaults) {
            for (const flagKey of ['a', 'b', 'c']) {
              const paths = (contents.get(`${name} ${branchName}`) ?? []).flatMap(({ path, hunks }) =>
                hunks.filter((item) => item.projKey === projectKey && item.flagKey === flagKey).map(() => path),
              )
              if (paths.length > 0)
                expected[flagKey] = { ...expected[flagKey], [name]: [paths.length, new Set(paths).size] }
            }
          }
          expect(await account.counts(projectKey)).toEqual(expected)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('count the default branch only', async () => {
    await account.create('shop')
    await account.put({ repo: 'shop', branch: 'dev' }, references)
    expect(await account.counts('web')).toEqual({})
    const setDefaultBranch = (value: string) =>
      account.engine.api.patchRepository(
        { repo: 'shop', body: [{ op: 'replace', path: '/defaultBranch', value }] },
        admin,
      )
    await setDefaultBranch('dev')
    expect(await account.counts('mobile')).toEqual({ a: { shop: [1, 1] } })
    await setDefaultBranch('not-scanned-yet')
    expect(await account.counts('mobile')).toEqual({})
  })

  it('require an existing project that the caller may view', async () => {
    expect(bodyOf(await account.send('GET', `${base}/statistics/nope`))).toMatchObject({ code: 'not_found' })
    const as = asPolicy(allow(['viewProject'], 'proj/mobile'))
    await expect(account.engine.api.getStatistics({ projectKey: 'web' }, as)).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect((await account.engine.api.getStatistics({ projectKey: 'mobile' }, as)).flags).toEqual({})
    expect((await account.send('GET', `${base}/statistics/web`, undefined, { authorization: 'wrong' })).status).toBe(
      401,
    )
  })

  it('omit the repositories that the caller may not view', async () => {
    for (const name of ['open', 'secret']) {
      await account.create(name)
      await account.put({ repo: name, branch: 'main' }, references)
    }
    const namesFor = async (...policy: Statement[]) => {
      const { flags } = await account.engine.api.getStatistics(
        { projectKey: 'web', includeUnknownFlags: 'true' },
        asPolicy(...policy),
      )
      return flags.a?.map(({ name }) => name)
    }
    const project = allow(['viewProject'], 'proj/web')
    const all = allow(['viewCodeReferenceRepository'], 'code-reference-repository/*')
    const deny: Statement = { ...allow(['*'], 'code-reference-repository/secret'), effect: 'deny' }
    expect(await namesFor(project, all)).toEqual(['open', 'secret'])
    expect(await namesFor(project, all, deny)).toEqual(['open'])
    expect(await namesFor(project)).toBeUndefined()
  })

  it('are linked for each project that has statistics and that the caller may view', async () => {
    await account.create('shop')
    await account.put({ repo: 'shop', branch: 'main' }, [
      { path: 'x', hunks: [hunk('web', 'a'), hunk('unknown', 'a')] },
    ])
    const self = { href: `${base}/statistics`, type: 'application/json' }
    expect(bodyOf(await account.send('GET', `${base}/statistics`))).toEqual({
      projects: [{ href: `${base}/statistics/web`, type: 'application/json' }],
      self,
    })
    const as = asPolicy(allow(['viewProject'], 'proj/mobile'))
    expect(await account.engine.api.getRootStatistics({}, as)).toEqual({ projects: [], self })
  })

  it('match the stored scan when many scans arrive concurrently', async () => {
    await account.create('shop')
    const scans = [1, 2, 3, 4, 5].map((size) => [
      { path: 'x', hunks: Array.from({ length: size }, () => hunk('web', 'a')) },
    ])
    const outcomes = await Promise.all(
      scans.map((scan) =>
        account.put({ repo: 'shop', branch: 'main' }, scan).then(
          () => 'stored',
          (error: ApiError) => error.code,
        ),
      ),
    )
    expect(outcomes).toEqual(scans.map(() => 'stored'))
    const { references: stored } = await account.engine.api.getBranch({ repo: 'shop', branch: 'main' }, admin)
    expect(await account.counts('web')).toEqual({ a: { shop: [stored?.[0]?.hunks.length, 1] } })
  })

  it('are deleted with their project', async () => {
    await account.create('shop')
    await account.put({ repo: 'shop', branch: 'main' }, references)
    await account.engine.api.deleteProject({ projectKey: 'web' }, admin)
    await account.engine.api.createProject({ body: { key: 'web', name: 'Web' } }, admin)
    expect(await account.counts('web')).toEqual({})
    await account.put({ repo: 'shop', branch: 'main' }, references)
    expect(Object.keys(await account.counts('web'))).toEqual(['a', 'b'])
  })
})
