import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { baseRoles } from '../policy.ts'
import { allow, callerWith, codeOf, deny, failureOf, start, teamAccount } from '../teams/test/team-account.ts'

const json = 'application/json'
const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }]

describe('createMembers', () => {
  it('returns 201 with every member', async () => {
    const { send, team, role } = await teamAccount()
    await team('growth')
    await role('r', allow(['viewProject'], ['proj/*']))
    const body = [
      {
        email: 'Bob@example.com',
        role: 'writer',
        customRoles: ['r'],
        firstName: 'Bob',
        lastName: 'B',
        teamKeys: ['growth'],
        roleAttributes: { region: ['north'] },
      },
      { email: 'eve@example.com' },
    ]
    const response = await send('POST', '/api/v2/members', { body })
    expect(response.status).toBe(201)
    const { items } = JSON.parse(response.body as string)
    const [{ _access, _invitation, ...bob }, eve] = items
    expect(bob).toEqual({
      ...body[0],
      _id: bob._id,
      creationDate: String(start),
      _pendingInvite: true,
      _links: {
        self: { href: `/api/v2/members/${bob._id}`, type: json },
        parent: { href: '/api/v2/members', type: json },
      },
    })
    expect(_access.allowed.map(({ action }: { action: string }) => action)).toContain('updateRole')
    const defaults = { role: 'reader', customRoles: [], firstName: '', lastName: '', teamKeys: [], roleAttributes: {} }
    expect(eve).toMatchObject({ email: 'eve@example.com', ...defaults })
  })

  it('adds new members to their teams, which requires the right to update those teams', async () => {
    const { api, as, team, getTeam } = await teamAccount()
    await team('growth')
    const body = ['a', 'b'].map((name) => ({ email: `${name}@x.io`, role: 'no_access', teamKeys: ['growth'] }) as const)
    const limited = callerWith(allow(['createMember'], ['member/*']))
    expect(await codeOf(api.createMembers({ body }, { as: limited }))).toBe('forbidden')
    await api.createMembers({ body }, { as })
    expect((await getTeam('growth', 'members')).members).toEqual({ totalCount: 2 })
  })

  it('returns 409 when an e-mail address is taken, regardless of case', async () => {
    const { member, api, as, send } = await teamAccount()
    await member('bob@example.com')
    for (const email of ['BOB@example.com', 'ada@EXAMPLE.com']) {
      const response = await send('POST', '/api/v2/members', { body: [{ email: 'new@example.com' }, { email }] })
      expect(response.status).toBe(409)
      expect(JSON.parse(response.body as string)).toEqual({
        code: 'optimistic_locking_error',
        message: `There is a member with the email ${email.toLowerCase()} already`,
      })
    }
    expect((await api.listMembers({ filter: 'query:new@' }, { as })).totalCount).toBe(0)
  })

  it('creates one of two members with the same address that are created concurrently', async () => {
    const { member, api, as } = await teamAccount()
    const codes = await Promise.all(['bob@x.io', 'Bob@x.io'].map((email) => codeOf(member(email))))
    expect(codes.sort()).toEqual(['none', 'optimistic_locking_error'])
    expect((await api.listMembers({ filter: 'query:bob' }, { as })).totalCount).toBe(1)
  })

  it('names every validation error', async () => {
    const { api, as } = await teamAccount()
    const attributesOf = async (body: unknown) =>
      (await failureOf(api.createMembers({ body: body as never }, { as }))).errors?.map(({ attribute }) => attribute)
    expect(await attributesOf([])).toEqual([''])
    expect(await attributesOf([{ email: 'nobody', role: 'king', password: 'x' }, {}])).toEqual([
      '0.email',
      '0.role',
      '0.password',
      '1.email',
    ])
    expect(await attributesOf([{ email: 'a@x.io' }, { email: 'A@x.io' }])).toEqual([''])
    expect(
      await attributesOf([
        { email: 'a@x.io', customRoles: ['ghost'] },
        { email: 'b@x.io', customRoles: ['ghoul'] },
      ]),
    ).toEqual(['0.customRoles.0', '1.customRoles.0'])
    expect(await attributesOf([{ email: 'a@x.io', teamKeys: ['ghost'] }])).toEqual(['0.teamKeys.0'])
  })
})

