import { describe, expect, it } from 'vitest'
import { failureOf } from '../../account/test/calls.ts'
import { ann, bob, device, environment, web } from '../test/seen-contexts.ts'

describe('users', () => {
  /** Reports Ann, then Bob, then Cid, at intervals of one second, together with contexts of another kind. */
  async function seen() {
    const { api, see, advance } = await web()
    await see(ann, device)
    advance(1_000)
    await see({ ...bob, email: 'bob@example.com', _meta: { redactedAttributes: ['ip'] } })
    advance(1_000)
    await see({ kind: 'user', key: 'cid', name: 7, country: null })
    const keysOf = (page: { readonly items: readonly { readonly user: { readonly key: string } }[] }) =>
      page.items.map(({ user }) => user.key)
    return { api, keysOf }
  }

  it('are the contexts of kind `user`, in the format for clients without contexts', async () => {
    const { api } = await seen()
    const { user, environmentId } = await api.getUser({ ...environment, userKey: 'ann' })
    const { groups, level } = ann
    expect(user).toEqual({ key: 'ann', name: 'Ann Smith', country: 'de', custom: { groups, level } })
    expect(environmentId).toBe((await api.getEnvironment(environment))._id)
    expect((await api.getUser({ ...environment, userKey: 'bob' })).user).toEqual({
      key: 'bob',
      name: 'Bob',
      country: 'at',
      email: 'bob@example.com',
      privateAttrs: ['ip'],
    })
    const { user: cid } = await api.getUser({ ...environment, userKey: 'cid' })
    expect(cid).toEqual({ key: 'cid', custom: { name: 7, country: null } })
    expect(await failureOf(api.getUser({ ...environment, userKey: 'p1' }))).toMatchObject({ code: 'not_found' })
  })

  it('are listed page by page, the latest first, and found by text and time', async () => {
    const { api, keysOf } = await seen()
    const first = await api.getUsers({ ...environment, limit: 2 })
    expect([keysOf(first), first.totalCount]).toEqual([['cid', 'bob'], 3])
    const searchAfter = new URL(first._links.next?.href ?? '', 'http://x').searchParams.get('searchAfter') ?? ''
    const second = await api.getUsers({ ...environment, limit: 2, searchAfter })
    expect([keysOf(second), second._links.next]).toEqual([['ann'], undefined])
    const search = async (query: object) => keysOf(await api.getSearchUsers({ ...environment, ...query }))
    expect(await search({ q: 'SMITH' })).toEqual(['ann'])
    expect(await search({ sort: 'lastSeen' })).toEqual(['ann', 'bob', 'cid'])
    const start = Date.UTC(2026, 2, 1)
    expect([await search({ after: start }), await search({ after: start - 1 })]).toEqual([
      ['cid', 'bob'],
      ['cid', 'bob', 'ann'],
    ])
    expect(await failureOf(search({ sort: 'userKey' }))).toMatchObject({ errors: [{ attribute: 'sort' }] })
    expect(await api.getUserAttributeNames(environment)).toEqual({
      private: ['ip'],
      custom: ['groups', 'level'],
      standard: ['country', 'email', 'key', 'name'],
    })
  })
})
