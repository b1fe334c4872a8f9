import { createEngine } from '@halyard/core'
import { type AccountStorage, type Storage, touchedBy } from '@halyard/core/storage'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CountedPool, countedPool } from './setup/counted-pool.ts'
import { postgresStorages, uniqueSchema } from './setup/postgres-storages.ts'

const storages = postgresStorages()
const schema = uniqueSchema()
let pool: CountedPool
let storage: Storage

beforeAll(async () => {
  pool = countedPool(storages.pool)
  storage = withOwnWatchers(createPostgresStorage({ pool, schema }))
  await storage.migrate()
})

afterAll(async () => {
  await storages.pool.query(`drop schema if exists "${schema}" cascade`)
  await storages.dispose()
})

/** A storage for one process alone: every commit goes through it and notifies its own watchers. */
function withOwnWatchers(inner: Storage): Storage {
  return {
    ...inner,
    account(name) {
      const account = inner.account(name)
      const watchers = new Set<Parameters<NonNullable<AccountStorage['watch']>>[0]>()
      return {
        ...account,
        async commit(batch) {
          const outcome = await account.commit(batch)
          for (const onChange of watchers) onChange(touchedBy(batch))
          return outcome
        },
        watch(onChange) {
          watchers.add(onChange)
          return { live: () => watchers.has(onChange), stop: async () => void watchers.delete(onChange) }
        },
      }
    },
  }
}

it('cached reads send no statement, and a patch of cached documents sends only its commit', async () => {
  const engine = createEngine({ storage, rateLimit: false })
  const token = (await engine.bootstrap())?.token as string
  const as = token
  const { api } = engine
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'F' } }, { as })
  const keys = { projectKey: 'web', flagKey: 'f' }
  const rename = (name: string) =>
    api.patchFlag({ ...keys, body: [{ op: 'replace', path: '/name', value: name }] }, { as })
  const get = () =>
    engine.handle({
      method: 'GET',
      path: '/api/v2/flags/web/f',
      query: '',
      header: (name) => (name === 'authorization' ? token : undefined),
      body: { kind: 'parsed', value: undefined },
    })
  const statementsDuring = async (work: () => Promise<unknown>) =>
    (await pool.during(work)).statements.map(({ text }) => text)

  await rename('G')
  // The first read after a write fills the cache.
  await api.getFlag(keys, { as })
  const withCache = await statementsDuring(() => rename('H'))
  // Without a cache: statements for the caller, the flag and its environments, its configurations, and the commit.
  const uncachedEngine = createEngine({ storage, rateLimit: false, cache: false })
  await uncachedEngine.api.getFlag(keys, { as })
  const withoutCache = await statementsDuring(() =>
    uncachedEngine.api.patchFlag({ ...keys, body: [{ op: 'replace', path: '/name', value: 'I' }] }, { as }),
  )
  console.log(`statements of a patch: ${withoutCache.length} without cache, ${withCache.length} with it`)
  expect(withCache.filter((text) => /^\s*select\b/i.test(text) && !/for (update|share)/i.test(text))).toEqual([])
  expect(withoutCache.length).toBeGreaterThan(withCache.length)

  expect((await get()).status).toBe(200)
  expect(await statementsDuring(get)).toEqual([])
  await api.getProject({ projectKey: 'web' }, { as })
  expect(await statementsDuring(() => api.getProject({ projectKey: 'web' }, { as }))).toEqual([])
})