describe('listMembers', () => {
  it('filters, sorts and pages the members that the caller may view', async () => {
    const { member, team, api, as, pass } = await teamAccount()
    pass(1)
    const bob = await member('bob@x.io', { firstName: 'Robert', lastName: 'A', role: 'writer' })
    pass(1)
    await member('Cid@x.io', { firstName: 'Cid', lastName: 'Z' })
    await team('t', { memberIDs: [bob] })
    const emails = async (query: object, caller: As = as) =>
      (await api.listMembers(query, { as: caller })).items.map(({ email }) => email)
    expect(await emails({})).toEqual(['ada@example.com', 'bob@x.io', 'Cid@x.io'])
    expect(await emails({ sort: '-creationDate' })).toEqual(['Cid@x.io', 'bob@x.io', 'ada@example.com'])
    expect(await emails({ sort: 'lastName' })).toEqual(['bob@x.io', 'ada@example.com', 'Cid@x.io'])
    expect(await emails({ filter: 'query:cid@X' })).toEqual(['Cid@x.io'])
    expect(await emails({ filter: 'query:robert' })).toEqual(['bob@x.io'])
    expect(await emails({ filter: 'role:writer,query:x.io' })).toEqual(['bob@x.io'])
    expect(await emails({ filter: 'team:t' })).toEqual(['bob@x.io'])
    expect(await emails({ limit: 1, offset: 1 })).toEqual(['bob@x.io'])
    expect(await emails({}, callerWith(allow(['viewMember'], [`member/${bob}`])))).toEqual(['bob@x.io'])
    expect(await codeOf(api.listMembers({ filter: 'age:3' }, { as }))).toBe('invalid_request')
    expect(await codeOf(api.listMembers({ sort: 'age' as never }, { as }))).toBe('invalid_request')
  })
})

describe('getMember', () => {
  it('returns the member with its ETag, and 404 for an unknown id', async () => {
    const { send, ownerId } = await teamAccount()
    const response = await send('GET', `/api/v2/members/${ownerId}`)
    expect(response).toMatchObject({ status: 200, headers: { etag: '"1"' } })
    expect(JSON.parse(response.body as string)).toMatchObject({ email: 'ada@example.com', role: 'owner', teamKeys: [] })
    expect((await send('GET', '/api/v2/members/nobody')).status).toBe(404)
  })
})

describe('patchMember', () => {
  it('changes the mutable properties only', async () => {
    const { member, patchMember, getMember, role } = await teamAccount()
    const id = await member('bob@x.io')
    await role('r', allow(['viewProject'], ['proj/*']))
    await patchMember(id, [
      ...replace('/role', 'writer'),
      { op: 'add', path: '/customRoles/-', value: 'r' },
      ...replace('/firstName', 'Bob'),
      ...replace('/lastName', 'B'),
      { op: 'add', path: '/roleAttributes/region', value: ['north'] },
    ])
    expect(await getMember(id)).toMatchObject({
      role: 'writer',
      customRoles: ['r'],
      firstName: 'Bob',
      lastName: 'B',
      roleAttributes: { region: ['north'] },
    })
    for (const path of ['/email', '/teamKeys', '/id', '/managedTeamKeys']) {
      expect(await codeOf(patchMember(id, replace(path, 'x')))).toBe('invalid_request')
    }
    expect((await failureOf(patchMember(id, replace('/role', 'king')))).errors?.[0]?.attribute).toBe('role')
    const unknown = [{ op: 'add', path: '/customRoles/-', value: 'ghost' }]
    expect((await failureOf(patchMember(id, unknown))).errors?.[0]?.attribute).toBe('customRoles.1')
  })

  it('requires the action of each changed property', async () => {
    const { member, patchMember } = await teamAccount()
    const id = await member('bob@x.io')
    const only = (action: string) => callerWith(allow(['viewMember', action], ['member/*']))
    const changes = {
      updateMember: replace('/firstName', 'B'),
      updateRoleAttributes: replace('/roleAttributes', { a: ['b'] }),
    }
    for (const [action, operations] of Object.entries(changes)) {
      expect(await codeOf(patchMember(id, operations, only('updateRole')))).toBe('forbidden')
      expect(await codeOf(patchMember(id, operations, only(action)))).toBe('none')
    }
  })

  it('applies the change to personal tokens immediately', async () => {
    const { memberWithToken, patchMember, api } = await teamAccount()
    const bob = await memberWithToken('bob@x.io', { role: 'writer' })
    const create = (key: string) => codeOf(api.createProject({ body: { key, name: key } }, { as: bob.token }))
    expect(await create('a')).toBe('none')
    await patchMember(bob.id, replace('/role', 'reader'))
    expect(await create('b')).toBe('forbidden')
  })

  it('returns 409 when If-Match names another revision', async () => {
    const { member, send } = await teamAccount()
    const id = await member('bob@x.io')
    const response = await send('PATCH', `/api/v2/members/${id}`, {
      body: replace('/firstName', 'B'),
      'if-match': '"7"',
    })
    expect(response.status).toBe(409)
  })
})

