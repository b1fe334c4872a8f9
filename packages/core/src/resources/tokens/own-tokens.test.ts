import { describe, expect, it } from 'vitest'
import { allow, codeOf, teamAccount } from '../teams/test/team-account.ts'

const roles = ['no_access', 'reader', 'writer', 'admin'] as const

async function twoMembers(role: (typeof roles)[number]) {
  const account = await teamAccount()
  const bob = await account.memberWithToken('bob@x.io', { role })
  const eve = await account.memberWithToken('eve@x.io', { role: 'reader' })
  const { items } = await account.api.listTokens({ limit: 100 }, { as: account.as })
  const tokenIdOf = (memberId: string) => items.find((token) => token.memberId === memberId)?._id as string
  return { ...account, bob, eve, tokenIdOf }
}

describe('a member', () => {
  it.each(roles)('with the role %s creates, lists, updates, resets and deletes their own tokens', async (role) => {
    const { api, bob, tokenIdOf } = await twoMembers(role)
    const as = bob.token
    const { _id, memberId } = await api.createToken({ body: { name: 'laptop', role: 'reader' } }, { as })
    expect(memberId).toBe(bob.id)
    const { items } = await api.listTokens({ limit: 100 }, { as })
    const ownTokenIds = items.filter((token) => token.memberId === bob.id).map((token) => token._id)
    expect(ownTokenIds.sort()).toEqual([_id, tokenIdOf(bob.id)].sort())
    await api.patchToken({ id: _id, body: [{ op: 'replace', path: '/name', value: 'phone' }] }, { as })
    const { token } = await api.resetToken({ id: _id }, { as })
    expect(await api.getToken({ id: _id }, { as: token })).toMatchObject({ name: 'phone' })
    await api.deleteToken({ id: _id }, { as })
    expect(await codeOf(api.listTokens({}, { as: token }))).toBe('unauthorized')
  })

  it.each(roles)(
    'with the role %s can access tokens of other members only if the role is admin or owner',
    async (role) => {
      const { api, bob, eve, tokenIdOf } = await twoMembers(role)
      const as = bob.token
      const id = tokenIdOf(eve.id)
      const { items } = await api.listTokens({ limit: 100 }, { as })
      expect(items.some((token) => token.memberId === eve.id)).toBe(role === 'admin')
      const body = [{ op: 'replace' as const, path: '/name', value: 'mine' }]
      const codes = [
        await codeOf(api.getToken({ id }, { as })),
        await codeOf(api.patchToken({ id, body }, { as })),
        await codeOf(api.resetToken({ id }, { as })),
        await codeOf(api.deleteToken({ id }, { as })),
      ]
      expect(codes).toEqual(
        role === 'admin' ? ['none', 'none', 'none', 'none'] : ['forbidden', 'not_found', 'not_found', 'not_found'],
      )
    },
  )

  it('below an administrator cannot create service tokens', async () => {
    const { api, bob } = await twoMembers('writer')
    const create = api.createToken({ body: { serviceToken: true, role: 'reader' } }, { as: bob.token })
    expect(await codeOf(create)).toBe('forbidden')
  })
})

describe('a token with a role of its own', () => {
  it.each([{ role: 'reader' }, { role: 'writer' }, { inlineRole: [allow(['*'], ['proj/*'])] }] as const)(
    'cannot create other tokens: %j',
    async (rights) => {
      const { api, bob, tokenIdOf } = await twoMembers('admin')
      const { token } = await api.createToken({ body: rights }, { as: bob.token })
      expect(await codeOf(api.createToken({ body: { role: 'reader' } }, { as: token }))).toBe('forbidden')
      expect(await codeOf(api.deleteToken({ id: tokenIdOf(bob.id) }, { as: token }))).not.toBe('none')
    },
  )
})
