import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import { engineRequest } from '../account/test/calls.ts'
import { allow, callerWith, codeOf, failureOf, start, teamAccount } from '../teams/test/team-account.ts'

const dayMs = 24 * 60 * 60 * 1000
const staleSecret = {
  code: 'invalid_request',
  message: 'validation failed',
  errors: [
    {
      attribute: 'secret',
      reason: 'must be the secret of an invitation that has not expired, was not used and was not replaced',
    },
  ],
}

async function invitedAccount() {
  const account = await teamAccount()
  const { api, as } = account
  const invite = async (settings: object = {}, caller = as) => {
    const body = [{ email: 'bob@x.io', role: 'writer', ...settings }] as const
    const { items } = await api.createMembers({ body }, { as: caller })
    return items[0] as (typeof items)[number]
  }
  const accept = (id: string, secret: string) => api.acceptInvitation({ id, body: { secret } }, { as: '' })
  return { ...account, invite, accept }
}

describe('an invitation', () => {
  it('is a link whose secret is shown once, and the member is pending until it is accepted', async () => {
    const { invite, accept, getMember } = await invitedAccount()
    const { _id, _invitation, _pendingInvite } = await invite()
    expect(_invitation).toEqual({
      href: `/invitation#${_id}.${_invitation.secret}`,
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      expiresAt: String(start + 7 * dayMs),
    })
    expect(_pendingInvite).toBe(true)
    expect(await getMember(_id)).toMatchObject({ _pendingInvite: true })
    expect(JSON.stringify(await getMember(_id))).not.toContain(_invitation.secret)
    await accept(_id, _invitation.secret)
    expect(await getMember(_id)).toMatchObject({ _pendingInvite: false })
  })

  it('gives the member a personal token with exactly the rights of the member', async () => {
    const { invite, accept, api, patchMember } = await invitedAccount()
    const { _id, _invitation } = await invite()
    const { token, memberId, serviceToken, _member } = await accept(_id, _invitation.secret)
    expect({ memberId, serviceToken }).toEqual({ memberId: _id, serviceToken: false })
    expect(_member).toMatchObject({ email: 'bob@x.io' })
    const create = (key: string) => codeOf(api.createProject({ body: { key, name: key } }, { as: token }))
    expect(await create('a')).toBe('none')
    expect(await codeOf(api.listMembers({}, { as: token }))).toBe('none')
    expect(await codeOf(api.createMembers({ body: [{ email: 'c@x.io' }] }, { as: token }))).toBe('forbidden')
    await patchMember(_id, [{ op: 'replace', path: '/role', value: 'reader' }])
    expect(await create('b')).toBe('forbidden')
  })

  it('is accepted over HTTP without a token, and any token of the request is ignored', async () => {
    const { engine, invite } = await invitedAccount()
    const { _id, _invitation } = await invite()
    const body = { secret: _invitation.secret }
    const path = `/api/v2/members/${_id}/invitation/accept`
    const response = await engine.handle(engineRequest('POST', path, body, { authorization: 'api-unknown' }))
    expect(response.status).toBe(201)
    expect(response.headers['x-ratelimit-global-remaining']).toBeUndefined()
    expect(JSON.parse(response.body as string)).toMatchObject({ memberId: _id })
    expect((await engine.handle(engineRequest('GET', path, undefined, {}))).status).toBe(405)
  })

  it('works once, also when it is accepted many times concurrently', async () => {
    const { invite, accept, api, as } = await invitedAccount()
    const { _id, _invitation } = await invite()
    const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(accept(_id, _invitation.secret))))
    expect(codes.filter((code) => code === 'none')).toHaveLength(1)
    expect(await failureOf(accept(_id, _invitation.secret))).toEqual(staleSecret)
    const { items } = await api.listTokens({}, { as })
    expect(items.filter(({ memberId }) => memberId === _id)).toHaveLength(1)
  })

  it('expires after the configured number of days', async () => {
    let now = start
    const engine = createEngine({ storage: createMemoryStorage(), clock: () => now, invitationDays: 2 })
    const as = (await engine.bootstrap())?.token as string
    const invited = await engine.api.createMembers({ body: [{ email: 'a@x.io' }, { email: 'b@x.io' }] }, { as })
    const [ann, bob] = invited.items.map(({ _id: id, _invitation: { secret } }) => ({ id, body: { secret } }))
    now += 2 * dayMs - 1
    expect(await codeOf(engine.api.acceptInvitation(ann as NonNullable<typeof ann>, { as: '' }))).toBe('none')
    now += 1
    expect(await failureOf(engine.api.acceptInvitation(bob as NonNullable<typeof bob>, { as: '' }))).toEqual(
      staleSecret,
    )
    expect(() => createEngine({ storage: createMemoryStorage(), invitationDays: 0 })).toThrow(/invitationDays/)
  })

  it('is refused with another secret, with the secret of another member, and for an unknown member', async () => {
    const { invite, accept } = await invitedAccount()
    const bob = await invite()
    const eve = await invite({ email: 'eve@x.io' })
    const secrets = [
      '',
      'x',
      eve._invitation.secret,
      bob._invitation.secret.toUpperCase(),
      `${bob._invitation.secret} `,
    ]
    for (const secret of secrets) expect(await failureOf(accept(bob._id, secret))).toEqual(staleSecret)
    expect(await codeOf(accept('nobody', bob._invitation.secret))).toBe('not_found')
    expect(await codeOf(accept(bob._id, bob._invitation.secret))).toBe('none')
  })

  it('ends when the member is deleted', async () => {
    const { invite, accept, api, as } = await invitedAccount()
    const { _id, _invitation } = await invite()
    await api.deleteMember({ id: _id }, { as })
    expect(await codeOf(accept(_id, _invitation.secret))).toBe('not_found')
  })

  it('ends when the rights of the member change, because the caller who made the link may not have those', async () => {
    const { invite, accept, api, as, patchMember, instruct, team } = await invitedAccount()
    await team('growth')
    const changes: ((id: string) => Promise<unknown>)[] = [
      (id) => patchMember(id, [{ op: 'replace', path: '/role', value: 'admin' }]),
      (id) => instruct('growth', [{ kind: 'addMembers', values: [id] }]),
    ]
    for (const [i, change] of changes.entries()) {
      const { _id, _invitation } = await invite({ email: `${i}@x.io` })
      await change(_id)
      expect(await failureOf(accept(_id, _invitation.secret))).toEqual(staleSecret)
      const again = await api.inviteMember({ id: _id }, { as })
      expect(await codeOf(accept(_id, again._invitation.secret))).toBe('none')
    }
    const { _id, _invitation } = await invite({ email: 'name@x.io' })
    await patchMember(_id, [{ op: 'replace', path: '/firstName', value: 'Bob' }])
    expect(await codeOf(accept(_id, _invitation.secret))).toBe('none')
  })
})

