import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { allow, codeOf, deny, failureOf, may, semantic, start, teamAccount } from './test/team-account.ts'

const json = 'application/json'

describe('getTeam', () => {
  it('shows a team with every field of spec.md', async () => {
    const { team, getTeam, instruct, pass } = await teamAccount()
    await team('growth', { name: 'Growth', description: 'Experiments' })
    pass(5_000)
    await instruct('growth', [{ kind: 'updateName', value: 'Growth 2' }])
    const { _access, ...shown } = await getTeam('growth')
    expect(shown).toEqual({
      key: 'growth',
      name: 'Growth 2',
      description: 'Experiments',
      _creationDate: String(start),
      _lastModified: String(start + 5_000),
      _version: 2,
      _idpSynced: false,
      _links: {
        parent: { href: '/api/v2/teams', type: json },
        roles: { href: '/api/v2/teams/growth/roles', type: json },
        self: { href: '/api/v2/teams/growth', type: json },
      },
    })
    expect(_access.denied).toEqual([])
    expect(_access.allowed.map(({ action }) => action).sort()).toEqual([
      'createTeam',
      'deleteTeam',
      'updateTeamCustomRoles',
      'updateTeamDescription',
      'updateTeamMembers',
      'updateTeamName',
      'updateTeamPermissionGrants',
      'updateTeamRoleAttributes',
      'viewTeam',
    ])
  })

  it('adds what expand asks for, and nothing else', async () => {
    const { member, role, team, getTeam, project, pass } = await teamAccount()
    await project('web')
    await role('switcher', allow(['updateOn'], ['proj/web:env/*:flag/*']))
    const id = await member('bob@example.com', { firstName: 'Bob', lastName: 'B' })
    pass(1_000)
    await team('growth', {
      customRoleKeys: ['switcher'],
      memberIDs: [id],
      roleAttributes: { region: ['north', 'south'] },
      permissionGrants: [{ actionSet: 'maintainTeam', memberIDs: [id] }],
    })
    const web = {
      key: 'web',
      name: 'Project web',
      _links: {
        self: { href: '/api/v2/projects/web', type: json },
        environments: { href: '/api/v2/projects/web/environments', type: json },
      },
    }
    const projects = { totalCount: 1, items: [web] }
    const expected: Record<string, unknown> = {
      members: { totalCount: 1 },
      roleAttributes: { region: ['north', 'south'] },
      projects,
      roles: {
        totalCount: 1,
        items: [{ key: 'switcher', name: 'Role switcher', projects, appliedOn: String(start + 1_000) }],
        _links: { self: { href: '/api/v2/teams/growth/roles?limit=25', type: json } },
      },
      maintainers: {
        totalCount: 1,
        items: [
          {
            _id: id,
            _links: { self: { href: `/api/v2/members/${id}`, type: json } },
            email: 'bob@example.com',
            firstName: 'Bob',
            lastName: 'B',
            role: 'no_access',
          },
        ],
        _links: { self: { href: '/api/v2/teams/growth/maintainers?limit=20', type: json } },
      },
    }
    const plain = await getTeam('growth')
    for (const [name, value] of Object.entries(expected)) {
      expect(await getTeam('growth', name)).toEqual({ ...plain, [name]: value })
    }
    expect(await getTeam('growth', ...Object.keys(expected))).toEqual({ ...plain, ...expected })
  })

  it('answers with its revision over a transport, and with each error that spec.md names', async () => {
    const { team, send } = await teamAccount()
    await team('growth')
    const path = '/api/v2/teams/growth'
    const answer = await send('GET', `${path}?expand=members,roles`)
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1"' } })
    expect(JSON.parse(answer.body as string)).toMatchObject({
      members: { totalCount: 0 },
      roles: { totalCount: 0, items: [] },
    })
    const errorOf = async (call: ReturnType<typeof send>) => {
      const { status, body } = await call
      return [status, JSON.parse(body as string).code]
    }
    expect(await errorOf(send('GET', `${path}?expand=secrets`))).toEqual([400, 'invalid_request'])
    expect(await errorOf(send('GET', path, { authorization: 'api-unknown' }))).toEqual([401, 'unauthorized'])
    expect(await errorOf(send('GET', '/api/v2/teams/other'))).toEqual([404, 'not_found'])
    expect(await errorOf(send('PUT', path))).toEqual([405, 'method_not_allowed'])
  })

  it('is told anew to whoever knows its revision, where it shows what has another', async () => {
    const { api, as, role, team, send } = await teamAccount()
    await role('switcher', allow(['viewProject'], ['proj/*']))
    await team('growth', { customRoleKeys: ['switcher'] })
    const again = (expand: string) => send('GET', `/api/v2/teams/growth${expand}`, { 'if-none-match': '"1"' })
    expect((await again('')).status).toBe(304)
    expect((await again('?expand=members,roleAttributes')).status).toBe(304)
    await api.patchRole({ roleKey: 'switcher', body: [{ op: 'replace', path: '/name', value: 'Renamed' }] }, { as })
    const { status, body } = await again('?expand=roles')
    expect(status).toBe(200)
    expect(JSON.parse(body as string).roles.items[0].name).toBe('Renamed')
  })

  it('is found with a bounded number of questions, however many teams there are', async () => {
    const account = await teamAccount()
    const { team, role, member, getTeam, asked } = account
    await role('switcher', allow(['updateOn'], ['proj/*:env/*:flag/*']))
    const id = await member('bob@example.com')
    const grants = { permissionGrants: [{ actionSet: 'maintainTeam', memberIDs: [id] }] }
    await team('growth', { customRoleKeys: ['switcher'], memberIDs: [id], ...grants })
    const expansions = ['members', 'roles', 'roleAttributes', 'projects', 'maintainers']
    const before = await asked(() => getTeam('growth', ...expansions))
    for (let i = 0; i < 500; i++) await team(`team-${i}`)
    expect(await asked(() => getTeam('growth', ...expansions))).toBe(before)
    expect(before).toBeLessThanOrEqual(6)
  })

  it('is forbidden to whoever may not view the team', async () => {
    const { team, api } = await teamAccount()
    await team('growth')
    const call = api.getTeam({ teamKey: 'growth' }, { as: may(allow(['viewTeam'], ['team/other'])) })
    expect(await codeOf(call)).toBe('forbidden')
  })

  it('shows at most 25 roles and 20 maintainers, and links to the rest', async () => {
    const account = await teamAccount()
    const { role, member, team, getTeam, api, as } = account
    const keys = Array.from({ length: 26 }, (_, i) => `r${i}`)
    for (const key of keys) await role(key, allow(['viewProject'], ['proj/*']))
    const ids = await Promise.all(Array.from({ length: 21 }, (_, i) => member(`m${i}@example.com`)))
    await team('big', { customRoleKeys: keys, permissionGrants: [{ actionSet: 'maintainTeam', memberIDs: ids }] })
    const { roles, maintainers } = await getTeam('big', 'roles', 'maintainers')
    expect(roles?.totalCount).toBe(26)
    expect(roles?.items.map(({ key }) => key)).toEqual(keys.slice(0, 25))
    expect(roles?._links.next?.href).toBe('/api/v2/teams/big/roles?limit=25&offset=25')
    expect(maintainers?.totalCount).toBe(21)
    expect(maintainers?.items.map(({ _id }) => _id)).toEqual(ids.slice(0, 20))
    expect(maintainers?._links.next?.href).toBe('/api/v2/teams/big/maintainers?limit=20&offset=20')
    const rest = { teamKey: 'big', offset: 20 }
    expect((await api.listTeamMaintainers(rest, { as })).items.map(({ _id }) => _id)).toEqual(ids.slice(20))
    expect((await api.listTeamRoles({ ...rest, limit: 4 }, { as })).items.map(({ key }) => key)).toEqual(
      keys.slice(20, 24),
    )
  })
})