describe('the right to assign a role', () => {
  const manager = (...statements: Parameters<typeof callerWith>) =>
    callerWith(allow(['*'], ['member/*']), ...statements)

  it.each(['reader', 'writer', 'admin', 'owner'] as const)(
    '%s is assigned only by a caller who may do everything that it allows',
    async (role) => {
      const { member, patchMember } = await teamAccount()
      const id = await member('bob@x.io')
      expect(await codeOf(patchMember(id, replace('/role', role), manager()))).toBe('forbidden')
      const callerWithDeny = manager(...baseRoles[role], deny(['viewTeam'], ['team/secret']))
      expect(await codeOf(patchMember(id, replace('/role', role), callerWithDeny))).toBe('forbidden')
      expect(await codeOf(patchMember(id, replace('/role', role), manager(...baseRoles[role])))).toBe('none')
    },
  )

  it('is checked for new members, and for every role and policy that limits a token', async () => {
    const { api, as } = await teamAccount()
    const create = (role: 'writer' | 'admin', caller: As) =>
      codeOf(api.createMembers({ body: [{ email: `${role}@x.io`, role }] }, { as: caller }))
    expect(await create('admin', manager(...baseRoles.writer))).toBe('forbidden')
    const policy = [allow(['createMember'], ['member/*'])]
    const limited = await api.createToken({ body: { inlineRole: policy } }, { as })
    expect(await create('writer', limited.token)).toBe('forbidden')
    expect(await create('admin', as)).toBe('none')
  })

  it('rejects a caller with fewer rights who demotes or deletes an administrator', async () => {
    const { member, patchMember, api } = await teamAccount()
    const id = await member('root@x.io', { role: 'admin' })
    const as = manager(...baseRoles.writer)
    expect(await codeOf(patchMember(id, replace('/role', 'reader'), as))).toBe('forbidden')
    expect(await codeOf(api.deleteMember({ id }, { as }))).toBe('forbidden')
    expect(await codeOf(patchMember(id, replace('/firstName', 'Root'), as))).toBe('none')
  })

  it('compares custom roles by everything that they could allow', async () => {
    const { member, patchMember, role } = await teamAccount()
    const id = await member('bob@x.io')
    const switcherStatement = allow(['updateOn'], ['proj/web:env/test:flag/*'])
    const taggedStatement = allow(['updateOn'], ['proj/web:env/*;qa:flag/*'])
    const cases = [
      [switcherStatement, [switcherStatement], true],
      [switcherStatement, [allow(['update*'], ['proj/*:env/*:flag/*'])], true],
      [switcherStatement, [allow(['updateName'], ['proj/*:env/*:flag/*'])], false],
      [switcherStatement, [allow(['*'], ['proj/*:env/*:flag/*']), deny(['*'], ['proj/*:env/*:flag/secret'])], false],
      [switcherStatement, [allow(['*'], ['proj/*:env/*:flag/*']), deny(['*'], ['proj/*:env/*;frozen:flag/*'])], false],
      [taggedStatement, [taggedStatement], false],
      [taggedStatement, [allow(['updateOn'], ['proj/web:env/*:flag/*'])], true],
      [{ effect: 'allow', actions: ['viewProject'], notResources: ['proj/web'] }, [switcherStatement], false],
      [{ effect: 'allow', actions: ['viewProject'], notResources: ['proj/web'] }, [allow(['view*'], ['proj/*'])], true],
      [deny(['*'], ['proj/*']), [], true],
    ] as const
    for (const [index, [statement, callerStatements, expected]] of cases.entries()) {
      await role(`r${index}`, statement)
      const add = [{ op: 'add', path: '/customRoles/-', value: `r${index}` }]
      expect([index, await codeOf(patchMember(id, add, manager(...callerStatements)))]).toEqual([
        index,
        expected ? 'none' : 'forbidden',
      ])
    }
  })
})