describe('inviteMember', () => {
  it('makes a new link, with which the earlier one stops working', async () => {
    const { invite, accept, api, as, pass } = await invitedAccount()
    const { _id, _invitation: first } = await invite()
    pass(8 * dayMs)
    const { _invitation: second } = await api.inviteMember({ id: _id }, { as })
    expect(second.expiresAt).toBe(String(start + 15 * dayMs))
    expect(await failureOf(accept(_id, first.secret))).toEqual(staleSecret)
    expect(await codeOf(accept(_id, second.secret))).toBe('none')
  })

  it('is refused for a member who has accepted, and for one who was never invited', async () => {
    const { invite, accept, api, as, ownerId } = await invitedAccount()
    const { _id, _invitation } = await invite()
    await accept(_id, _invitation.secret)
    for (const id of [_id, ownerId]) expect(await codeOf(api.inviteMember({ id }, { as }))).toBe('invalid_request')
  })

  it('requires the right to create members, and all rights of the member', async () => {
    const { invite, api, role, team } = await invitedAccount()
    await role('switcher', allow(['updateOn'], ['proj/*:env/*:flag/*']))
    await team('growth', { customRoleKeys: ['switcher'] })
    const inviter = allow(['createMember', 'viewMember'], ['member/*'])
    const viewer = callerWith(allow(['viewMember'], ['member/*']))
    const reader = await invite({ email: 'reader@x.io', role: 'no_access' })
    expect(await codeOf(api.inviteMember({ id: reader._id }, { as: viewer }))).toBe('forbidden')
    expect(await codeOf(api.inviteMember({ id: reader._id }, { as: callerWith(inviter) }))).toBe('none')
    for (const settings of [{ role: 'owner' }, { customRoles: ['switcher'] }, { teamKeys: ['growth'] }]) {
      const email = `${Object.keys(settings)[0]}@x.io`
      const { _id } = await invite({ email, role: 'no_access', ...settings })
      expect(await codeOf(api.inviteMember({ id: _id }, { as: callerWith(inviter) }))).toBe('forbidden')
      const able = callerWith(inviter, allow(['*'], ['proj/*:env/*:flag/*']))
      const expected = 'role' in settings ? 'forbidden' : 'none'
      expect(await codeOf(api.inviteMember({ id: _id }, { as: able }))).toBe(expected)
    }
  })
})

