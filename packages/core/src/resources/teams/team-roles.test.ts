import { describe, expect, it } from 'vitest'
import { allow, codeOf, failureOf, teamAccount } from './test/team-account.ts'

/**
 * Creates an account with a role that may create projects and a member without rights of their own, and a function that
 * tests whether the member may create a project.
 */
async function accountWithRole(roleAttributes: object = {}, resource = 'proj/*') {
  const account = await teamAccount()
  await account.role('maker', allow(['createProject'], [resource]))
  const bob = await account.memberWithToken('bob@example.com', { roleAttributes } as object)
  const mayCreate = async (key: string) => {
    const call = account.api.createProject({ body: { key, name: key } }, { as: bob.token })
    return (await codeOf(call)) === 'none'
  }
  return { ...account, bob, mayCreate }
}

describe('the roles of a team', () => {
  it('apply to a new member from the next call on, and no longer once the member leaves', async () => {
    const { team, instruct, bob, mayCreate } = await accountWithRole()
    await team('makers', { customRoleKeys: ['maker'] })
    expect(await mayCreate('a')).toBe(false)
    await instruct('makers', [{ kind: 'addMembers', values: [bob.id] }])
    expect(await mayCreate('b')).toBe(true)
    await instruct('makers', [{ kind: 'removeMembers', values: [bob.id] }])
    expect(await mayCreate('c')).toBe(false)
  })

  it('are added and removed by one request', async () => {
    const { team, instruct, bob, mayCreate } = await accountWithRole()
    await team('makers', { memberIDs: [bob.id] })
    expect(await mayCreate('a')).toBe(false)
    await instruct('makers', [{ kind: 'addCustomRoles', values: ['maker'] }])
    expect(await mayCreate('b')).toBe(true)
    await instruct('makers', [{ kind: 'removeCustomRoles', values: ['maker'] }])
    expect(await mayCreate('c')).toBe(false)
  })

  it('change with the role, and allow nothing once the role is deleted', async () => {
    const { team, bob, mayCreate, api, as } = await accountWithRole()
    await team('makers', { memberIDs: [bob.id], customRoleKeys: ['maker'] })
    expect(await mayCreate('a')).toBe(true)
    const body = [{ op: 'replace', path: '/policy', value: [allow(['createProject'], ['proj/c'])] }]
    await api.patchRole({ roleKey: 'maker', body }, { as })
    expect(await mayCreate('b')).toBe(false)
    expect(await mayCreate('c')).toBe(true)
    await api.deleteRole({ roleKey: 'maker', detach: true }, { as })
    await api.deleteProject({ projectKey: 'c' }, { as })
    expect(await mayCreate('c')).toBe(false)
  })

  it('do not keep the cached rights of a deleted role when another one is created with the same key', async () => {
    const { team, bob, mayCreate, api, as, pass, role } = await accountWithRole()
    await team('makers', { memberIDs: [bob.id], customRoleKeys: ['maker'] })
    expect(await mayCreate('a')).toBe(true)
    await api.deleteRole({ roleKey: 'maker', detach: true }, { as })
    pass(1)
    await role('maker', allow(['viewProject'], ['proj/*']))
    expect(await mayCreate('b')).toBe(false)
  })

  it('are added to the roles of the member and of other teams', async () => {
    const { team, bob, mayCreate, role, api, instruct } = await accountWithRole()
    await role('viewer', allow(['viewProject'], ['proj/*']))
    await team('makers', { memberIDs: [bob.id], customRoleKeys: ['maker'] })
    await team('viewers', { memberIDs: [bob.id], customRoleKeys: ['viewer'] })
    expect(await mayCreate('a')).toBe(true)
    expect(await codeOf(api.getProject({ projectKey: 'a' }, { as: bob.token }))).toBe('none')
    await instruct('viewers', [{ kind: 'removeMembers', values: [bob.id] }])
    expect(await codeOf(api.getProject({ projectKey: 'a' }, { as: bob.token }))).toBe('forbidden')
    expect(await mayCreate('b')).toBe(true)
  })

  it('limit the service tokens that the member created', async () => {
    const { team, bob, api, as, role } = await accountWithRole()
    await role('tokens', allow(['createAccessToken'], ['service-token/*']))
    await team('makers', { memberIDs: [bob.id], customRoleKeys: ['maker', 'tokens'] })
    const body = { role: 'admin', serviceToken: true } as const
    const created = await api.createToken({ body }, { as: bob.token })
    const create = (key: string) => codeOf(api.createProject({ body: { key, name: key } }, { as: created.token }))
    expect(await create('a')).toBe('none')
    expect(await codeOf(api.deleteProject({ projectKey: 'a' }, { as: created.token }))).toBe('forbidden')
    await api.deleteRole({ roleKey: 'maker', detach: true }, { as })
    expect(await create('b')).toBe('forbidden')
  })
})

