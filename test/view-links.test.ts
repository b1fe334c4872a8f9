import { type ApiError, createEngine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { describe, expect, it } from 'vitest'
import { everyStorage } from './setup/every-storage.ts'

const opened = everyStorage()

const as = { role: 'admin' } as const
const rounds = 12

/**
 * Creates an engine, with functions that link flags to views and count the stored links on the side of views and of
 * flags.
 */
async function linkingEngine(open: () => Promise<Storage>) {
  const storage = await open()
  const { api } = createEngine({ storage })
  const place = (projectKey: string) => ({ projectKey, viewKey: 'checkout', resourceType: 'flags' })
  const countOf = async (collection: string) => {
    const query = { collection, scope: '', deep: true, limit: 0, count: true, select: 'fields' } as const
    return (await storage.account('default').list(query)).total
  }
  return {
    api,
    place,
    /** Inserts more flags than a test could create by one call each. */
    fill: (projectKey: string, count: number) =>
      storage.account('default').commit(
        Array.from({ length: count }, (_flag, i) => ({
          do: 'insert',
          id: { collection: 'flag', scope: `proj/${projectKey}:env/*`, key: `f${i}` },
          body: { version: 1, tags: ['many'] },
          fields: { name: 'copy', tags: ['many'], state: 'live' },
        })),
      ),
    async newProject(projectKey: string, flagKeys: readonly string[]) {
      await api.createProject({ body: { key: projectKey, name: 'Web' } }, { as })
      await api.createView({ projectKey, body: { key: 'checkout', name: 'Checkout' } }, { as })
      for (const key of flagKeys) await api.createFlag({ projectKey, body: { key, name: key } }, { as })
    },
    link: (projectKey: string, keys: string[]) => api.linkResource({ ...place(projectKey), body: { keys } }, { as }),
    sides: async () => Promise.all(['view-flag', 'flag-view'].map(countOf)),
  }
}

type Linking = Awaited<ReturnType<typeof linkingEngine>>

/** Deletions that also delete a link, called while the link is created. */
const ends: Readonly<Record<string, (linking: Linking, projectKey: string) => Promise<unknown>>> = {
  'the deletion of its flag': ({ api }, projectKey) => api.deleteFlag({ projectKey, featureFlagKey: 'a' }, { as }),
  'the deletion of its view': ({ api }, projectKey) => api.deleteView({ projectKey, viewKey: 'checkout' }, { as }),
  'the deletion of its project': ({ api }, projectKey) => api.deleteProject({ projectKey }, { as }),
}

const refusals = ['not_found', 'optimistic_locking_error']

describe.each(Object.entries(opened))('links to views on %s', (_, open) => {
  it.each(Object.entries(ends))('are stored on both sides or on none, during %s', async (_name, end) => {
    const linking = await linkingEngine(open)
    const projectKeys = Array.from({ length: rounds }, (_round, i) => `p${i}`)
    for (const key of projectKeys) await linking.newProject(key, ['a'])
    let left = 0
    for (const [at, key] of projectKeys.entries()) {
      const pause = async (turns: number) => {
        for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
      }
      const [linked, ended] = await Promise.allSettled([
        pause(rounds - at).then(() => linking.link(key, ['a'])),
        pause(at).then(() => end(linking, key)),
      ])
      for (const one of [linked, ended]) {
        if (one.status === 'rejected') expect(refusals).toContain((one.reason as ApiError).code)
      }
      if (ended.status === 'rejected' && linked.status === 'fulfilled') left++
      expect(await linking.sides()).toEqual([left, left])
    }
  })

  it('are stored on both sides or on none when some are created and others deleted concurrently', async () => {
    const linking = await linkingEngine(open)
    const keys = ['a', 'b', 'c', 'd']
    await linking.newProject('web', keys)
    for (let round = 0; round < rounds; round++) {
      const results = await Promise.allSettled(
        keys.map((key, at) => {
          const body = { keys: [key, keys[(at + 1) % keys.length] as string] }
          const place = linking.place('web')
          return (at + round) % 2 === 0
            ? linking.api.linkResource({ ...place, body }, { as })
            : linking.api.unlinkResource({ ...place, body }, { as })
        }),
      )
      expect(results.some(({ status }) => status === 'fulfilled')).toBe(true)
      const { items } = await linking.api.listLinkedResources(linking.place('web'), { as })
      for (const flagKey of keys) {
        const views = await linking.api.listLinkedViews(
          { projectKey: 'web', resourceType: 'flags', resourceKey: flagKey },
          { as },
        )
        expect(views.totalCount).toBe(items.filter(({ resourceKey }) => resourceKey === flagKey).length)
      }
    }
  })

  it('are all created when several callers link the same resources concurrently', async () => {
    const linking = await linkingEngine(open)
    const keys = ['a', 'b', 'c', 'd', 'e']
    await linking.newProject('web', keys)
    const results = await Promise.all(keys.map((_key, at) => linking.link('web', keys.toSpliced(at, 1))))
    expect(results.map(({ successCount }) => successCount)).toEqual([4, 4, 4, 4, 4])
    expect(await linking.sides()).toEqual([5, 5])
  })

  it('are stored on both sides or on none when a long request races with another one', async () => {
    const linking = await linkingEngine(open)
    const body = { filter: 'tags:many' }
    for (const [at, end] of (['unlinkResource', 'deleteProject'] as const).entries()) {
      const projectKey = `p${at}`
      await linking.newProject(projectKey, [])
      await linking.fill(projectKey, 3_000)
      const place = linking.place(projectKey)
      for (let round = 0; round < 4; round++) {
        if (end === 'unlinkResource') await linking.api.linkResource({ ...place, body }, { as })
        await Promise.allSettled([
          linking.api.linkResource({ ...place, body }, { as }),
          end === 'unlinkResource'
            ? linking.api.unlinkResource({ ...place, body }, { as })
            : linking.api.deleteProject(place, { as }),
        ])
        const [withView, withFlag] = await linking.sides()
        expect(withFlag).toBe(withView)
        if (end === 'unlinkResource') continue
        const gone = await linking.api.getProject(place, { as }).then(
          () => false,
          () => true,
        )
        if (gone) expect(withView).toBe(0)
      }
      if (end === 'unlinkResource') await linking.api.deleteProject(place, { as })
    }
  })

  it('are created for 10,000 flags in one call', async () => {
    const linking = await linkingEngine(open)
    await linking.newProject('web', [])
    await linking.fill('web', 10_000)
    const place = linking.place('web')
    const answer = await linking.api.linkResource({ ...place, body: { filter: 'tags:many' } }, { as })
    expect(answer).toMatchObject({ successCount: 10_000, linkedResources: { totalCount: 10_000 } })
    expect(await linking.sides()).toEqual([10_000, 10_000])
    await linking.api.deleteView({ projectKey: 'web', viewKey: 'checkout' }, { as })
    expect(await linking.sides()).toEqual([0, 0])
  })
})