describe('the secret of an invitation', () => {
  it('is in no log, no change log entry, no export and no stored record', async () => {
    const logged: unknown[] = []
    const storage = createMemoryStorage()
    const engine = createEngine({ storage, log: (entry) => logged.push(entry) })
    const as = (await engine.bootstrap())?.token as string
    const { items } = await engine.api.createMembers({ body: [{ email: 'bob@x.io' }] }, { as })
    const { _id: id, _invitation: first } = items[0] as (typeof items)[number]
    await codeOf(engine.api.acceptInvitation({ id, body: { secret: `${first.secret}0` } }, { as: '' }))
    const { _invitation: second } = await engine.api.inviteMember({ id }, { as })
    const exported: string[] = []
    for (const secrets of [true, false]) for await (const piece of engine.export({ secrets })) exported.push(piece)
    const { token } = await engine.api.acceptInvitation({ id, body: { secret: second.secret } }, { as: '' })
    for await (const piece of engine.export({ secrets: true })) exported.push(piece)
    const { items: entries } = await engine.api.listChangeLog({ limit: 20 }, { as })
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(second.secret))
    const hash = Buffer.from(digest).toString('hex')
    const text = JSON.stringify([logged, entries, exported])
    for (const secret of [first.secret, second.secret, token]) expect(text).not.toContain(secret)
    expect(JSON.stringify([logged, entries])).not.toContain(hash)
    expect(entries.map(({ description }) => description)).toEqual([
      'Accept an invitation',
      'Make the invitation of a member again',
      'Invite members, all of them or none',
    ])
    expect(entries[0]).toMatchObject({ member: { _id: id, email: 'bob@x.io' } })
  })

  it('is lost in a back-up without secrets, from which the member can be invited again', async () => {
    const { invite, accept, engine } = await invitedAccount()
    const { _id, _invitation } = await invite()
    const pieces: string[] = []
    for await (const piece of engine.export()) pieces.push(piece)
    const copy = createEngine({ storage: createMemoryStorage() })
    const { token } = await copy.import(pieces)
    const as = token as string
    expect(await copy.api.getMember({ id: _id }, { as })).toMatchObject({ _pendingInvite: true })
    const input = { id: _id, body: { secret: _invitation.secret } }
    expect(await failureOf(copy.api.acceptInvitation(input, { as: '' }))).toEqual(staleSecret)
    const again = await copy.api.inviteMember({ id: _id }, { as })
    const { secret } = again._invitation
    expect(await codeOf(copy.api.acceptInvitation({ id: _id, body: { secret } }, { as: '' }))).toBe('none')
    expect(await codeOf(accept(_id, _invitation.secret))).toBe('none')
  })
})