describe('the last owner', () => {
  it('can be neither demoted nor deleted', async () => {
    const { api, as, ownerId, patchMember, member } = await teamAccount()
    const lastOwner = { code: 'invalid_request', message: 'The account must keep at least one owner' }
    expect(await failureOf(patchMember(ownerId, replace('/role', 'admin')))).toEqual(lastOwner)
    expect(await failureOf(api.deleteMember({ id: ownerId }, { as }))).toEqual(lastOwner)
    await member('bea@x.io', { role: 'owner' })
    expect(await codeOf(patchMember(ownerId, replace('/role', 'admin')))).toBe('none')
  })

  it('remains when all owners are deleted concurrently', async () => {
    const { api, ownerId, member } = await teamAccount()
    const owners = [ownerId, await member('bea@x.io', { role: 'owner' }), await member('cid@x.io', { role: 'owner' })]
    const as = { role: 'owner' } as const
    const codes = await Promise.all(owners.map((id) => codeOf(api.deleteMember({ id }, { as }))))
    const { totalCount } = await api.listMembers({ filter: 'role:owner' }, { as })
    expect(totalCount).toBeGreaterThanOrEqual(1)
    expect(totalCount).toBe(3 - codes.filter((code) => code === 'none').length)
  })
})

describe('deleteMember', () => {
  it('returns 204, invalidates personal tokens immediately and frees the address', async () => {
    const { memberWithToken, member, send, api } = await teamAccount()
    const bob = await memberWithToken('bob@x.io', { role: 'reader' })
    expect(await codeOf(api.listProjects({}, { as: bob.token }))).toBe('none')
    expect((await send('DELETE', `/api/v2/members/${bob.id}`)).status).toBe(204)
    expect(await codeOf(api.listProjects({}, { as: bob.token }))).toBe('unauthorized')
    expect((await send('GET', `/api/v2/members/${bob.id}`)).status).toBe(404)
    expect(await codeOf(member('bob@x.io'))).toBe('none')
  })

  it('removes the member from teams and their permission grants', async () => {
    const { member, team, api, as, getTeam } = await teamAccount()
    const [ann, bob] = [await member('ann@x.io'), await member('bob@x.io')]
    const permissionGrants = [{ actionSet: 'maintainTeam', memberIDs: [ann, bob] }]
    await team('t', { memberIDs: [ann, bob], permissionGrants })
    await team('u', { permissionGrants })
    await api.deleteMember({ id: bob }, { as })
    for (const [key, totalCount] of [
      ['t', 1],
      ['u', 0],
    ] as const) {
      const { members, maintainers } = await getTeam(key, 'members', 'maintainers')
      expect(members).toEqual({ totalCount })
      expect(maintainers?.items.map(({ _id }) => _id)).toEqual([ann])
    }
  })
})
