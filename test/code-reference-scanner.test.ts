import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEngine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressHandler } from '@halyard/transport-express'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { postgresStorages } from './setup/postgres-storages.ts'

/*
 * The requests that a public scanner of code references sends in each of its runs, and how it interprets the responses:
 * which statuses it treats as success, which codes it handles, and which properties it reads.
 */

const token = 'a-token-of-the-scanner'
const now = Date.UTC(2028, 1, 29)

interface Repository {
  readonly type: string
  readonly name: string
  readonly sourceLink: string
  readonly commitUrlTemplate: string
  readonly hunkUrlTemplate: string
  readonly defaultBranch: string
}

interface ScannerRun {
  readonly repository: Repository
  readonly branch: string
  readonly head: string
  readonly updateSequenceId?: number
  readonly references: readonly object[]
  /** Flags whose last reference was removed in the commits that the scanner examined. */
  readonly removed: readonly string[]
  /** Branches that exist on the remote. */
  readonly remoteBranches: readonly string[]
}

const repository: Repository = {
  type: 'github',
  name: 'shop',
  sourceLink: 'https://example.com/acme/shop',
  commitUrlTemplate: '',
  hunkUrlTemplate: '',
  defaultBranch: 'main',
}

// With one line of context, an alias, and a delimiter around the key; hunks without context have no lines.
const references = [
  {
    path: 'src/cart.ts',
    hunks: [
      {
        startingLineNumber: 6,
        lines: 'const key = load()\nif (client.variation("checkout")) {\n  pay()',
        projKey: 'web',
        flagKey: 'checkout',
        aliases: ['isCheckout', 'is_checkout'],
        contentHash: '9c1185a5c5e9fc54612808977ee8f548b2258d31',
      },
      { startingLineNumber: 40, projKey: 'web', flagKey: 'checkout' },
    ],
  },
  { path: '.env.größe', hunks: [{ startingLineNumber: 1, lines: 'SEARCH=1', projKey: 'web', flagKey: 'search' }] },
]

let origin: string

async function serve(storage: Storage): Promise<void> {
  const engine = createEngine({ storage, clock: () => now })
  await engine.migrate()
  await engine.bootstrap({ token })
  const caller = { as: { role: 'admin' } } as const
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, caller)
  for (const key of ['checkout', 'search', 'gone']) {
    await engine.api.createFlag({ projectKey: 'web', body: { key, name: key } }, caller)
  }
  const server = createServer(createExpressHandler(engine))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`
}

/** Sends a request as the scanner does and throws an error for each status that the scanner treats as a failure. */
async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers = {
    authorization: token,
    'content-type': 'application/json',
    'svc-api-version': '20210729',
    'user-agent': 'a-scanner/2.11.5',
  }
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${origin}${path}`, { method, headers, ...init })
  const text = await response.text()
  const value = text === '' ? undefined : JSON.parse(text)
  if (![200, 201, 204].includes(response.status)) throw new Error((value as { code: string }).code)
  return value
}

async function upsertRepository(repository: Repository): Promise<void> {
  const path = `/code-refs/repositories/${repository.name}`
  const stored = await call<Repository & { enabled: boolean }>('GET', path).catch((error: Error) => {
    if (error.message !== 'not_found') throw error
    return undefined
  })
  if (!stored) return call('POST', '/code-refs/repositories', repository)
  if (!stored.enabled) throw new Error('repository is disabled')
  const properties = Object.keys(repository) as (keyof Repository)[]
  const changed = properties.filter((property) => stored[property] !== repository[property])
  if (changed.length === 0) return
  await call('PATCH', path, Object.fromEntries(changed.map((property) => [property, repository[property]])))
}

/**
 * Runs one scan: sends flags, repository, branch and extinctions, then deletes branches that the remote no longer has.
 */
async function scan(run: ScannerRun): Promise<'stored' | 'overtaken'> {
  const { repository, branch, head, updateSequenceId } = run
  await call('GET', '/projects/web')
  const flags = await call<{ items: { key: string }[] }>('GET', '/flags/web?summary=true&env=production')
  expect(flags.items.map(({ key }) => key).sort()).toEqual(['checkout', 'gone', 'search'])
  await upsertRepository(repository)
  const path = `/code-refs/repositories/${repository.name}`
  const content = {
    name: branch,
    head,
    ...(updateSequenceId === undefined ? {} : { updateSequenceId }),
    syncTime: now,
    ...(run.references.length === 0 ? {} : { references: run.references }),
    commitTime: now - 60_000,
  }
  const put = call('PUT', `${path}/branches/${encodeURIComponent(branch)}`, content)
  const outcome = await put.then(
    () => 'stored' as const,
    (error: Error) => {
      if (error.message !== 'updateSequenceId_conflict') throw error
      return 'overtaken' as const
    },
  )
  if (run.removed.length > 0) {
    const events = run.removed.map((flagKey) => ({
      revision: head,
      message: `Remove ${flagKey}\n`,
      time: now - 60_000,
      projKey: 'web',
      flagKey,
    }))
    await call('POST', `${path}/branches/${encodeURIComponent(branch)}/extinction-events`, events)
  }
  const branches = await call<{ items: { name: string }[] }>('GET', `${path}/branches`)
  const stale = branches.items.map(({ name }) => name).filter((name) => !run.remoteBranches.includes(name))
  if (stale.length > 0) await call('POST', `${path}/branch-delete-tasks`, stale)
  return outcome
}

