import { describe, expect, it } from 'vitest'
import { type Account, createShopAccount, start } from './account.ts'
import { type SpecOperation, sendTo, specTests } from './conformance.ts'
import { linksTo } from './shape.ts'

const get: SpecOperation = {
  id: 'getStatistics',
  method: 'GET',
  path: '/api/v2/code-refs/statistics/{projectKey}',
  status: 200,
  errors: ['unauthorized', 'forbidden', 'not_found', 'rate_limited'],
  async setUp(account) {
    await storeScan(account, 'shop', 'main', ['checkout', 'checkout', 'search'])
    return { params: { projectKey: 'web' }, query: { flagKey: 'checkout' } }
  },
  response: {
    // Flag keys are the names of the properties.
    flags: {
      checkout: [
        {
          _links: linksTo('self'),
          name: 'string',
          type: 'string',
          sourceLink: 'url',
          defaultBranch: 'string',
          enabled: 'boolean',
          version: 'integer',
          hunkCount: 'integer',
          fileCount: 'integer',
          latestCommitTime: 'ms-string',
        },
      ],
    },
    _links: linksTo('self', 'parent', 'project'),
  },
}

/** Stores a branch with one file that references each of these flags in a hunk of its own. */
async function storeScan({ api, caller }: Account, repo: string, branch: string, flagKeys: readonly string[]) {
  const body = { name: repo, type: 'github', sourceLink: 'https://example.com/shop' } as const
  await api.createRepository({ body }, caller).catch(() => undefined)
  for (const key of flagKeys) {
    await api.createFlag({ projectKey: 'web', body: { key, name: key } }, caller).catch(() => undefined)
  }
  const hunks = flagKeys.map((flagKey, lineNumber) => ({ startingLineNumber: lineNumber, projKey: 'web', flagKey }))
  const branchBody = {
    name: branch,
    head: 'abc',
    syncTime: start,
    commitTime: start,
    references: [{ path: 'a.ts', hunks }],
  }
  await api.putBranch({ repo, branch, body: branchBody }, caller)
}

specTests(get)

type Counts = Record<string, { name: string; hunkCount: number; fileCount: number }[]>

async function countsOf(account: Account, query: Record<string, string> = {}): Promise<Counts> {
  const { status, body } = await sendTo(get, account, { params: { projectKey: 'web' }, query })
  expect(status).toBe(200)
  return (body as { flags: Counts }).flags
}

describe('code reference statistics', () => {
  it('count the references to each flag, with a link to each repository', async () => {
    const account = await createShopAccount()
    await storeScan(account, 'shop', 'main', ['checkout', 'checkout', 'search'])
    await storeScan(account, 'mail', 'main', ['checkout'])
    const flags = await countsOf(account)
    expect(Object.keys(flags).sort()).toEqual(['checkout', 'search'])
    expect(flags.search).toMatchObject([{ name: 'shop', hunkCount: 1, fileCount: 1 }])
    const byName = new Map(flags.checkout?.map((entry) => [entry.name, entry]))
    expect(byName.get('mail')).toMatchObject({ hunkCount: 1, fileCount: 1 })
    expect(byName.get('shop')).toEqual({
      _links: { self: { href: '/api/v2/code-refs/repositories/shop', type: 'application/json' } },
      name: 'shop',
      type: 'github',
      sourceLink: 'https://example.com/shop',
      defaultBranch: 'main',
      enabled: true,
      version: expect.any(Number),
      hunkCount: 2,
      fileCount: 1,
      latestCommitTime: String(start),
    })
  })

  it('contain one flag with flagKey, and nothing for a flag without references', async () => {
    const account = await createShopAccount()
    await storeScan(account, 'shop', 'main', ['checkout', 'search'])
    expect(Object.keys(await countsOf(account, { flagKey: 'search' }))).toEqual(['search'])
    for (const flagKey of ['unknown', 'constructor', '__proto__'])
      expect(await countsOf(account, { flagKey })).toEqual({})
  })

  it('count the default branch only', async () => {
    const account = await createShopAccount()
    await storeScan(account, 'shop', 'main', ['checkout'])
    await storeScan(account, 'shop', 'try', ['search', 'search'])
    expect(Object.keys(await countsOf(account))).toEqual(['checkout'])
  })

  it('have a self link with the query of the request', async () => {
    const account = await createShopAccount()
    const { body } = await sendTo(get, account, await get.setUp(account))
    expect(body).toMatchObject({
      _links: {
        self: { href: '/api/v2/code-refs/statistics/web?flagKey=checkout' },
        parent: { href: '/api/v2/code-refs/statistics' },
        project: { href: '/api/v2/projects/web' },
      },
    })
  })
})
