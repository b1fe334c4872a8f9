import { describe, expect, it } from 'vitest'
import { checkout, failureOf, flagsOf, segmentsOf, start, viewAccount } from './test/view-account.ts'

const { projectKey } = checkout

describe('the resources that are linked to a view', () => {
  it('are listed in pages, by time, by name, and by the current state of the flags', async () => {
    const { api, as, link, keys, linked, newFlag, pass } = await viewAccount()
    await newFlag('a', { name: 'Zoo', tags: ['x'] })
    await newFlag('b', { name: 'Yard' })
    await newFlag('c', { name: 'Attic', tags: ['x'] })
    for (const key of ['b', 'c', 'a']) {
      await link({ keys: [key] })
      pass(1)
    }
    expect(await keys()).toEqual(['b', 'c', 'a'])
    expect(await keys({ sort: '-linkedAt' })).toEqual(['a', 'c', 'b'])
    expect(await keys({ sort: 'name' })).toEqual(['c', 'b', 'a'])
    expect(await keys({ sort: '-name' })).toEqual(['a', 'b', 'c'])
    expect(await keys({ filter: 'tags:x' })).toEqual(['c', 'a'])
    expect(await keys({ query: 'yArD' })).toEqual(['b'])
    const body = [{ op: 'replace', path: '/name', value: 'Barn' }] as never
    await api.patchFlag({ projectKey, flagKey: 'a', body }, { as })
    expect(await keys({ sort: 'name', offset: 1, limit: 1 })).toEqual(['a'])
    const page = await linked({ limit: 1, offset: 1 })
    expect(page).toMatchObject({ totalCount: 3, items: [{ resourceKey: 'c' }] })
    expect(Object.keys(page._links)).toEqual(['self', 'first', 'prev', 'next', 'last'])
  })

  it('contain resourceDetails when they are expanded', async () => {
    const { link, linked, newFlag } = await viewAccount()
    await newFlag('a', { name: 'Zoo', description: 'Animals', tags: ['x'] })
    await link({ keys: ['a'] })
    expect(Object.keys((await linked()).items[0] ?? {})).not.toContain('resourceDetails')
    const { items } = await linked({ expand: 'resourceDetails' })
    expect(items[0]?.resourceDetails).toEqual({
      flag: { key: 'a', name: 'Zoo', description: 'Animals', tags: ['x'], creationDate: String(start) },
    })
  })

  it.each([
    ['sort', 'key'],
    ['limit', 101],
    ['expand', 'flag'],
    ['filter', 'colour:red'],
  ])('are not listed with %s=%s', async (name, value) => {
    const { linked } = await viewAccount()
    expect(await failureOf(linked({ [name]: value }))).toMatchObject({
      errors: [{ attribute: expect.stringMatching(`^${name}`) }],
    })
  })

  it('list their views that the caller may view', async () => {
    const { link, newFlag, newView, newSegment, production, test, as, viewsOf, api } = await viewAccount()
    await newFlag('a')
    await newView('cart')
    await newSegment('beta')
    const cart = { ...checkout, viewKey: 'cart' }
    const body = { segmentIdentifiers: [{ environmentId: production, segmentKey: 'beta' }] }
    for (const view of [checkout, cart]) {
      await link({ keys: ['a'] }, as, flagsOf(view))
      await link(body, as, segmentsOf(view))
    }
    expect(await viewsOf('flags', 'a')).toEqual(['cart', 'checkout'])
    expect(await viewsOf('flags', 'a', { offset: 1 })).toEqual(['checkout'])
    expect(await viewsOf('segments', 'beta', { environmentId: production })).toEqual(['cart', 'checkout'])
    expect(await failureOf(viewsOf('segments', 'beta'))).toMatchObject({ errors: [{ attribute: 'environmentId' }] })
    for (const environmentId of [test, 'nowhere']) {
      expect(await failureOf(viewsOf('segments', 'beta', { environmentId }))).toMatchObject({ code: 'not_found' })
    }
    expect(await failureOf(viewsOf('flags', 'none'))).toMatchObject({ code: 'not_found' })
    const callerOfCart = {
      policy: [
        { effect: 'allow', actions: ['viewProject'], resources: ['proj/*'] },
        { effect: 'allow', actions: ['viewView'], resources: ['proj/*:view/cart'] },
      ],
    } as const
    const visible = await api.listLinkedViews(
      { projectKey, resourceType: 'flags', resourceKey: 'a' },
      { as: callerOfCart },
    )
    expect(visible).toMatchObject({ totalCount: 1, items: [{ key: 'cart', projectKey: 'web' }] })
  })
})
