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
  storage = toldOfItself(createPostgresStorage({ pool, schema }))
  await storage.migrate()
})

afterAll(async () => {
  await storages.pool.query(`drop schema if exists "${schema}" cascade`)
  await storages.dispose()
})

/** A storage for one process alone: every commit goes through it and notifies its own watchers. */
function toldOfItself(sound: Storage): Storage {
  return {
    ...sound,
    account(name) {
      const account = sound.account(name)
      const watchers = new Set<Parameters<NonNullable<AccountStorage['watch']>>[0]>()
      return {
        ...account,
        async commit(batch) {
          const outcome = await account.commit(batch)
          for (const told of watchers) told(touchedBy(batch))
          return outcome
        },
        watch(told) {
          watchers.add(told)
          return { live: () => watchers.has(told), stop: async () => void watchers.delete(told) }
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
  const keys = { projectKey: 'web', featureFlagKey: 'f' }
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
  const count = async (work: () => Promise<unknown>) => (await pool.during(work)).statements.map(({ text }) => text)

  await rename('G')
  // The first read after a write fills the cache.
  await api.getFlag(keys, { as })
  const remembering = await count(() => rename('H'))
  // Without a cache: statements for the caller, the flag and its environments, its configurations, and the commit.
  const plain = createEngine({ storage, rateLimit: false, cache: false })
  await plain.api.getFlag(keys, { as })
  const forgetful = await count(() =>
    plain.api.patchFlag({ ...keys, body: [{ op: 'replace', path: '/name', value: 'I' }] }, { as }),
  )
  console.log(`statements of a patch: ${forgetful.length} without cache, ${remembering.length} with it`)
  expect(remembering.filter((text) => /^\s*select\b/i.test(text) && !/for (update|share)/i.test(text))).toEqual([])
  expect(forgetful.length).toBeGreaterThan(remembering.length)

  expect((await get()).status).toBe(200)
  expect(await count(get)).toEqual([])
  await api.getProject({ projectKey: 'web' }, { as })
  expect(await count(() => api.getProject({ projectKey: 'web' }, { as }))).toEqual([])
})