describe('the projects of a team', () => {
  /** Keys of the projects of a team with one role. */
  async function projectsWith(
    policy: readonly ReturnType<typeof allow>[],
    roleAttributes: object = {},
    as?: ReturnType<typeof may>,
  ) {
    const { project, role, team, api, as: admin } = await teamAccount()
    await project('web', ['eu'])
    await project('app')
    await role('r', ...policy)
    await team('t', { customRoleKeys: ['r'], roleAttributes })
    const { projects } = await api.getTeam({ teamKey: 't', expand: ['projects'] }, { as: as ?? admin })
    expect(projects?.totalCount).toBe(projects?.items.length)
    return projects?.items.map(({ key }) => key)
  }

  it.each([
    ['reading is not writing', [allow(['view*'], ['proj/*'])], []],
    ['a change of the project itself', [allow(['updateTags'], ['proj/app'])], ['app']],
    ['a change of one flag in one environment', [allow(['updateOn'], ['proj/web:env/test:flag/a'])], ['web']],
    ['every action', [allow(['*'], ['proj/*:env/*:segment/*'])], ['app', 'web']],
    ['projects with a tag', [allow(['updateTags'], ['proj/*;eu'])], ['web']],
    ['all but one', [allow(['updateTags'], ['proj/*']), deny(['*'], ['proj/web'])], ['app']],
    [
      'a deny of a part leaves the rest',
      [allow(['updateOn'], ['proj/web:env/*:flag/*']), deny(['*'], ['proj/web:env/test:flag/*'])],
      ['web'],
    ],
    [
      'a deny of all leaves nothing',
      [allow(['updateOn'], ['proj/web:env/test:flag/*']), deny(['*'], ['proj/*:env/*:flag/*'])],
      [],
    ],
    ['things outside of projects', [allow(['*'], ['team/*', 'member/*'])], []],
  ])('%s', async (_, policy, expected) => {
    expect(await projectsWith(policy)).toEqual(expected)
  })

  it('follow notResources too', async () => {
    expect(
      await projectsWith([{ effect: 'allow', actions: ['updateProjectName'], notResources: ['proj/web'] }]),
    ).toEqual(['app'])
  })

  it('are those that role attributes name', async () => {
    const policy = [allow(['updateTags'], ['proj/${roleAttribute/mine}'])]
    expect(await projectsWith(policy, { mine: ['app'] })).toEqual(['app'])
    expect(await projectsWith(policy)).toEqual([])
  })

  it('are not shown or counted where the caller may not see them', async () => {
    const as = may(allow(['viewTeam'], ['team/*']), allow(['viewProject'], ['proj/app']))
    expect(await projectsWith([allow(['updateTags'], ['proj/*'])], {}, as)).toEqual(['app'])
  })
})

