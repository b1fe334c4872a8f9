import { describe, expect, it } from 'vitest'
import { checkout, failureOf, flagsOf, segmentsOf, viewAccount } from './test/view-account.ts'

const { projectKey } = checkout

/** Creates a flag in two views, and a segment of each environment in one view. */
async function linkedAccount() {
  const account = await viewAccount()
  const { as, link, newFlag, newSegment, newView, production, test } = account
  await newView('cart')
  for (const key of ['a', 'b']) await newFlag(key)
  await newSegment('beta')
  await newSegment('beta', {}, 'test')
  const cart = { ...checkout, viewKey: 'cart' }
  for (const view of [checkout, cart]) await link({ keys: ['a'] }, as, flagsOf(view))
  const segmentIdentifiers = [production, test].map((environmentId) => ({ environmentId, segmentKey: 'beta' }))
  await link({ segmentIdentifiers }, as, segmentsOf())
  return { ...account, cart }
}

describe('a link is deleted', () => {
  it('with its flag, and not restored for a new flag with the key', async () => {
    const { api, as, cart, keys, newFlag, viewsOf, linksStored } = await linkedAccount()
    expect(await linksStored()).toEqual([2, 2, 2, 2])
    await api.deleteFlag({ projectKey, flagKey: 'a' }, { as })
    expect(await linksStored()).toEqual([0, 2, 0, 2])
    await newFlag('a')
    expect(await viewsOf('flags', 'a')).toEqual([])
    expect([await keys(), await keys({}, flagsOf(cart))]).toEqual([[], []])
  })

  it('with its segment, in one environment only', async () => {
    const { api, as, linked, linksStored } = await linkedAccount()
    await api.deleteSegment({ projectKey, environmentKey: 'test', segmentKey: 'beta' }, { as })
    expect(await linksStored()).toEqual([2, 1, 2, 1])
    expect((await linked({}, segmentsOf())).items).toMatchObject([{ environmentKey: 'production' }])
  })

  it('with its environment, after which a request with the id of the environment fails', async () => {
    const { api, as, linked, link, linksStored, production, test } = await linkedAccount()
    await api.deleteEnvironment({ projectKey, environmentKey: 'production' }, { as })
    expect(await linksStored()).toEqual([2, 1, 2, 1])
    expect((await linked({}, segmentsOf())).items).toMatchObject([{ environmentId: test }])
    const body = { segmentIdentifiers: [{ environmentId: production, segmentKey: 'beta' }] }
    expect(await link(body, as, segmentsOf())).toMatchObject({ failureCount: 1 })
  })

  it('with its view, and not restored for a new view with the key', async () => {
    const { api, as, keys, newView, viewsOf, linksStored, production } = await linkedAccount()
    await api.deleteView(checkout, { as })
    expect(await linksStored()).toEqual([1, 0, 1, 0])
    await newView('checkout')
    expect(await viewsOf('flags', 'a')).toEqual(['cart'])
    expect(await viewsOf('segments', 'beta', { environmentId: production })).toEqual([])
    expect(await keys()).toEqual([])
  })

  it('with its project, but not with another project that has the same keys', async () => {
    const { api, as, linksStored } = await linkedAccount()
    await api.createProject({ body: { key: 'web2', name: 'Other' } }, { as })
    const other = { projectKey: 'web2' }
    await api.createFlag({ ...other, body: { key: 'a', name: 'A' } }, { as })
    await api.createView({ ...other, body: { key: 'checkout', name: 'C' } }, { as })
    await api.linkResource({ ...flagsOf(), ...other, body: { keys: ['a'] } }, { as })
    expect(await linksStored()).toEqual([3, 2, 3, 2])
    await api.deleteProject({ projectKey }, { as })
    expect(await linksStored()).toEqual([1, 0, 1, 0])
  })
})

describe('concurrent calls', () => {
  it('all succeed when they link the same flags, and keep the first time of a link', async () => {
    const { link, keys, newFlag, linksStored } = await viewAccount()
    const flagKeys = ['a', 'b', 'c', 'd']
    for (const key of flagKeys) await newFlag(key)
    const results = await Promise.all(
      flagKeys.map((_, index) => link({ keys: [flagKeys[index], flagKeys[(index + 1) % 4]] })),
    )
    expect(results.map(({ successCount }) => successCount)).toEqual([2, 2, 2, 2])
    expect(await keys({ sort: 'name' })).toEqual(flagKeys)
    expect(await linksStored()).toEqual([4, 0, 4, 0])
  })

  it.each(['deleteFlag', 'deleteView', 'deleteProject', 'unlinkResource'] as const)(
    'with a link and %s never leave one side of a link',
    async (deletion) => {
      const awaitTurns = async (turns: number) => {
        for (let i = 0; i < turns; i++) await undefined
      }
      for (let turnOffset = -8; turnOffset <= 8; turnOffset++) {
        const { api, as, link, newFlag, linksStored, unlink } = await viewAccount()
        await newFlag('a')
        if (deletion === 'unlinkResource') await link({ keys: ['a'] })
        const deletions = {
          deleteFlag: () => api.deleteFlag({ projectKey, flagKey: 'a' }, { as }),
          deleteView: () => api.deleteView(checkout, { as }),
          deleteProject: () => api.deleteProject({ projectKey }, { as }),
          unlinkResource: () => unlink({ keys: ['a'] }),
        }
        const results = await Promise.allSettled([
          awaitTurns(turnOffset).then(() => link({ keys: ['a'] })),
          awaitTurns(-turnOffset).then(deletions[deletion]),
        ])
        for (const result of results) {
          if (result.status === 'rejected') expect(result.reason.code).toMatch(/^(not_found|optimistic_locking_error)$/)
        }
        const [viewFlags, , flagViews] = await linksStored()
        expect(viewFlags).toBe(flagViews)
        if (deletion !== 'unlinkResource' && results[1].status === 'fulfilled') expect(viewFlags).toBe(0)
      }
    },
    20_000,
  )

  it('do not link a flag that has changed since the filter was evaluated', async () => {
    const { api, as, link, newFlag, linksStored } = await viewAccount()
    await newFlag('a', { tags: ['pay'] })
    const body = [{ op: 'replace', path: '/tags', value: [] }] as never
    const [linking, patching] = await Promise.allSettled([
      link({ filter: 'tags:pay' }),
      api.patchFlag({ projectKey, flagKey: 'a', body }, { as }),
    ])
    expect([linking.status, patching.status]).toContain('fulfilled')
    if (linking.status === 'rejected') expect(await linksStored()).toEqual([0, 0, 0, 0])
    expect(await failureOf(link({ keys: ['a'] }, as, { ...flagsOf(), viewKey: 'none' }))).toMatchObject({
      code: 'not_found',
    })
  })
})
