import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import { engineRequest } from '../account/test/calls.ts'
import { allow, callerWith, codeOf, failureOf, start, teamAccount } from '../teams/test/team-account.ts'

const dayMs = 24 * 60 * 60 * 1000
const staleCode = {
  code: 'invalid_request',
  message: 'validation failed',
  errors: [
    {
      attribute: 'code',
      reason: 'must be the code of an invitation that has not expired, was not used and was not replaced',
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
  const accept = (id: string, code: string) => api.acceptInvitation({ id, body: { code } })
  return { ...account, invite, accept }
}

describe('an invitation', () => {
  it('is a link whose code is shown once, and the member is pending until it is accepted', async () => {
    const { invite, accept, getMember } = await invitedAccount()
    const { _id, _invitation, _pendingInvite } = await invite()
    expect(_invitation).toEqual({
      href: `/invitation#${_id}.${_invitation.code}`,
      type: 'text/html',
      code: expect.stringMatching(/^[0-9a-f]{64}$/),
      expiresAt: String(start + 7 * dayMs),
    })
    expect(_pendingInvite).toBe(true)
    expect(await getMember(_id)).toMatchObject({ _pendingInvite: true })
    expect(JSON.stringify(await getMember(_id))).not.toContain(_invitation.code)
    await accept(_id, _invitation.code)
    expect(await getMember(_id)).toMatchObject({ _pendingInvite: false })
  })

  it('has a link under the mount path of the transport', async () => {
    const { engine, as } = await invitedAccount()
    const request = engineRequest('POST', '/api/v2/members', [{ email: 'a@x.io' }], { authorization: as })
    const response = await engine.handle({ ...request, mountPath: '/features' })
    const { _id, _invitation } = JSON.parse(response.body as string).items[0]
    expect(_invitation).toEqual({
      href: `/features/invitation#${_id}.${_invitation.code}`,
      type: 'text/html',
      code: _invitation.code,
      expiresAt: expect.any(String),
    })
  })

  it('gives the member a personal token with exactly the rights of the member', async () => {
    const { invite, accept, api, patchMember } = await invitedAccount()
    const { _id, _invitation } = await invite()
    const { token, memberId, serviceToken, _member } = await accept(_id, _invitation.code)
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
    const body = { code: _invitation.code }
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
    const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(accept(_id, _invitation.code))))
    expect(codes.filter((code) => code === 'none')).toHaveLength(1)
    expect(await failureOf(accept(_id, _invitation.code))).toEqual(staleCode)
    const { items } = await api.listTokens({}, { as })
    expect(items.filter(({ memberId }) => memberId === _id)).toHaveLength(1)
  })

  it('expires after the configured number of days', async () => {
    let now = start
    const engine = createEngine({ storage: createMemoryStorage(), clock: () => now, invitationDays: 2 })
    const as = (await engine.bootstrap())?.token as string
    const invited = await engine.api.createMembers({ body: [{ email: 'a@x.io' }, { email: 'b@x.io' }] }, { as })
    const [ann, bob] = invited.items.map(({ _id: id, _invitation: { code } }) => ({ id, body: { code } }))
    now += 2 * dayMs - 1
    expect(await codeOf(engine.api.acceptInvitation(ann as NonNullable<typeof ann>))).toBe('none')
    now += 1
    expect(await failureOf(engine.api.acceptInvitation(bob as NonNullable<typeof bob>))).toEqual(staleCode)
    expect(() => createEngine({ storage: createMemoryStorage(), invitationDays: 0 })).toThrow(/invitationDays/)
  })

  it('is refused with another code, with the code of another member, and for an unknown member', async () => {
    const { invite, accept } = await invitedAccount()
    const bob = await invite()
    const eve = await invite({ email: 'eve@x.io' })
    const codes = ['', 'x', eve._invitation.code, bob._invitation.code.toUpperCase(), `${bob._invitation.code} `]
    for (const code of codes) expect(await failureOf(accept(bob._id, code))).toEqual(staleCode)
    expect(await codeOf(accept('unknown', bob._invitation.code))).toBe('not_found')
    expect(await codeOf(accept(bob._id, bob._invitation.code))).toBe('none')
  })

  it('ends when the member is deleted', async () => {
    const { invite, accept, api, as } = await invitedAccount()
    const { _id, _invitation } = await invite()
    await api.deleteMember({ id: _id }, { as })
    expect(await codeOf(accept(_id, _invitation.code))).toBe('not_found')
  })

  it('ends when the rights of the member change, because the inviter may lack the right to grant the new ones', async () => {
    const { invite, accept, api, as, patchMember, instruct, team } = await invitedAccount()
    await team('growth')
    const changes: ((id: string) => Promise<unknown>)[] = [
      (id) => patchMember(id, [{ op: 'replace', path: '/role', value: 'admin' }]),
      (id) => instruct('growth', [{ kind: 'addMembers', values: [id] }]),
    ]
    for (const [i, change] of changes.entries()) {
      const { _id, _invitation } = await invite({ email: `${i}@x.io` })
      await change(_id)
      expect(await failureOf(accept(_id, _invitation.code))).toEqual(staleCode)
      const again = await api.inviteMember({ id: _id }, { as })
      expect(await codeOf(accept(_id, again._invitation.code))).toBe('none')
    }
    const { _id, _invitation } = await invite({ email: 'name@x.io' })
    await patchMember(_id, [{ op: 'replace', path: '/firstName', value: 'Bob' }])
    expect(await codeOf(accept(_id, _invitation.code))).toBe('none')
  })
})