describe('role attributes', () => {
  it('of teams are added to those of the member, and change immediately', async () => {
    const { team, instruct, bob, mayCreate } = await accountWithRole({ mine: ['a'] }, 'proj/${roleAttribute/mine}')
    await team('t', { memberIDs: [bob.id], customRoleKeys: ['maker'], roleAttributes: { mine: ['b'] } })
    await team('u', { memberIDs: [bob.id], roleAttributes: { mine: ['c'], valueOf: ['d'] } })
    for (const key of ['a', 'b', 'c']) expect([key, await mayCreate(key)]).toEqual([key, true])
    expect(await mayCreate('d')).toBe(false)
    await instruct('u', [{ kind: 'addRoleAttribute', key: 'mine', values: ['d'] }])
    expect(await mayCreate('d')).toBe(true)
    await instruct('u', [{ kind: 'removeRoleAttribute', key: 'mine' }])
    expect(await mayCreate('e')).toBe(false)
  })

  it('do not come from a team that the member only maintains', async () => {
    const { team, bob, mayCreate } = await accountWithRole({}, 'proj/${roleAttribute/mine}')
    await team('t', { memberIDs: [bob.id], customRoleKeys: ['maker'] })
    const permissionGrants = [{ actionSet: 'maintainTeam', memberIDs: [bob.id] }]
    await team('u', { permissionGrants, roleAttributes: { mine: ['a'] }, customRoleKeys: ['maker'] })
    expect(await mayCreate('a')).toBe(false)
  })
})

describe('permission grants', () => {
  it('allow a maintainer to change the name, description and members of the team, and nothing else', async () => {
    const { team, instruct, bob, api, role } = await accountWithRole()
    await role('weak')
    const permissionGrants = [{ actionSet: 'maintainTeam', memberIDs: [bob.id] }]
    await team('mine', { permissionGrants })
    await team('other')
    const as = bob.token
    const codeOfInstruction = (teamKey: string, instruction: object) => codeOf(instruct(teamKey, [instruction], as))
    const join = { kind: 'addMembers', values: [bob.id] }
    expect(await codeOf(api.getTeam({ teamKey: 'mine' }, { as }))).toBe('none')
    expect(await codeOfInstruction('mine', join)).toBe('none')
    expect(await codeOfInstruction('mine', { kind: 'updateName', value: 'Ours' })).toBe('none')
    expect(await codeOfInstruction('mine', { kind: 'updateDescription', value: 'Us' })).toBe('none')
    expect(await codeOfInstruction('mine', { kind: 'addRoleAttribute', key: 'a', values: ['b'] })).toBe('forbidden')
    expect(await codeOfInstruction('mine', { kind: 'addCustomRoles', values: ['weak'] })).toBe('forbidden')
    expect(await codeOf(api.deleteTeam({ teamKey: 'mine' }, { as }))).toBe('forbidden')
    expect(await codeOfInstruction('other', join)).toBe('forbidden')
    const { _access } = await api.getTeam({ teamKey: 'mine' }, { as })
    expect(_access.allowed.map(({ action }) => action).sort()).toEqual([
      'updateTeamDescription',
      'updateTeamMembers',
      'updateTeamName',
      'viewTeam',
    ])
  })

  it('can consist of single actions, and end immediately', async () => {
    const { team, instruct, bob } = await accountWithRole()
    await team('t', { permissionGrants: [{ actions: ['updateTeamName', 'viewTeam'], memberIDs: [bob.id] }] })
    const rename = (value: string) => codeOf(instruct('t', [{ kind: 'updateName', value }], bob.token))
    expect(await rename('A')).toBe('none')
    await instruct('t', [{ kind: 'removePermissionGrants', actions: ['updateTeamName'], memberIDs: [bob.id] }])
    expect(await rename('B')).toBe('forbidden')
  })

  it('never extend the rights of a token beyond its own roles', async () => {
    const { team, bob, api, as, instruct } = await accountWithRole()
    await team('t', { permissionGrants: [{ actionSet: 'maintainTeam', memberIDs: [bob.id] }] })
    const asBob = { role: 'owner', memberId: bob.id } as const
    const { token } = await api.createToken({ body: { role: 'reader' } }, { as: asBob })
    const failure = await failureOf(instruct('t', [{ kind: 'updateName', value: 'A' }], token))
    expect(failure.code).toBe('forbidden')
    expect(await codeOf(api.getTeam({ teamKey: 't' }, { as }))).toBe('none')
  })
})
