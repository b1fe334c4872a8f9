import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it } from 'vitest'
import { createEngine } from '../../../index.ts'
import { engineRequest } from '../../account/test/calls.ts'
import { flagProject } from '../test/flag-project.ts'

const day = 24 * 60 * 60 * 1000
const flagCount = 210
const turnedOn = 3

/** Returns a project with flags, three of which have been on for ten days, whose rows are in memory. */
async function projectWithRowsInMemory() {
  const project = await flagProject()
  const { api, as, engine, create, instruct, pass } = project
  for (let n = 0; n < flagCount; n++) await create(`f${n}`)
  for (let n = 0; n < turnedOn; n++) await instruct(`f${n}`, [{ kind: 'turnFlagOn' }])
  pass(10 * day)
  const hits = () => engine.cacheStats().documents.hits
  const list = (status: string) =>
    api.listFlags({ projectKey: 'web', filter: `status:${status},filterEnv:production`, limit: 5 }, { as })
  /** Returns the number of flags with a status, and whether the list came from rows in memory. */
  const count = async (status: string) => {
    const before = hits()
    const { totalCount } = await list(status)
    return { flags: totalCount, inMemory: hits() > before }
  }
  await expect.poll(async () => (await count('launched')).inMemory).toBe(true)
  return { ...project, count, list }
}

it('flags that are not evaluated become inactive when the environment has counted evaluations for seven days', async () => {
  const { api, as, engine, count, pass } = await projectWithRowsInMemory()
  const now = pass(0)
  const { apiKey } = await api.getEnvironment({ projectKey: 'web', environmentKey: 'production' }, { as })
  const features = { f0: { counters: [{ version: 1, count: 1, variation: 0 }] } }
  const headers = { authorization: apiKey, 'content-type': 'application/json' }
  await engine.sdk.handle(engineRequest('POST', '/bulk', [{ kind: 'summary', endDate: now, features }], headers))
  await engine.sdk.flush()
  pass(7 * day - 1)
  expect((await count('launched')).flags).toBe(turnedOn)
  pass(1)
  expect((await count('launched')).flags).toBe(0)
  expect((await count('inactive')).flags).toBe(flagCount)
})

it('a report of evaluations keeps the rows in memory, after the first one of the environment', async () => {
  const { api, as, engine, count, pass } = await projectWithRowsInMemory()
  const { apiKey } = await api.getEnvironment({ projectKey: 'web', environmentKey: 'production' }, { as })
  const report = async () => {
    const counted = { counters: [{ version: 1, count: 1, variation: 0 }] }
    // So many flags that a notification of each was once replaced by one of the whole collection.
    const features = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`f${n}`, counted]))
    const headers = { authorization: apiKey, 'content-type': 'application/json' }
    await engine.sdk.handle(engineRequest('POST', '/bulk', [{ kind: 'summary', endDate: pass(1), features }], headers))
    await engine.sdk.flush()
  }
  expect(await count('active')).toEqual({ flags: 0, inMemory: true })
  await report()
  expect((await count('active')).flags).toBe(150 - turnedOn)
  await expect.poll(async () => (await count('active')).inMemory).toBe(true)
  await report()
  // Rows that a list finds to be outdated would be missing from the second list on.
  for (let lists = 0; lists < 2; lists++)
    expect(await count('active')).toEqual({ flags: 150 - turnedOn, inMemory: true })
})

it('a page from rows in memory has the documents, links and order of the list', async () => {
  const { list } = await projectWithRowsInMemory()
  const { items, totalCount, _links } = await list('inactive')
  expect(totalCount).toBe(flagCount - turnedOn)
  expect(items.map(({ key, name }) => [key, name])).toEqual(
    ['f10', 'f100', 'f101', 'f102', 'f103'].map((key) => [key, key]),
  )
  expect(_links.next?.href).toContain('offset=5')
})

it('a page contains no flag that another process has changed since its row was read', async () => {
  const memory = createMemoryStorage()
  let beforeRead: (() => Promise<unknown>) | undefined
  const storage: typeof memory = {
    ...memory,
    account: (name) => ({
      ...memory.account(name),
      async getMany(ids) {
        const change = beforeRead
        beforeRead = undefined
        await change?.()
        return memory.account(name).getMany(ids)
      },
    }),
  }
  const options = { webhooks: false, rateLimit: false } as const
  const [engine, other] = [createEngine({ ...options, storage }), createEngine({ ...options, storage: memory })]
  const as = { as: (await engine.bootstrap())?.token as string }
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, as)
  for (let n = 0; n < flagCount; n++)
    await engine.api.createFlag({ projectKey: 'web', body: { key: `f${n}`, name: `f${n}` } }, as)
  const list = (offset: number) =>
    engine.api.listFlags({ projectKey: 'web', filter: 'status:new,filterEnv:production', limit: 5, offset }, as)
  let offset = 0
  await expect
    .poll(async () => {
      const before = engine.cacheStats().documents.hits
      await list(offset++)
      return engine.cacheStats().documents.hits > before
    })
    .toBe(true)
  const body = { instructions: [{ kind: 'archiveFlag' }] } as never
  beforeRead = () => other.api.patchFlag({ projectKey: 'web', flagKey: 'f0', body }, as)
  const { items, totalCount } = await list(0)
  expect(items.map(({ key }) => key)).not.toContain('f0')
  expect(totalCount).toBe(flagCount - 1)
  expect(items).toHaveLength(5)
})

it('a list by evaluation of few flags is cached as a response', async () => {
  const { engine, send, create } = await flagProject()
  await create('checkout')
  const path = '/api/v2/flags/web?filter=evaluated:%7B%22after%22:1%7D,filterEnv:production'
  for (let request = 0; request < 3; request++) expect((await send('GET', path)).status).toBe(200)
  expect(engine.cacheStats().responses.hits).toBe(2)
})