describe('createTeam', () => {
  it('answers 201, and 409 when the key is taken', async () => {
    const { send } = await teamAccount()
    const body = { key: 'growth', name: 'Growth' }
    const made = await send('POST', '/api/v2/teams', { body })
    expect(made).toMatchObject({ status: 201, headers: { etag: '"1"' } })
    expect(JSON.parse(made.body as string)).toMatchObject({ ...body, description: '', _version: 1 })
    const again = await send('POST', '/api/v2/teams', { body })
    expect(again.status).toBe(409)
    expect(JSON.parse(again.body as string)).toEqual({
      code: 'optimistic_locking_error',
      message: 'There is a team growth already',
    })
  })

  it('names everything that is wrong with a body', async () => {
    const { api, as } = await teamAccount()
    const body = { key: '-', name: '', memberIDs: ['a', 'a'], permissionGrants: [{ memberIDs: [] }], other: 1 }
    const { code, errors } = await failureOf(api.createTeam({ body: body as never }, { as }))
    expect(code).toBe('invalid_request')
    expect(errors?.map(({ attribute }) => attribute).sort()).toEqual([
      'key',
      'memberIDs',
      'name',
      'other',
      'permissionGrants.0',
    ])
  })

  it('names members and roles that do not exist, and makes nothing', async () => {
    const { team, getTeam } = await teamAccount()
    const grants = [{ actionSet: 'maintainTeam', memberIDs: ['ghost'] }]
    expect((await failureOf(team('a', { memberIDs: ['ghost'], permissionGrants: grants }))).errors).toEqual([
      { attribute: 'memberIDs.0', reason: 'must be the id of a member' },
      { attribute: 'permissionGrants.0.memberIDs.0', reason: 'must be the id of a member' },
    ])
    expect((await failureOf(team('a', { customRoleKeys: ['ghost'] }))).errors).toEqual([
      { attribute: 'customRoleKeys.0', reason: 'must be the key of a custom role' },
    ])
    expect(await codeOf(getTeam('a'))).toBe('not_found')
  })
})

