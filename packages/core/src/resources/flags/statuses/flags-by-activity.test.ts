import { expect, it } from 'vitest'
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
    const features = { f9: { counters: [{ version: 1, count: 1, variation: 0 }] } }
    const headers = { authorization: apiKey, 'content-type': 'application/json' }
    await engine.sdk.handle(engineRequest('POST', '/bulk', [{ kind: 'summary', endDate: pass(1), features }], headers))
    await engine.sdk.flush()
  }
  expect(await count('active')).toEqual({ flags: 0, inMemory: true })
  await report()
  expect((await count('active')).flags).toBe(1)
  await expect.poll(async () => (await count('active')).inMemory).toBe(true)
  await report()
  // Rows that a list finds to be outdated would be missing from the second list on.
  for (let lists = 0; lists < 2; lists++) expect(await count('active')).toEqual({ flags: 1, inMemory: true })
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
