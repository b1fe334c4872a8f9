import { describe, expect, it } from 'vitest'
import { allow, callerWith, codeOf, failureOf, semanticPatchType, teamAccount } from './test/team-account.ts'

describe('patchTeam', () => {
  it('applies every instruction, and changes nothing when the team is already as requested', async () => {
    const { member, role, team, instruct, getTeam, pass } = await teamAccount()
    const [ann, bob, eve] = [await member('ann@x.io'), await member('bob@x.io'), await member('eve@x.io')]
    for (const key of ['one', 'two']) await role(key, allow(['viewProject'], ['proj/*']))
    await team('t')
    const readTeam = async () => {
      const { roles, members, maintainers, ...body } = await getTeam(
        't',
        'roles',
        'members',
        'maintainers',
        'roleAttributes',
      )
      return {
        name: body.name,
        description: body.description,
        attributes: body.roleAttributes,
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
      expect(await readTeam()).toEqual(expected)
      pass(1_000)
      expect(await instruct('t', [instruction])).toMatchObject({ _version, _lastModified })
    }
  })

  it('updates the team keys of the members', async () => {
    const { member, team, instruct, getMember } = await teamAccount()
    const [ann, bob] = [await member('ann@x.io'), await member('bob@x.io')]
    await team('t', { memberIDs: [ann] })
    await team('u', { memberIDs: [ann] })
    expect((await getMember(ann)).teamKeys).toEqual(['t', 'u'])
    await instruct('t', [{ kind: 'replaceMembers', values: [bob] }])
    expect((await getMember(ann)).teamKeys).toEqual(['u'])
    expect((await getMember(bob)).teamKeys).toEqual(['t'])
  })

  it('applies the last instruction about a member, and keeps members across replaceMembers', async () => {
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

  it('removes all members of a team with more members than one page of the storage', async () => {
    const { team, instruct, getTeam, api, as } = await teamAccount()
    await team('t')
    const people = Array.from({ length: 1_050 }, (_, i) => ({ email: `m${i}@x.io`, teamKeys: ['t'] }))
    for (let i = 0; i < people.length; i += 50) await api.createMembers({ body: people.slice(i, i + 50) }, { as })
    expect((await getTeam('t', 'members')).members).toEqual({ totalCount: 1_050 })
    await instruct('t', [{ kind: 'replaceMembers', values: [] }])
    expect((await getTeam('t', 'members')).members).toEqual({ totalCount: 0 })
    expect((await api.listMembers({ filter: 'team:t' }, { as })).totalCount).toBe(0)
  })

  it('rejects the whole patch and names the instruction that cannot be applied', async () => {
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

  it('accepts a JSON Patch of properties of the team document', async () => {
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

  it('requires the action of each changed property, and the revision that If-Match names', async () => {
    const { team, member, instruct, send } = await teamAccount()
    const id = await member('bob@x.io')
    await team('t')
    const only = (action: string) => callerWith(allow([action, 'viewTeam'], ['team/t']))
    const rename = { kind: 'updateName', value: 'New' }
    const addMember = { kind: 'addMembers', values: [id] }
    expect(await codeOf(instruct('t', [rename, addMember], only('updateTeamName')))).toBe('forbidden')
    expect(await codeOf(instruct('t', [rename, addMember], only('updateTeamMembers')))).toBe('forbidden')
    expect(await codeOf(instruct('t', [addMember], only('updateTeamMembers')))).toBe('none')
    expect(await codeOf(instruct('t', [rename], only('updateTeamName')))).toBe('none')
    const body = { instructions: [rename] }
    const headers = { 'content-type': semanticPatchType, 'if-match': '"1"' }
    expect((await send('PATCH', '/api/v2/teams/t', { body, ...headers })).status).toBe(409)
  })

  it('rejects a role or permission that exceeds the rights of the caller', async () => {
    const { team, role, member, instruct } = await teamAccount()
    const id = await member('bob@x.io')
    await role('web', allow(['updateTags'], ['proj/web']))
    await role('webs', allow(['updateTags'], ['proj/web-*']))
    await team('t')
    const manager = (...statements: Parameters<typeof callerWith>) =>
      callerWith(allow(['viewTeam', 'updateTeam*'], ['team/t']), ...statements)
    const addRole = (key: string) => [{ kind: 'addCustomRoles', values: [key] }]
    expect(await codeOf(instruct('t', addRole('web'), manager()))).toBe('forbidden')
    expect(await codeOf(instruct('t', addRole('web'), manager(allow(['updateTags'], ['proj/app']))))).toBe('forbidden')
    expect(await codeOf(instruct('t', addRole('web'), manager(allow(['update*'], ['proj/web']))))).toBe('none')
    expect(await codeOf(instruct('t', addRole('webs'), manager(allow(['*'], ['proj/web-*']))))).toBe('forbidden')
    expect(await codeOf(instruct('t', addRole('webs'), manager(allow(['*'], ['proj/*']))))).toBe('none')
    // A role that the team already has can be named again by any caller.
    expect(await codeOf(instruct('t', addRole('webs'), manager()))).toBe('none')
    const grant = (actions: string[]) => [{ kind: 'addPermissionGrants', actions, memberIDs: [id] }]
    expect(await codeOf(instruct('t', grant(['deleteTeam']), manager()))).toBe('forbidden')
    expect(await codeOf(instruct('t', grant(['updateTeamName']), manager()))).toBe('none')
  })
})