describe('listTeams', () => {
  it('filters, sorts and pages what the caller may see', async () => {
    const { team, api, as, pass } = await teamAccount()
    for (const [key, name] of [
      ['a', 'Zebra'],
      ['b', 'Yak'],
      ['c', 'Zebu'],
    ] as const) {
      pass(1)
      await team(key, { name })
    }
    const keys = async (query: object, by: As = as) =>
      (await api.listTeams(query, { as: by })).items.map(({ key }) => key)
    expect(await keys({})).toEqual(['b', 'a', 'c'])
    expect(await keys({ sort: '-creationDate' })).toEqual(['c', 'b', 'a'])
    expect(await keys({ filter: 'query:zeb', sort: '-name' })).toEqual(['c', 'a'])
    expect(await keys({ limit: 1, offset: 1 })).toEqual(['a'])
    expect(await keys({}, may(allow(['viewTeam'], ['team/b'])))).toEqual(['b'])
    expect((await api.listTeams({ limit: 1 }, { as })).totalCount).toBe(3)
    expect(await codeOf(api.listTeams({ filter: 'colour:red' }, { as }))).toBe('invalid_request')
    expect(await codeOf(api.listTeams({ expand: ['projects'] as never }, { as }))).toBe('invalid_request')
  })
})

describe('patchTeam', () => {
  it('follows every instruction, and does nothing where it is true already', async () => {
    const { member, role, team, instruct, getTeam, pass } = await teamAccount()
    const [ann, bob, eve] = [await member('ann@x.io'), await member('bob@x.io'), await member('eve@x.io')]
    for (const key of ['one', 'two']) await role(key, allow(['viewProject'], ['proj/*']))
    await team('t')
    const look = async () => {
      const { roles, members, maintainers, ...shown } = await getTeam(
        't',
        'roles',
        'members',
        'maintainers',
        'roleAttributes',
      )
      return {
        name: shown.name,
        description: shown.description,
        attributes: shown.roleAttributes,
        roles: roles?.items.map(({ key }) => key),
        size: members?.totalCount,
        maintainers: maintainers?.items.map(({ _id }) => _id),
      }
    }
    let expected = { name: 'Team t', description: '', attributes: {}, roles: [], size: 0, maintainers: [] } as object
    const steps: [object, object][] = [
      [{ kind: 'updateName', value: 'T' }, { name: 'T' }],
      [{ kind: 'updateDescription', value: 'D' }, { description: 'D' }],
      [{ kind: 'addCustomRoles', values: ['two', 'one'] }, { roles: ['two', 'one'] }],
      [{ kind: 'removeCustomRoles', values: ['two'] }, { roles: ['one'] }],
      [{ kind: 'addMembers', values: [ann, bob] }, { size: 2 }],
      [{ kind: 'removeMembers', values: [ann] }, { size: 1 }],
      [{ kind: 'replaceMembers', values: [ann, eve] }, { size: 2 }],
      [{ kind: 'addPermissionGrants', actionSet: 'maintainTeam', memberIDs: [bob, ann] }, { maintainers: [bob, ann] }],
      [{ kind: 'removePermissionGrants', actionSet: 'maintainTeam', memberIDs: [bob] }, { maintainers: [ann] }],
      [{ kind: 'addRoleAttribute', key: 'region', values: ['n'] }, { attributes: { region: ['n'] } }],
      [{ kind: 'addRoleAttribute', key: 'region', values: ['s', 'n'] }, { attributes: { region: ['n', 's'] } }],
      [{ kind: 'updateRoleAttribute', key: 'region', values: ['w'] }, { attributes: { region: ['w'] } }],
      [{ kind: 'removeRoleAttribute', key: 'region' }, { attributes: {} }],
      [{ kind: 'replaceRoleAttributes', value: { a: ['1'], b: [] } }, { attributes: { a: ['1'], b: [] } }],
    ]
    for (const [instruction, change] of steps) {
      pass(1_000)
      const { _version, _lastModified } = await instruct('t', [instruction])
      expected = { ...expected, ...change }
      expect(await look()).toEqual(expected)
      pass(1_000)
      expect(await instruct('t', [instruction])).toMatchObject({ _version, _lastModified })
    }
  })

  it('keeps the members in step', async () => {
    const { member, team, instruct, getMember } = await teamAccount()
    const [ann, bob] = [await member('ann@x.io'), await member('bob@x.io')]
    await team('t', { memberIDs: [ann] })
    await team('u', { memberIDs: [ann] })
    expect((await getMember(ann)).teamKeys).toEqual(['t', 'u'])
    await instruct('t', [{ kind: 'replaceMembers', values: [bob] }])
    expect((await getMember(ann)).teamKeys).toEqual(['u'])
    expect((await getMember(bob)).teamKeys).toEqual(['t'])
  })

  it('takes the last word on a member, and keeps who is in across replaceMembers', async () => {
    const { member, team, instruct, api, as } = await teamAccount()
    const [ann, bob, eve] = [await member('ann@x.io'), await member('bob@x.io'), await member('eve@x.io')]
    await team('t', { memberIDs: [ann] })
    await instruct('t', [
      { kind: 'addMembers', values: [eve] },
      { kind: 'replaceMembers', values: [ann, bob] },
      { kind: 'removeMembers', values: [bob] },
      { kind: 'addMembers', values: [bob] },
    ])
    const { items } = await api.listMembers({ filter: 'team:t' }, { as })
    expect(items.map(({ email }) => email)).toEqual(['ann@x.io', 'bob@x.io'])
  })

  it('empties a team of more members than one look at storage finds', async () => {
    const { team, instruct, getTeam, api, as } = await teamAccount()
    await team('t')
    const people = Array.from({ length: 1_050 }, (_, i) => ({ email: `m${i}@x.io`, teamKeys: ['t'] }))
    for (let i = 0; i < people.length; i += 50) await api.createMembers({ body: people.slice(i, i + 50) }, { as })
    expect((await getTeam('t', 'members')).members).toEqual({ totalCount: 1_050 })
    await instruct('t', [{ kind: 'replaceMembers', values: [] }])
    expect((await getTeam('t', 'members')).members).toEqual({ totalCount: 0 })
    expect((await api.listMembers({ filter: 'team:t' }, { as })).totalCount).toBe(0)
  })

  it('is refused whole, naming the instruction that cannot be followed', async () => {
    const { team, instruct, getTeam } = await teamAccount()
    await team('t')
    const attributesOf = async (...instructions: object[]) => {
      const { code, errors } = await failureOf(instruct('t', [{ kind: 'updateName', value: 'New' }, ...instructions]))
      expect(code).toBe('invalid_request')
      return errors?.map(({ attribute }) => attribute)
    }
    expect(await attributesOf({ kind: 'updateRoleAttribute', key: 'x', values: ['1'] })).toEqual(['instructions.1.key'])
    expect(await attributesOf({ kind: 'addMembers', values: ['ghost'] })).toEqual(['instructions.1.values.0'])
    expect(await attributesOf({ kind: 'addCustomRoles', values: ['ghost'] })).toEqual(['instructions.1.values.0'])
    expect(await attributesOf({ kind: 'turnOn' })).toEqual(['instructions.1.kind'])
    const both = { actionSet: 'maintainTeam', actions: ['viewTeam'], memberIDs: [] }
    expect(await attributesOf({ kind: 'addPermissionGrants', ...both })).toEqual(['instructions.1'])
    expect(await attributesOf({ kind: 'addPermissionGrants', memberIDs: [] })).toEqual(['instructions.1'])
    expect((await getTeam('t')).name).toBe('Team t')
  })

  it('takes a JSON Patch of what stands in the team itself', async () => {
    const { team, send, getTeam } = await teamAccount()
    await team('t')
    const body = [
      { op: 'replace', path: '/name', value: 'New' },
      { op: 'add', path: '/roleAttributes/region', value: ['n'] },
    ]
    expect((await send('PATCH', '/api/v2/teams/t', { body })).status).toBe(200)
    expect(await getTeam('t', 'roleAttributes')).toMatchObject({ name: 'New', roleAttributes: { region: ['n'] } })
    const forbidden = await send('PATCH', '/api/v2/teams/t', { body: [{ op: 'replace', path: '/key', value: 'u' }] })
    expect(forbidden.status).toBe(400)
  })

  it('needs the action of each aspect, and the revision that If-Match names', async () => {
    const { team, member, instruct, send } = await teamAccount()
    const id = await member('bob@x.io')
    await team('t')
    const only = (action: string) => may(allow([action, 'viewTeam'], ['team/t']))
    const rename = { kind: 'updateName', value: 'New' }
    const join = { kind: 'addMembers', values: [id] }
    expect(await codeOf(instruct('t', [rename, join], only('updateTeamName')))).toBe('forbidden')
    expect(await codeOf(instruct('t', [rename, join], only('updateTeamMembers')))).toBe('forbidden')
    expect(await codeOf(instruct('t', [join], only('updateTeamMembers')))).toBe('none')
    expect(await codeOf(instruct('t', [rename], only('updateTeamName')))).toBe('none')
    const body = { instructions: [rename] }
    const headers = { 'content-type': semantic, 'if-match': '"1"' }
    expect((await send('PATCH', '/api/v2/teams/t', { body, ...headers })).status).toBe(409)
  })

  it('gives no role and no permission that the caller does not have', async () => {
    const { team, role, member, instruct } = await teamAccount()
    const id = await member('bob@x.io')
    await role('web', allow(['updateTags'], ['proj/web']))
    await role('webs', allow(['updateTags'], ['proj/web-*']))
    await team('t')
    const manager = (...more: Parameters<typeof may>) => may(allow(['viewTeam', 'updateTeam*'], ['team/t']), ...more)
    const give = (key: string) => [{ kind: 'addCustomRoles', values: [key] }]
    expect(await codeOf(instruct('t', give('web'), manager()))).toBe('forbidden')
    expect(await codeOf(instruct('t', give('web'), manager(allow(['updateTags'], ['proj/app']))))).toBe('forbidden')
    expect(await codeOf(instruct('t', give('web'), manager(allow(['update*'], ['proj/web']))))).toBe('none')
    expect(await codeOf(instruct('t', give('webs'), manager(allow(['*'], ['proj/web-*']))))).toBe('forbidden')
    expect(await codeOf(instruct('t', give('webs'), manager(allow(['*'], ['proj/*']))))).toBe('none')
    // What the team has already may be named again by anybody.
    expect(await codeOf(instruct('t', give('webs'), manager()))).toBe('none')
    const grant = (actions: string[]) => [{ kind: 'addPermissionGrants', actions, memberIDs: [id] }]
    expect(await codeOf(instruct('t', grant(['deleteTeam']), manager()))).toBe('forbidden')
    expect(await codeOf(instruct('t', grant(['updateTeamName']), manager()))).toBe('none')
  })
})

