import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { allow, callerWith, codeOf, failureOf, teamAccount } from './test/team-account.ts'

describe('createTeam', () => {
  it('returns 201, and 409 when the key is taken', async () => {
    const { send } = await teamAccount()
    const body = { key: 'growth', name: 'Growth' }
    const created = await send('POST', '/api/v2/teams', { body })
    expect(created).toMatchObject({ status: 201, headers: { etag: '"1"' } })
    expect(JSON.parse(created.body as string)).toMatchObject({ ...body, description: '', _version: 1 })
    const duplicate = await send('POST', '/api/v2/teams', { body })
    expect(duplicate.status).toBe(409)
    expect(JSON.parse(duplicate.body as string)).toEqual({
      code: 'optimistic_locking_error',
      message: 'There is a team growth already',
    })
  })

  it('names every validation error of a body', async () => {
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

  it('names members and roles that do not exist, and creates nothing', async () => {
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
  it('filters, sorts and pages the teams that the caller may view', async () => {
    const { team, api, as, pass } = await teamAccount()
    for (const [key, name] of [
      ['a', 'Zebra'],
      ['b', 'Yak'],
      ['c', 'Zebu'],
    ] as const) {
      pass(1)
      await team(key, { name })
    }
    const keys = async (query: object, caller: As = as) =>
      (await api.listTeams(query, { as: caller })).items.map(({ key }) => key)
    expect(await keys({})).toEqual(['b', 'a', 'c'])
    expect(await keys({ sort: '-creationDate' })).toEqual(['c', 'b', 'a'])
    expect(await keys({ filter: 'query:zeb', sort: '-name' })).toEqual(['c', 'a'])
    expect(await keys({ limit: 1, offset: 1 })).toEqual(['a'])
    expect(await keys({}, callerWith(allow(['viewTeam'], ['team/b'])))).toEqual(['b'])
    expect((await api.listTeams({ limit: 1 }, { as })).totalCount).toBe(3)
    expect(await codeOf(api.listTeams({ filter: 'colour:red' }, { as }))).toBe('invalid_request')
    expect(await codeOf(api.listTeams({ expand: ['projects'] as never }, { as }))).toBe('invalid_request')
  })
})

describe('deleteTeam', () => {
  it('returns 409 while the team has members, and 204 afterwards', async () => {
    const { member, team, instruct, send, getTeam, getMember } = await teamAccount()
    const id = await member('bob@x.io')
    await team('t', { memberIDs: [id], permissionGrants: [{ actionSet: 'maintainTeam', memberIDs: [id] }] })
    const rejected = await send('DELETE', '/api/v2/teams/t')
    expect(rejected.status).toBe(409)
    expect(JSON.parse(rejected.body as string)).toEqual({
      code: 'optimistic_locking_error',
      message: `The team t is referred to by member ${id}. To remove these references with it, set detach=true.`,
      referrers: [{ kind: 'member', key: id, resource: `member/${id}` }],
    })
    await instruct('t', [{ kind: 'removeMembers', values: [id] }])
    expect(await send('DELETE', '/api/v2/teams/t')).toMatchObject({ status: 204 })
    expect(await codeOf(getTeam('t'))).toBe('not_found')
    expect((await getMember(id)).teamKeys).toEqual([])
  })

  it('never leaves a member in a deleted team, in either order of two concurrent calls', async () => {
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