describe('inviteMember', () => {
  it('makes a new link, and the earlier link stops working', async () => {
    const { invite, accept, api, as, pass } = await invitedAccount()
    const { _id, _invitation: first } = await invite()
    pass(8 * dayMs)
    const { _invitation: second } = await api.inviteMember({ id: _id }, { as })
    expect(second.expiresAt).toBe(String(start + 15 * dayMs))
    expect(await failureOf(accept(_id, first.code))).toEqual(staleCode)
    expect(await codeOf(accept(_id, second.code))).toBe('none')
  })

  it('is refused for a member who has accepted, and for one who was never invited', async () => {
    const { invite, accept, api, as, ownerId } = await invitedAccount()
    const { _id, _invitation } = await invite()
    await accept(_id, _invitation.code)
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

describe('the code of an invitation', () => {
  it('is in no log, no change log entry, no export and no stored record', async () => {
    const logged: unknown[] = []
    const storage = createMemoryStorage()
    const engine = createEngine({ storage, log: (entry) => logged.push(entry) })
    const as = (await engine.bootstrap())?.token as string
    const { items } = await engine.api.createMembers({ body: [{ email: 'bob@x.io' }] }, { as })
    const { _id: id, _invitation: first } = items[0] as (typeof items)[number]
    await codeOf(engine.api.acceptInvitation({ id, body: { code: `${first.code}0` } }))
    const { _invitation: second } = await engine.api.inviteMember({ id }, { as })
    const exported: string[] = []
    for (const secrets of [true, false]) for await (const piece of engine.export({ secrets })) exported.push(piece)
    const { token } = await engine.api.acceptInvitation({ id, body: { code: second.code } })
    for await (const piece of engine.export({ secrets: true })) exported.push(piece)
    const { items: entries } = await engine.api.listChangeLog({ limit: 20 }, { as })
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(second.code))
    const hash = Buffer.from(digest).toString('hex')
    const text = JSON.stringify([logged, entries, exported])
    for (const secret of [first.code, second.code, token]) expect(text).not.toContain(secret)
    expect(JSON.stringify([logged, entries])).not.toContain(hash)
    expect(entries.map(({ description }) => description.split('\n')[0])).toEqual([
      'accepted the invitation of bob@x.io:',
      'invited bob@x.io again',
      'invited bob@x.io',
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
    const input = { id: _id, body: { code: _invitation.code } }
    expect(await failureOf(copy.api.acceptInvitation(input))).toEqual(staleCode)
    const again = await copy.api.inviteMember({ id: _id }, { as })
    const { code } = again._invitation
    expect(await codeOf(copy.api.acceptInvitation({ id: _id, body: { code } }))).toBe('none')
    expect(await codeOf(accept(_id, _invitation.code))).toBe('none')
  })
})