describe('deleteTeam', () => {
  it('is 409 while the team has members, and 204 afterwards', async () => {
    const { member, team, instruct, send, getTeam, getMember } = await teamAccount()
    const id = await member('bob@x.io')
    await team('t', { memberIDs: [id], permissionGrants: [{ actionSet: 'maintainTeam', memberIDs: [id] }] })
    const refused = await send('DELETE', '/api/v2/teams/t')
    expect(refused.status).toBe(409)
    expect(JSON.parse(refused.body as string)).toEqual({
      code: 'optimistic_locking_error',
      message: 'The team t still has members',
    })
    await instruct('t', [{ kind: 'removeMembers', values: [id] }])
    expect(await send('DELETE', '/api/v2/teams/t')).toMatchObject({ status: 204 })
    expect(await codeOf(getTeam('t'))).toBe('not_found')
    expect((await getMember(id)).teamKeys).toEqual([])
  })

  it('never leaves a member in a team that is gone, whoever is first', async () => {
    for (let round = 0; round < 4; round++) {
      const { member, team, instruct, api, as, getMember } = await teamAccount()
      const id = await member('bob@x.io')
      await team('t')
      const join = () => codeOf(instruct('t', [{ kind: 'addMembers', values: [id] }]))
      const remove = () => codeOf(api.deleteTeam({ teamKey: 't' }, { as }))
      const [joined, removed] =
        round % 2 ? await Promise.all([join(), remove()]) : (await Promise.all([remove(), join()])).reverse()
      expect([joined, removed].filter((code) => code === 'none')).toHaveLength(1)
      expect((await getMember(id)).teamKeys).toEqual(joined === 'none' ? ['t'] : [])
    }
  })
})