const first: ScannerRun = {
  repository,
  branch: 'main',
  head: '3af01c2b',
  updateSequenceId: 10,
  references,
  removed: [],
  remoteBranches: ['main'],
}

interface Statistics {
  readonly flags: Record<string, { hunkCount: number; fileCount: number; latestCommitTime: string; name: string }[]>
}

const statistics = async () =>
  (await call<Statistics>('GET', '/code-refs/statistics/web?includeUnknownFlags=true')).flags

const postgres = postgresStorages()
afterAll(() => postgres.dispose())

describe.each([
  ['memory', async () => createMemoryStorage()],
  ['Postgres', () => postgres.open()],
])('a code reference scanner over %s', (_, open) => {
  beforeEach(async () => serve(await open()))

  it('creates its repository, stores its references and reads them back unchanged', async () => {
    expect(await scan(first)).toBe('stored')
    expect(await statistics()).toMatchObject({
      checkout: [{ name: 'shop', hunkCount: 2, fileCount: 1, latestCommitTime: String(now - 60_000) }],
      search: [{ name: 'shop', hunkCount: 1, fileCount: 1 }],
    })
    expect(await call('GET', '/code-refs/repositories/shop/branches/main')).toMatchObject({
      name: 'main',
      head: '3af01c2b',
      updateSequenceId: 10,
      references,
    })
  })

  it('leaves an unchanged repository alone and patches only the properties that differ', async () => {
    await scan(first)
    const repositoryNow = () => call<Repository & { version: number }>('GET', '/code-refs/repositories/shop')
    const { version } = await repositoryNow()
    await scan({ ...first, updateSequenceId: 11 })
    expect((await repositoryNow()).version).toBe(version)
    const hunkUrlTemplate = `${repository.sourceLink}/blob/\${sha}/\${filePath}#L\${lineNumber}`
    await scan({ ...first, updateSequenceId: 12, repository: { ...repository, hunkUrlTemplate } })
    expect(await repositoryNow()).toMatchObject({ ...repository, hunkUrlTemplate })
  })

  it('receives a conflict when a later scan was stored first, and continues', async () => {
    await scan(first)
    expect(await scan({ ...first, updateSequenceId: 9, references: [], remoteBranches: ['main'] })).toBe('overtaken')
    expect(await scan({ ...first, references: [] })).toBe('overtaken')
    expect(Object.keys(await statistics()).sort()).toEqual(['checkout', 'search'])
  })

  it('records the removal of a flag once, even if it sends it repeatedly', async () => {
    await scan(first)
    const later = { ...first, head: 'b81e4d07', references: references.slice(0, 1), removed: ['search', 'search'] }
    await scan({ ...later, updateSequenceId: 11 })
    await scan({ ...later, updateSequenceId: 12 })
    expect(Object.keys(await statistics())).toEqual(['checkout'])
    const { items } = await call<{ items: Record<string, object[]> }>('GET', '/code-refs/extinctions?projKey=web')
    const event = { revision: 'b81e4d07', message: 'Remove search\n', flagKey: 'search', projKey: 'web' }
    expect(items).toEqual({ search: [{ ...event, time: String(now - 60_000) }] })
  })

  it('deletes all branches that its remote no longer has', async () => {
    const names = Array.from({ length: 25 }, (_, i) => `feature/ä ${i}`)
    for (const branch of names) {
      await scan({ ...first, branch, references: references.slice(1), remoteBranches: ['main', ...names] })
    }
    await scan({ ...first, remoteBranches: ['main', names[7] as string] })
    const { items } = await call<{ items: { name: string }[] }>('GET', '/code-refs/repositories/shop/branches')
    expect(items.map(({ name }) => name)).toEqual([names[7], 'main'])
    expect((await statistics()).search).toMatchObject([{ hunkCount: 1 }])
  })

  it('stops when its repository is disabled', async () => {
    await scan(first)
    await call('PATCH', '/code-refs/repositories/shop', [{ op: 'replace', path: '/enabled', value: false }])
    await expect(scan({ ...first, updateSequenceId: 11 })).rejects.toThrow('repository is disabled')
  })

  it('can store 100,000 references to 10,000 flags', async () => {
    const manyFiles = Array.from({ length: 1000 }, (_, file) => ({
      path: `src/file-${file}.ts`,
      hunks: Array.from({ length: 100 }, (_, i) => ({
        startingLineNumber: i * 7 + 1,
        lines: `  if (client.variation('flag-${i}')) {\n    render()\n  }`,
        projKey: 'web',
        flagKey: `flag-${(file * 100 + i) % 10_000}`,
      })),
    }))
    expect(await scan({ ...first, references: manyFiles })).toBe('stored')
    const flags = await statistics()
    expect(Object.keys(flags)).toHaveLength(10_000)
    expect(flags['flag-42']).toMatchObject([{ hunkCount: 10, fileCount: 10 }])
  })
})
