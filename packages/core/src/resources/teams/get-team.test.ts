import { describe, expect, it } from 'vitest'
import { allow, callerWith, codeOf, deny, start, teamAccount } from './test/team-account.ts'

const json = 'application/json'

describe('getTeam', () => {
  it('returns a team with every property of the specification', async () => {
    const { team, getTeam, instruct, pass } = await teamAccount()
    await team('growth', { name: 'Growth', description: 'Experiments' })
    pass(5_000)
    await instruct('growth', [{ kind: 'updateName', value: 'Growth 2' }])
    const { _access, ...body } = await getTeam('growth')
    expect(body).toEqual({
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

  it('adds the requested expansions and nothing else', async () => {
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

  it('returns its ETag over a transport, and each error that the specification names', async () => {
    const { team, send } = await teamAccount()
    await team('growth')
    const path = '/api/v2/teams/growth'
    const response = await send('GET', `${path}?expand=members,roles`)
    expect(response).toMatchObject({ status: 200, headers: { etag: '"1"' } })
    expect(JSON.parse(response.body as string)).toMatchObject({
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

  it('returns 200 instead of 304 when an expanded role has changed', async () => {
    const { api, as, role, team, send } = await teamAccount()
    await role('switcher', allow(['viewProject'], ['proj/*']))
    await team('growth', { customRoleKeys: ['switcher'] })
    const getIfChanged = (expand: string) => send('GET', `/api/v2/teams/growth${expand}`, { 'if-none-match': '"1"' })
    expect((await getIfChanged('')).status).toBe(304)
    expect((await getIfChanged('?expand=members,roleAttributes')).status).toBe(304)
    await api.patchRole({ roleKey: 'switcher', body: [{ op: 'replace', path: '/name', value: 'Renamed' }] }, { as })
    const { status, body } = await getIfChanged('?expand=roles')
    expect(status).toBe(200)
    expect(JSON.parse(body as string).roles.items[0].name).toBe('Renamed')
  })

  it('reads a team with a bounded number of storage requests, for any number of teams', async () => {
    const account = await teamAccount()
    const { team, role, member, getTeam, countRequests } = account
    await role('switcher', allow(['updateOn'], ['proj/*:env/*:flag/*']))
    const id = await member('bob@example.com')
    const grants = { permissionGrants: [{ actionSet: 'maintainTeam', memberIDs: [id] }] }
    await team('growth', { customRoleKeys: ['switcher'], memberIDs: [id], ...grants })
    const expansions = ['members', 'roles', 'roleAttributes', 'projects', 'maintainers']
    const requestCount = await countRequests(() => getTeam('growth', ...expansions))
    for (let i = 0; i < 500; i++) await team(`team-${i}`)
    expect(await countRequests(() => getTeam('growth', ...expansions))).toBe(requestCount)
    expect(requestCount).toBeLessThanOrEqual(6)
  })

  it('returns forbidden to a caller who may not view the team', async () => {
    const { team, api } = await teamAccount()
    await team('growth')
    const call = api.getTeam({ teamKey: 'growth' }, { as: callerWith(allow(['viewTeam'], ['team/other'])) })
    expect(await codeOf(call)).toBe('forbidden')
  })

  it('returns at most 25 roles and 20 maintainers, with links to the rest', async () => {
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
  /** Returns the keys of the projects of a team with one role. */
  async function projectsWith(
    policy: readonly ReturnType<typeof allow>[],
    roleAttributes: object = {},
    as?: ReturnType<typeof callerWith>,
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
    ['exclude projects that the role may only read', [allow(['view*'], ['proj/*'])], []],
    ['include a project of which the role may change the settings', [allow(['updateTags'], ['proj/app'])], ['app']],
    [
      'include a project in which the role may change one flag in one environment',
      [allow(['updateOn'], ['proj/web:env/test:flag/a'])],
      ['web'],
    ],
    ['include all projects for a role with all actions', [allow(['*'], ['proj/*:env/*:segment/*'])], ['app', 'web']],
    ['include the projects with the tag of the role', [allow(['updateTags'], ['proj/*;eu'])], ['web']],
    ['exclude a project that the role denies', [allow(['updateTags'], ['proj/*']), deny(['*'], ['proj/web'])], ['app']],
    [
      'include a project of which the role denies only a part',
      [allow(['updateOn'], ['proj/web:env/*:flag/*']), deny(['*'], ['proj/web:env/test:flag/*'])],
      ['web'],
    ],
    [
      'exclude all projects when the role denies everything that it allows',
      [allow(['updateOn'], ['proj/web:env/test:flag/*']), deny(['*'], ['proj/*:env/*:flag/*'])],
      [],
    ],
    ['exclude projects for a role about other resources', [allow(['*'], ['team/*', 'member/*'])], []],
  ])('%s', async (_, policy, expected) => {
    expect(await projectsWith(policy)).toEqual(expected)
  })

  it('respect notResources', async () => {
    expect(
      await projectsWith([{ effect: 'allow', actions: ['updateProjectName'], notResources: ['proj/web'] }]),
    ).toEqual(['app'])
  })

  it('are the projects that role attributes name', async () => {
    const policy = [allow(['updateTags'], ['proj/${roleAttribute/mine}'])]
    expect(await projectsWith(policy, { mine: ['app'] })).toEqual(['app'])
    expect(await projectsWith(policy)).toEqual([])
  })

  it('omit projects that the caller may not view, also from the count', async () => {
    const as = callerWith(allow(['viewTeam'], ['team/*']), allow(['viewProject'], ['proj/app']))
    expect(await projectsWith([allow(['updateTags'], ['proj/*'])], {}, as)).toEqual(['app'])
  })
})
