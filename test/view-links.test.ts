import { type ApiError, createEngine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { describe, expect, it } from 'vitest'
import { everyStorage } from './setup/every-storage.ts'
import { longTests } from './setup/long-tests.ts'

const storages = everyStorage()

/** Number of flags that one call links. It is greater than the maximum of one commit. */
const linkedCount = longTests ? 10_000 : 1_500

const as = { role: 'admin' } as const
const rounds = 12

/**
 * Creates an engine, with functions that link flags to views and count the stored links on the side of views and of
 * flags.
 */
async function createLinkFixture(open: () => Promise<Storage>) {
  const storage = await open()
  const { api } = createEngine({ storage })
  const viewParams = (projectKey: string) => ({ projectKey, viewKey: 'checkout', resourceType: 'flags' })
  const countOf = async (collection: string) => {
    const query = { collection, scope: '', deep: true, limit: 0, count: true, select: 'fields' } as const
    return (await storage.account('default').list(query)).total
  }
  return {
    api,
    place: viewParams,
    /** Inserts more flags than a test could create by one call each. */
    insertFlags: (projectKey: string, count: number) =>
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
    link: (projectKey: string, keys: string[]) =>
      api.linkResource({ ...viewParams(projectKey), body: { keys } }, { as }),
    countSides: async () => Promise.all(['view-flag', 'flag-view'].map(countOf)),
  }
}

type LinkFixture = Awaited<ReturnType<typeof createLinkFixture>>

/** Deletions that also delete a link, called while the link is created. */
const deletions: Readonly<Record<string, (fixture: LinkFixture, projectKey: string) => Promise<unknown>>> = {
  'the deletion of its flag': ({ api }, projectKey) => api.deleteFlag({ projectKey, flagKey: 'a' }, { as }),
  'the deletion of its view': ({ api }, projectKey) => api.deleteView({ projectKey, viewKey: 'checkout' }, { as }),
  'the deletion of its project': ({ api }, projectKey) => api.deleteProject({ projectKey }, { as }),
}

const refusals = ['not_found', 'optimistic_locking_error']

describe.each(Object.entries(storages))('links to views on %s', (_, open) => {
  it.each(Object.entries(deletions))('are stored on both sides or on none, during %s', async (_name, deleteEnd) => {
    const fixture = await createLinkFixture(open)
    const projectKeys = Array.from({ length: rounds }, (_round, i) => `p${i}`)
    for (const key of projectKeys) await fixture.newProject(key, ['a'])
    let expectedLinks = 0
    for (const [index, key] of projectKeys.entries()) {
      const pause = async (turns: number) => {
        for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
      }
      const [linking, deletion] = await Promise.allSettled([
        pause(rounds - index).then(() => fixture.link(key, ['a'])),
        pause(index).then(() => deleteEnd(fixture, key)),
      ])
      for (const outcome of [linking, deletion]) {
        if (outcome.status === 'rejected') expect(refusals).toContain((outcome.reason as ApiError).code)
      }
      if (deletion.status === 'rejected' && linking.status === 'fulfilled') expectedLinks++
      expect(await fixture.countSides()).toEqual([expectedLinks, expectedLinks])
    }
  })

  it('are stored on both sides or on none when some are created and others deleted concurrently', async () => {
    const fixture = await createLinkFixture(open)
    const keys = ['a', 'b', 'c', 'd']
    await fixture.newProject('web', keys)
    for (let round = 0; round < rounds; round++) {
      const results = await Promise.allSettled(
        keys.map((key, index) => {
          const body = { keys: [key, keys[(index + 1) % keys.length] as string] }
          const viewParams = fixture.place('web')
          return (index + round) % 2 === 0
            ? fixture.api.linkResource({ ...viewParams, body }, { as })
            : fixture.api.unlinkResource({ ...viewParams, body }, { as })
        }),
      )
      expect(results.some(({ status }) => status === 'fulfilled')).toBe(true)
      const { items } = await fixture.api.listLinkedResources(fixture.place('web'), { as })
      for (const flagKey of keys) {
        const views = await fixture.api.listLinkedViews(
          { projectKey: 'web', resourceType: 'flags', resourceKey: flagKey },
          { as },
        )
        expect(views.totalCount).toBe(items.filter(({ resourceKey }) => resourceKey === flagKey).length)
      }
    }
  })

  it('are all created when several callers link the same resources concurrently', async () => {
    const fixture = await createLinkFixture(open)
    const keys = ['a', 'b', 'c', 'd', 'e']
    await fixture.newProject('web', keys)
    const results = await Promise.all(keys.map((_key, index) => fixture.link('web', keys.toSpliced(index, 1))))
    expect(results.map(({ successCount }) => successCount)).toEqual([4, 4, 4, 4, 4])
    expect(await fixture.countSides()).toEqual([5, 5])
  })

  it('are stored on both sides or on none when a long request races with another one', async () => {
    const fixture = await createLinkFixture(open)
    const body = { filter: 'tags:many' }
    for (const [index, deleteEnd] of (['unlinkResource', 'deleteProject'] as const).entries()) {
      const projectKey = `p${index}`
      await fixture.newProject(projectKey, [])
      await fixture.insertFlags(projectKey, 600)
      const viewParams = fixture.place(projectKey)
      for (let round = 0; round < 4; round++) {
        if (deleteEnd === 'unlinkResource') await fixture.api.linkResource({ ...viewParams, body }, { as })
        await Promise.allSettled([
          fixture.api.linkResource({ ...viewParams, body }, { as }),
          deleteEnd === 'unlinkResource'
            ? fixture.api.unlinkResource({ ...viewParams, body }, { as })
            : fixture.api.deleteProject({ projectKey: viewParams.projectKey }, { as }),
        ])
        const [withView, withFlag] = await fixture.countSides()
        expect(withFlag).toBe(withView)
        if (deleteEnd === 'unlinkResource') continue
        const isProjectDeleted = await fixture.api.getProject(viewParams, { as }).then(
          () => false,
          () => true,
        )
        if (isProjectDeleted) expect(withView).toBe(0)
      }
      if (deleteEnd === 'unlinkResource') await fixture.api.deleteProject({ projectKey: viewParams.projectKey }, { as })
    }
  })

  it('are created for many flags in one call', async () => {
    const fixture = await createLinkFixture(open)
    await fixture.newProject('web', [])
    await fixture.insertFlags('web', linkedCount)
    const viewParams = fixture.place('web')
    const result = await fixture.api.linkResource({ ...viewParams, body: { filter: 'tags:many' } }, { as })
    expect(result).toMatchObject({ successCount: linkedCount, linkedResources: { totalCount: linkedCount } })
    expect(await fixture.countSides()).toEqual([linkedCount, linkedCount])
    await fixture.api.deleteView({ projectKey: 'web', viewKey: 'checkout' }, { as })
    expect(await fixture.countSides()).toEqual([0, 0])
  })
})
